package web

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// REL-R20: after a save, only the pages that read differently are rendered for good and
// compressed; all others keep the forms that they have, and their validators.
func TestOnlyWhatChangedIsCompressedAgain(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	for _, c := range b.site.shelf.Load().pages {
		c.Brotli()
	}
	const name, path = "articles/first.md", "/articles/first"
	for _, tt := range []struct {
		what  string
		files map[string]string
		want  []string // paths that changed
	}{
		{"nothing", nil, nil},
		{"a word of an article", map[string]string{name: strings.TrimSpace(foundFiles[name]) + "x\n"}, []string{path}},
		{"and back again", nil, []string{path}},
	} {
		before := b.site.shelf.Load().pages
		if err := b.site.Refresh(readingLibrary(t, tt.files)); err != nil {
			t.Fatal(err)
		}
		var changed []string
		for at, c := range b.site.shelf.Load().pages {
			form := b.get(at, "Accept-Encoding", "br, gzip").Header.Get("Content-Encoding")
			switch {
			case c != before[at]:
				changed = append(changed, at)
			case form != "br" && at != path:
				t.Errorf("%s: %s lost its smallest form", tt.what, at)
			}
		}
		if diff := cmp.Diff(tt.want, changed); diff != "" {
			t.Errorf("%s: pages rendered again:\n%s", tt.what, diff)
		}
	}
}

func TestTheFeedIsKeptToo(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	b.get("/feed.xml")
	before := b.site.finder.last.Load()
	if err := b.site.Refresh(readingLibrary(t, nil)); err != nil {
		t.Fatal(err)
	}
	b.get("/feed.xml")
	after := b.site.finder.last.Load()
	if after == before || after.feed != before.feed || after.sitemap != before.sitemap {
		t.Error("the same feed and sitemap were compressed again")
	}
}
