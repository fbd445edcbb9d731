package respond

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
)

// The whole server is to stay under 60 MB: an encoder with brotli's usual window takes
// more than half of that for one page.
func TestBrotliTakesLittleMemory(t *testing.T) {
	var page bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&page, "<p>Line %d of a page.</p>\n", i)
	}
	c := NewCopy("text/html", page.Bytes())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.Brotli()
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 8 {
		t.Errorf("%d MB for a page of %d KB", mb, page.Len()>>10)
	}
}
