package web

import (
	"os"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/static"
)

// The bounds of what an article weighs, compressed (design, visual.md; reader-H30).
const (
	maxPaint  = 14 << 10 // HTML and CSS: what is needed to paint
	maxScript = 5 << 10
)

// Every article that ships keeps the bounds, with its definitions and its way on, and
// not only the two that the browser looks at.
func TestArticlesWeighLittle(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	lib, findings := library.Load(os.DirFS("../../content"), library.Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	if lib == nil {
		t.Fatal(findings)
	}
	if err := b.site.Refresh(lib); err != nil {
		t.Fatal(err)
	}
	for _, copies := range b.site.assets {
		copies.Brotli()
	}
	styles := b.weight(t, static.URL("site.css"))
	if script := b.weight(t, static.URL("site.js")); script > maxScript {
		t.Errorf("reader-H30 the scripts weigh %d bytes, at most %d", script, maxScript)
	}
	for _, a := range lib.Articles {
		b.site.shelf.Load().pages[a.Path()].Brotli()
		if paint := styles + b.weight(t, a.Path()); paint > maxPaint {
			t.Errorf("reader-H30 %s and the styles weigh %d bytes, at most %d", a.Path(), paint, maxPaint)
		}
	}
}

// weight is how many bytes a browser is sent.
func (b *readingBench) weight(t *testing.T, path string) int {
	t.Helper()
	res := b.get(path, "Accept-Encoding", "br")
	if got := res.Header.Get("Content-Encoding"); got != "br" {
		t.Fatalf("%s: encoding %q", path, got)
	}
	return len(read(t, res))
}
