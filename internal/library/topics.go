package library

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// Topic is a subject that some articles share.
type Topic struct {
	Slug        string
	Title       string
	Description string
	Body        string // HTML: a few words
	Order       int    // place among the topics, from 1; 0: after those that have one
	Articles    []*Article
	Notes       []Note
	Draft       bool
	Doc         *markdown.Document
}

// Path is the address of the topic on this site.
func (t *Topic) Path() string { return "/topics/" + t.Slug }

// Path is a short course of articles in a good order.
type Path struct {
	Slug        string
	Title       string
	Question    string // what it answers, as a reader would ask
	Description string
	Lead        string     // HTML: a few words
	Order       int        // place among the paths, from 1; 0: after those that have one
	Articles    []*Article // in order
	Notes       []Note
	Draft       bool
	Doc         *markdown.Document
}

// Path is the address of the path on this site.
func (p *Path) Path() string { return "/paths/" + p.Slug }

// Minutes is how long all of its articles take to read.
func (p *Path) Minutes() int {
	n := 0
	for _, a := range p.Articles {
		n += a.Minutes
	}
	return n
}

// The bounds of topics and paths.
const (
	maxLead   = 80 // words
	maxTopics = 3  // of an article
	minSteps  = 2
	maxSteps  = 12
)

var (
	topicKeys = []string{"title", "description", "order"}
	pathKeys  = []string{"title", "question", "description", "articles", "order"}
)

// topic reads one topic; nil if there was nothing to read.
func (l *loader) topic(f file) *Topic {
	parts, rec, findings, ok := l.parts(f, topicKeys)
	if !ok {
		return nil
	}
	t := &Topic{Slug: f.slug, Draft: f.draft}
	if rec != nil {
		t.Title = bounded(rec, "title", "what the articles have in common, in a few words", maxTitle)
		t.Description = bounded(rec,
			"description", "one sentence for search engines, in 160 characters at most", maxDescription)
		t.Order = place(rec, "topics")
	}
	t.Doc, t.Notes = l.lead(f, parts, findings)
	t.Body = t.Doc.HTML()
	l.write(Manuscript{Path: f.path, Texts: append(linesOf(rec, "title", "description"), textOf(PartPassage, t.Doc))})
	l.report(*findings...)
	return t
}

// path reads one path; nil if there was nothing to read.
func (l *loader) path(f file) *Path {
	parts, rec, findings, ok := l.parts(f, pathKeys)
	if !ok {
		return nil
	}
	p := &Path{Slug: f.slug, Draft: f.draft}
	if rec != nil {
		p.Title = bounded(rec, "title", "what the path is called, in 70 characters at most", maxTitle)
		p.Question = rec.Need("question", "what a reader would ask, such as “Why can’t I let go?”")
		p.Description = bounded(rec,
			"description", "one sentence for search engines, in 160 characters at most", maxDescription)
		p.Order = place(rec, "paths")
		l.steps(f, rec, p)
	}
	p.Doc, p.Notes = l.lead(f, parts, findings)
	p.Lead = p.Doc.HTML()
	l.write(Manuscript{
		Path:  f.path,
		Texts: append(linesOf(rec, "title", "question", "description"), textOf(PartPassage, p.Doc)),
	})
	l.report(*findings...)
	return p
}

