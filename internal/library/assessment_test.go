package library

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rightAssessment is the smallest one that has no fault: two items of safety, ten others.
const rightAssessment = `title: What now?
description: D.
minutes: 10
lead: A few questions.
reviewed: none
safety:
  why: They come first.
  items:
  - {item: Are you afraid?, line: fear}
  - {item: Do they watch you?, line: fear}
lines:
- {id: fear, text: You can call., service: domestic-abuse, path: p}
items:
- {item: One., themes: [a, b]}
- {item: Two., themes: [a]}
- {item: Three., themes: [a]}
- {item: Four., themes: [b]}
- {item: Five., themes: [b]}
- {item: Six., themes: [c]}
- {item: Seven., themes: [c]}
- {item: Eight., themes: [c]}
- {item: Nine., themes: [c]}
- {item: Ten., themes: [c]}
themes:
- {id: a, title: A, text: 'See [it](/articles/a).', path: p, articles: [a]}
- {id: b, title: B, text: Words., path: p}
- {id: c, title: C, text: Words., path: p}
none: {text: Words., path: p}
`

// assessed is a folder with the right assessment in which some words are others.
func assessed(oldnew ...string) map[string]string {
	return map[string]string{
		"articles/b.md": article("", "Words.\n"), "paths/p.md": route,
		"assessment.yaml": strings.NewReplacer(oldnew...).Replace(rightAssessment),
	}
}

func TestAssessment(t *testing.T) {
	files := assessed()
	files["site.yaml"] = goodSite + "self_assessment: true\n"
	files["articles/b.md"] = article("", "[To begin](/self-assessment)\n")
	lib := load(t, folder(files))
	a := lib.Assessment
	if len(a.Items) != 12 || !a.Items[1].Safety() || a.Items[2].Safety() || a.Items[2].Text != "One." {
		t.Errorf("A13 items: %+v", a.Items)
	}
	if diff := cmp.Diff([]string{"a", "b"}, a.Items[2].Themes); diff != "" {
		t.Error(diff)
	}
	p, _ := lib.Path("p")
	theme, ok := a.Theme("a")
	if !ok || theme.Path != p || len(theme.Articles) != 1 || !strings.Contains(theme.Text, `<a href="/articles/a">`) {
		t.Errorf("theme: %+v", theme)
	}
	line, ok := a.Line("fear")
	if !ok || line.Path != p || line.Service != DomesticAbuse || line.Text != "<p>You can call.</p>\n" {
		t.Errorf("line: %+v", line)
	}
	if a.Minutes != 10 || a.Reviewed != nil || a.None.Path != p || a.None.Text == "" {
		t.Errorf("%+v", a)
	}
	if _, ok := a.Theme("fear"); ok {
		t.Error("a line is no theme")
	}
}

