package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestTheGalleryIsForWhoWrites(t *testing.T) {
	b := newReadingBench(t, nil, dev)
	page := read(t, b.get("/gallery"))
	for _, part := range []string{"by-day", "by-night", `class="source-note"`, `class="urgent"`, "your present time", "data-summary", "No page here holds these words"} {
		if !strings.Contains(page, part) {
			t.Errorf("no %s in the gallery", part)
		}
	}
	style := read(t, b.get("/gallery.css"))
	if !strings.Contains(style, ".by-day{") || !strings.Contains(style, "#171412") || !strings.Contains(style, "#faf6ef") {
		t.Errorf("the colours of both themes: %s", style)
	}
	public := newReadingBench(t, nil, plain)
	for _, path := range []string{"/gallery", "/gallery.css"} {
		if res := public.get(path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s is served to readers: %d", path, res.StatusCode)
		}
	}
}