// steps notes the articles that a path names; they are looked up when all are read.
func (l *loader) steps(f file, rec *yamlfile.Record, p *Path) {
	items := rec.Texts("articles")
	switch n := len(items); {
	case !rec.Has("articles"):
		rec.Errorf("articles", "articles is missing; list the slugs of the articles in their order")
	case n < minSteps || n > maxSteps:
		rec.Errorf("articles",
			"articles names %d, and a path has %d to %d", n, minSteps, maxSteps)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, item := range items {
		l.named = append(l.named, relation{route: p, slug: item.Text, path: f.path, line: item.Line})
	}
}

// lead parses the few words of a topic or a path.
func (l *loader) lead(f file, parts markdown.Parts, findings *fault.Findings) (*markdown.Document, []Note) {
	if strings.TrimSpace(parts.Body) == "" {
		*findings = append(*findings, fault.Errorf(f.path, parts.BodyLine,
			"there is no text after the front matter; write one or two sentences that lead in"))
	}
	page := markdown.NewPage(l.options)
	doc, fs := page.Parse(markdown.Source{Path: f.path, Text: parts.Body, Line: parts.BodyLine, Brief: true})
	*findings = append(*findings, append(fs, page.CheckAnchors()...)...)
	if doc.Words > maxLead {
		*findings = append(*findings, fault.Errorf(f.path, parts.BodyLine,
			"the text has %d words, at most %d; shorten it", doc.Words, maxLead))
	}
	l.keep(doc)
	return doc, page.Notes()
}

// place reads `order` among things of a kind.
func place(rec *yamlfile.Record, kind string) int {
	text := rec.Text("order")
	if text == "" {
		return 0
	}
	n, ok := atLeastOne(text)
	if !ok {
		rec.Errorf("order", "order: %q is no place among the %s; write a number from 1", text, kind)
	}
	return n
}

// indexTopics puts topics and paths in order.
func (l *loader) indexTopics() {
	lib := l.lib
	lib.topics, lib.paths = map[string]*Topic{}, map[string]*Path{}
	for _, t := range lib.Topics {
		lib.topics[t.Slug] = t
	}
	for _, p := range lib.Paths {
		lib.paths[p.Slug] = p
	}
	slices.SortStableFunc(lib.Topics, func(a, b *Topic) int {
		return cmp.Or(cmp.Compare(orderOf(a.Order), orderOf(b.Order)), cmp.Compare(fold(a.Title), fold(b.Title)))
	})
	slices.SortStableFunc(lib.Paths, func(a, b *Path) int {
		return cmp.Or(cmp.Compare(orderOf(a.Order), orderOf(b.Order)), cmp.Compare(fold(a.Title), fold(b.Title)))
	})
}

// join looks up what `topics` of articles and `articles` of paths name.
func (l *loader) join() {
	slices.SortStableFunc(l.named, byLine)
	for _, r := range l.named {
		if r.route != nil {
			l.joinPath(r)
		} else {
			l.joinTopic(r)
		}
	}
	for _, a := range l.lib.Articles {
		for _, t := range a.Topics {
			t.Articles = append(t.Articles, a)
		}
	}
	if l.findings.Errors() > 0 {
		return
	}
	for _, t := range l.lib.Topics {
		if len(t.Articles) == 0 {
			l.report(fault.Warnf(t.Doc.Path, 1,
				"no article has the topic; add %s to the `topics` of one, or take the file out", t.Slug))
		}
	}
}

// checkMap looks for each path on the drawing of them, which nobody else would redraw.
func (l *loader) checkMap() {
	drawing := l.lib.Figures[PathMap]
	if drawing == nil || l.findings.Errors() > 0 {
		return
	}
	file := figuresDir + "/" + PathMap
	if drawing.Title == "" {
		l.report(fault.Warnf(file, 1, "the map of the paths has no <title>; say in one what it shows"))
	}
	for _, p := range l.lib.Paths {
		if !p.Draft && !strings.Contains(drawing.Desc, p.Title) {
			l.report(fault.Warnf(file, 1, "the map does not name the path “%s” in its <desc>; draw the path in, or take the file out", p.Title))
		}
	}
}

func (l *loader) joinTopic(r relation) {
	to, ok := l.lib.topics[r.slug]
	switch {
	case !ok && l.broken[topicsDir+"/"+r.slug+".md"]:
	case !ok:
		hint := l.didYouMean(r.slug, maps.Keys(l.lib.topics))
		if hint == "" {
			hint = "; write " + topicsDir + "/" + r.slug + ".md, or take it out"
		}
		l.report(fault.Errorf(r.path, r.line, "topics: there is no topic %s%s", r.slug, hint))
	case slices.Contains(r.article.Topics, to):
		l.report(fault.Errorf(r.path, r.line, "topics: %s stands twice", r.slug))
	default:
		r.article.Topics = append(r.article.Topics, to)
	}
}

func (l *loader) joinPath(r relation) {
	to, ok := l.lib.articles[r.slug]
	switch {
	case !ok && l.broken[articlesDir+"/"+r.slug+".md"]:
	case !ok:
		l.report(fault.Errorf(r.path, r.line, "articles: there is no article %s%s",
			r.slug, l.didYouMean(r.slug, maps.Keys(l.lib.articles))))
	case slices.Contains(r.route.Articles, to):
		l.report(fault.Errorf(r.path, r.line, "articles: %s stands twice", r.slug))
	default:
		r.route.Articles = append(r.route.Articles, to)
	}
}
