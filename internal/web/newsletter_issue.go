package web

import (
	"bytes"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// newsletterIssue shows a letter, once it was sent; to who writes it, at any time.
func (s *Site) newsletterIssue(w http.ResponseWriter, r *http.Request) error {
	slug := chi.URLParam(r, "slug")
	i, found := s.Library().Issue(slug)
	if !found {
		return fault.New(fault.NotFound, "")
	}
	sent, err := s.Newsletter.Archive(r.Context())
	if err != nil {
		return err
	}
	if !sent[slug] && !s.Dev {
		return fault.New(fault.NotFound, "")
	}
	var page bytes.Buffer
	if err := templates.NewsletterIssue(s.chrome(r), letterView(s.Library(), s.Base, i)).Render(r.Context(), &page); err != nil {
		return err
	}
	respond.NewCopy("text/html; charset=utf-8", page.Bytes()).Serve(w, r, respond.Reading)
	return nil
}
