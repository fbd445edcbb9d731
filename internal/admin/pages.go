package admin

import "github.com/go-chi/chi/v5"

// routePages are all pages of who is signed in, beside those of the way in.
func (s *Site) routePages(r chi.Router) {
	s.routeCalls(r)
	s.routeReaders(r)
	s.routeMail(r)
	s.routeCare(r)
}
