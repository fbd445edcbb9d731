package admin

import (
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/static"
	"github.com/steadier/steadier/templates"
)

// way is what signing in works with.
type way struct {
	throttle *throttle
	pendings *pendings
	hasher   *hasher
	passkeys *webauthn.WebAuthn // nil: the host is a number, to which none can be bound
}

func newWay(c Config, name string) *way {
	passkeys, err := newPasskeys(c.Base, name)
	if err != nil {
		passkeys = nil
	}
	return &way{throttle: newThrottle(), pendings: newPendings(), hasher: newHasher(), passkeys: passkeys}
}

// passkeyScript is the address of the script that asks for passkeys; empty where there
// can be none, and then the pages do not speak of them.
func (w *way) passkeyScript() string {
	if w.passkeys == nil {
		return ""
	}
	return static.URL("passkey.js")
}

// needPasskeys is not found where there can be no passkeys.
func (s *Site) needPasskeys(next respond.Func) http.HandlerFunc {
	return s.errors.Handle(func(w http.ResponseWriter, r *http.Request) error {
		if s.passkeys == nil {
			return fault.New(fault.NotFound, "")
		}
		return next(w, r)
	})
}

// routeSignIn is the way in, for who is not signed in.
func (s *Site) routeSignIn(r chi.Router) {
	h := s.errors.Handle
	r.Get("/sign-in", h(s.signIn))
	r.Post("/sign-in", h(s.signInPost))
	r.Get("/sign-in/code", h(s.signInCode))
	r.Post("/sign-in/code", h(s.signInCodePost))
	r.Post("/sign-in/passkey/options", s.needPasskeys(s.signInOptions))
	r.Post("/sign-in/passkey", s.needPasskeys(s.signInPasskey))
	r.Get("/claim/{token}", h(s.claim))
	r.Post("/claim/{token}", h(s.claimPost))
	r.Post("/claim/{token}/options", s.needPasskeys(s.claimOptions))
	r.Post("/sign-out", h(s.signOut))
}

// routeOwn is how an owner signs in, and where they are signed in; behind requireOwner.
func (s *Site) routeOwn(r chi.Router) {
	h := s.errors.Handle
	r.Post("/sign-out/everywhere", h(s.signOutEverywhere))
	r.Post("/sessions/{ref}/end", h(s.sessionEnd))
	r.Get("/access", h(s.access))
	r.Get("/step-up", h(s.stepUp))
	r.Post("/step-up", h(s.stepUpPost))
	r.Post("/step-up/options", s.needPasskeys(s.stepUpOptions))
	r.Post("/step-up/passkey", s.needPasskeys(s.stepUpPasskey))
	r.Group(func(r chi.Router) {
		r.Use(s.requireFresh)
		r.Post("/access/passkeys/options", s.needPasskeys(s.passkeyOptions))
		r.Post("/access/passkeys", s.needPasskeys(s.passkeyAdd))
		r.Post("/access/passkeys/{id}/remove", h(s.passkeyRemove))
		r.Get("/access/password", h(s.password))
		r.Post("/access/password", h(s.passwordPost))
		r.Post("/access/password/remove", h(s.passwordRemove))
		r.Post("/access/codes", h(s.codesPost))
	})
}

// welcome gives the browser the cookies of who has just signed in. A session that it had
// before is over, whoever's it was.
func (s *Site) welcome(w http.ResponseWriter, r *http.Request, e store.Entry) error {
	if old := s.cookie(r, sessionCookie); old != "" {
		if err := s.Store.EndToken(r.Context(), s.Now(), old); err != nil {
			return err
		}
	}
	s.arrive(w, r, e)
	return nil
}

// arrive gives the browser its cookies. What was pending is over.
func (s *Site) arrive(w http.ResponseWriter, r *http.Request, e store.Entry) {
	s.setCookie(w, sessionCookie, e.Session, 0)
	if e.Device != "" {
		s.setCookie(w, deviceCookie, e.Device, store.DeviceLife)
	}
	s.end(w, r)
}

// end ends what is pending in this browser.
func (s *Site) end(w http.ResponseWriter, r *http.Request) {
	if token := s.cookie(r, pendingCookie); token != "" {
		s.pendings.drop(token)
		s.dropCookie(w, pendingCookie)
	}
}

// event logs what happened at the door, without who it was or what they sent.
func (s *Site) event(r *http.Request, what, by string) {
	s.Log.LogAttrs(r.Context(), slog.LevelInfo, "owner", slog.String("what", what), slog.String("by", by))
}

// problem is what stands above a form that has to be put right. Without fields it is the
// sentence alone.
func problem(sentence string, fields ...templates.ProblemField) templates.Problem {
	p := templates.Problem{Title: "That did not work", Text: sentence, Fields: fields}
	if len(fields) > 0 {
		p.Title = "Something to put right"
	}
	return p
}

// attemptBy begins a try of the throttle: apart from all others on a device on which
// this owner has signed in before.
func (s *Site) attemptBy(r *http.Request, known bool, name string) (attempt, error) {
	if known {
		return s.throttle.known(s.Now(), s.cookie(r, deviceCookie))
	}
	return s.throttle.unknown(s.Now(), name, clientOf(r))
}

// isKnown reports whether the browser is one in which this owner has signed in before.
// For no owner it asks the same, and finds nothing.
func (s *Site) isKnown(r *http.Request, owner int64) (bool, error) {
	return s.Store.IsKnownDevice(r.Context(), s.Now(), owner, s.cookie(r, deviceCookie))
}

// tooManyHere answers a try that has to wait with the same page, so that nothing that
// was typed is lost.
func tooManyHere(w http.ResponseWriter, err error) int {
	respond.RetryAfter(w.Header(), err)
	return respond.Status(err)
}
