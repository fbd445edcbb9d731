package editor

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPhrases(t *testing.T) {
	var p phrases
	for _, s := range []string{"you should", "you should know", "narcissis*", "# women", "# %", "brain", "hurry", "no hurry", "co dependent"} {
		p.add(strings.Fields(s), s)
	}
	tests := map[string][]string{
		"You should rest. You SHOULD, should you?":              {"you should", "you should"},
		"As you should know, you, should you":                   {"you should know"},
		"A narcissist’s narcissism; narciss":                    {"narcissis*", "narcissis*"},
		"75 women, 1,200 women, twenty-five women, two hundred": {"# women", "# women", "# women"},
		"Two women and three women, or women":                   nil,
		"27.5% or 3 %":                                          {"# %", "# %"},
		"There is no hurry. Hurry up":                           {"no hurry", "hurry"},
		"co-dependent, brains, the brain":                       {"co dependent", "brain"},
		"":                                                      nil,
	}
	for text, want := range tests {
		var got []string
		for _, m := range p.find(wordsOf(text)) {
			got = append(got, m.use.(string))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
