package editor

import (
	"strings"
	"testing"
)

// hard has 4 sentences of 6 words, each of 12 syllables or more.
var hard = strings.TrimSpace(strings.Repeat("Psychological terminology is impenetrable and exhausting. ", 4))

// 12 words in 2 sentences, 15 syllables: 0.39·6 + 11.8·1.25 − 15.59 = 1.5.
func TestGradeValue(t *testing.T) {
	if got := (Grade{Words: 12, Sentences: 2, Syllables: 15}).Value(); got != 1.5 {
		t.Errorf("grade %v, want 1.5", got)
	}
	if got := (Grade{}).Value(); got != 0 {
		t.Errorf("the grade of nothing is %v", got)
	}
}

// What is no prose of ours does not count.
func TestGradeCounts(t *testing.T) {
	tests := []struct {
		name, text string
		want       Grade
	}{
		{"paragraphs and items", "One two. Three?\n\n- Twenty.\n", Grade{4, 3, 5}},
		{"no heading, cell or code", "## Heading\n\nOne.\n\n| Head |\n|---|\n| Cell |\n\n```\ncode\n```", Grade{1, 1, 1}},
		{"no citation, number or address", "In 1993 it fell [@dutton1993] by 27%. Write to <mailto:a@b.example>. 75.", Grade{6, 2, 6}},
		{"no name of a service, if it is one", "Call The Open Line or an open line.", Grade{5, 1, 6}},
		{"no words of links to other sites", "See [Organisation](https://a.example/) or [Help now](/support).", Grade{4, 1, 4}},
		{"apostrophes, hyphens, quotes", "“It’s half-way,” they didn’t say…", Grade{5, 1, 7}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := grade(t, tt.text); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestGrades(t *testing.T) {
	const text = ": warning: grade: the text is at grade "
	const calm = ": warning: grade: what is said in brief and on safety is together at grade "
	// At grade 9 or a little below.
	middling := strings.TrimSpace(strings.Repeat("Over the winter the people near them noticed little of it, since those who lived there took care never to be noticed. ", 8))
	tests := []struct {
		name, front, text string
		want              []string
	}{
		{"an easy text", "", strings.Repeat("You can stop. ", 20), nil},
		{"a hard one, at its hardest paragraph", "", "Easy words.\n\n" + hard + "\n\nEasy words.", []string{"11" + text}},
		{"a short one", "", "Psychological terminology is impenetrable.", nil},
		{"too hard for a note on safety", "safety: " + middling + "\n", "Words.", []string{"8" + calm}},
		{"but not for a text", "", middling, nil},
		{"too hard for an alert, whose lines are not those of the text", "", "Words.\n\n> [!WARNING]\n> " + middling, []string{"12" + calm}},
		{"not for a note", "", "Words.\n\n> [!NOTE]\n> " + middling, nil},
		{"a brief and a note on safety are one text", "safety: " + middling + "\n", "> [!WARNING]\n> " + strings.Repeat("You can stop. ", 30), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := check(t, map[string]string{"articles/a.md": head + tt.front + "---\n" + tt.text + "\n"})
			compare(t, tt.want, got)
		})
	}
}

// The passages of a file, such as definitions, have a grade together.
func TestGradeOfAGlossary(t *testing.T) {
	got, _ := check(t, map[string]string{
		"articles/a.md": head + "---\nOne two.\n",
		"glossary.yaml": "terms:\n- id: one\n  term: one\n  definition: Less than two.\n- id: two\n  term: two\n  definition: >-\n" +
			strings.Repeat("    Psychological terminology is impenetrable and exhausting, for readers and writers.\n", 2),
	})
	if len(got) != 1 || !strings.HasPrefix(got[0], "glossary.yaml:8: warning: grade: the passages are together at grade ") {
		t.Error(got)
	}
}

// Syllables, links and pronouns are English; lengths and the words of style.yaml are not.
func TestAnotherLanguage(t *testing.T) {
	files := article(hard + " She should [here](#x) toxic.\n\n## X {#x}")
	files["site.yaml"] = site + "language: de\n"
	got, _ := check(t, files)
	compare(t, []string{"9: warning: hype"}, got)
}
