package library

import (
	"strings"
	"testing"
)

// topic and route are right files of their folders.
const (
	topic = "---\ntitle: A topic\ndescription: D.\n---\nA few words.\n"
	route = "---\ntitle: A path\nquestion: Where?\ndescription: D.\narticles:\n- a\n- b\n---\nA few words.\n"
)

// terms is a glossary of one right term, used by the article a of glossed, and of
// what comes after it from line 5 on.
func terms(more string) string {
	return "terms:\n- id: tie\n  term: tie\n  definition: What holds.\n" + more
}

func glossed(more string) map[string]string {
	return map[string]string{"articles/a.md": article("", "A tie and an end.\n"), "glossary.yaml": terms(more)}
}

func TestFaultsOfTheGlossary(t *testing.T) {
	long := strings.Repeat("word ", 61)
	checkFaults(t, []faulty{
		{"an unknown key and missing ones", glossed("- {name: end}\n"), []string{
			"glossary.yaml:5: error: definition is missing; say in one or two sentences what the word means here",
			"glossary.yaml:5: error: id is missing; its anchor on the page of the glossary, such as trauma-bond",
			"glossary.yaml:5: error: term is missing; the word as a text has it within a sentence",
			`glossary.yaml:5: error: unknown key "name" in a term; known are also, definition, id, term`,
		}},
		{"no list, and another key", map[string]string{"glossary.yaml": "terms: x\nterm: y\n"}, []string{
			"glossary.yaml:1: error: terms must be a list; begin each entry with a hyphen",
			`glossary.yaml:2: error: unknown key "term" in the glossary; did you mean terms?`,
		}},
		{"ids", glossed("- {id: tie, term: end, definition: E.}\n- {id: An End, term: ends, definition: E.}\n- {id: help, term: ending, definition: E.}\n"), []string{
			"glossary.yaml:5: error: id: the term tie stands on line 2 already",
			`glossary.yaml:6: error: id: "An End" is no anchor; write small letters, digits and hyphens, such as an-end`,
			"glossary.yaml:7: error: id: the page around the glossary has the anchor #help itself; choose another",
		}},
		{"forms claimed twice", glossed("- id: end\n  term: end\n  also:\n  - Tie\n  - the end\n  - end\n  definition: E.\n- {id: other, term: The  end, definition: E.}\n"), []string{
			"glossary.yaml:8: error: “Tie” stands on line 3 already, for the term tie; take one of them out",
			"glossary.yaml:10: error: “end” stands on line 6 already, for the term end; take one of them out",
			"glossary.yaml:12: error: “The end” stands on line 9 already, for the term end; take one of them out",
		}},
		{"forms that no text has", glossed("- {id: end, term: 'end, or not', also: [one two three four five six seven eight nine], definition: E.}\n"), []string{
			"glossary.yaml:5: error: “end, or not” can't be found in a text; a term is up to 8 words of letters, digits, hyphens and apostrophes",
			"glossary.yaml:5: error: “one two three four five six seven eight nine” can't be found in a text; a term is up to 8 words of letters, digits, hyphens and apostrophes",
		}},
		{"definitions", glossed("- id: end\n  term: end\n  definition: " + long + "\n- id: b\n  term: b\n  definition: One. Two. Three.\n- id: c\n  term: c\n  definition: |\n    One.\n\n    - two\n- id: d\n  term: d\n  definition: One [@dutton1993].\n- id: e\n  term: e\n  definition: |\n    One.\n\n    ## Two\n- id: f\n  term: f\n  definition: See [this](#there).\n"), []string{
			"glossary.yaml:7: error: definition has 61 words, at most 60; shorten it",
			"glossary.yaml:10: error: definition has 3 sentences, at most 2; shorten it",
			"glossary.yaml:13: error: definition must be one paragraph, without lists",
			"glossary.yaml:19: error: definition: a citation would take its number from another page; link to the work, as in [Stark](/sources#dutton1993)",
			"glossary.yaml:25: error: a short passage holds only paragraphs, lists, links and citations",
			"glossary.yaml:28: error: no heading of the page has the anchor #there",
		}},
		{"not YAML: links to the page are no faults then", map[string]string{"glossary.yaml": "terms: [\n", "articles/a.md": article("", "[x](/glossary#x)\n")}, []string{
			"glossary.yaml:1: error: not valid YAML: sequence end token ']' not found",
		}},
		{"links", glossed("- {id: end, term: end, definition: 'See [it](/glossary#ties).'}\n"), []string{
			"glossary.yaml:5: error: the glossary has no term ties; did you mean tie?",
		}},
		{"links to what there is none of", map[string]string{"articles/a.md": article("", "[x](/glossary#x) [y](/topics/y) [z](/paths/z)\n[a](/glossary) [b](/topics) [c](/paths)\n")}, []string{
			"articles/a.md:9: error: there is no path z",
			"articles/a.md:9: error: there is no topic y",
			"articles/a.md:9: error: this site has no page /glossary",
			"articles/a.md:10: error: this site has no page /glossary",
			"articles/a.md:10: error: this site has no page /paths",
			"articles/a.md:10: error: this site has no page /topics",
		}},
	})
}

