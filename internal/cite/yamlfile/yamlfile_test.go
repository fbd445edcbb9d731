package yamlfile

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/fault"
)

func messages(fs fault.Findings) []string {
	var out []string
	for _, f := range fs {
		out = append(out, f.String())
	}
	return out
}

func TestParseNamesTheLineOfAFault(t *testing.T) {
	tests := []struct {
		name, in string
		line     int
		says     string
	}{
		{"a key twice", "a: 1\nb: 2\na: 3\n", 3, "a key stands once"},
		{"a colon in a plain title", "x: 1\ntitle: The pull: of it\n", 2, "in quotes"},
		{"an unclosed quote", "a: 1\nb: \"x\nc: 2\n", 2, "double-quoted"},
		{"an error after a folded text", "a: >-\n  one\n  two\n\nb: 'x\n\n  y'\n\nc: 'q' r\n", 9, "in quotes"},
		{"an error after lines with CRLF", "a: 'x\r\n  y'\r\nb: |\r\n  q\r\n  r\r\nc: [\r\n", 6, "]"},
		{"a tab as indentation", "a: 1\n\tb: 2\n", 2, "spaces"},
		{"an at sign", "a: 1\nb: @x\n", 2, "in quotes"},
		{"an anchor", "a: 1\nb: &x 2\n", 2, "anchors"},
		{"an alias", "a: 1\nb:\n  - *x\n", 3, "anchors"},
		{"a second document", "a: 1\n---\nb: 2\n", 3, "second YAML document"},
		{"lists in lists in lists", "a: 1\nb:\n" + strings.Repeat("- ", 40) + "x\n", 3, "too deep"},
		{"brackets without end", "a: 1\nb: " + strings.Repeat("[", 100_000) + "\n", 2, "too deep"},
		{"brackets on many lines", strings.Repeat("[\n", 100_000), 501, "too deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, fs := Parse("x.yaml", []byte(tt.in), 1)
			if n != nil || len(fs) == 0 {
				t.Fatalf("Parse gave a node %v and findings %v, want findings only", n, fs)
			}
			if fs[0].Line != tt.line || !strings.Contains(fs[0].Message, tt.says) {
				t.Errorf("got %s, want line %d and %q", fs[0], tt.line, tt.says)
			}
		})
	}
}

func TestParseKeepsTextAsWritten(t *testing.T) {
	in := "\uFEFF# note\r\na: 007\r\nb: 1.0\r\nc: yes\r\nd: 2026-12-01\r\ne: '988'\r\nf:\r\n- - 1993\r\n- x\r\n"
	n, fs := Parse("x.yaml", []byte(in), 10)
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	got := map[string]string{}
	for _, p := range n.Pairs {
		got[p.Key] = p.Value.Text
	}
	want := map[string]string{"a": "007", "b": "1.0", "c": "yes", "d": "2026-12-01", "e": "988", "f": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if f := n.Pairs[5]; f.Line != 16 || f.Value.Items[0].Items[0].Text != "1993" || f.Value.Items[1].Line != 18 {
		t.Errorf("list: key on line %d, items %+v", f.Line, f.Value.Items)
	}
}

func TestParseEmptyIsNull(t *testing.T) {
	for _, in := range []string{"", "# a comment\n", "---\n", "\n\n"} {
		n, fs := Parse("x.yaml", []byte(in), 1)
		if len(fs) > 0 || n == nil || n.Kind != Null {
			t.Errorf("Parse(%q) = %+v, %v; want a Null node", in, n, fs)
		}
	}
}

func TestRecordTellsEveryFaultAtOnce(t *testing.T) {
	in := strings.Join([]string{
		"titel: x",                     // 1
		"published: 2026-02-30",        // 2
		"updated: soon",                // 3
		"subject: \"a\\r\\nBcc: b\"",   // 4
		"topics: {a: b}",               // 5
		"related: [one, [two], three]", // 6
		"flag: perhaps",                // 7
		"question: [a]",                // 8
		"empty:",                       // 9
	}, "\n")
	n, fs := Parse("a.md", []byte(in), 1)
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	known := []string{"title", "published", "updated", "subject", "topics", "related", "flag", "question", "empty"}
	r := Open("a.md", "front matter", n, known, &fs)
	r.Need("title", "say what the page is called")
	r.Need("empty", "say something")
	r.Date("published")
	r.Date("updated")
	r.Text("subject")
	r.Texts("topics")
	if got := r.Texts("related"); len(got) != 2 || got[1].Text != "three" {
		t.Errorf("related = %v, want the two that are right", got)
	}
	r.Bool("flag")
	r.Text("question")
	want := []string{
		`a.md:1: error: title is missing; say what the page is called`,
		`a.md:1: error: unknown key "titel" in front matter; did you mean title?`,
		`a.md:2: error: published: 2026-02-30 is not a day of the calendar`,
		`a.md:3: error: updated: “soon” is not a date; write it as 2026-12-31`,
		`a.md:4: error: subject holds a line break or another control character; it must be one line of text`,
		"a.md:5: error: topics must be a list, as in `topics: [one, two]`",
		`a.md:6: error: each of related must be a text of one line`,
		`a.md:7: error: flag must be true or false`,
		`a.md:8: error: question must be a text of one line`,
		`a.md:9: error: empty is missing; say something`,
	}
	if diff := cmp.Diff(want, messages(fs.Sorted())); diff != "" {
		t.Error(diff)
	}
}

func TestRecordReadsWhatIsRight(t *testing.T) {
	n, fs := Parse("a.md", []byte("title: The pull\nwords: |\n  One.\n\n  Two.\nday: 2028-02-29\none: alone\non: TRUE\n"), 2)
	r := Open("a.md", "front matter", n, nil, &fs)
	if got := r.Need("title", ""); got != "The pull" {
		t.Errorf("title = %q", got)
	}
	if text, line := r.Passage("words"); text != "One.\n\nTwo." || line != 4 {
		t.Errorf("words = %q on line %d, want line 4", text, line)
	}
	if got, want := r.Date("day"), time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("day = %v, want %v", got, want)
	}
	if got := r.Texts("one"); len(got) != 1 || got[0] != (Item{"alone", 8}) {
		t.Errorf("one = %v", got)
	}
	if !r.Bool("on") || r.Bool("off") || r.Has("off") || r.LineOf("off") != r.Line() {
		t.Error("on must be true, off absent")
	}
	if len(fs) > 0 {
		t.Error(fs)
	}
}

