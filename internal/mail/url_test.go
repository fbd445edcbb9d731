package mail_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
)

func TestParseURL(t *testing.T) {
	for raw, want := range map[string]mail.Server{
		"smtp://us:pa%2Fss@mail.example:2525": {Host: "mail.example", Port: "2525", User: "us", Password: "pa/ss"},
		"smtp://mail.example":                 {Host: "mail.example", Port: "587"},
		"smtps://us:pass@mail.example":        {Host: "mail.example", Port: "465", User: "us", Password: "pass", Security: mail.ImplicitTLS},
		"smtp://127.0.0.1:1025?tls=none":      {Host: "127.0.0.1", Port: "1025", Security: mail.Clear},
		"smtp://[::1]:1025/?tls=none":         {Host: "::1", Port: "1025", Security: mail.Clear},
		"smtp://localhost?tls=none":           {Host: "localhost", Port: "25", Security: mail.Clear},
	} {
		got, err := mail.ParseURL(raw)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", raw, err, diff)
		}
	}
}

func TestParseURLSaysWhatIsWrong(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                  "must begin with smtp://",
		"mail.example:587":                  "must begin with smtp://",
		"http://mail.example":               "must begin with smtp://",
		"smtp://":                           "host is missing",
		"smtp://mail.example:0":             "port must be",
		"smtp://mail.example:70000":         "port must be",
		"smtp://mail.example:x":             "cannot be read",
		"smtp://us@mail.example":            "go together",
		"smtp://:canary@mail.example":       "go together",
		"smtp://us:can/ary@mail.example":    "",
		"smtp://mail.example/path":          "nothing may follow",
		"smtp://mail.example?tls=off":       "tls may only be none",
		"smtp://mail.example?starttls=no":   "only setting",
		"smtp://127.0.0.1?tls=none&x=1":     "only setting",
		"smtp://mail.example?tls=none":      "only for a server on this machine", // news-H20
		"smtp://127.0.0.1.example?tls=none": "only for a server on this machine",
		"smtps://127.0.0.1:465?tls=none":    "always encrypted",
	} {
		_, err := mail.ParseURL(raw)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "accepted: ") {
			t.Errorf("%s: %v, want %q", raw, err, want)
			continue
		}
		if strings.Contains(err.Error(), "can/ary") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error tells too much: %v", raw, err)
		}
	}
}

func TestServerHidesItsPassword(t *testing.T) {
	s := mail.Server{Host: "mail.example", Port: "465", User: "us", Password: "canary", Security: mail.ImplicitTLS}
	if got := s.String(); got != "smtps://mail.example:465" {
		t.Errorf("String() = %q", got)
	}
}
