package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/cite"
)

var update = flag.Bool("update", false, "write the goldens of testdata anew")

// options are the works and figures of testdata.
func options(t testing.TB) Options {
	t.Helper()
	data := read(t, "testdata/references.yaml")
	b, fs := cite.Load("references.yaml", []byte(data))
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	f, fs := ParseSVG("figures/turns.svg", []byte(read(t, "testdata/figures/turns.svg")))
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	return Options{References: b, Figures: map[string]*Figure{"turns.svg": f}}
}

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// golden compares got with a file, or writes the file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(read(t, name), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func inputs(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	return names
}

func TestPages(t *testing.T) {
	for _, name := range inputs(t, "testdata/pages/*.md") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := NewPage(options(t))
			doc, fs := p.Parse(Source{Path: "x.md", Text: read(t, name), Line: 1})
			if fs = append(fs, p.CheckAnchors()...); len(fs) > 0 {
				t.Errorf("faults in a right page: %v", fs)
			}
			html := doc.HTML()
			golden(t, strings.TrimSuffix(name, ".md")+".html", html)
			checkMarkup(t, html)
			checkIDs(t, html)
		})
	}
}

func TestFaults(t *testing.T) {
	for _, name := range inputs(t, "testdata/faults/*.md") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := NewPage(options(t))
			doc, fs := p.Parse(Source{Path: filepath.Base(name), Text: read(t, name), Line: 1})
			fs = append(fs, p.CheckAnchors()...).Sorted()
			var out strings.Builder
			for _, f := range fs {
				out.WriteString(f.String() + "\n")
			}
			golden(t, strings.TrimSuffix(name, ".md")+".txt", out.String())
			html := doc.HTML()
			golden(t, strings.TrimSuffix(name, ".md")+".html", html)
			checkMarkup(t, html)
		})
	}
}
