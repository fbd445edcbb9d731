package admin

import (
	"net/http"
	"time"
)

// The cookies of an owner's browser. None of them is ever set for a reader.
const (
	sessionCookie = "session" // until the browser closes, at most
	deviceCookie  = "device"  // that somebody has signed in here before
	pendingCookie = "pending" // for the minutes in which somebody signs in
)

// cookieName is a cookie's name in the browser. The prefix has it refused unless it
// came over https from this very host (RFC 6265bis, 4.1.3.2).
func (s *Site) cookieName(name string) string {
	if s.isSecure() {
		return "__Host-" + name
	}
	return name
}

// isSecure reports whether cookies travel over https alone: everywhere but on this
// machine itself, where there is none. At another address without https a browser keeps
// no cookie, and so nobody can sign in there.
func (s *Site) isSecure() bool {
	return s.Base.Scheme == "https" || passkeyHost(s.Base) != "localhost"
}

// cookie returns what a cookie holds, or nothing.
func (s *Site) cookie(r *http.Request, name string) string {
	all := r.CookiesNamed(s.cookieName(name))
	if len(all) != 1 || len(all[0].Value) > 100 {
		return "" // two of one name: somebody has put one there
	}
	return all[0].Value
}

// setCookie gives the browser a cookie, for as long as it is open if life is 0.
func (s *Site) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: int(life.Seconds()),
		Secure: s.isSecure(), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// dropCookie takes a cookie back.
func (s *Site) dropCookie(w http.ResponseWriter, name string) {
	s.setCookie(w, name, "", -time.Second)
}
