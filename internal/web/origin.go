package web

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// verdict is what the headers of a POST say of where it comes from.
type verdict int

const (
	refused  verdict = iota
	trusted          // from a page of ours, or from no browser at all
	unproven         // it may pass if the form key that it carries is ours
)

// judge decides on a POST by Sec-Fetch-Site and Origin.
//
// Our pages send no referrer, so browsers send "Origin: null" with our own forms;
// and net/http's CrossOriginProtection, which looks at the host alone, lets another
// scheme or a user part through. So this is a table of our own: with Sec-Fetch-Site,
// a request from this site passes if its Origin is absent, null or ours. Without it,
// our own Origin passes, null only with a form key, and neither header at all means
// that no browser sent it (a mail provider, a script), which carries no visitor's rights.
func judge(h http.Header, ours func(origin string) bool) verdict {
	site, origin := h.Get("Sec-Fetch-Site"), h.Get("Origin")
	if len(h.Values("Sec-Fetch-Site")) > 1 || len(h.Values("Origin")) > 1 {
		return refused
	}
	if site != "" {
		here := site == "same-origin" || site == "none"
		if here && (origin == "" || origin == "null" || ours(origin)) {
			return trusted
		}
		return refused
	}
	switch {
	case origin == "" || ours(origin):
		return trusted
	case origin == "null":
		return unproven
	}
	return refused
}

// hosts are the names under which the site answers.
type hosts struct {
	base, mail string          // host and port, lower case, as a Host header has them
	origins    map[string]bool // scheme://host of both
	loopback   []string        // with a loopback base, its other names
}

func newHosts(base, mail *url.URL) hosts {
	h := hosts{base: hostPort(base), origins: map[string]bool{}}
	names := []*url.URL{base}
	if mail != nil && hostPort(mail) != h.base {
		h.mail = hostPort(mail)
		names = append(names, mail)
	}
	for _, u := range names {
		h.origins[u.Scheme+"://"+hostPort(u)] = true
	}
	if isLoopback(base.Hostname()) {
		for _, name := range []string{"localhost", "127.0.0.1", "[::1]"} {
			host := strings.TrimSuffix(name+":"+base.Port(), ":")
			h.loopback = append(h.loopback, host)
			h.origins[base.Scheme+"://"+host] = true
		}
	}
	return h
}

// hostPort is the host as browsers send it: without the scheme's own port.
func hostPort(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = strings.TrimSuffix(host, ":80")
	}
	return host
}

// isLoopback reports whether a host name can only be this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ours reports whether an Origin header names this site, exactly.
func (h hosts) ours(origin string) bool { return h.origins[origin] }

// isBase reports whether a Host header names the site itself.
func (h hosts) isBase(host string) bool {
	if host == h.base {
		return true // as nearly everybody writes it
	}
	host = strings.TrimSuffix(strings.ToLower(host), ":443")
	return host == strings.TrimSuffix(h.base, ":443") || slices.Contains(h.loopback, host)
}

// isMail reports whether a Host header names the neutral host for links in mail.
func (h hosts) isMail(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ":443")
	return h.mail != "" && host == strings.TrimSuffix(h.mail, ":443")
}

type unprovenKey struct{}

// crossOrigin refuses posts from other sites. A post that only a form key can
// prove is marked, and the form's reader asks for that proof.
func (s *Site) crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		switch judge(r.Header, s.hosts.ours) {
		case trusted:
			next.ServeHTTP(w, r)
		case unproven:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), unprovenKey{}, true)))
		default:
			s.errors.Status(w, r, http.StatusForbidden, "")
		}
	})
}

// isUnproven reports whether the form key has to prove where a post comes from.
func isUnproven(r *http.Request) bool {
	marked, _ := r.Context().Value(unprovenKey{}).(bool)
	return marked
}
