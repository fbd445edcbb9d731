package main

import (
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

func TestOwnerAddPrintsALinkAtALocalName(t *testing.T) {
	d := newDesk(t)
	d.env["STEADIER_ADDR"] = "127.0.0.1:8085"
	for _, tt := range []struct {
		name   string
		base   string
		args   []string
		status int
		want   string
	}{
		{"on this machine", "", []string{"owner", "add", "Ann"}, 0, "http://localhost:8085/admin/claim/"},
		{"a name of two words", "", []string{"owner", "add", "Ann", "Smith"}, 0, "http://localhost:8085/admin/claim/"},
		{"on a host", "https://quiet.example", []string{"owner", "add", "Ann"}, 0, "https://quiet.example/admin/claim/"},
		{"no name", "", []string{"owner", "add"}, 2, ""},
		{"an empty name", "", []string{"owner", "add", " "}, 2, ""},
		{"another word", "", []string{"owner", "remove", "Ann"}, 2, ""},
		{"help after a word", "", []string{"owner", "add", "-h"}, 0, "usage: steadier owner add NAME"},
		{"help", "", []string{"owner", "-h"}, 0, "usage: steadier owner add NAME"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d.env["STEADIER_BASE_URL"], d.env["STEADIER_SMTP"] = tt.base, ""
			if tt.base != "" {
				d.env["STEADIER_SMTP"] = "off"
			}
			status, out, errs := d.run("", tt.args...)
			if status != tt.status || !strings.HasPrefix(out, tt.want) || tt.want == "" && out != "" {
				t.Errorf("status %d, out %q, errors %q", status, out, errs)
			}
		})
	}
}

func TestServingOffersTheFirstLinkWhileThereIsNoOwner(t *testing.T) {
	d := newDesk(t)
	a := &app{env: Env{Now: time.Now}, log: slog.New(slog.DiscardHandler)}
	a.base = &url.URL{Scheme: "http", Host: "127.0.0.1:8085"}
	var err error
	if a.db, err = store.Open(t.Context(), d.path("data"), seal.NewRing(), a.log); err != nil {
		t.Fatal(err)
	}
	defer a.close()
	const words = "Nobody can sign in yet. This link works once, within an hour: http://localhost:8085/admin/claim/"
	line := a.claimLine(t.Context())
	token, ok := strings.CutPrefix(line, words)
	if !ok || len(token) != 44 {
		t.Fatalf("the line is %q", line)
	}
	claim := store.Claim{Name: store.OwnerName{Written: "Ann", Key: "ann"}, Password: &store.NewPassword{Hash: "x", Secret: "y"}}
	if _, err := a.db.ClaimOwner(t.Context(), time.Now(), strings.TrimSpace(token), claim); err != nil {
		t.Fatal(err)
	}
	if line := a.claimLine(t.Context()); line != "" {
		t.Errorf("with an owner the line is %q", line)
	}
}
