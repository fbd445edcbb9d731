package web

import (
	"context"
	"html"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/internal/store/storetest"
)

// offeringSite is a site that offers calls under its articles.
func offeringSite(t *testing.T, content fs.FS) (*library.Library, http.Handler) {
	t.Helper()
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	lib, findings := library.Load(content, library.Options{Now: now})
	if lib == nil {
		t.Fatal(findings)
	}
	ring, log := seal.NewRing(), slog.New(slog.DiscardHandler)
	site := New(Config{Base: &url.URL{Scheme: "https", Host: readingHost}, MailOff: true}, Deps{
		Log: log, Now: func() time.Time { return now }, Ring: ring, Ready: func(context.Context) error { return nil },
		Consult: consult.New(storetest.OpenAt(t, t.TempDir(), ring), consult.Config{
			Hours: func() slots.Availability {
				a := slots.Availability{Zone: time.UTC, Length: 15 * time.Minute, Step: time.Hour, Horizon: 28}
				hoursOn(9, 17, time.Monday)(&a)
				return a
			},
			Practice: func() consult.Practice { return consult.Practice{} }, Log: log,
		}),
	})
	if err := site.Refresh(lib); err != nil {
		t.Fatal(err)
	}
	return lib, site.Handler()
}

// wantOrder checks that parts follow one another in a page.
func wantOrder(t *testing.T, page string, parts ...string) {
	t.Helper()
	at := 0
	for i, part := range parts {
		next := strings.Index(page[at:], part)
		if next < 0 {
			before := "the start"
			if i > 0 {
				before = parts[i-1]
			}
			t.Errorf("reader-H33: no %q after %q", part, before)
			return
		}
		at += next + len(part)
	}
}

// Every article that ships: in brief first, help before the sources and any offer, and
// at the end who has read it.
func TestTheOrderOfAnArticle(t *testing.T) {
	lib, handler := offeringSite(t, os.DirFS("../../content"))
	for _, a := range lib.Articles {
		t.Run("reader-H33 "+a.Slug, func(t *testing.T) {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, a.Path(), nil)
			r.Host = readingHost
			handler.ServeHTTP(w, r)
			main := between(w.Body.String(), "<main", "</main>")
			review := "Not yet reviewed by a clinician."
			if a.Reviewed != nil {
				review = "Reviewed by " + a.Reviewed.By
			}
			wantOrder(t, main, "<h1", "</h1>", "In brief", `id="help"`, `id="sources"`, review, `aria-labelledby="talk"`, `href="/consult"`)
			if got, want := textOf(between(main, "</h1>", "In brief")), textOf(html.EscapeString(a.Question)); got != want {
				t.Errorf("reader-H33: between the title and “In brief” stands %q, want the question alone: %q", got, want)
			}
		})
	}
}

// The date of a review is the one in the file: it moves when the file says so, not when
// a word is put right.
func TestAReviewStaysWhereItWas(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	review := func() string {
		t.Helper()
		page := read(t, b.get("/articles/second"))
		return strings.Join(strings.Fields(between(page, "Published 10 November 2026.", "</p>")), " ") +
			strings.Join(regexp.MustCompile(`"(?:lastReviewed|dateModified)":"[^"]*"`).FindAllString(page, -1), " ")
	}
	before := review()
	const want = "Reviewed by Dr A. Reader on 9 November 2026. To be read again by 9 November 2027."
	if !strings.HasPrefix(before, want) || !strings.Contains(before, `"lastReviewed":"2026-11-09"`) {
		t.Errorf("reader-H33: %q, want %q", before, want)
	}
	mended := strings.Replace(foundFiles["articles/second.md"], "Only words.", "Only wordz, put right.", 1)
	if err := b.site.Refresh(readingLibrary(t, map[string]string{"articles/second.md": mended})); err != nil {
		t.Fatal(err)
	}
	if page := read(t, b.get("/articles/second")); !strings.Contains(page, "wordz") {
		t.Fatal("the change is not served")
	}
	if after := review(); after != before {
		t.Errorf("reader-H35: %q became %q", before, after)
	}
}

func TestTheAgeOfANumberOnThePage(t *testing.T) {
	line := func(name, checked string) string {
		return "  - name: " + name + "\n    kind: crisis\n    phone: '116 123'\n" + checked
	}
	on := func(days int) string {
		return "    checked-on: '" + time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -days).Format(time.DateOnly) + "'\n"
	}
	b := newReadingBench(t, map[string]string{
		"helplines.yaml": "countries:\n- iso: GB\n  name: United Kingdom\n  services:\n" +
			line("Fresh Line", on(0)) + line("Older Line", on(181)) + line("Old Line", on(366)) + line("Unknown Line", "    note: nobody knows\n"),
	}, plain)
	page := read(t, b.get("/support"))
	const old = "Check this number"
	for name, asks := range map[string]bool{"Fresh Line": false, "Older Line": false, "Old Line": true} {
		card := between(page, "<h3>"+name+"</h3>", "</div>")
		if card == "" || strings.Contains(card, old) != asks || !strings.Contains(card, "number checked") {
			t.Errorf("reader-H36 %s: %s", name, card)
		}
	}
	if strings.Contains(page, "Unknown Line") {
		t.Error("reader-H36: a line that was never checked is shown")
	}
}
