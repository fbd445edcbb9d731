package markdown

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parseText(t testing.TB, in string) (*Document, []string) {
	t.Helper()
	doc, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: in, Line: 1})
	var got []string
	for _, f := range fs {
		got = append(got, f.String())
	}
	return doc, got
}

// What is over the bounds is told before it is parsed: the cost of a hostile text
// is that of one pass over it.
func TestBounds(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"SEC-H14 lists in lists", strings.Repeat("- ", 900) + "x", []string{"x.md:1: error: lists and quotes stand in one another 900 deep, at most 10"}},
		{"SEC-H14 stars, over the line too", strings.Repeat("* ", 8000) + "x", []string{
			"x.md:1: error: the line has 16,001 characters, at most 2,000; break it",
			"x.md:1: error: lists and quotes stand in one another 8,000 deep, at most 10",
			"x.md:1: error: the passage that begins here has more than 2,500 marks such as * [ _ before the next blank line; part it",
		}},
		{"SEC-H14 quotes in quotes", "\n" + strings.Repeat("> ", 800) + "x", []string{"x.md:2: error: lists and quotes stand in one another 800 deep, at most 10"}},
		{"SEC-H14 quotes without spaces", strings.Repeat(">", 16000), []string{
			"x.md:1: error: the line has 16,000 characters, at most 2,000; break it", "x.md:1: error: lists and quotes stand in one another 16,000 deep, at most 10",
		}},
		{"numbered lists", strings.Repeat("1. ", 11) + "x", []string{"x.md:1: error: lists and quotes stand in one another 11 deep, at most 10"}},
		{"SEC-H15 a table of 2,000 columns", strings.Repeat("|a", 2000) + "|\n" + strings.Repeat("|-", 2000) + "|\n" + strings.Repeat("|\n", 2000), []string{
			"x.md:1: error: the line has 4,001 characters, at most 2,000; break it", "x.md:2: error: the table has 2,000 columns, at most 12", "x.md:3: error: the table has more than 2,000 cells; part it into two",
		}},
		{"a table of 13 columns", strings.Repeat("|a", 13) + "|\n" + strings.Repeat("|-", 13) + "|\n", []string{"x.md:2: error: the table has 13 columns, at most 12"}},
		{"a table of 167 rows", strings.Repeat("|a", 12) + "|\n" + strings.Repeat("|-", 12) + "|\n" + strings.Repeat("|\n", 170), []string{"x.md:168: error: the table has more than 2,000 cells; part it into two"}},
		{"SEC-H16 a line of 1 MB", strings.Repeat("*", 1<<20), []string{"x.md:1: error: the text has 1,024 KB, at most 256; part it into two"}},
		{"a line of stars below that", strings.Repeat("*", 200<<10), []string{
			"x.md:1: error: the line has 204,800 characters, at most 2,000; break it",
			"x.md:1: error: the passage that begins here has more than 2,500 marks such as * [ _ before the next blank line; part it",
		}},
		{"brackets over many lines", "a\n\n" + strings.Repeat(strings.Repeat("[](", 600)+"\n", 3), []string{"x.md:3: error: the passage that begins here has more than 2,500 marks such as * [ _ before the next blank line; part it"}},
		{"footnotes without end", strings.Repeat("a[^1]\n\n", 501) + "[^1]: b\n", []string{"x.md:1001: error: the text has more than 500 footnotes and uses of them; part it into two"}},
		{"lists in lists, line by line", nested(12), []string{"x.md:11: error: lists and quotes stand in one another more than 10 deep"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got := parseText(t, tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func nested(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}

func TestWithinBounds(t *testing.T) {
	tests := map[string]string{
		"SEC-H15 a table of 12 by 100": strings.Repeat("|a", 12) + "|\n" + strings.Repeat("|-", 12) + "|\n" + strings.Repeat(strings.Repeat("|a", 12)+"|\n", 100),
		"lists ten deep":               nested(10),
		"thematic breaks":              strings.Repeat("* ", 60) + "\n\n" + strings.Repeat("- ", 60) + "\n",
		"a line of 2,000 characters":   strings.Repeat("é", 2000),
		"a number that is no list":     "2026. 1234567890. 3.x\n",
		"a long tight list of links":   strings.Repeat("- [a](/b) and *c*\n", 150),
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			doc, got := parseText(t, in)
			if len(got) > 0 || len(doc.HTML()) < 10 {
				t.Errorf("%v, page of %d bytes", got, len(doc.HTML()))
			}
		})
	}
}

// SEC-H15: the heap of a table explosion stays flat.
func TestHostileTableTakesNoMemory(t *testing.T) {
	in := strings.Repeat("|a", 900) + "|\n" + strings.Repeat("|-", 900) + "|\n" + strings.Repeat("|\n", 2000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	doc, got := parseText(t, in)
	_ = doc.HTML()
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 || len(got) == 0 {
		t.Errorf("SEC-H15 %d MB, findings %v", grown>>20, got)
	}
}

// crashers are texts that stopped goldmark or its like once.
var crashers = []string{
	"{\n-", strings.Repeat("0", 37) + "\n:\t```\n\t\t0", "[^000]:0\t[^]:", ">*\t>\n> \t0\n>\t\t0\n>0", "-\t\t```\n\t\tx",
	"# {#\n", "a {#b\n===\n", "|a|b|\n|-|", "[\x80](\x80)", "\x00", "[@", "[@]", "[@{", "> [!NOTE]", "> [!NOTE]\n> ", "![](", "![]()",
	"[^1]: [^1]", "[^1]\n\n[^1]: [^1]", "- [^1]: x", "> # {#x}\n", "#", "# #", "a\n: - b\n:", "[a]: <", "\ufeff", "\u2028", "![a][b]\n\n[b]: /figures/turns.svg \"c\"",
}

func TestOldCrashers(t *testing.T) {
	for _, in := range crashers {
		t.Run(fmt.Sprintf("SEC-H16 %.20q", in), func(t *testing.T) {
			text, fs := Decode("x.md", []byte(in))
			if len(fs) > 0 {
				return // a content fault, before anything is parsed
			}
			doc, _ := parseText(t, text)
			checkMarkup(t, doc.HTML())
		})
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, in := range crashers {
		f.Add(in)
	}
	for _, in := range []string{"[a](javascript&colon;x)", "<b onclick=x>", "> [!TIP]\n> ## a {#b}\n", "| a |\n|---|\n| [@dutton1993] |", "a [@dutton1993].\n\n[^1]\n\n[^1]: b", "![a](/figures/turns.svg \"b\")"} {
		f.Add(in)
	}
	o := options(f)
	f.Fuzz(func(t *testing.T, in string) {
		text, fs := Decode("x.md", []byte(in))
		if len(fs) > 0 {
			return
		}
		p := NewPage(o)
		doc, fs := p.Parse(Source{Path: "x.md", Text: text, Line: 1})
		fs = append(fs, p.CheckAnchors()...)
		html := doc.HTML()
		checkMarkup(t, html)
		if fs.Errors() == 0 {
			checkIDs(t, html)
		}
		for _, found := range fs {
			if strings.Contains(found.Message, "defect in the program") {
				t.Fatal(found)
			}
			if found.Line < 1 || found.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("line out of the file: %s", found)
			}
		}
	})
}
