package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/seal"
)

// chain is what stands around every route, the unknown ones included. The order is
// that of a request's way in, from the last line up; each has its reason.
func (s *Site) chain(routes http.Handler, refuse http.HandlerFunc) http.Handler {
	h := s.shelfFirst(routes)    // most requests read what is ready
	h = s.checkHost(h)           // no answer for a name that is not ours
	h = s.checkMethod(refuse)(h) // before anything reads more of it
	h = s.recoverPanic(h)        // inside the log, so that a panic has its line
	h = s.securityHeaders(h)     // on refusals too
	return s.accessLog(h)        // one line a request, whatever comes of it
}

// shelfFirst answers with a page from the shelf without asking the router: it is the
// same answer, found in one step.
func (s *Site) shelfFirst(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shelf := s.shelf.Load()
		if page, ok := shelf.pages[r.URL.Path]; ok && !s.Dev && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			w.(*answer).route = readingPattern(r.URL.Path)
			noteRead(r, shelf.reads[r.URL.Path])
			page.Serve(w, r, respond.Reading)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// noteRoute tells the log which route the router has found.
func noteRoute(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { w.(*answer).route = chi.RouteContext(r.Context()).RoutePattern() }()
		next.ServeHTTP(w, r)
	})
}

// clientAddress notes the address of the client: the connection's, or what a
// trusted proxy says that it was.
func (s *Site) clientAddress(next http.Handler) http.Handler {
	if len(s.Proxies) == 0 {
		return middleware.ClientIPFromRemoteAddr(next)
	}
	prefixes := make([]string, len(s.Proxies))
	for i, p := range s.Proxies {
		prefixes[i] = p.String()
	}
	return plainForwarded(middleware.ClientIPFromXFF(prefixes...)(next))
}

// accessLog writes a line a request from an allow-list of values: the route's
// pattern and never the path, nothing that a visitor sent, nothing of who they are.
func (s *Site) accessLog(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		logged := s.Log.Enabled(r.Context(), slog.LevelInfo)
		var start time.Time
		if logged {
			start = time.Now() // only how long it took, by the monotonic clock
		}
		a := &answer{ResponseWriter: w}
		defer func() {
			route := a.route
			if route == "" || a.status == http.StatusNotFound && strings.HasSuffix(route, "*") {
				route = "none"
			}
			s.counts.add(route, logMethod(r.Method), a.status)
			if !logged {
				return
			}
			s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("id", seal.NewID()[:12]),
				slog.String("method", logMethod(r.Method)),
				slog.String("route", route),
				slog.Int("status", a.status),
				slog.Int("bytes", a.bytes),
				slog.Float64("ms", respond.Since(start, time.Now())))
		}()
		next.ServeHTTP(a, r)
	})
}

// logMethod keeps a method that a client made up out of the log.
func logMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return method
	}
	return "other"
}

// recoverPanic turns a defect in one request into a calm page, and serves on. The
// value of a panic can hold what a visitor sent, so its type alone is logged.
func (s *Site) recoverPanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p) // the server's own way of hanging up
			}
			s.Log.ErrorContext(r.Context(), "panic", "type", fmt.Sprintf("%T", p), "at", panicPlace())
			if w.(*answer).status != 0 {
				panic(http.ErrAbortHandler) // half an answer is out: cut it
			}
			s.errors.Status(w, r, http.StatusInternalServerError, "")
		}()
		next.ServeHTTP(w, r)
	})
}

// panicPlace names the line that panicked: the first frame below the runtime's own.
func panicPlace() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", path.Base(frame.File), frame.Line)
		}
		if !more {
			return "unknown"
		}
	}
}

// checkMethod refuses what no page or form takes, before anything reads more of it.
func (s *Site) checkMethod(refuse http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if logMethod(r.Method) == "other" {
				refuse(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// mailPaths are what the neutral host serves: the pages behind links in mail, and
// what they load.
var mailPaths = []string{
	"/newsletter/confirm/", "/newsletter/unsubscribe/", "/newsletter/preferences/", "/newsletter/done",
	"/consult/", "/static/", "/healthz", "/readyz",
}

// checkHost answers 421 to a name that is not ours, so that no cache and no page
// can be made to carry one; and keeps the neutral host to its few pages. What pages
// load is the same under every name, and that page loads it too.
func (s *Site) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.hosts.isBase(r.Host), isHealth(r) && s.isLocal(r.Host), s.assets[r.URL.Path] != nil:
			next.ServeHTTP(w, r)
		case s.hosts.isMail(r.Host):
			s.mailHost(next, w, r)
		default:
			s.errors.Status(w, r, http.StatusMisdirectedRequest, "")
		}
	})
}

func isHealth(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }

// isLocal reports whether a Host header names this machine, as a health check does.
func (s *Site) isLocal(host string) bool {
	name := host
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		name = host[:i]
	}
	return isLoopback(strings.Trim(name, "[]"))
}

func (s *Site) mailHost(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" {
		respond.Bytes(w, r, http.StatusOK, "text/plain; charset=utf-8", []byte("Nothing to see here.\n"), respond.Reading)
		return
	}
	for _, prefix := range mailPaths {
		if strings.HasPrefix(r.URL.Path, prefix) {
			next.ServeHTTP(w, r)
			return
		}
	}
	s.errors.Status(w, r, http.StatusNotFound, "")
}