func TestFaultsOfTopicsAndPaths(t *testing.T) {
	b := article("topics: [one]\n", "Words.\n")
	checkFaults(t, []faulty{
		{"missing fields and unknown keys", map[string]string{"topics/one.md": "---\nname: x\n---\nWords.\n", "paths/p.md": "---\nartikles: [a]\n---\nWords.\n"}, []string{
			"paths/p.md:2: error: articles is missing; list the slugs of the articles in their order",
			"paths/p.md:2: error: description is missing; one sentence for search engines, in 160 characters at most",
			"paths/p.md:2: error: question is missing; what a reader would ask, such as “Why can’t I let go?”",
			"paths/p.md:2: error: title is missing; what the path is called, in 70 characters at most",
			`paths/p.md:2: error: unknown key "artikles" in the front matter; did you mean articles?`,
			"topics/one.md:2: error: description is missing; one sentence for search engines, in 160 characters at most",
			"topics/one.md:2: error: title is missing; what the articles have in common, in a few words",
			`topics/one.md:2: error: unknown key "name" in the front matter; known are description, order, title`,
		}},
		{"no words, too many, and a heading", map[string]string{
			"topics/one.md": strings.Replace(topic, "A few words.", "", 1), "topics/two.md": strings.Replace(topic, "A few words.", strings.Repeat("word ", 81), 1),
			"paths/p.md": strings.Replace(route, "A few words.", "## A heading", 1), "articles/b.md": b,
		}, []string{
			"paths/p.md:9: error: a short passage holds only paragraphs, lists, links and citations",
			"topics/one.md:5: error: there is no text after the front matter; write one or two sentences that lead in",
			"topics/two.md:5: error: the text has 81 words, at most 80; shorten it",
		}},
		{"order", map[string]string{"topics/one.md": strings.Replace(topic, "---\n", "---\norder: first\n", 1), "paths/p.md": strings.Replace(route, "---\n", "---\norder: 0\n", 1), "articles/b.md": b}, []string{
			`paths/p.md:2: error: order: "0" is no place among the paths; write a number from 1`,
			`topics/one.md:2: error: order: "first" is no place among the topics; write a number from 1`,
		}},
		{"topics of an article", map[string]string{"topics/one.md": topic, "articles/b.md": article("topics:\n- one\n- onee\n- elsewhere\n- one\n", "Words.\n")}, []string{
			"articles/b.md:8: error: topics names 4, at most 3; choose",
			"articles/b.md:10: error: topics: there is no topic onee; did you mean one?",
			"articles/b.md:11: error: topics: there is no topic elsewhere; write topics/elsewhere.md, or take it out",
			"articles/b.md:12: error: topics: one stands twice",
		}},
		{"articles of a path", map[string]string{"paths/p.md": strings.Replace(route, "- b\n", "- bb\n- a\n- nowhere\n", 1), "paths/one.md": strings.Replace(route, "- b\n", "", 1), "articles/b.md": article("", "Words.\n")}, []string{
			"paths/one.md:5: error: articles names 1, and a path has 2 to 12",
			"paths/p.md:7: error: articles: there is no article bb; did you mean b?",
			"paths/p.md:8: error: articles: a stands twice",
			"paths/p.md:9: error: articles: there is no article nowhere",
		}},
		{"a file that can't be read is one fault", map[string]string{"topics/one.md": "---\ntitle: \xff\n", "articles/b.md": b, "articles/a.md": "\xff", "paths/p.md": route}, []string{
			"articles/a.md:1: error: not UTF-8 on this line; save the file as UTF-8",
			"topics/one.md:2: error: not UTF-8 on this line; save the file as UTF-8",
		}},
		{"links", map[string]string{"topics/one.md": topic, "paths/p.md": route, "articles/b.md": article("topics: [one]\n", "[x](/topics/on) [y](/paths/q) [z](/topics/) [ok](/topics/one)\n")}, []string{
			"articles/b.md:10: error: the address /topics/ has a slash too many; write /topics",
			"articles/b.md:10: error: there is no path q; did you mean p?",
			"articles/b.md:10: error: there is no topic on; did you mean one?",
		}},
		{"pages of these names", map[string]string{"pages/glossary.md": topic, "pages/topics.md": topic, "pages/paths.md": topic}, []string{
			"pages/glossary.md:1: error: /glossary is an address of the program; rename the file",
			"pages/paths.md:1: error: /paths is an address of the program; rename the file",
			"pages/topics.md:1: error: /topics is an address of the program; rename the file",
		}},
	})
}

