package web

import (
	"bytes"
	"net/http"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
)

// ShowFaults has every page begin with these lines: what is wrong with the content. It
// does so for who writes it only, with Config.Dev. None take them away.
func (s *Site) ShowFaults(lines []string) { s.faults.Store(&lines) }

// Faults are the lines that pages begin with.
func (s *Site) Faults() []string {
	lines := s.faults.Load()
	if !s.Dev || lines == nil {
		return nil
	}
	return *lines
}

// readAnew serves a reading page as it is now: with the faults that are shown now, and
// with the words of the templates, which `templ generate -watch` changes without a
// restart.
func (s *Site) readAnew(w http.ResponseWriter, r *http.Request) error {
	page, ok := s.readingPages(s.Library(), s.chrome(r))[r.URL.Path]
	if !ok {
		return fault.New(fault.NotFound, "")
	}
	var html bytes.Buffer
	if err := page.Render(r.Context(), &html); err != nil {
		return err
	}
	respond.NewCopy("text/html; charset=utf-8", html.Bytes()).Serve(w, r, respond.Reading)
	return nil
}
