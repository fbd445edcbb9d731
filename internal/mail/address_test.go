package mail_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
)

func TestParseAddressAccepts(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     mail.Address
	}{
		{"booking-H37 a plus sign", "ana+call@example.org", mail.Address{"ana+call@example.org", "ana+call", "example.org", "ana+call@example.org"}},
		{"news-H22 letter case and spaces", " Ana.B+News@Example.ORG ", mail.Address{"Ana.B+News@Example.ORG", "Ana.B+News", "example.org", "ana.b+news@example.org"}},
		{"news-H27 a domain in its own letters", "jana@bücher.example", mail.Address{"jana@bücher.example", "jana", "xn--bcher-kva.example", "jana@xn--bcher-kva.example"}},
		{"news-H27 the same in A-labels", "jana@xn--bcher-kva.example", mail.Address{"jana@xn--bcher-kva.example", "jana", "xn--bcher-kva.example", "jana@xn--bcher-kva.example"}},
		{"an apostrophe", "o'hara@example.org", mail.Address{"o'hara@example.org", "o'hara", "example.org", "o'hara@example.org"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := mail.ParseAddress(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if want := c.want.Local + "@" + c.want.Domain; got.Wire() != want {
				t.Errorf("on the wire %q, want %q", got.Wire(), want)
			}
		})
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, in := range []string{
		"", "ana", "@example.org", "ana@", "ana@example", "ana@localhost", "a@b@example.org",
		"Ana <ana@example.org>", "ana@example.org (home)", `"ana b"@example.org`, "ana b@example.org",
		"ana@[127.0.0.1]", "ana@127.0.0.1", "ana@-b.example", "ana@b-.example", "ana@b..example", "ana@.example",
		".ana@example.org", "ana.@example.org", "a..b@example.org", "ana@example.org,bo@example.org", "ana@example.org;",
		"ana@exa\u200bmple.org", "ana@ｅxample.org", "ana\u202e@example.org", "ana@example.org\r\nBcc: v@x.example",
		"ana\x00@example.org", "ana@example.123", "ana@exa_mple.org", strings.Repeat("a", 65) + "@example.org",
		"a@" + strings.Repeat("a.", 130) + "example", strings.Repeat("\"", 100_000) + "@x.example",
	} {
		if got, err := mail.ParseAddress(in); !errors.Is(err, mail.ErrAddress) || errors.Is(err, mail.ErrForeignLocal) {
			t.Errorf("%.40q: got %+v, error %v; want ErrAddress", in, got, err)
		}
	}
	if _, err := mail.ParseAddress("željka@example.net"); !errors.Is(err, mail.ErrForeignLocal) {
		t.Errorf("news-H27: error %v, want ErrForeignLocal", err)
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add("ana+call@example.org")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := mail.ParseAddress(s)
		if err != nil {
			return
		}
		again, err := mail.ParseAddress(a.Wire())
		if err != nil || again.Key != a.Key {
			t.Errorf("%q on the wire is %q: key %q, then %q, error %v", s, a.Wire(), a.Key, again.Key, err)
		}
		for _, r := range a.Wire() {
			if r <= ' ' || r >= 0x7f {
				t.Errorf("%q goes out as %q", s, a.Wire())
			}
		}
	})
}
