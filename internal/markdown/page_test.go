package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The passages of a page share numbers and ids. reader-H34: every numbered note
// has its entry, every entry is used.
func TestPassagesOfAPageShareNumbers(t *testing.T) {
	p := NewPage(options(t))
	brief, fs := p.Parse(Source{Path: "x.md", Text: "In brief [@nevin1988].", Line: 3, Brief: true})
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	body, fs := p.Parse(Source{Path: "x.md", Text: "## A\n\nOne [@dutton1993; @nevin1988]. [@nevin1988]\n\n## A\n", Line: 9})
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	html := brief.HTML() + body.HTML()
	checkIDs(t, html)
	var got []string
	for _, n := range p.Notes() {
		got = append(got, n.ID()+" "+n.Reference.ID+" "+strings.Join(n.Uses, " "))
		for _, use := range n.Uses {
			if !strings.Contains(html, `href="#`+n.ID()+`" id="`+use+`"`) {
				t.Errorf("reader-H34 no citation %s to %s", use, n.ID())
			}
		}
	}
	if diff := cmp.Diff([]string{"s1 nevin1988 c1 c1-2 c1-3", "s2 dutton1993 c2"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"dutton1993", "nevin1988"}, body.Works); diff != "" {
		t.Error(diff)
	}
}

func TestAPassageMayLinkToTheNext(t *testing.T) {
	p := NewPage(Options{})
	p.Parse(Source{Path: "x.md", Text: "[below](#now), [lost](#then)", Line: 3, Brief: true})
	p.Parse(Source{Path: "x.md", Text: "## Now\n\n## The end\n", Line: 9})
	want := "x.md:3: error: no heading of the page has the anchor #then"
	if fs := p.CheckAnchors(); len(fs) != 1 || fs[0].String() != want {
		t.Errorf("findings %v, want %s", fs, want)
	}
}

func TestABriefPassageIsOnlyWords(t *testing.T) {
	for _, in := range []string{"## Heading", "> quote", "> [!NOTE]\n> x", "![a](/figures/turns.svg \"x\")", "| a |\n|---|", "    code", "```\nx\n```", "a\n: b", "x[^1]\n\n[^1]: y", "***"} {
		if _, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: in, Line: 1, Brief: true}); fs.Errors() == 0 {
			t.Errorf("%q is accepted in a short passage", in)
		}
	}
	if _, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: "One *two* [@dutton1993].\n\n- [a](/b)\n", Line: 1, Brief: true}); len(fs) > 0 {
		t.Error(fs)
	}
}

func TestLinksAreCollected(t *testing.T) {
	doc, _ := NewPage(Options{}).Parse(Source{Path: "x.md", Text: "[a *b*](/articles/x#y)\n\n<https://e.example>\n", Line: 4})
	want := []Link{{"/articles/x#y", "a b", 4}, {"https://e.example", "https://e.example", 6}}
	if diff := cmp.Diff(want, doc.Links); diff != "" {
		t.Error(diff)
	}
}

func TestADefectIsAFaultOfTheFile(t *testing.T) {
	// No page at all makes the parser panic, as a defect would.
	doc, fs := (&Page{}).Parse(Source{Path: "x.md", Text: "## Heading\n", Line: 7})
	if doc == nil || len(fs) != 1 || fs[0].Line != 7 || !strings.Contains(fs[0].Message, "defect in the program") {
		t.Errorf("document %v, findings %v", doc, fs)
	}
	_ = doc.HTML()
}

func TestWhatAnotherPageShowsOfADocument(t *testing.T) {
	const text = "![a](/figures/turns.svg \"The first.\")\n\n> [!NOTE]\n> x\n\n![b](/figures/turns.svg \"The second.\")\n"
	doc, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: text, Line: 1})
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	figure := doc.FirstFigure()
	if !strings.HasPrefix(figure, "<figure><svg") || !strings.Contains(figure, "The first.") || strings.Contains(figure, "The second.") {
		t.Errorf("first figure: %s", figure)
	}
	if doc.HasExercise() {
		t.Error("a note is no exercise")
	}
	doc, _ = NewPage(options(t)).Parse(Source{Path: "x.md", Text: "> [!TIP]\n> x\n", Line: 1})
	if !doc.HasExercise() || doc.FirstFigure() != "" {
		t.Errorf("exercise %v, figure %q", doc.HasExercise(), doc.FirstFigure())
	}
}
