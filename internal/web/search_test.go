package web

import (
	"context"
	"encoding/xml"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
	"github.com/steadier/steadier/internal/web/webtest"
)

// foundBench is the site over foundFiles, with a real database for the letters.
type foundBench struct {
	t    *testing.T
	dir  string // of the database
	now  time.Time
	db   *store.DB
	lib  *library.Library
	site *Site
	log  strings.Builder
	http http.Handler
}

func newFoundBench(t *testing.T, rate Rate) *foundBench {
	t.Helper()
	ring, dir := seal.NewRing(), t.TempDir()
	b := &foundBench{
		t: t, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), dir: dir,
		db: storetest.OpenAt(t, dir, ring), lib: foundLibrary(t),
	}
	b.site = New(Config{Base: foundBase, Rate: rate}, Deps{
		Log: slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now: func() time.Time { return b.now }, Ring: ring,
		Ready:      func(context.Context) error { return nil },
		Newsletter: newsletter.NewService(b.db, newsletter.NewLinks(ring), false),
	})
	if err := b.site.Refresh(b.lib); err != nil {
		t.Fatal(err)
	}
	b.http = b.site.Handler()
	return b
}

func (b *foundBench) send(slug string) {
	b.t.Helper()
	err := b.db.StartIssue(context.Background(), b.now, newsletter.Issue{
		Slug: slug, Subject: "S", Discreet: "D", Preheader: "P", HTML: "<p>W.</p>", Text: "W.",
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *foundBench) do(method, path, body string, header ...string) *http.Response {
	b.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = foundBase.Host
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.http.ServeHTTP(w, r)
	return w.Result()
}

func read(t *testing.T, res *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// search posts words as the form does, and gives the page.
func (b *foundBench) search(words string) string {
	b.t.Helper()
	res := b.do("POST", "/search", url.Values{"q": {words}}.Encode(), "Sec-Fetch-Site", "same-origin", "Origin", "null")
	page := read(b.t, res)
	if res.StatusCode != http.StatusOK {
		b.t.Fatalf("search %q: %d\n%s", words, res.StatusCode, page)
	}
	return page
}

func TestSearchPages(t *testing.T) {
	b := newFoundBench(t, Rate{})
	webtest.Run(t, b.http, foundBase.Host, `
GET /search
code == 200
head Cache-Control == no-cache
head ETag ~ ^"
body contains <form class="form" method="post" action="/search" role="search"
body contains name="q"
body contains autocomplete="off"
body !contains type="hidden"
body !contains id="found"

GET /search?q=canary
hint a query in the address is ignored
code == 200
body !contains canary

POST /search
form q=study+words
code == 200
head Cache-Control == private, max-age=300
head X-Robots-Tag == noindex
head Location ==
body contains value="study words"
body contains One page
body contains href="/articles/first"
body contains Article, 1 minute
body contains <mark>Words</mark> that <mark>study</mark> one
body !~ <title>[^<]*study

POST /search?q=canary
form q=begins
hint only the body counts
code == 200
body !contains canary

POST /search
form q=photosynthesis
code == 200
body contains Nothing found
body contains href="/articles"
body contains href="/support"
body contains value="photosynthesis"

POST /search
form q=stduy
hint one slip of the hand: a button that posts the known word
code == 200
body contains Did you mean <button type="submit" class="plain">study</button>?
body contains <input type="hidden" name="q" value="study">

POST /search
form q=study+photosynthesis
code == 200
body contains No page holds all of these words
body contains href="/articles/first"

POST /search
form q=
code == 200
body contains Type a word or two
body !contains Nothing found

POST /search
form q=helpline
code == 200

POST /search
form q=one&x=2
hint a field that the form does not have
code == 422
head Cache-Control == no-store
body contains value="one"
`)
}

func TestSearchFindsEveryKindOfPage(t *testing.T) {
	b := newFoundBench(t, Rate{})
	for _, tt := range []struct{ name, words, want string }{
		{"an article by its question", "Is it so?", `href="/articles/first"`},
		{"an article’s safety note", "mind this", `href="/articles/first"`},
		{"a page", "who we are", `href="/about"`},
		{"the works cited", "Two books", `href="/sources"`},
		{"help", "numbers to call", `href="/support"`},
		{"a call", "book a call", `href="/consult"`},
		{"letters", "newsletter", `href="/newsletter"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if page := b.search(tt.words); !strings.Contains(page, tt.want) {
				t.Errorf("no %s in\n%s", tt.want, page)
			}
		})
	}
}

func TestSearchShowsWhatWasTypedAsText(t *testing.T) {
	b := newFoundBench(t, Rate{})
	page := b.search(`"><script>alert(1)</script>`)
	if strings.Contains(page, "<script>alert") || !strings.Contains(page, "&lt;script&gt;") {
		t.Errorf("SEC-H11: %s", page)
	}
	if page := b.search("best first"); !strings.Contains(page, "&amp; &lt;<mark>best</mark>&gt;") {
		t.Errorf("a title with signs of its own: %s", page)
	}
}

var insides = regexp.MustCompile(`(?i)\b(sql|sqlite|fts5|syntax error|malformed|no such)`)

func TestSearchBearsWhatAttackersType(t *testing.T) {
	b := newFoundBench(t, Rate{})
	for _, q := range []string{
		`%22`, `%27`, `a%22b`, `a*`, `NEAR(`, `a+OR+b`, `title:x`, `%5E`, `-x`, `%7Ba+b%7D:c`, `(`, `%27+OR+1%3D1--`, `%00`, `%ff`,
		strings.Repeat("a+", 10_000), url.QueryEscape(strings.Repeat("\U0001F60A", 300)),
	} {
		t.Run("SEC-H11 "+q[:min(len(q), 20)], func(t *testing.T) {
			res := b.do("POST", "/search", "q="+q)
			page := read(t, res)
			if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("got %d", res.StatusCode)
			}
			if odd := insides.FindString(page); odd != "" {
				t.Errorf("%q in\n%s", odd, page)
			}
		})
	}
	if res := b.do("POST", "/search", "q="+strings.Repeat("a", 40_000)); res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("SEC-H11 more than a form can hold: got %d", res.StatusCode)
	}
}

func TestSearchNeedsNoKeyAndNoOrigin(t *testing.T) {
	b := newFoundBench(t, Rate{})
	for _, tt := range []struct {
		name   string
		header []string
		want   int
	}{
		{"a browser’s own form", []string{"Sec-Fetch-Site", "same-origin", "Origin", "null"}, http.StatusOK},
		{"an older browser", []string{"Origin", "null"}, http.StatusOK},
		{"no browser", nil, http.StatusOK},
		{"another site", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, http.StatusForbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if res := b.do("POST", "/search", "q=study", tt.header...); res.StatusCode != tt.want {
				t.Errorf("got %d, want %d", res.StatusCode, tt.want)
			}
		})
	}
}

func TestSearchSpendsTheBudgetForLooking(t *testing.T) {
	b := newFoundBench(t, Rate{N: 1, Per: time.Minute})
	for range lookFactor {
		b.search("study")
	}
	res := b.do("POST", "/search", "q=study")
	page := read(t, res)
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "60" {
		t.Errorf("got %d, Retry-After %q", res.StatusCode, res.Header.Get("Retry-After"))
	}
	if !strings.Contains(page, `value="study"`) {
		t.Errorf("what was typed is lost:\n%s", page)
	}
}

func TestSearchWordsAreInNoLog(t *testing.T) {
	b := newFoundBench(t, Rate{})
	b.search("canarybird study")
	b.do("POST", "/search?q=canarybird", "q=canarybird&canarybird=1")
	if strings.Contains(b.log.String(), "canarybird") {
		t.Error(b.log.String())
	}
}

func TestLettersAreFoundOnceTheyWereSent(t *testing.T) {
	b := newFoundBench(t, Rate{})
	const letter = "/newsletter/sent"
	places := func() (in []string) {
		for _, path := range []string{"/feed.xml", "/sitemap.xml"} {
			if strings.Contains(read(t, b.do("GET", path, "")), foundBase.Scheme+"://"+foundBase.Host+letter) {
				in = append(in, path)
			}
		}
		if strings.Contains(b.search("dear reader"), `href="`+letter+`"`) {
			in = append(in, "/search")
		}
		return in
	}
	if got := places(); len(got) > 0 {
		t.Errorf("before: %v", got)
	}
	b.send("sent")
	want := []string{"/feed.xml", "/sitemap.xml", "/search"}
	if diff := cmp.Diff(want, places()); diff != "" {
		t.Error(diff)
	}
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, places()); diff != "" {
		t.Errorf("without the database:\n%s", diff)
	}
}

func TestFindsFollowTheContent(t *testing.T) {
	b := newFoundBench(t, Rate{})
	before := b.do("GET", "/feed.xml", "").Header.Get("ETag")
	if again := b.do("GET", "/feed.xml", "").Header.Get("ETag"); again != before {
		t.Errorf("nothing changed, yet %s became %s", before, again)
	}
	files := map[string]string{
		"site.yaml":         foundFiles["site.yaml"],
		"articles/third.md": strings.Replace(foundFiles["articles/second.md"], "Only words.", "A heron stood there.", 1),
	}
	if err := b.site.Refresh(loadFiles(t, files)); err != nil {
		t.Fatal(err)
	}
	if page := b.search("herons"); !strings.Contains(page, `href="/articles/third"`) {
		t.Errorf("the new article is not found:\n%s", page)
	}
	if after := b.do("GET", "/feed.xml", "").Header.Get("ETag"); after == before {
		t.Error("the feed is still the old one")
	}
}

func TestFilesForRobotsAndFeedReaders(t *testing.T) {
	b := newFoundBench(t, Rate{})
	for path, kind := range map[string]string{
		"/feed.xml": "application/atom+xml; charset=utf-8", "/sitemap.xml": "application/xml; charset=utf-8",
		"/robots.txt": "text/plain; charset=utf-8", "/.well-known/security.txt": "text/plain; charset=utf-8",
	} {
		t.Run(path, func(t *testing.T) {
			res := b.do("GET", path, "")
			body := read(t, res)
			if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != kind || body == "" {
				t.Errorf("got %d, %s", res.StatusCode, res.Header.Get("Content-Type"))
			}
			if got := res.Header.Get("Cache-Control"); got != "no-cache" {
				t.Errorf("Cache-Control: %s", got)
			}
			again := b.do("GET", path, "", "If-None-Match", res.Header.Get("ETag"))
			if again.StatusCode != http.StatusNotModified {
				t.Errorf("asked again: %d", again.StatusCode)
			}
			if head := b.do("HEAD", path, ""); head.StatusCode != http.StatusOK || read(t, head) != "" {
				t.Errorf("HEAD: %d", head.StatusCode)
			}
		})
	}
}

func TestSecurityTXTNeverExpires(t *testing.T) {
	b := newFoundBench(t, Rate{})
	for range 3 {
		body := read(t, b.do("GET", "/.well-known/security.txt", ""))
		_, rest, _ := strings.Cut(body, "Expires: ")
		line, _, _ := strings.Cut(rest, "\n")
		until, err := time.Parse(time.RFC3339, line)
		if err != nil || !until.After(b.now) || until.After(b.now.AddDate(1, 0, 0)) {
			t.Errorf("on %s it is good until %s, %v", b.now, line, err)
		}
		b.now = b.now.AddDate(1, 0, 0)
	}
}

func TestSitemapLeadsToPagesThatMayBeIndexed(t *testing.T) {
	b := newFoundBench(t, Rate{})
	b.send("sent")
	var m struct {
		Pages []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal([]byte(read(t, b.do("GET", "/sitemap.xml", ""))), &m); err != nil {
		t.Fatal(err)
	}
	for _, page := range m.Pages {
		u, err := url.Parse(page)
		if err != nil {
			t.Fatal(err)
		}
		if u.Path == "/consult" {
			continue // there are no hours here; its own tests open it
		}
		res := b.do("GET", u.Path, "")
		body := read(t, res)
		if res.StatusCode != http.StatusOK || res.Header.Get("X-Robots-Tag") != "" || strings.Contains(body, `content="noindex`) {
			t.Errorf("%s: %d, %q", u.Path, res.StatusCode, res.Header.Get("X-Robots-Tag"))
		}
	}
}
