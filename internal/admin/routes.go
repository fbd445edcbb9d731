package admin

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/fault"
)

// Handler returns the pages, to be mounted at /admin.
func (s *Site) Handler() http.Handler {
	r := chi.NewRouter()
	r.NotFound(s.errors.Handle(s.nothing))
	s.routeSignIn(r)
	r.Group(func(r chi.Router) {
		r.Use(s.requireOwner)
		s.routeOwn(r)
		s.routePages(r)
	})
	return r
}

func (s *Site) nothing(http.ResponseWriter, *http.Request) error {
	return fault.New(fault.NotFound, "")
}
