package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/library"
)

// BenchmarkCheckThousandArticles checks the content that ships, and a thousand articles
// more: those that ship, under other names, each with its sections begun at another
// place. Of the 1.6 seconds of processor time that it took on two cores of an AMD EPYC, the
// editor had half a second.
func BenchmarkCheckThousandArticles(b *testing.B) {
	root := b.TempDir()
	if err := os.CopyFS(root, os.DirFS("../../content")); err != nil {
		b.Fatal(err)
	}
	words := moreArticles(b, root, 1000)
	for b.Loop() {
		found, _ := checkContent(os.DirFS(root), library.Options{Now: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)})
		if found.Errors() > 0 {
			b.Fatal(found)
		}
	}
	b.ReportMetric(float64(words), "words/op")
}

// moreArticles writes n articles, and counts their words.
func moreArticles(b *testing.B, root string, n int) (words int) {
	b.Helper()
	shipped, err := filepath.Glob(filepath.Join(root, "articles", "*.md"))
	if err != nil || len(shipped) == 0 {
		b.Fatal(err, shipped)
	}
	anchors := regexp.MustCompile(`\]\(#[^)]*\)`)
	for i := range n {
		data, err := os.ReadFile(shipped[i%len(shipped)])
		if err != nil {
			b.Fatal(err)
		}
		parts := strings.SplitN(string(data), "\n---\n", 2)
		sections := strings.Split(anchors.ReplaceAllString(parts[1], "](/support)"), "\n## ")
		turn := i / len(shipped) % len(sections)
		text := parts[0] + "\n---\n" + sections[0]
		for j := range sections[1:] {
			text += "\n## " + sections[1:][(j+turn)%len(sections[1:])]
		}
		words += len(strings.Fields(text))
		name := filepath.Join(root, "articles", fmt.Sprintf("more-%d.md", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return words
}
