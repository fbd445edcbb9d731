package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// Handler returns the site behind its chain.
func (s *Site) Handler() http.Handler {
	r := chi.NewRouter()
	r.Use(noteRoute, s.clientAddress, middleware.GetHead) // HEAD is GET without the body (RFC 9110, 9.3.2)
	r.NotFound(s.notFound)
	r.MethodNotAllowed(s.methodNotAllowed(r))
	s.routeOneClick(r)
	r.Group(func(r chi.Router) {
		r.Use(s.crossOrigin)
		s.route(r)
	})
	return s.chain(r, s.methodNotAllowed(r))
}

// route is every page, grouped by what it is for.
func (s *Site) route(r chi.Router) {
	h := s.errors.Handle

	// Reading: rendered when the content was read.
	for _, path := range readingRoutes {
		r.Get(path, h(s.read))
	}
	r.Get("/static/*", h(s.asset))

	// Finding.
	s.routeFound(r)
	s.routeAssess(r)

	// Booking a call.
	r.Get("/consult", h(s.consult))
	r.Post("/consult", h(s.consultPost))
	r.Get("/consult/find", h(s.consultFind))
	r.Post("/consult/find", h(s.consultFindPost))
	r.Get("/consult/{token}", h(s.appointment))
	r.Post("/consult/{token}/move", h(s.appointmentMove))
	r.Post("/consult/{token}/cancel", h(s.appointmentCancel))
	r.Post("/consult/{token}/email", h(s.appointmentEmail))
	r.Get("/consult/{token}/invite.ics", h(s.appointmentICS))
	r.Get("/calendar/{token}.ics", h(s.calendar))

	// Letters.
	if !s.MailOff {
		s.routeLetters(r)
	}

	// For the owner.
	if s.Admin != nil {
		r.With(s.ownersEdge).Mount("/admin", s.Admin)
	}

	// For whoever writes it.
	if s.Dev {
		s.routeGallery(r)
	}

	// For whoever runs it.
	r.Get("/healthz", h(s.healthz))
	r.Get("/readyz", h(s.readyz))
}
