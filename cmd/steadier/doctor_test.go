package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
)

func TestDoctor(t *testing.T) {
	exit := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/moved": // E31
			http.Redirect(w, r, "/", http.StatusFound)
		}
	}))
	defer exit.Close()
	site := func(exit string) string {
		return "name: S\ntagline: t\nexit: " + exit + "\nsender:\n  name: P\n  address: p@site.example\n"
	}
	d := newDesk(t)
	d.write("content/site.yaml", site(exit.URL))
	expect := func(code int, lines ...string) {
		t.Helper()
		got, out, log := d.run("", "doctor")
		if got != code || log != "" {
			t.Errorf("%d, want %d\n%s%s", got, code, out, log)
		}
		for _, line := range lines {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), line) {
				t.Errorf("no %q in\n%s", line, out)
			}
		}
	}
	expect(exitOK, "ok settings", "ok exit "+exit.URL, "look mail no server", "is not there yet")
	if _, err := os.Stat(d.path("data")); err == nil {
		t.Error("it made a folder")
	}
	d.runOnce(t)
	expect(exitOK, "ok database whole", "ok disk has room", "look backup none was ever made", "look keys not exported")
	d.do(passphrase, "backup", d.path("b.age"))
	d.do(passphrase, "keys", "export", d.path("k.age"))
	expect(exitOK, "ok backup the last one", "ok keys exported")

	peer := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	d.env["STEADIER_SMTP"] = peer.Server().String()
	expect(exitOK, "ok mail the server takes the sign-in")
	d.env["STEADIER_SMTP"] = "smtp://127.0.0.1:9?tls=none"
	expect(exitFault, "wrong mail The mail server 127.0.0.1")
	delete(d.env, "STEADIER_SMTP")

	for _, path := range []string{"/gone", "/moved"} {
		d.write("content/site.yaml", site(exit.URL+path))
		expect(exitFault, "wrong exit")
	}
	d.write("content/articles/x.md", "x")
	expect(exitFault, "wrong content")
	os.RemoveAll(d.path("content/articles"))
	d.write("content/site.yaml", site(exit.URL))
	d.write("data/steadier.db", strings.Repeat("x", 8192))
	expect(exitFault, "wrong database")
	d.env["STEADIER_RATE"] = "many"
	expect(exitFault, "wrong settings STEADIER_RATE")
}
