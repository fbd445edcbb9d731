package markdown

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	tests := []struct{ name, in, want, fault string }{
		{name: "as it is", in: "a\nb\n", want: "a\nb\n"},
		{name: "byte order mark and CRLF", in: "\xef\xbb\xbfa\r\nb\r\n", want: "a\nb\n"},
		{name: "CR alone", in: "a\rb", want: "a\nb"},
		{name: "no newline at the end", in: "a", want: "a"},
		{name: "empty", in: "", want: ""},
		{name: "not UTF-8", in: "a\r\nb\nc\xe9d\n", fault: "x.md:3: error: not UTF-8 on this line; save the file as UTF-8"},
		{name: "UTF-16", in: "\xff\xfea\x00", fault: "x.md:1: error: the file is saved as UTF-16; save it as UTF-8"},
		{name: "SEC-H16 a NUL", in: "a\n\x00", fault: "x.md:2: error: a character that can't be seen on this line (U+0000); take it out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, fs := Decode("x.md", []byte(tt.in))
			fault := ""
			if len(fs) > 0 {
				fault = fs[0].String()
			}
			if got != tt.want || fault != tt.fault {
				t.Errorf("got %q and %q, want %q and %q", got, fault, tt.want, tt.fault)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	tests := []struct {
		name, in string
		want     Parts
		faults   int
	}{
		{"front matter", "---\na: 1\nb: 2\n---\nbody\n", Parts{"a: 1\nb: 2\n", 2, "body\n", 5}, 0},
		{"ended by dots, with spaces", "--- \na: 1\n... \n\nbody", Parts{"a: 1\n", 2, "\nbody", 4}, 0},
		{"empty", "---\n---\nbody", Parts{"", 2, "body", 3}, 0},
		{"no body", "---\na: 1\n---", Parts{"a: 1\n", 2, "", 4}, 0},
		{"none", "body\n---\n", Parts{Body: "body\n---\n", BodyLine: 1}, 0},
		{"dashes in a value", "---\na: |\n  x\n  ---\n---\nb", Parts{}, 0},
		{"never ends", "---\na: 1\n", Parts{}, 1},
		{"nothing", "", Parts{BodyLine: 1}, 0},
	}
	tests[5].want = Parts{"a: |\n  x\n  ---\n", 2, "b", 6}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, fs := Split("x.md", tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" || len(fs) != tt.faults {
				t.Errorf("%v\n%s", fs, diff)
			}
		})
	}
}

// The line of a fault is that of the file, whatever stands before the passage.
func TestFaultsNameTheLineOfTheFile(t *testing.T) {
	text, _ := Decode("x.md", []byte("\uFEFF---\r\na: 1\r\n---\r\n\r\nOne\r\ntwo [a](b) and\r\n[c](d).\r\n\r\n- x\r\n\r\n  y <b>\r\n"))
	parts, _ := Split("x.md", text)
	_, fs := NewPage(Options{}).Parse(Source{Path: "x.md", Text: parts.Body, Line: parts.BodyLine})
	var got []int
	for _, f := range fs {
		got = append(got, f.Line)
	}
	if diff := cmp.Diff([]int{6, 7, 11}, got); diff != "" {
		t.Error(diff)
	}
}
