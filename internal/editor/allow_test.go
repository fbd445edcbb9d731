package editor

import (
	"fmt"
	"testing"
)

// allowing is an article whose entries of `allow` are rules and words by turns. The words
// of the first stand on line 10, those of each that follows three lines below.
func allowing(text string, entries ...string) map[string]string {
	front := ""
	for i := 0; i < len(entries); i += 2 {
		front += fmt.Sprintf("\n- rule: %s\n  text: '%s'\n  why: It is right.", entries[i], entries[i+1])
	}
	return map[string]string{"articles/a.md": head + "allow:" + front + "\n---\n" + text + "\n"}
}

func TestAllowances(t *testing.T) {
	const text = "It was toxic, they said. **You should** read\nit once."
	tests := []struct {
		name    string
		entries []string
		want    []string
		allowed int
	}{
		{"the words alone", []string{"hype", "toxic"}, []string{"13: warning: should"}, 1},
		{"more of the sentence, with marks and over lines", []string{"hype", "It was toxic", "should", "**You should** read it"}, nil, 2},
		{"more than the sentence", []string{"hype", "It was toxic, they said. **You"}, []string{"13: warning: should"}, 1},
		{"another rule", []string{"should", "toxic"}, []string{
			"10: warning: allow: the rule should has nothing to say of “toxic”; take the entry out", "13: warning: hype", "13: warning: should",
		}, 0},
		{"words of the sentence without those of the rule", []string{"hype", "they said"}, []string{
			"10: warning: allow: the rule hype has nothing to say", "13: warning: hype", "13: warning: should",
		}, 0},
		{"no such rule", []string{"hyp", "toxic", "should", "You should"}, []string{
			"10: warning: allow: there is no rule hyp; did you mean hype?", "16: warning: hype",
		}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, allowed := check(t, allowing(text, tt.entries...))
			compare(t, tt.want, got)
			if allowed != tt.allowed {
				t.Errorf("%d allowances used, want %d", allowed, tt.allowed)
			}
		})
	}
}

// An allowance may be for a line of the front matter, for a long sentence by some of its
// words, for a link and for the grade of a text.
func TestAllowancesOfEveryRule(t *testing.T) {
	text := "Two and " + long + ".\n\nLook [here](/about) for her research.\n\n" + hard
	files := allowing(text, "sentence", "Two and one two", "link", "Look [here]", "pronoun", "for her research", "claim", "research", "grade", "impenetrable")
	files["pages/about.md"] = "---\ntitle: About\ndescription: Us.\n---\nWe are.\n"
	got, allowed := check(t, files)
	compare(t, nil, got)
	if allowed != 5 {
		t.Errorf("%d allowances used, want 5", allowed)
	}
}
