package web

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/static"
	"github.com/steadier/steadier/templates"
)

// routeGallery shows every part in every state, to who changes the looks.
func (s *Site) routeGallery(r chi.Router) {
	r.Get("/gallery", s.errors.Handle(s.gallery))
	r.Get(galleryCSS, s.errors.Handle(s.galleryStyle))
}

const galleryCSS = "/gallery.css"

func (s *Site) gallery(w http.ResponseWriter, r *http.Request) error {
	m := reading{lib: s.Library()}
	v := templates.GalleryView{
		CSS:      galleryCSS,
		Articles: articleLinks(m.lib.Articles[:min(homeArticles, len(m.lib.Articles))]),
		Found: templates.SearchView{Asked: true, Typed: "miss", Hits: []templates.SearchHit{{
			Path: "/articles", What: "Article, 6 minutes",
			Title:   []templates.SearchText{{Text: "Why do I "}, {Text: "miss", Marked: true}, {Text: " someone?"}},
			Excerpt: []templates.SearchText{{Text: "You can "}, {Text: "miss", Marked: true}, {Text: " someone and know that they hurt you…"}},
		}}},
	}
	for _, a := range m.lib.Articles { // the first with a drawing has the most to show
		if v.Markdown == "" || strings.Contains(a.Body, "<figure") && !strings.Contains(v.Markdown, "<figure") {
			v.Markdown = a.Body
		}
	}
	if len(m.lib.Sources) > 0 {
		v.Source = sourceView(m.lib.Sources[0].Reference)
	}
	return respond.Page(w, r, http.StatusOK, templates.Gallery(s.chrome(r), v), respond.NoStore)
}

var (
	dayTokens   = regexp.MustCompile(`(?s):root\s*\{(.*?)\}`)
	nightTokens = regexp.MustCompile(`(?s)prefers-color-scheme:\s*dark\)\s*\{\s*:root\s*\{(.*?)\}`)
)

// galleryStyle sets the tokens of both themes, whatever the device asks for: they are
// taken from the style sheet itself, so that they can't differ from it.
func (s *Site) galleryStyle(w http.ResponseWriter, r *http.Request) error {
	for _, f := range static.Files() {
		if f.Name != "site.css" {
			continue
		}
		day, night := dayTokens.FindSubmatch(f.Body), nightTokens.FindSubmatch(f.Body)
		if day == nil || night == nil {
			break
		}
		var b strings.Builder
		b.WriteString(".by-day{" + string(day[1]) + ";color-scheme:light}.by-night{" + string(night[1]) + ";color-scheme:dark}" +
			".theme{grid-column:1/-1;background:var(--paper);color:var(--ink);padding:var(--s5)}" +
			".exhibit{max-inline-size:var(--measure);margin-block-end:var(--s6)}")
		respond.Bytes(w, r, http.StatusOK, "text/css; charset=utf-8", []byte(b.String()), respond.NoStore)
		return nil
	}
	return fault.New(fault.NotFound, "")
}
