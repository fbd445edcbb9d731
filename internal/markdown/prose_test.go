package markdown

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	text := " It fell.  “Why?” Dr. Painter\n asked [1]: so. "
	var got []string
	for _, s := range Sentences(text) {
		got = append(got, text[s.From:s.To])
	}
	if diff := cmp.Diff([]string{"It fell.", "“Why?”", "Dr. Painter\n asked [1]: so."}, got); diff != "" {
		t.Error(diff)
	}
}

// Each sentence is told with the line on which it begins, however the author broke them.
func TestProseKnowsItsLines(t *testing.T) {
	text := "One *two*\nthree. Four\nfive &amp; [a link](/support)\nsix. Seven.\n\n> [!WARNING]\n> Eight.\n> Nine.\n\n> Ten\n> said. So.\n\n- Eleven.\n  Twelve.\n"
	doc, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: text, Line: 11})
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	type sentence struct {
		text   string
		line   int
		kind   ParagraphKind
		quote  bool
		urgent bool
	}
	var got []sentence
	for _, p := range doc.Prose() {
		for _, s := range Sentences(p.Text) {
			got = append(got, sentence{p.Text[s.From:s.To], p.LineAt(s.From), p.Kind, p.Quote, p.Urgent})
		}
	}
	want := []sentence{
		{"One two three.", 11, InText, false, false},
		{"Four five & a link six.", 12, InText, false, false},
		{"Seven.", 14, InText, false, false},
		{"Eight.", 17, InText, false, true},
		{"Nine.", 18, InText, false, true},
		{"Ten said.", 20, InText, true, false},
		{"So.", 21, InText, true, false},
		{"Eleven.", 23, InList, false, false},
		{"Twelve.", 24, InList, false, false},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sentence{})); diff != "" {
		t.Error(diff)
	}
}

func TestProseKnowsItsCitationsAndLinks(t *testing.T) {
	text := "One [@dutton1993]. Two\n[three\nfour](/support), <https://a.example/b>.\n"
	doc, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: text, Line: 1})
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	p := doc.Prose()[0]
	if diff := cmp.Diff([]int{len("One.")}, p.Cites); diff != "" {
		t.Error(diff)
	}
	var got []string
	for _, l := range p.Links {
		got = append(got, p.Text[l.From:l.To]+" "+l.URL)
	}
	if diff := cmp.Diff([]string{"three four /support", "https://a.example/b https://a.example/b"}, got); diff != "" {
		t.Errorf("%q: %s", p.Text, diff)
	}
	if p.Links[0].Line != 2 || p.Links[1].Line != 3 {
		t.Errorf("links on lines %d and %d, want 2 and 3", p.Links[0].Line, p.Links[1].Line)
	}
}

// What a picture says and what stands below it are words as well.
func TestProseHoldsFigures(t *testing.T) {
	doc, _ := NewPage(options(t)).Parse(Source{Path: "x.md", Text: "Words.\n\n![What it says](/figures/none.svg \"A sketch.\")\n", Line: 1})
	var got []Paragraph
	for _, p := range doc.Prose() {
		got = append(got, p.Paragraph)
	}
	want := []Paragraph{{"Words.", 1, InText}, {"What it says", 3, InOther}, {"A sketch.", 3, InOther}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
