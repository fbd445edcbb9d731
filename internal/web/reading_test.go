package web

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/web/webtest"
)

// readingBench is a site to read, without calls and letters.
type readingBench struct {
	site  *Site
	http  http.Handler
	log   bytes.Buffer
	ready error
}

const readingHost = "site.example"

func newReadingBench(t *testing.T, files map[string]string, change func(*Config)) *readingBench {
	t.Helper()
	b := &readingBench{}
	base, _ := url.Parse("https://" + readingHost)
	config := Config{Base: base, MailOff: true}
	change(&config)
	b.site = New(config, Deps{
		Log:   slog.New(slog.NewTextHandler(&b.log, nil)),
		Now:   func() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) },
		Ring:  seal.NewRing(),
		Ready: func(context.Context) error { return b.ready },
	})
	if err := b.site.Refresh(readingLibrary(t, files)); err != nil {
		t.Fatal(err)
	}
	b.http = b.site.Handler()
	return b
}

func readingLibrary(t *testing.T, more map[string]string) *library.Library {
	t.Helper()
	files := fstest.MapFS{}
	for _, set := range []map[string]string{foundFiles, more} {
		for name, text := range set {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	lib, findings := library.Load(files, library.Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	if lib == nil {
		t.Fatal(findings)
	}
	return lib
}

func plain(*Config) {}

func (b *readingBench) get(path string, header ...string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = readingHost
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.http.ServeHTTP(w, r)
	return w.Result()
}

func TestReading(t *testing.T) {
	b := newReadingBench(t, map[string]string{
		"pages/about.md":  "---\ntitle: About\ndescription: Who this is.\n---\nWords.\n",
		"pages/safety.md": "---\ntitle: Safer\ndescription: How.\n---\nWords.\n",
	}, plain)
	webtest.Run(t, b.http, readingHost, `
GET /
code == 200
head Content-Type == text/html; charset=utf-8
head Cache-Control == no-cache
head CDN-Cache-Control == max-age=300
head Vary == Accept-Encoding
head ETag ~ ^"[^"]+"$
body contains <a href="https://exit.example" rel="noreferrer" data-exit>Leave this site</a>
body contains href="/articles/first"
body contains <a href="/safety">
hint mail is off: the site offers no letters
body !contains /newsletter

GET /articles/first
code == 200
body contains In brief
body contains Not yet reviewed by a clinician.
body contains <li id="s1">

GET /articles/draft
code == 404

HEAD /articles/first
code == 200
head ETag ~ ^"

GET /about
code == 200
body contains mailto:hello@site.example
body contains stays in your “Sent” folder

GET /sources
code == 200
body contains id="one1993"
body contains href="/articles/first"
`)
}

func TestWaysAstray(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	webtest.Run(t, b.http, readingHost, `
# A slash too many leads to the page, and nowhere else.
GET /articles/first/
code == 308
head Location == /articles/first
GET /articles/none/
code == 404
GET //evil.example/
code == 404
head Location ==
GET /%5cevil.example/
code == 404
head Location ==

GET /no/such/page
code == 404
head Cache-Control == no-store
body contains data-exit
body contains action="/search"
body contains href="/articles/first"
hint no page offers what is not there
body !contains href="/safety"
body !contains href="/newsletter"

POST /articles
code == 405
head Allow == GET, HEAD
PUT /articles
code == 405
head Allow == GET, HEAD
TRACE /no/such/page
code == 404
POST /nothing
code == 404
PUT /search
code == 405
head Allow == GET, HEAD, POST

GET /healthz
code == 200
body == ok
head Cache-Control == no-store
`)
	webtest.Run(t, b.http, "elsewhere.example", `
GET /
code == 421
body contains data-exit
body !contains site.example
`)
	css := b.site.shelf.Load().chrome.CSS
	webtest.Run(t, b.http, "elsewhere.example", "GET "+css+"\ncode == 200\nhead Cache-Control == max-age=31536000, public, immutable")
}

func TestReadinessSaysWhy(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	for _, tt := range []struct {
		err  error
		want string
	}{{nil, "ok\n"}, {store.ErrDisk, "the disk is full\n"}, {errors.New("secret"), "the database cannot be used\n"}} {
		b.ready = tt.err
		res := b.get("/readyz")
		if body := read(t, res); body != tt.want || (res.StatusCode == http.StatusOK) != (tt.err == nil) {
			t.Errorf("%v: %d %q, want %q", tt.err, res.StatusCode, body, tt.want)
		}
	}
	if res := b.get("/articles/first"); res.StatusCode != http.StatusOK {
		t.Error("what is to be read needs no database")
	}
}

func TestNeutralHostSaysNothingOfTheSite(t *testing.T) {
	b := newReadingBench(t, map[string]string{"site.yaml": foundFiles["site.yaml"] + "sender:\n  name: Post Room\n"}, func(c *Config) { c.MailBase, _ = url.Parse("https://post.example") })
	webtest.Run(t, b.http, "post.example", `
GET /
code == 200
body == Nothing to see here.
GET /articles
code == 404
body contains data-exit
hint an old link must not tell what the site is about
body !~ <title>[^<]*Steadier
body !contains site.example
body !contains feed.xml
body !~ class="q"
GET /newsletter/confirm/old
code == 404
body !contains site.example
`)
}

func TestPanicIsACalmPage(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	b.site.shelf.Load().pages["/boom"] = nil // serving it dereferences nil
	res := b.get("/boom")
	page := read(t, res)
	if res.StatusCode != http.StatusInternalServerError || !strings.Contains(page, "data-exit") || strings.Contains(page, "goroutine") {
		t.Errorf("%d\n%s", res.StatusCode, page)
	}
	if log := b.log.String(); !strings.Contains(log, "panic") || !strings.Contains(log, "at=") {
		t.Errorf("log:\n%s", log)
	}
	if res := b.get("/"); res.StatusCode != http.StatusOK {
		t.Error("the rest is not served on")
	}
}

func TestTheLogNamesNobody(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	b.get("/articles/first?q=canary", "User-Agent", "canary", "Referer", "https://canary.example")
	b.get("/canary")
	if log := b.log.String(); strings.Contains(log, "canary") || !strings.Contains(log, "route=/articles/{slug}") {
		t.Errorf("log:\n%s", log)
	}
	var metrics strings.Builder
	if err := b.site.WriteMetrics(&metrics); err != nil || strings.Contains(metrics.String(), "canary") ||
		!strings.Contains(metrics.String(), `steadier_requests_total{route="/articles/{slug}",method="GET",status="200"} 1`) {
		t.Errorf("metrics, error %v:\n%s", err, &metrics)
	}
}

func TestRefreshSwapsAllAtOnce(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	before := b.get("/articles/first")
	if err := b.site.Refresh(readingLibrary(t, map[string]string{
		"articles/first.md": strings.Replace(foundFiles["articles/first.md"], "The first & <best>", "Another title", 1),
	})); err != nil {
		t.Fatal(err)
	}
	after := b.get("/articles/first", "If-None-Match", before.Header.Get("ETag"))
	if after.StatusCode != http.StatusOK || !strings.Contains(read(t, after), "Another title") {
		t.Errorf("%d after a change", after.StatusCode)
	}
	if got := b.get("/articles/first", "If-None-Match", after.Header.Get("ETag")); got.StatusCode != http.StatusNotModified {
		t.Errorf("%d for what the client has", got.StatusCode)
	}
}
