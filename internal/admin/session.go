package admin

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
)

const (
	signInPath = "/admin/sign-in"
	stepUpPath = "/admin/step-up"

	// freshFor is how long somebody counts as having just proved who they are.
	freshFor = 5 * time.Minute
	// seeEvery is how often the use of a session is written down: not for every request.
	seeEvery = time.Minute
)

type sessionKey struct{}

// sessionOf returns the session of a request behind requireOwner.
func sessionOf(ctx context.Context) store.Session {
	s, _ := ctx.Value(sessionKey{}).(store.Session)
	return s
}

// ownerOf returns who is signed in, behind requireOwner. It comes from the session's
// row alone.
func ownerOf(ctx context.Context) Owner {
	o, _ := signedIn(ctx)
	return o
}

// requireOwner lets nobody through who is not signed in: a GET is sent to the way in,
// and a POST is refused.
func (s *Site) requireOwner(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session, err := s.findSession(r)
		switch {
		case err == nil:
			next.ServeHTTP(w, r.WithContext(withSession(r.Context(), session)))
		case !fault.Is(err, fault.NotFound):
			s.errors.Respond(w, r, err)
		case r.Method == http.MethodPost:
			s.errors.Status(w, r, http.StatusForbidden, "You are not signed in any more, so nothing was changed. Sign in, then do it again.")
		default:
			respond.SeeOther(w, signInPath)
		}
	})
}

// withSession notes the session, and who is signed in by it.
func withSession(ctx context.Context, session store.Session) context.Context {
	ctx = context.WithValue(ctx, sessionKey{}, session)
	return withOwner(ctx, Owner{ID: session.Owner, Name: session.OwnerName})
}

// findSession returns the session of the request's cookie, or fault.NotFound, and notes
// that it is in use.
func (s *Site) findSession(r *http.Request) (store.Session, error) {
	token := s.cookie(r, sessionCookie)
	if token == "" {
		return store.Session{}, fault.New(fault.NotFound, "")
	}
	now := s.Now()
	session, err := s.Store.FindSession(r.Context(), now, token)
	if err != nil || now.Sub(session.Seen) < seeEvery {
		return session, err
	}
	if err := s.Store.SeeSession(r.Context(), now, session.Ref); err != nil {
		// The disk may be full: what can be read is still shown.
		s.Log.WarnContext(r.Context(), "use of a session not noted", "cause", respond.Cause(err))
	}
	return session, nil
}

// isFresh reports whether the owner of a session proved who they are just now.
func (s *Site) isFresh(session store.Session) bool {
	age := s.Now().Sub(session.SteppedUp)
	return age <= freshFor && age > -freshFor
}

// requireFresh lets nobody through who has not proved within five minutes who they
// are. It stands behind requireOwner. After they did, they come back to this page, or
// for a POST to the page above it: nothing is done that they did not send again.
func (s *Site) requireFresh(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isFresh(sessionOf(r.Context())) {
			next.ServeHTTP(w, r)
			return
		}
		respond.SeeOther(w, stepUpPath+"?back="+url.QueryEscape(pageOf(r)))
	})
}

// pageOf is the path of the page to which a request belongs.
func pageOf(r *http.Request) string {
	path := localPath(r.URL.Path)
	if r.Method != http.MethodPost {
		return path
	}
	route := chi.RouteContext(r.Context())
	for ; path != home; path = path[:strings.LastIndexByte(path, '/')] {
		if route != nil && route.Routes != nil && route.Routes.Match(chi.NewRouteContext(), http.MethodGet, path) {
			return path
		}
	}
	return home
}

// home is the first page of who is signed in.
const home = "/admin"

// local is the form of our own paths: nothing in it can be read as another host.
var local = regexp.MustCompile(`^/admin(/[A-Za-z0-9_-]+)*$`)

// localPath returns path if it is one of the owner's pages, and else the first of them.
func localPath(path string) string {
	if len(path) > 200 || !local.MatchString(path) || strings.HasPrefix(path, stepUpPath) || strings.HasPrefix(path, signInPath) {
		return home
	}
	return path
}
