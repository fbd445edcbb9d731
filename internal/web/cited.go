package web

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/cite"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/templates"
)

// thing is something as https://schema.org describes it, for robots: a data block in
// the page, which no browser runs.
type thing map[string]any

// schemaTypes are the kinds of works by their kind in CSL; other works are just works.
var schemaTypes = map[string]string{
	"article-journal": "ScholarlyArticle",
	"article":         "ScholarlyArticle",
	"book":            "Book",
	"chapter":         "Chapter",
	"report":          "Report",
	"thesis":          "Thesis",
	"webpage":         "WebPage",
}

// articleThing describes an article with the works that it cites. It is a medical
// page only when a clinician did review it: nothing is claimed that is not so.
func articleThing(lib *library.Library, a *library.Article, site, picture string) thing {
	owner := thing{"@type": "Organization", "name": lib.Site.Practice.Name, "url": site + "/about"}
	t := thing{
		"@context":            "https://schema.org",
		"@type":               "Article",
		"@id":                 site + a.Path(),
		"url":                 site + a.Path(),
		"mainEntityOfPage":    site + a.Path(),
		"headline":            a.Title,
		"description":         a.Description,
		"image":               picture,
		"inLanguage":          lib.Site.Language,
		"datePublished":       a.Published.Format(time.DateOnly),
		"dateModified":        changed(a).Format(time.DateOnly),
		"author":              owner,
		"publisher":           owner,
		"isAccessibleForFree": true,
	}
	if r := a.Reviewed; r != nil {
		t["@type"] = "MedicalWebPage"
		t["reviewedBy"] = thing{"@type": "Person", "name": r.By}
		t["lastReviewed"] = r.On.Format(time.DateOnly)
	}
	if len(a.Notes) > 0 {
		works := make([]thing, len(a.Notes))
		for i, n := range a.Notes {
			works[i] = workThing(n.Reference)
		}
		t["citation"] = works
	}
	return t
}

// sharedPage is what a page that is the same for everybody says of itself to programs.
// The picture is the path of the one for previews.
func sharedPage(lib *library.Library, base *url.URL, picture, title, path string) *templates.Shared {
	return &templates.Shared{
		Site:    lib.Site.Name,
		Title:   title,
		Line:    "A page to read.",
		URL:     origin(base) + path,
		Picture: origin(base) + picture,
	}
}

// sharedArticle is the same for an article.
func sharedArticle(lib *library.Library, base *url.URL, picture string, a *library.Article) *templates.Shared {
	shared := sharedPage(lib, base, picture, a.Title, a.Path())
	shared.Article = true
	shared.Line = "To read in " + countMinutes(a.Minutes) + "."
	shared.Data = articleThing(lib, a, origin(base), shared.Picture)
	return shared
}

func workThing(r *cite.Reference) thing {
	kind := schemaTypes[r.Type]
	if kind == "" {
		kind = "CreativeWork"
	}
	t := thing{"@type": kind, "name": r.Title, "author": authorThings(r)}
	if r.Issued.Year != 0 {
		t["datePublished"] = strconv.Itoa(r.Issued.Year)
	}
	if r.Container != "" {
		t["isPartOf"] = thing{"@type": containerType(kind), "name": r.Container}
	}
	links := r.Links()
	if len(links) > 0 {
		t["url"] = links[0].URL
	}
	return t
}

func containerType(kind string) string {
	switch kind {
	case "ScholarlyArticle":
		return "Periodical"
	case "Chapter":
		return "Book"
	}
	return "CreativeWork"
}

func authorThings(r *cite.Reference) []thing {
	names := r.Authors
	if len(names) == 0 {
		names = r.Editors
	}
	things := make([]thing, len(names))
	for i, n := range names {
		if n.Literal != "" {
			things[i] = thing{"@type": "Organization", "name": n.Literal}
			continue
		}
		things[i] = thing{"@type": "Person", "name": personName(n)}
	}
	return things
}

func personName(n cite.Name) string {
	parts := []string{n.Given, n.Particle, n.Family, n.Suffix}
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}
