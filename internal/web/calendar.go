package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/respond"
)

// calendar is the owner's feed, for who holds its secret address.
func (s *Site) calendar(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	text, err := s.Consult.Feed(r.Context(), s.Now(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	respond.Bytes(w, r, http.StatusOK, "text/calendar; charset=utf-8", []byte(text), respond.NoStore)
	return nil
}
