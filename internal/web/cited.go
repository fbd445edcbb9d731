package web

import (
	"net/url"
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

// workThing names a work and where it is. The rest of the reference stands in the list
// of sources; twice would cost every reader half a kilobyte.
func workThing(r *cite.Reference) thing {
	kind := schemaTypes[r.Type]
	if kind == "" {
		kind = "CreativeWork"
	}
	t := thing{"@type": kind, "name": r.Title}
	if links := r.Links(); len(links) > 0 {
		t["url"] = links[0].URL
	}
	return t
}
