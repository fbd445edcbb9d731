package editor

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/library"
)

// A fault of style.yaml is an error at its line, with the way out.
func TestFaultsOfStyle(t *testing.T) {
	const entry = "loaded:\n- rule: hype\n  why: It promises.\n  words:\n"
	tests := []struct {
		name, style string
		want        []string
	}{
		{"nothing in it", "# later\n", nil},
		{"no YAML", "loaded: [", []string{"1: error: not valid YAML"}},
		{"no mapping", "- toxic\n", []string{"1: error: the style must be keys with values"}},
		{"an unknown key", "claim: [a]\n", []string{`1: error: unknown key "claim" in the style; did you mean claims?`}},
		{"no lists", "loaded: toxic\nclaims: {a: b}\n", []string{"1: error: loaded must be a list", "2: error: claims must be a list"}},
		{"an entry without anything", "loaded:\n- words: []\n", []string{"2: error: rule is missing", "2: error: why is missing", "2: error: words is missing"}},
		{"words without anything", entry + "  - unless: [x]\n", []string{"5: error: better is missing", "5: error: say is missing"}},
		{"names of rules", "loaded:\n- {rule: Hype, why: w, words: [{say: a, better: b}]}\n- {rule: grade, why: w, words: [{say: c, better: d}]}\n" +
			"- {rule: x, why: w, words: [{say: e, better: f}]}\n- {rule: x, why: w, words: [{say: g, better: h}]}\n", []string{
			`2: error: rule: "Hype" is no name`, "3: error: rule: there is a rule grade already", "5: error: rule: there is a rule x already",
		}},
		{"phrases that nothing can match", entry + "  - say: ['a?', 'x*', '*', 'a*b', 'no/yes']\n    better: b\n", []string{
			"5: error: “*” can't", "5: error: “a*b” can't", "5: error: “a?” can't", "5: error: “no/yes” can't", "5: error: “x*” can't",
		}},
		{"a phrase twice", entry + "  - say: [Too-late, it’s]\n    better: b\n    unless: [too late]\nclaims: [it's, \"it's\"]\n", []string{
			"7: error: “too late” stands on line 5 already", "8: error: “it's” stands on line 8 already",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range Check(folder(map[string]string{"style.yaml": tt.style}), library.Words{}).Findings.Sorted() {
				got = append(got, f.String()[len("style.yaml:"):])
			}
			compare(t, tt.want, got)
		})
	}
}

func TestStyleMayBeAbsentAndNotUnreadable(t *testing.T) {
	if found := Check(folder(nil), library.Words{}).Findings; len(found) > 0 {
		t.Error(found)
	}
	got := Check(folder(map[string]string{"style.yaml/a.md": ""}), library.Words{}).Findings
	if diff := cmp.Diff(1, got.Errors()); diff != "" {
		t.Error(got)
	}
}
