package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/cite"
)

func TestNesting(t *testing.T) {
	tests := map[string]int{
		"": 0, "words": 0, "- a": 1, "> a": 1, ">>> a": 3, "> - 1. a": 3, "  * + a": 2, "12) a": 1, "-a": 0, "2026 was": 0,
		"2026. A year": 1, "1234567890. a": 0, "* * *": 0, "- - -": 0, "***": 0, "- - - a": 3, "**bold** a": 0, "\t- a": 1, "1.5 m": 0,
	}
	for in, want := range tests {
		if got := nesting(in); got != want {
			t.Errorf("nesting(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestDelimiterColumns(t *testing.T) {
	tests := map[string]int{
		"|---|---|": 2, "---|---": 2, "| :-- | :-: | --: |": 3, "|-|": 1, "---": 0, "|": 0, "| a | b |": 0, "": 0, "|||": 0, "> |-|-|": 2,
	}
	for in, want := range tests {
		if got := delimiterColumns(in); got != want {
			t.Errorf("delimiterColumns(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for in, want := range map[int]string{0: "0", 12: "12", 999: "999", 2000: "2,000", 16001: "16,001", 1234567: "1,234,567"} {
		if got := number(in); got != want {
			t.Errorf("number(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	tests := map[string]string{
		"The good evening": "the-good-evening", "What’s it? – It’s so!": "whats-it-its-so", "Über Nähe": "uber-nahe", "75 women": "section-75-women",
		"": "section", "…": "section", "Łódź": "łodz", "a_b c/d": "a-b-c-d", "  spaces  ": "spaces", "İstanbul": "istanbul",
	}
	for in, want := range tests {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAnchorsStayFree(t *testing.T) {
	p := NewPage(Options{})
	var got []string
	for _, id := range []string{"a", "a", "a", "a-2", "main", "s1", "fig12", "figs", "term-x", "terms"} {
		got = append(got, p.freeID(id))
	}
	want := []string{"a", "a-2", "a-3", "a-2-2", "main-2", "section-s1", "section-fig12", "figs", "section-term-x", "terms"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLetter(t *testing.T) {
	for in, want := range map[int]string{0: "?", 1: "a", 26: "z", 27: "aa", 28: "ab", 52: "az", 53: "ba", 703: "aaa"} {
		if got := letter(in); got != want {
			t.Errorf("letter(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestBadAddress(t *testing.T) {
	good := []string{"https://a.example", "http://a.example:8080/b?c=d#e", "HTTPS://A.EXAMPLE", "https://de.example/ä(b)", "mailto:a@b.example?subject=c", "tel:+44-20", "/", "/a/b#c", "#a"}
	for _, address := range good {
		if problem := badAddress(address); problem != "" {
			t.Errorf("%q %s", address, problem)
		}
	}
	bad := []string{
		"", "#", "//a.example", "///a", `\\a`, `/\a`, "a", "./a", "../a", "?a", "https:", "https:a", "https:///a", "mailto:", "mailto:a", "tel:", "tel:abc",
		"javascript:a", "JAVASCRIPT:a", "data:a", "vbscript:a", "file:///a", "intent://a", "ftp://a", "blob:a", "about:blank", "https://a b", "/a\"b", "https://a/<b>", "x-y.z+1:a",
	}
	for _, address := range bad {
		if badAddress(address) == "" {
			t.Errorf("SEC-H12 %q passes", address)
		}
	}
}

func TestTargetDecodesAsABrowserDoes(t *testing.T) {
	tests := map[string]string{
		"javascript&colon;x": "javascript:x", "&#106;avascript:x": "javascript:x", "java&NewLine;script&colon;x": "javascript:x",
		"&Tab;javascript:x": "javascript:x", "java&#0;script:x": "java\ufffdscript:x", " /a ": "/a", `/a\_b`: "/a_b", "/a&amp;b": "/a&b", "j\tavascript:x": "javascript:x",
	}
	for in, want := range tests {
		if got := target([]byte(in)); got != want {
			t.Errorf("SEC-H12 target(%q) = %q, want %q", in, got, want)
		}
	}
}

// A bibliography that could not be read makes no citation unknown; the words stay.
func TestAnyCitation(t *testing.T) {
	doc, fs := NewPage(Options{AnyCitation: true, References: &cite.Bibliography{}}).Parse(Source{Path: "x.md", Text: "One [@a; @b].", Line: 1})
	if len(fs) > 0 || !strings.Contains(doc.HTML(), "@a, @b") {
		t.Errorf("findings %v, page %q", fs, doc.HTML())
	}
}

func TestIDsHoldThoseInAlerts(t *testing.T) {
	doc, _ := NewPage(Options{}).Parse(Source{Path: "x.md", Text: "## One\n\n> [!TIP]\n> ### Two\n> words\n\n## Three {#three}\n", Line: 1})
	if diff := cmp.Diff([]string{"one", "two", "three"}, doc.IDs()); diff != "" {
		t.Error(diff)
	}
	if len(doc.Headings) != 2 {
		t.Errorf("headings for a contents list: %v, want those outside of the alert", doc.Headings)
	}
}