// What nothing uses is no fault of the folder, and worth a word.
func TestWhatNoArticleHasIsAWarning(t *testing.T) {
	files := glossed("- {id: knot, term: knot, definition: What binds.}\n")
	files["topics/one.md"] = topic
	lib, findings := Load(folder(files), Options{Now: now})
	want := []string{
		"glossary.yaml:5: warning: no article uses “knot”; take the term out, or add to `also` the form that they use",
		"topics/one.md:1: warning: no article has the topic; add one to the `topics` of one, or take the file out",
	}
	if got := lines(findings); lib == nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A path may be added years after the map was drawn; then the map is told of.
func TestTheMapNamesEachPath(t *testing.T) {
	for _, tt := range []struct{ name, drawing, want string }{
		{"named", "<title>A map</title><desc>One: A path. It has dots.</desc>", ""},
		{"not named", "<title>A map</title><desc>Some other.</desc>", "figures/paths.svg:1: warning: the map does not name the path “A path” in its <desc>; draw the path in, or take the file out"},
		{"without a title", "<desc>A path</desc>", "figures/paths.svg:1: warning: the map of the paths has no <title>; say in one what it shows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lib, findings := Load(folder(map[string]string{
				"articles/a.md": article("", "Words.\n"), "articles/b.md": article("", "Words.\n"), "paths/p.md": route,
				"figures/paths.svg": `<svg viewBox="0 0 1 1">` + tt.drawing + `<g/></svg>`,
			}), Options{Now: now})
			if got := strings.Join(lines(findings), "\n"); lib == nil || got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The glossary links none of its own terms, nor does a brief or the lead of a path.
func TestTermsAreLinkedInTextsAlone(t *testing.T) {
	files := glossed("- {id: end, term: end, definition: An end of a tie.}\n")
	files["articles/b.md"] = strings.Replace(article("safety: A tie.\n", "Words.\n"), "It has a name.", "It is a tie.", 1)
	files["paths/p.md"] = strings.Replace(route, "A few words.", "A tie.", 1)
	files["pages/about.md"] = strings.Replace(topic, "A few words.", "A tie. The tie.", 1)
	files["newsletter/one.md"] = "---\nsubject: S\ndiscreet_subject: D\npreheader: P\ndate: 2026-12-01\n---\nA tie.\n"
	lib := load(t, folder(files))
	end, _ := lib.Term("end")
	b, _ := lib.Article("b")
	for name, text := range map[string]string{"definition": end.Definition, "brief": b.Brief, "safety": b.Safety, "lead": lib.Paths[0].Lead} {
		if strings.Contains(text, "class") {
			t.Errorf("%s: %s", name, text)
		}
	}
	for name, n := range map[string]int{"page": len(lib.Pages[0].Terms), "issue": len(lib.Issues[0].Terms), "article": len(b.Terms)} {
		if want := map[string]int{"page": 1, "issue": 1}[name]; n != want {
			t.Errorf("%s: %d terms, want %d", name, n, want)
		}
	}
	if tie, _ := lib.Term("tie"); len(tie.UsedIn) != 1 || tie.UsedIn[0].Path != "/articles/a" {
		t.Errorf("used in %v", tie.UsedIn)
	}
}