// A text is told with the lines of the file, however YAML folds it.
func TestStartsAreTheLinesOfTheFile(t *testing.T) {
	file := "folded: >-\n  one two\n  three\n\n  four\nplain: x y\n  z w\nnext:\n  p\n  q\nquoted: \"a b\n  c\"\nwhole: |\n  l\n\n  m\n" +
		"escaped: \"a\\nb c\"\none: end\nempty: ''\nnumber: 12\n"
	n, fs := Parse("a.md", []byte(file), 1)
	r := Open("a.md", "a file", n, nil, &fs)
	for key, want := range map[string][]int{
		"folded": {0, 8, 14, 14}, "plain": {0, 4}, "next": {0, 2}, "quoted": {0, 4}, "whole": {0, 3, 3}, "escaped": nil, "one": {0},
		"empty": nil, "absent": nil, "number": nil,
	} {
		if diff := cmp.Diff(want, r.Starts(key)); diff != "" {
			t.Errorf("%s: %s", key, diff)
		}
	}
	if len(fs) > 0 {
		t.Error(fs)
	}
}

func TestOpenRefusesWhatIsNoMapping(t *testing.T) {
	for _, in := range []string{"", "just text", "- a\n- b\n"} {
		n, fs := Parse("site.yaml", []byte(in), 1)
		r := Open("site.yaml", "site settings", n, []string{"name"}, &fs)
		if r != nil || len(fs) != 1 {
			t.Errorf("%q: record %v, findings %v; want none and one", in, r, fs)
		}
		if r.Text("name") != "" || r.Need("name", "") != "" || r.Line() != 1 || r.LineOf("name") != 1 || r.Has("name") {
			t.Error("a nil record must be empty")
		}
		r.Errorf("name", "nothing")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"title", "question", "description", "self_assessment", "preheader"}
	tests := map[string]string{
		"titel": "title", "Title": "title", "desciption": "description", "self-assessment": "self_assessment",
		"prehaeder": "preheader", "author": "", "x": "", "qestion": "question", "tags": "",
	}
	for in, want := range tests {
		if got := Nearest(in, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Suggest("zzz", []string{"b", "a"}); got != "known are a, b" {
		t.Errorf("Suggest = %q", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a: 1\n", "- - x", "a: |\n b", "\"", "{a: [", "&a *a", "? : -", "\xff", "a: !!x y", "%YAML 1.2\n---\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		n, fs := Parse("x.yaml", []byte(in), 1)
		if (n == nil) == (len(fs) == 0) {
			t.Fatalf("node %v with findings %v", n, fs)
		}
		lines := strings.Count(in, "\n") + strings.Count(in, "\r") + 1
		for _, found := range fs {
			if found.Line < 1 || found.Line > lines {
				t.Fatalf("line %d of %d: %s", found.Line, lines, found)
			}
		}
	})
}
