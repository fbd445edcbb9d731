package web

import (
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/library"
)

// Whoever can't see a drawing is told what is on it, and none is left lying about.
func TestFiguresThatShip(t *testing.T) {
	lib, findings := library.Load(os.DirFS("../../content"), library.Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	if lib == nil {
		t.Fatal(findings)
	}
	texts := pagesWithFigures(t)
	for name, figure := range lib.Figures {
		if figure.Title == "" || len(figure.Desc) < 100 || figure.Words == 0 {
			t.Errorf("%s: title %q, description %q, %d words in it", name, figure.Title, figure.Desc, figure.Words)
		}
		if name != library.PathMap && !strings.Contains(texts, "](/figures/"+name+" ") {
			t.Errorf("%s stands on no page", name)
		}
	}
	if drawn, there := dots(lib.Figures[library.PathMap]), articlesOnPaths(lib); drawn != there {
		t.Errorf("the map of the paths has %d dots, the paths have %d articles", drawn, there)
	}
}

// pagesWithFigures are the texts that may show one.
func pagesWithFigures(t *testing.T) string {
	t.Helper()
	var all []string
	for _, dir := range []string{"articles", "pages"} {
		entries, err := os.ReadDir(path.Join("../../content", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(path.Join("../../content", dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(text))
		}
	}
	return strings.Join(all, "\n")
}

func dots(f *library.Figure) int {
	return strings.Count(f.Inline("f", ""), `<circle class="dot"`)
}

func articlesOnPaths(lib *library.Library) (n int) {
	for _, p := range lib.Paths {
		n += len(p.Articles)
	}
	return n
}
