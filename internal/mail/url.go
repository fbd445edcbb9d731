package mail

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
)

// Security says how the conversation with the server is encrypted.
type Security int

// The ways. StartTLS is the zero value: required, never "if offered".
const (
	StartTLS    Security = iota // RFC 3207
	ImplicitTLS                 // RFC 8314
	Clear                       // loopback only
)

// Server is where mail is handed over.
type Server struct {
	Host     string
	Port     string
	User     string // empty: no sign-in
	Password string
	Security Security
}

// Accepted says which addresses [ParseURL] takes.
const Accepted = "accepted: smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465, " +
	"smtp://127.0.0.1:1025?tls=none (this machine only)"

// ParseURL reads the address of a mail server. The error is one line that says
// what is wrong and never holds the password.
func ParseURL(raw string) (Server, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return Server{}, refuse("it cannot be read as an address " +
			"(a user name or password with special characters must be percent-encoded)")
	}
	if err := checkShape(u); err != nil {
		return Server{}, err
	}
	s := Server{Host: u.Hostname(), Port: u.Port()}
	if s.Security, err = securityOf(u); err != nil {
		return Server{}, err
	}
	if s.Port == "" {
		s.Port = map[Security]string{StartTLS: "587", ImplicitTLS: "465", Clear: "25"}[s.Security]
	}
	if n, err := strconv.ParseUint(s.Port, 10, 16); err != nil || n == 0 {
		return Server{}, refuse("the port must be a number from 1 to 65535")
	}
	s.User = u.User.Username()
	s.Password, _ = u.User.Password()
	if (s.User == "") != (s.Password == "") {
		return Server{}, refuse("user name and password go together: give both or neither")
	}
	return s, nil
}

func checkShape(u *url.URL) error {
	switch {
	case u.Scheme != "smtp" && u.Scheme != "smtps":
		return refuse("it must begin with smtp:// or smtps://")
	case u.Hostname() == "":
		return refuse("the host is missing")
	case (u.Path != "" && u.Path != "/") || u.Fragment != "":
		return refuse("nothing may follow the port but ?tls=none")
	}
	return nil
}

func securityOf(u *url.URL) (Security, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || len(query) > 1 || (len(query) == 1 && !query.Has("tls")) {
		return 0, refuse("the only setting that may follow the question mark is tls")
	}
	if !query.Has("tls") {
		if u.Scheme == "smtps" {
			return ImplicitTLS, nil
		}
		return StartTLS, nil
	}
	switch {
	case query.Get("tls") != "none":
		return 0, refuse("tls may only be none; without it, encryption is required")
	case u.Scheme == "smtps":
		return 0, refuse("smtps:// is always encrypted: take out ?tls=none")
	case !Loopback(u.Hostname()):
		return 0, refuse("?tls=none is only for a server on this machine")
	}
	return Clear, nil
}

func refuse(why string) error { return errors.New(why + "; " + Accepted) }

// Loopback reports whether host names this machine.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// String gives the address without its password.
func (s Server) String() string {
	scheme, suffix := "smtp", ""
	switch s.Security {
	case ImplicitTLS:
		scheme = "smtps"
	case Clear:
		suffix = "?tls=none"
	}
	return fmt.Sprintf("%s://%s%s", scheme, net.JoinHostPort(s.Host, s.Port), suffix)
}
