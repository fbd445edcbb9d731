package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCountSentences(t *testing.T) {
	tests := map[string]int{
		"":                                   0,
		"No stop":                            1,
		"One. Two. ":                         2,
		"She asked: “Why?” He said nothing.": 2,
		"In 1993, 75 women took part (see Dr. Painter, p. 3). So.": 2,
		"It fell by 27.5 per cent. That is an average.":            2,
		"Some, e.g. Two, and i.e. Three.":                          1,
		"J. A. Nevin wrote it. It was 1988…":                       2,
		"“I know.” “So do I.”":                                     2,
		"Was it you or I? It was I. And then.":                     3,
		"You may say no. It is no. 3, vol. 12. Or No. It is.":      4,
		"so. small letters go on. like this":                       1,
	}
	for in, want := range tests {
		if got := CountSentences(in); got != want {
			t.Errorf("CountSentences(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestCountWords(t *testing.T) {
	if got := CountWords("It’s 27 % – or so; half-way, «yes»."); got != 6 {
		t.Errorf("got %d words, want 6", got)
	}
}

func TestParagraphsAndWords(t *testing.T) {
	text := "## A *heading* {#x}\n\nOne & two\nthree [@dutton1993].[^1]\n\n- item `code`\n\n| head |\n|--|\n| cell |\n\n```\nnot words\n```\n\n[^1]: A note.\n"
	text = strings.ReplaceAll(text, "|--|", "|---|")
	doc, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: text, Line: 11})
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	want := []Paragraph{
		{"A heading", 11, InHeading},
		{"One & two three.", 13, InText},
		{"item code", 16, InList},
		{"head", 18, InOther},
		{"cell", 20, InOther},
		{"A note.", 26, InText},
	}
	if diff := cmp.Diff(want, doc.Paragraphs()); diff != "" {
		t.Error(diff)
	}
	if doc.Words != 11 {
		t.Errorf("%d words, want 11", doc.Words)
	}
	if diff := cmp.Diff([]Heading{{2, "x", "A heading", 11}}, doc.Headings); diff != "" {
		t.Error(diff)
	}
}
