package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const shownFaults = "<body><section class=\"sheet\" aria-label=\"Faults in the content\""

// devWriter is a writer who looks at the site with -dev.
func devWriter(t *testing.T, d *desk) *writer {
	t.Helper()
	w := &writer{desk: d}
	w.address, w.log, _ = d.startAs("serve", "-dev")
	return w
}

func TestDraftsAreForTheWriter(t *testing.T) {
	d := newDesk(t)
	d.write("content/articles/a.md", text("Public."))
	d.write("content/articles/_b.md", text("Not yet."))
	w := devWriter(t, d)
	w.until("/articles/b", "<b>Draft</b>")
	w.until("/articles", "Draft: ")
	w.write("content/articles/_b.md", text("Nearly."))
	w.until("/articles/b", "Nearly.")

	d = newDesk(t)
	d.write("content/articles/a.md", text("Public."))
	d.write("content/articles/_b.md", text("Not yet."))
	public := &writer{desk: d}
	public.address, public.log, _ = d.start()
	for _, path := range []string{"/articles/b", "/articles/_b"} {
		if code, _ := get(t, public.address+path); code != http.StatusNotFound {
			t.Errorf("%s: %d, though it is a draft", path, code)
		}
	}
	for _, path := range []string{"/articles", "/", "/feed.xml", "/sitemap.xml"} {
		if _, body := get(t, public.address+path); strings.Contains(body, "articles/b") || strings.Contains(body, "Draft") {
			t.Errorf("%s tells of a draft", path)
		}
	}
	public.write("content/articles/_b.md", "---\nbroken")
	public.write("content/articles/a.md", text("Public still."))
	public.until("/articles/a", "Public still.")
	if n := public.warnings(); n != 0 {
		t.Errorf("a fault in a draft is told in public\n%s", public.log)
	}
}

func TestFaultsAreOnThePages(t *testing.T) {
	d := newDesk(t)
	d.write("content/articles/a.md", text("First."))
	w := devWriter(t, d)
	w.until("/articles/a", "First.")
	w.write("content/articles/a.md", text("[x](/articles/none)"))
	for _, path := range []string{"/", "/articles/a", "/consult", "/newsletter", "/none"} {
		w.until(path, shownFaults)
		w.until(path, "<code>"+w.path("content/articles/a.md")+":10: error: ")
	}
	w.until("/articles/a", "First.")
	w.write("content/articles/a.md", text("Second."))
	w.until("/articles/a", "Second.")
	if _, body := get(t, w.address+"/consult"); strings.Contains(body, shownFaults) {
		t.Error("a fault that was mended is still shown")
	}
}

// With nothing good to show, the copy inside the program is shown below the faults.
func TestFaultsAtTheStart(t *testing.T) {
	d := newDesk(t)
	d.write("content/articles/a.md", "---\nbroken")
	w := devWriter(t, d)
	w.until("/", shownFaults)
	w.until("/about", "</main>")
	w.untilLogged(`"level":"WARN"`, "a.md:1: error: ", "stands in")
	w.write("content/articles/a.md", text("Mended."))
	w.until("/articles/a", "Mended.")
	if _, body := get(t, w.address+"/"); strings.Contains(body, shownFaults) {
		t.Error("a fault that was mended is still shown")
	}
}

func TestDevIsForThisMachineOnly(t *testing.T) {
	for name, value := range map[string]string{"STEADIER_BASE_URL": "https://site.example", "STEADIER_ADDR": "0.0.0.0:0"} {
		d := newDesk(t)
		d.env["STEADIER_BASE_URL"], d.env["STEADIER_SMTP"] = "http://127.0.0.1:1", "off"
		d.env[name] = value
		var out, log bytes.Buffer
		code := run(t.Context(), Env{Stdout: &out, Stderr: &log, Getenv: d.getenv, Now: time.Now}, []string{"serve", "-dev"})
		if code != exitFault || !strings.Contains(log.String(), "-dev shows drafts") {
			t.Errorf("%s=%s: %d\n%s", name, value, code, &log)
		}
	}
}

// The proxy of make dev, at the base URL, is told of each save.
func TestTheBrowserIsReloaded(t *testing.T) {
	told := make(chan string, 8)
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told <- r.Method + " " + r.URL.Path }))
	defer proxy.Close()
	d := newDesk(t)
	d.env["STEADIER_BASE_URL"] = proxy.URL
	d.write("content/articles/a.md", text("First."))
	w := devWriter(t, d)
	<-told // the watches stand
	for _, says := range []string{"Second.", "[x](/articles/none)", "Third."} {
		w.write("content/articles/a.md", text(says))
		if got := <-told; got != "POST /_templ/reload/events" {
			t.Errorf("%q", got)
		}
	}
}
