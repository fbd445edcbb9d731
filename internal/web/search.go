package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/templates"
)

// searchHits is how many pages an answer shows.
const searchHits = 20

// searchField is the field of the form.
const searchField = "q"

// searchPost looks for words. They come in the body and go into the page alone: no
// address, title or log holds them. The form has no key, because it changes nothing;
// a post from another site could only show its own visitor this page.
func (s *Site) searchPost(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	values, err := respond.ParseForm(w, r, respond.Fields{searchField})
	if limit := s.spendLook(w, r); limit != nil {
		err = limit
	}
	typed := strings.ToValidUTF8(values.Get(searchField), "")
	if err != nil {
		return s.searchAgain(w, r, typed, err)
	}
	v, err := s.searchView(r.Context(), typed)
	if err != nil {
		return err
	}
	return respond.Page(w, r, http.StatusOK, templates.Search(s.chrome(r), v), respond.SearchAnswer)
}

// searchAgain shows the form with what was typed, and why it was not looked for.
func (s *Site) searchAgain(w http.ResponseWriter, r *http.Request, typed string, err error) error {
	if !showsForm(err) {
		return err
	}
	respond.RetryAfter(w.Header(), err)
	p := problemOf(err)
	v := templates.SearchView{Typed: typed, Wrong: p.Text}
	if v.Wrong == "" {
		v.Wrong = "This holds characters that cannot be read. Please type the words again."
	}
	return respond.Page(w, r, respond.Status(err), templates.Search(s.chrome(r), v), respond.NoStore)
}

func (s *Site) searchView(ctx context.Context, typed string) (templates.SearchView, error) {
	v := templates.SearchView{Typed: typed}
	if strings.TrimSpace(typed) == "" {
		v.Wrong = "Type a word or two, and they will be looked for."
		return v, nil
	}
	f, err := s.finds(ctx)
	if err != nil {
		return v, fault.Wrap(fault.Unavailable, err)
	}
	found, err := f.index.Search(ctx, typed, searchHits+1)
	if err != nil {
		return v, fault.Wrap(fault.Unavailable, err)
	}
	v.Asked, v.Suggestion = true, found.Suggestion
	v.More = found.Whole > searchHits
	whole := min(found.Whole, searchHits)
	v.Hits = hitViews(f.lib, found.Hits[:whole])
	if !v.More {
		v.Some = hitViews(f.lib, found.Hits[whole:])
	}
	return v, nil
}

func hitViews(lib *library.Library, hits []store.Hit) []templates.SearchHit {
	views := make([]templates.SearchHit, len(hits))
	for i, h := range hits {
		views[i] = templates.SearchHit{
			Path:    h.Path,
			What:    whatItIs(lib, h.Path),
			Title:   searchTexts(h.Title),
			Excerpt: searchTexts(h.Excerpt),
		}
	}
	return views
}

func searchTexts(segments []store.Segment) []templates.SearchText {
	texts := make([]templates.SearchText, len(segments))
	for i, s := range segments {
		texts[i] = templates.SearchText(s)
	}
	return texts
}

// whatItIs says what kind of page a path leads to.
func whatItIs(lib *library.Library, path string) string {
	if slug, ok := strings.CutPrefix(path, "/articles/"); ok {
		if a, ok := lib.Article(slug); ok {
			return "Article, " + countMinutes(a.Minutes)
		}
	}
	if slug, ok := strings.CutPrefix(path, "/newsletter/"); ok {
		if i, ok := lib.Issue(slug); ok {
			return "Letter, " + countMinutes(minutes(i))
		}
	}
	if slug, ok := strings.CutPrefix(path, "/paths/"); ok {
		if p, ok := lib.Path(slug); ok {
			return "Path, " + strconv.Itoa(len(p.Articles)) + " articles"
		}
	}
	if path == library.AssessmentPath {
		return "Some questions, " + countMinutes(assessMinutes(lib))
	}
	if strings.HasPrefix(path, "/topics/") {
		return "Topic"
	}
	if strings.HasPrefix(path, "/glossary#") {
		return "Glossary"
	}
	return ""
}

func countMinutes(n int) string {
	if n == 1 {
		return "1 minute"
	}
	return strconv.Itoa(n) + " minutes"
}
