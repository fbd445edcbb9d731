package web

import (
	"strings"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/markdown"
	"github.com/steadier/steadier/internal/store"
)

// searchDocs are the pages that can be found: everything that is the same for
// everybody, as plain words. Letters can be found once they were sent; drafts can't.
func searchDocs(lib *library.Library, sent map[string]bool, letters bool) []store.Doc {
	docs := standingDocs(lib)
	for _, a := range lib.Articles {
		if a.Draft {
			continue
		}
		docs = append(docs, store.Doc{
			Path:        a.Path(),
			Title:       a.Title,
			Question:    a.Question,
			Description: a.Description,
			Headings:    headingTexts(a.Contents),
			Body:        words(a.BriefDoc, a.BodyDoc, a.SafetyDoc),
		})
	}
	for _, p := range lib.Pages {
		if p.Draft {
			continue
		}
		docs = append(docs, store.Doc{
			Path:        p.Path(),
			Title:       p.Title,
			Question:    strings.ReplaceAll(p.Slug, "-", " "), // “privacy”, whatever its title
			Description: p.Description,
			Headings:    headingTexts(p.Contents),
			Body:        words(p.Doc),
		})
	}
	docs = append(docs, furnitureDocs(lib)...)
	if letters {
		docs = append(docs, letterDocs(lib, sent)...)
	}
	return docs
}

// furnitureDocs are the self-assessment, topics, paths and the words of the glossary, each at its place on
// the page.
func furnitureDocs(lib *library.Library) []store.Doc {
	var docs []store.Doc
	if a := offered(lib); a != nil {
		docs = append(docs, store.Doc{
			Path: library.AssessmentPath, Title: a.Title, Description: a.Description,
			Question: "Where do I begin? Is there a test, a quiz, a self-assessment?",
		})
	}
	for _, t := range lib.Topics {
		if t.Draft {
			continue
		}
		docs = append(docs, store.Doc{
			Path: t.Path(), Title: t.Title, Description: t.Description, Body: words(t.Doc), Lists: titles(t.Articles),
		})
	}
	for _, p := range lib.Paths {
		if p.Draft {
			continue
		}
		docs = append(docs, store.Doc{
			Path: p.Path(), Title: p.Title, Question: p.Question, Description: p.Description,
			Body: words(p.Doc), Lists: titles(p.Articles),
		})
	}
	if len(lib.Terms) > 0 {
		docs = append(docs, store.Doc{
			Path: "/glossary", Title: "Glossary", Description: "What some words mean on this site.",
		})
	}
	for _, t := range lib.Terms {
		docs = append(docs, store.Doc{
			Path: "/glossary#" + t.ID, Title: t.Name, Body: words(t.Doc), Lists: strings.Join(t.Also, "\n"),
		})
	}
	return docs
}

func titles(articles []*library.Article) string {
	var b strings.Builder
	for _, a := range articles {
		if !a.Draft {
			b.WriteString(a.Title + "\n")
		}
	}
	return b.String()
}

func letterDocs(lib *library.Library, sent map[string]bool) []store.Doc {
	docs := []store.Doc{{
		Path:        "/newsletter",
		Title:       "Letters",
		Description: "The newsletter, by email or to read here.",
	}}
	for _, i := range lib.Issues {
		if sent[i.Slug] && !i.Draft {
			docs = append(docs, store.Doc{
				Path:        i.Path(),
				Title:       i.Subject,
				Description: i.Preheader,
				Body:        words(i.Doc),
			})
		}
	}
	return docs
}

// standingDocs are pages of the program itself.
func standingDocs(lib *library.Library) []store.Doc {
	return []store.Doc{
		{
			Path:        "/support",
			Title:       "Help now",
			Question:    "Is there a helpline? Whom can I call?",
			Description: "Numbers to call, by country: helplines, crisis lines and emergency numbers.",
			Lists:       helplineWords(lib),
		},
		{
			Path:        "/sources",
			Title:       "Sources",
			Description: "The works that this site cites.",
			Lists:       sourceWords(lib),
		},
		{
			Path:        "/consult",
			Title:       "A phone call",
			Question:    "How do I book a call? Can I talk to somebody?",
			Description: "Choose a time for a free call, without an account. Move or cancel it when you need to.",
		},
	}
}

// shortCountries are the names that people type, where they are not the code.
var shortCountries = map[string]string{"GB": "UK", "US": "USA"}

func helplineWords(lib *library.Library) string {
	var b strings.Builder
	for _, c := range lib.Countries {
		code := c.ISO
		if short := shortCountries[code]; short != "" {
			code = short
		}
		b.WriteString(c.Name + " (" + code + "): " + c.Emergency + ".\n")
		for _, s := range c.Services {
			b.WriteString(s.Name + ". " + s.Who + ".\n")
		}
	}
	return b.String()
}

func sourceWords(lib *library.Library) string {
	var b strings.Builder
	for _, src := range lib.Sources {
		b.WriteString(src.Vancouver() + "\n")
	}
	return b.String()
}

func headingTexts(headings []library.Heading) []string {
	texts := make([]string, len(headings))
	for i, h := range headings {
		texts[i] = h.Text
	}
	return texts
}

// words are the plain words of documents, without headings, which are apart.
func words(docs ...*markdown.Document) string {
	var b strings.Builder
	for _, d := range docs {
		if d == nil {
			continue
		}
		for _, p := range d.Paragraphs() {
			if p.Kind != markdown.InHeading {
				b.WriteString(p.Text + "\n")
			}
		}
	}
	return b.String()
}
