package web

import (
	"maps"
	"strings"
	"testing"

	"github.com/steadier/steadier/internal/web/webtest"
)

// withDrafts are a draft of each kind beside what is there.
func withDrafts() map[string]string {
	files := maps.Clone(foundFiles)
	files["pages/_terms.md"] = "---\ntitle: Terms of a draft\ndescription: D.\n---\nUnfinished.\n"
	files["topics/_bonds.md"] = "---\ntitle: A drafted topic\ndescription: D.\norder: 1\n---\nUnfinished.\n"
	files["paths/_way.md"] = "---\ntitle: A drafted path\nquestion: Where to?\ndescription: D.\norder: 1\narticles: [first, draft]\n---\nUnfinished.\n"
	return files
}

// devBench is a site as its writer sees it.
func devBench(t *testing.T, change func(*Config)) *readingBench {
	t.Helper()
	b := newReadingBench(t, nil, change)
	if err := b.site.Refresh(loadFiles(t, withDrafts())); err != nil {
		t.Fatal(err)
	}
	return b
}

func dev(c *Config) { c.Dev = true }

// Drafts are marked wherever who writes them meets them, and are nowhere where others
// look for what there is.
func TestDrafts(t *testing.T) {
	b := devBench(t, dev)
	webtest.Run(t, b.http, readingHost, `
GET /articles
body contains <span class="q">Draft: Not yet?</span>
body !contains Draft: Is it so?
body contains Draft: Terms</a>

GET /articles/draft
code == 200
body contains <b>Draft</b>
body contains name="robots" content="noindex"

GET /articles/first
body !contains <b>Draft</b>

GET /terms
body contains <b>Draft</b>
body contains name="robots" content="noindex"

GET /topics
body contains Draft: A drafted topic

GET /topics/bonds
body contains <b>Draft</b>

GET /paths
body contains Draft: Where to?

GET /paths/way
body contains <b>Draft</b>
body contains Draft: Not yet?

GET /feed.xml
body !contains draft

GET /sitemap.xml
body !contains draft
body !contains /terms
body !contains /topics/bonds
body !contains /paths/way

POST /search
form q=draft+unfinished
code == 200
body !contains href="/articles/draft"
body !contains href="/terms" class
body !contains drafted
body contains Nothing
`)
}

// Every page begins with what is wrong with the content, those of the program and
// refusals too; and in public none does.
func TestFaultsAreShownToWhoWrites(t *testing.T) {
	fault := `content/articles/a.md:14: error: "<b>" is not closed`
	b := devBench(t, dev)
	pages := []string{"/", "/articles/first", "/articles/draft", "/support", "/search", "/none", "/about"}
	for _, path := range pages {
		if body := read(t, b.get(path)); strings.Contains(body, "data-faults") {
			t.Errorf("%s shows faults where there are none", path)
		}
	}
	b.site.ShowFaults([]string{fault})
	for _, path := range pages {
		_, body, _ := strings.Cut(read(t, b.get(path)), "<body>")
		if !strings.HasPrefix(body, `<section class="sheet" aria-label="Faults in the content" data-faults>`) || !strings.Contains(body, "a.md:14: error: &#34;&lt;b&gt;&#34; is not closed") {
			t.Errorf("%s does not begin with the fault:\n%.300s", path, body)
		}
	}
	b.site.ShowFaults(nil)
	if body := read(t, b.get("/")); strings.Contains(body, "data-faults") {
		t.Error("a fault that was put right is still shown")
	}
	public := devBench(t, plain)
	public.site.ShowFaults([]string{fault})
	for _, path := range pages {
		if body := read(t, public.get(path)); strings.Contains(body, "a.md:14") {
			t.Errorf("%s tells readers of faults", path)
		}
	}
}

// Who writes gets the same headers as a reader: nothing is loosened for them.
func TestHeadersAreThoseOfReaders(t *testing.T) {
	b, public := devBench(t, dev), newReadingBench(t, nil, plain)
	for _, path := range []string{"/", "/none"} {
		got, want := b.get(path).Header, public.get(path).Header
		for _, name := range []string{"Content-Security-Policy", "Cache-Control", "Content-Type", "Vary", "Cross-Origin-Embedder-Policy"} {
			if got.Get(name) != want.Get(name) {
				t.Errorf("%s %s: %q, to readers %q", path, name, got.Get(name), want.Get(name))
			}
		}
	}
}