func TestFaultsOfTheAssessment(t *testing.T) {
	const at = "assessment.yaml:"
	on := func(files map[string]string) map[string]string {
		files["site.yaml"] = goodSite + "self_assessment: true\n"
		return files
	}
	checkFaults(t, []faulty{
		{"offered, and not there", map[string]string{"site.yaml": goodSite + "self_assessment: true\n"}, []string{
			"site.yaml:3: error: self_assessment is true, and there is no assessment.yaml; write one, or set it to false",
		}},
		{"not YAML: one fault, and links to it are none", on(map[string]string{"assessment.yaml": "items: [\n", "articles/a.md": article("", "[x](/self-assessment)\n")}), []string{
			at + "1: error: not valid YAML: sequence end token ']' not found",
		}},
		{"a link to it while it is not offered", map[string]string{"articles/a.md": article("", "[x](/self-assessment)\n")}, []string{
			"articles/a.md:9: error: the self-assessment is not offered; take the link out, or set self_assessment to true in site.yaml",
		}},
		{"empty", map[string]string{"assessment.yaml": ""}, []string{
			at + "1: error: the self-assessment must be keys with values, as in `title: A few words`",
		}},
		{"all is missing", map[string]string{"assessment.yaml": "titel: x\n"}, []string{
			at + "1: error: description is missing; one sentence for search engines, in 160 characters at most",
			at + "1: error: lead is missing; say in a few words what it is for",
			at + "1: error: minutes is missing; write about how long it takes",
			at + "1: error: none is missing; give the `text` and the `path` for when no theme shows",
			at + "1: error: reviewed is missing; write `reviewed: none`, or `by`, `on` and `due` below it",
			at + "1: error: safety is missing; say `why` its questions are asked, and list its `items`",
			at + "1: error: title is missing; a question that a reader would ask, in 70 characters at most",
			at + `1: error: unknown key "titel" in the self-assessment; did you mean title?`,
		}},
		{"what it leads to is not there", assessed("fear, text: You can call., service: domestic-abuse, path: p", "fear, text: You can call., service: abuse, path: pp",
			"path: p, articles: [a]", "path: q, articles: [a, bb, a]", "B, text: Words., path: p", "B, text: Words."), []string{
			at + "12: error: path: there is no path pp; did you mean p?",
			at + `12: error: unknown kind of service "abuse"; known are domestic-abuse, crisis and victims`,
			at + "25: error: articles: a stands twice",
			at + "25: error: articles: there is no article bb; did you mean b?",
			at + "25: error: path: there is no path q; did you mean p?",
			at + "26: error: path is missing; name the path that it leads to",
		}},
		{"a path with faults of its own makes no second one", map[string]string{
			"articles/b.md": article("", "Words.\n"), "paths/p.md": strings.Replace(route, "- b", "- c", 1), "assessment.yaml": rightAssessment,
		}, []string{
			"paths/p.md:7: error: articles: there is no article c; did you mean a?",
		}},
		{"lines and themes that nobody knows", assessed("line: fear}\n  - {item: Do", "line: fears}\n  - {item: Do", "you?, line: fear", "you?", "One., themes: [a, b]", "One., themes: [a, aa, a]", "Two., themes: [a]", "Two."), []string{
			at + "9: error: line: there is no line fears; did you mean fear?",
			at + "10: error: line is missing; name the line that a yes calls for",
			at + "14: error: themes: a stands twice",
			at + "14: error: themes: there is no theme aa; did you mean a?",
			at + "15: error: themes is missing; name those to which the item counts",
		}},
		{"ids", assessed("id: b", "id: a", "id: c", "id: The C", "[b]", "[a]", "[a, b]", "[a]", "[c]", "[The C]"), []string{
			at + "26: error: id: there is a theme a already; choose another",
			at + `27: error: id: "The C" is no name; write small letters, digits and hyphens, such as the-c`,
		}},
		{"A14 a line of two sentences, A21 an item of 20 words, and citations", assessed("You can call.", "'You can. Now.'", "item: Two.", "item: "+strings.Repeat("word ", 20), "none: {text: Words.", "none: {text: 'Words [@dutton1993].'"), []string{
			at + "12: error: text must be one sentence",
			at + "15: error: item has 20 words, at most 19; shorten it",
			at + "28: error: text: a citation would have no list of sources below it; link to the work, as in [Stark](/sources#dutton1993)",
		}},
		{"links", assessed("/articles/a", "/articles/aa"), []string{
			at + "25: error: there is no article aa; did you mean a?",
		}},
		{"minutes, and words without end", assessed("minutes: 10", "minutes: ten", "A few questions.", strings.Repeat("word ", 81)), []string{
			at + `3: error: minutes: "ten" is no number from 1 to 60`,
			at + "4: error: lead has 81 words, at most 80; shorten it",
		}},
		{"A4 A10 too few of each, and what never comes", assessed("- {item: Six., themes: [c]}\n", "", "[a, b]", "[b]", "Three., themes: [a]", "Three., themes: [b]",
			"lines:\n", "lines:\n- {id: other, text: You can.}\n"), []string{
			at + "11: error: lines: nothing calls for other; name it in an item of safety, or take it out",
			at + "14: error: there are 11 items, with those of safety, and it has 12 to 16",
			at + "24: error: themes: a could never show; let at least 2 items count to it",
		}},
		{"A10 two themes", assessed("- {id: c, title: C, text: Words., path: p}\n", "", "themes: [c]", "themes: [b]"), []string{
			at + "24: error: there are 2 themes, and it has 3 or 4",
		}},
	})
}

// The one that ships keeps the rules for its words (A2, A4, A13, A20, A21, A23).
func TestShippedAssessment(t *testing.T) {
	lib := load(t, os.DirFS("../../content"))
	a := lib.Assessment
	called := map[string]bool{}
	for _, item := range a.Items {
		called[item.Line] = true
		lower := " " + strings.ToLower(item.Text) + " "
		for _, word := range []string{" he ", " she ", " his ", " her ", " him ", "narcissist", "abuser", "victim", "everyone", "most people"} {
			if strings.Contains(lower, word) {
				t.Errorf("A2 A21 A23 %q: %s", item.Text, word)
			}
		}
	}
	for _, id := range []string{"partner", "self", "children", "devices"} {
		if !called[id] {
			t.Errorf("A13 A14 nothing calls for the line %s", id)
		}
	}
	if line, _ := a.Line("self"); line.Service != Crisis {
		t.Error("A15 thoughts of dying lead to the line for that")
	}
	if line, _ := a.Line("devices"); !strings.Contains(line.Text, "Before you read on: another device") || !strings.Contains(line.Text, "/safety") {
		t.Errorf("A15 devices: %s", line.Text)
	}
	if !strings.Contains(a.None.Text, "does not mean that nothing happened") {
		t.Errorf("A11 %s", a.None.Text)
	}
	paths := map[*Path]bool{}
	for _, theme := range a.Themes {
		paths[theme.Path] = true
	}
	if len(paths) != len(a.Themes) {
		t.Errorf("A11 %d themes lead to %d paths", len(a.Themes), len(paths))
	}
}
