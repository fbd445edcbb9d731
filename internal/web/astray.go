package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
)

// notFound answers where there is no route. An address of a page with a slash behind
// it leads to the page; no other one leads anywhere.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request) {
	if path := strings.TrimSuffix(r.URL.Path, "/"); path != r.URL.Path && s.isPage(path) {
		if r.URL.RawQuery != "" {
			path += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", path)
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	s.errors.Status(w, r, http.StatusNotFound, "")
}

// isPage reports whether a path is that of a page of the site itself.
func (s *Site) isPage(path string) bool {
	switch path {
	case "/consult", "/consult/find":
		return true
	case "/newsletter":
		return !s.MailOff
	}
	_, ok := s.shelf.Load().pages[path]
	return ok
}

// methodNotAllowed names the methods that a path takes (RFC 9110, 15.5.6). A path that
// takes a GET only by the pattern of the pages, and is none of them, does not exist.
func (s *Site) methodNotAllowed(routes chi.Routes) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			found := chi.NewRouteContext()
			if !routes.Match(found, method, r.URL.Path) {
				continue
			}
			if !s.serves(found.RoutePattern(), r.URL.Path) {
				continue
			}
			allowed = append(allowed, method)
			if method == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
		if len(allowed) == 0 {
			s.notFound(w, r)
			return
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		s.errors.Status(w, r, http.StatusMethodNotAllowed, "")
	}
}

// serves reports whether what a route is for is there. The self-assessment may not be
// offered, and the pattern of the reading pages fits many paths.
func (s *Site) serves(pattern, path string) bool {
	switch {
	case isReading(pattern):
		return s.isPage(path)
	case isAssess(pattern):
		return offered(s.Library()) != nil
	}
	return true
}

func isReading(pattern string) bool {
	for _, p := range readingRoutes {
		if p == pattern {
			return true
		}
	}
	return false
}

// healthz says that the process answers.
func (s *Site) healthz(w http.ResponseWriter, r *http.Request) error {
	respond.Bytes(w, r, http.StatusOK, plainText, []byte("ok\n"), respond.NoStore)
	return nil
}

// readyz says whether requests can be served and stored, and else why not.
func (s *Site) readyz(w http.ResponseWriter, r *http.Request) error {
	err := s.Ready(r.Context())
	if err == nil {
		return s.healthz(w, r)
	}
	why := "the database cannot be used\n"
	if errors.Is(err, store.ErrDisk) {
		why = "the disk is full\n"
	}
	respond.Bytes(w, r, http.StatusServiceUnavailable, plainText, []byte(why), respond.NoStore)
	return nil
}

const plainText = "text/plain; charset=utf-8"
