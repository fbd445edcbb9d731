package library

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// checkLinks looks at the links of all documents that stay on this site.
func (l *loader) checkLinks() {
	site := l.siteMap()
	slices.SortStableFunc(l.docs, func(a, b *markdown.Document) int {
		return cmp.Compare(a.Path, b.Path)
	})
	for _, d := range l.docs {
		for _, link := range d.Links {
			if strings.HasPrefix(link.URL, "/") {
				l.checkLink(site, d.Path, link)
			}
			if strings.HasPrefix(link.URL, "/newsletter/") && !strings.HasPrefix(d.Path, newsletterDir+"/") {
				l.report(fault.Warnf(d.Path, link.Line, "a letter can be read once it was sent; link to /newsletter, where all of them are"))
			}
		}
	}
}

// siteMap is the paths that a link may lead to and the anchors on each; nil
// anchors are not looked at.
type siteMap map[string]map[string]bool

func (l *loader) siteMap() siteMap {
	site := siteMap{}
	for _, path := range slices.Concat(Routes(), l.opts.Routes) {
		site[path] = nil
	}
	for _, p := range l.lib.Pages {
		site[p.Path()] = l.anchors(p.Doc)
	}
	for _, a := range l.lib.Articles {
		site[a.Path()] = l.anchors(a.BodyDoc)
	}
	for _, i := range l.lib.Issues {
		site[i.Path()] = l.anchors(i.Doc)
	}
	for _, t := range l.lib.Topics {
		site["/topics"], site[t.Path()] = nil, nil
	}
	for _, p := range l.lib.Paths {
		site["/paths"], site[p.Path()] = nil, nil
	}
	l.glossaryAnchors(site)
	if l.lib.Site.SelfAssessment {
		site[AssessmentPath] = nil
	}
	return site
}

// glossaryAnchors adds the page of the glossary, if there is one.
func (l *loader) glossaryAnchors(site siteMap) {
	if l.broken[glossaryFile] {
		site[glossaryPage] = nil
		return
	}
	for _, t := range l.lib.Terms {
		if site[glossaryPage] == nil {
			site[glossaryPage] = map[string]bool{}
		}
		site[glossaryPage][t.ID] = true
	}
}

const glossaryPage = "/glossary"

// AssessmentPath is where the self-assessment stands, if it is offered.
const AssessmentPath = "/self-assessment"

// anchors are the ids of a document's headings. Those of a file with faults may
// be missing, so they are not looked at.
func (l *loader) anchors(doc *markdown.Document) map[string]bool {
	if doc == nil || l.broken[doc.Path] {
		return nil
	}
	out := map[string]bool{}
	for _, id := range markdown.ReservedIDs() {
		out[id] = true
	}
	for _, id := range doc.IDs() {
		out[id] = true
	}
	return out
}

func (l *loader) checkLink(site siteMap, from string, link markdown.Link) {
	path, anchor, _ := strings.Cut(link.URL, "#")
	path, _, _ = strings.Cut(path, "?")
	if decoded, err := url.PathUnescape(path); err == nil {
		path = decoded
	}
	anchors, ok := site[path]
	switch {
	case !ok:
		l.report(fault.Errorf(from, link.Line, "%s", l.unknownPath(site, path)))
	case anchor == "" || anchors == nil:
		l.checkSource(from, link, path, anchor)
	case !anchors[anchor] && path == glossaryPage:
		l.report(fault.Errorf(from, link.Line, "the glossary has no term "+
			"%s%s", anchor, l.didYouMean(anchor, maps.Keys(anchors))))
	case !anchors[anchor]:
		l.report(fault.Errorf(from, link.Line,
			"the page %s has no heading with the anchor "+
				"#%s%s", path, anchor, l.didYouMean(anchor, maps.Keys(anchors))))
	}
}

// checkSource looks at a link to one work of the sources page.
func (l *loader) checkSource(from string, link markdown.Link, path, anchor string) {
	if path != "/sources" || anchor == "" || l.noReferences {
		return
	}
	if _, ok := l.lib.Works.Get(anchor); !ok {
		l.report(fault.Errorf(from, link.Line,
			"the bibliography has no work "+
				"%s%s", anchor, l.didYouMean(anchor, slices.Values(l.lib.Works.IDs()))))
	}
}

func (l *loader) unknownPath(site siteMap, path string) string {
	if bare := strings.TrimSuffix(path, "/"); bare != path {
		if _, ok := site[bare]; ok {
			return "the address " + path + " has a slash too many; write " + bare
		}
	}
	if path == AssessmentPath {
		return "the self-assessment is not offered; take the link out, or set self_assessment to true in " + siteFile
	}
	if slug, ok := strings.CutPrefix(path, "/articles/"); ok {
		return "there is no article " + slug + l.didYouMean(slug, maps.Keys(l.lib.articles))
	}
	if slug, ok := strings.CutPrefix(path, "/topics/"); ok {
		return "there is no topic " + slug + l.didYouMean(slug, maps.Keys(l.lib.topics))
	}
	if slug, ok := strings.CutPrefix(path, "/paths/"); ok {
		return "there is no path " + slug + l.didYouMean(slug, maps.Keys(l.lib.paths))
	}
	return "this site has no page " + path + l.didYouMean(path, maps.Keys(site))
}
