package library

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a reader reads is all there for the editor's rules, each text with its line and
// what it is, though one file has a fault.
func TestReadGivesTheWordsOfEveryFile(t *testing.T) {
	allow := "allow:\n- {rule: hype, text: broken, why: It is denied.}\n- {rule: hype, text: gone, why: It was there.}\n"
	lib, words, findings := Read(folder(map[string]string{
		"articles/a.md":     article("safety: Look around.\n"+allow, "Words.\n\n- An item.\n"),
		"articles/b.md":     "---\ntitle: Half an article\n---\nMore words.\n",
		"pages/about.md":    "---\ntitle: About\ndescription: Who we are.\n---\nWe are.\n",
		"newsletter/one.md": "---\nsubject: S\ndiscreet_subject: D\npreheader: P\ndate: 2026-12-01\n---\nA letter.\n",
		"topics/t.md":       "---\ntitle: T\ndescription: A topic.\n---\nLead.\n",
		"paths/p.md":        "---\ntitle: P\nquestion: Q?\ndescription: A path.\narticles: [a, b]\n---\nLead in.\n",
		"glossary.yaml":     "terms:\n- id: words\n  term: words\n  definition: >-\n    What is\n    said.\n",
		"helplines.yaml":    "countries:\n- iso: GB\n  name: UK\n  services:\n  - name: The Line\n    kind: crisis\n    phone: '1'\n    checked-on: '2026-11-01'\n",
	}), Options{Now: now})
	if lib != nil || findings.Errors() == 0 {
		t.Errorf("library %v, findings %v", lib, findings)
	}
	got := map[string][]string{}
	for _, m := range words.Files {
		for _, text := range m.Texts {
			for _, p := range text.Prose() {
				got[m.Path] = append(got[m.Path], fmt.Sprintf("%d:%d: %s", text.Part, p.Line, p.Text))
			}
		}
	}
	want := map[string][]string{
		"articles/a.md": {
			"4:2: A name for it", "4:3: Is there a name for what I feel?", "4:4: What the words mean.",
			"1:6: It has a name. You are not broken.",
			"2:8: Look around.", "0:13: Words.", "0:15: An item.",
		},
		"articles/b.md":     {"4:2: Half an article", "0:4: More words."},
		"pages/about.md":    {"4:2: About", "4:3: Who we are.", "0:5: We are."},
		"newsletter/one.md": {"4:2: S", "4:3: D", "4:4: P", "0:7: A letter."},
		"topics/t.md":       {"4:2: T", "4:3: A topic.", "3:5: Lead."},
		"paths/p.md":        {"4:2: P", "4:3: Q?", "4:4: A path.", "3:7: Lead in."},
		"glossary.yaml":     {"3:5: What is said."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Allowance{{"hype", "broken", "It is denied.", 10}}, words.Files[0].Allow); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"The Line"}, words.Services); diff != "" || words.Language != "en" {
		t.Errorf("language %q: %s", words.Language, diff)
	}
}
