package library

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// faulty is a folder with files that are wrong, and all that is told of them.
type faulty struct {
	name  string
	files map[string]string
	want  []string
}

func checkFaults(t *testing.T, tests []faulty) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lib, findings := Load(folder(tt.files), Options{Now: now})
			if diff := cmp.Diff(tt.want, lines(findings)); diff != "" || lib != nil {
				t.Errorf("library %v, findings (-want +got):\n%s", lib != nil, diff)
			}
		})
	}
}

func TestFaultsOfFrontMatter(t *testing.T) {
	long := strings.Repeat("x", 71)
	checkFaults(t, []faulty{
		{"an unknown key, with the nearest", map[string]string{"articles/a.md": article("titel: x\nauthor: me\n", "Words.\n")}, []string{
			`articles/a.md:8: error: unknown key "titel" in the front matter; did you mean title?`,
			`articles/a.md:9: error: unknown key "author" in the front matter; known are allow, brief, description, order, published, question, related, reviewed, safety, title, topics, updated`,
		}},
		{"missing fields", map[string]string{"articles/a.md": "---\ntopics: []\n---\nWords.\n"}, []string{
			"articles/a.md:2: error: brief is missing; say in one to four sentences what the article answers",
			"articles/a.md:2: error: description is missing; one sentence for search engines, in 160 characters at most",
			"articles/a.md:2: error: published is missing; write a date, as in 2026-12-31",
			"articles/a.md:2: error: question is missing; what a reader would ask, such as “Is there a name for what I feel?”",
			"articles/a.md:2: error: reviewed is missing; write `reviewed: none`, or `by`, `on` and `due` below it",
			"articles/a.md:2: error: title is missing; what the article is called, in 70 characters at most",
		}},
		{"no front matter", map[string]string{"articles/a.md": "Words.\n"}, []string{
			"articles/a.md:1: error: the front matter is missing; begin with a line of three dashes, then `title: …`, and end it with three dashes",
		}},
		{"front matter without an end", map[string]string{"articles/a.md": "---\ntitle: x\n"}, []string{
			"articles/a.md:1: error: the front matter never ends; close it with a line of three dashes",
		}},
		{"bad and impossible dates", map[string]string{"articles/a.md": article("updated: 2026-11-31\n", "W.\n"), "articles/b.md": strings.Replace(article("", "W.\n"), "2026-12-01", "1 December", 1)}, []string{
			"articles/a.md:8: error: updated: 2026-11-31 is not a day of the calendar",
			"articles/b.md:5: error: published: “1 December” is not a date; write it as 2026-12-31",
		}},
		{"updated before published", map[string]string{"articles/a.md": article("updated: 2026-11-30\n", "W.\n")}, []string{
			"articles/a.md:8: error: updated: 2026-11-30 is before published, 2026-12-01",
		}},
		{"too long", map[string]string{"articles/a.md": strings.NewReplacer("A name for it", long, "What the words mean.", strings.Repeat("y", 161)).Replace(article("", "W.\n"))}, []string{
			"articles/a.md:2: error: title has 71 characters, at most 70; shorten it",
			"articles/a.md:4: error: description has 161 characters, at most 160; shorten it",
		}},
		{"a brief of too many words", map[string]string{"articles/a.md": strings.Replace(article("", "W.\n"), "It has a name.", strings.Repeat("word ", 80), 1)}, []string{
			"articles/a.md:6: error: brief has 84 words, at most 80; shorten it",
		}},
		{"a brief of too many sentences", map[string]string{"articles/a.md": strings.Replace(article("", "W.\n"), "It has a name.", "One. Two. Three. Four.", 1)}, []string{
			"articles/a.md:6: error: brief has 5 sentences, at most 4; shorten it",
		}},
		{"a folded brief with an unknown work, on its own line", map[string]string{"articles/a.md": strings.Replace(article("", "W.\n"), "brief: It has a name. You are not broken.", "brief: >-\n  It has a\n\n  name [@nobody1999].", 1)}, []string{
			"articles/a.md:9: error: unknown citation @nobody1999",
		}},
		{"a brief with a heading, on its own line", map[string]string{"articles/a.md": strings.Replace(article("", "W.\n"), "brief: It has a name. You are not broken.", "brief: |\n  One.\n\n  ## Two", 1)}, []string{
			"articles/a.md:9: error: a short passage holds only paragraphs, lists, links and citations",
		}},
		{"related: unknown, itself, twice, too many", map[string]string{"articles/a.md": article("related:\n- bb\n- a\n- b\n- b\n", "W.\n"), "articles/b.md": article("", "W.\n")}, []string{
			"articles/a.md:8: error: related names 4 articles, at most 3; choose",
			"articles/a.md:9: error: related: there is no article bb; did you mean b?",
			"articles/a.md:10: error: related: the article names itself; name another",
			"articles/a.md:12: error: related: b stands twice",
		}},
		{"reviewed: of another shape", map[string]string{
			"articles/a.md": strings.Replace(article("", "W.\n"), "reviewed: none", "reviewed: yes", 1),
			"articles/b.md": strings.Replace(article("", "W.\n"), "reviewed: none", "reviewed: {by: X, on: 2026-12-01, duo: 2026-12-01}", 1),
			"articles/c.md": strings.Replace(article("", "W.\n"), "reviewed: none", "reviewed: {by: X, on: 2026-12-01, due: 2026-12-01}", 1),
		}, []string{
			"articles/a.md:7: error: reviewed: write `reviewed: none`, or `by`, `on` and `due` below it",
			"articles/b.md:7: error: due is missing; write a date, as in 2026-12-31",
			`articles/b.md:7: error: unknown key "duo" in reviewed; did you mean due?`,
			"articles/c.md:7: error: due: the next review, 2026-12-01, is not after the last, 2026-12-01",
		}},
		{"topics and order", map[string]string{"articles/a.md": article("topics: [Why It Holds]\norder: first\n", "W.\n")}, []string{
			`articles/a.md:8: error: topics: "Why It Holds" is no name of a topic; write small letters, digits and hyphens, such as why-it-holds`,
			`articles/a.md:9: error: order: "first" is no place among the articles; write a number from 1`,
		}},
	})
}

func TestFaultsOfTheFolder(t *testing.T) {
	checkFaults(t, []faulty{
		{"citations", map[string]string{"articles/a.md": article("", "One [@duton1993].\n\nTwo [@griffing2002].\n")}, []string{
			"articles/a.md:9: error: unknown citation @duton1993; did you mean dutton1993?",
			"articles/a.md:11: error: @griffing2002 is not confirmed yet (verified: false); confirm its details and set verified: true in the bibliography, or cite another work",
		}},
		{"links", map[string]string{"articles/a.md": article("", "[a](/articles/bb) [b](/articles/b#nowhere) [c](/abuot)\n[d](/articles/b/) [e](/sources#dutton93) [f](/static/x.css)\n"), "articles/b.md": article("", "## Somewhere\n\n[ok](/articles/a)\n")}, []string{
			"articles/a.md:9: error: the page /articles/b has no heading with the anchor #nowhere",
			"articles/a.md:9: error: there is no article bb; did you mean b?",
			"articles/a.md:9: error: this site has no page /abuot; did you mean /about?",
			"articles/a.md:10: error: the address /articles/b/ has a slash too many; write /articles/b",
			"articles/a.md:10: error: the bibliography has no work dutton93; did you mean dutton1993?",
			"articles/a.md:10: error: this site has no page /static/x.css",
		}},
		{"what can't be seen", map[string]string{"articles/a.md": article("", "W.\n\nA\u202eb\n"), "articles/b.md": article("", "W\x01\n")}, []string{
			"articles/a.md:11: error: a character that can't be seen on this line (U+202E); take it out",
			"articles/b.md:9: error: a character that can't be seen on this line (U+0001); take it out",
		}},
		{"not UTF-8", map[string]string{"articles/a.md": article("", "W.\n\ncaf\xe9\n"), "site.yaml": goodSite + "tagline: caf\xe9\n", "references.yaml": "\xff\xfex"}, []string{
			"articles/a.md:11: error: not UTF-8 on this line; save the file as UTF-8",
			"references.yaml:1: error: the file is saved as UTF-16; save it as UTF-8",
			"site.yaml:3: error: not UTF-8 on this line; save the file as UTF-8",
		}},
		{"invalid YAML", map[string]string{"articles/a.md": article("topics: [a\n", "See <b>.\n"), "articles/b.md": strings.Replace(article("", "W.\n"), "A name for it", "A name: for it", 1), "helplines.yaml": "countries:\n- iso: GB\n  name: 'x\n"}, []string{
			"articles/a.md:8: error: not valid YAML: sequence end token ']' not found",
			"articles/a.md:10: error: raw HTML (and <!-- comments -->) is not read; write it as Markdown, or &lt; for a plain <",
			"articles/b.md:2: error: not valid YAML: mapping value is not allowed in this context; put a text that holds a colon or begins with a quote in quotes, and check the indentation",
			"helplines.yaml:3: error: not valid YAML: could not find end character of single-quoted text",
		}},
		{"an empty body", map[string]string{"articles/a.md": article("", "\n \n")}, []string{
			"articles/a.md:9: error: there is no text after the front matter; write it, or begin the file's name with _ to keep it as a draft",
		}},
		{"names", map[string]string{
			"articles/Two Words.md": article("", "W.\n"), "articles/A.md": article("", "W.\n"), "articles/x.MD": "x", "articles/y.markdown": "y",
			"articles/caf\u00e9.md": article("", "W.\n"), "articles/cafe\u0301.md": article("", "W.\n"), "articles/more/z.md": "z", "figures/x.SVG": "x", "articles/a.md": "-",
		}, []string{
			"articles/A.md:1: error: the name is the address of the page, so it holds only small letters a to z, digits and single hyphens; rename it to a.md",
			"articles/Two Words.md:1: error: the name is the address of the page, so it holds only small letters a to z, digits and single hyphens; rename it to two-words.md",
			"articles/cafe\u0301.md:1: error: the name is the address of the page, so it holds only small letters a to z, digits and single hyphens; rename it to cafe.md",
			"articles/caf\u00e9.md:1: error: the name differs from cafe\u0301.md in capitals or accents only, and both would have the same address; rename one",
			"articles/more/z.md:1: error: files in folders of articles/ are not read; move it to articles/",
			"articles/x.MD:1: error: the file is not read; let its name end in .md",
			"articles/y.markdown:1: error: the file is not read; let its name end in .md",
			"figures/x.SVG:1: error: the file is not read; let its name end in .svg",
		}},
		{"allowances", map[string]string{"articles/a.md": article("allow:\n- {rule: loaded-word, text: words here, why: they are quoted}\n- {rule: grade, text: gone, why: x}\n- {rule: grade, txt: x}\n- just text\n", "Some words\nhere.\n")}, []string{
			"articles/a.md:10: warning: allow: the words “gone” are not in the article any more; take the entry out",
			"articles/a.md:11: error: text is missing; write the words that are allowed, as they stand in the text",
			`articles/a.md:11: error: unknown key "txt" in allow; did you mean text?`,
			"articles/a.md:11: error: why is missing; say why these words are right here",
			"articles/a.md:12: error: allow must be keys with values, as in `title: A few words`",
		}},
		{"figures", map[string]string{"articles/a.md": article("", "![x](/figures/a.svg \"c\")\n\n![x](/figures/b.svg \"c\")\n"), "figures/a.svg": "<svg viewBox=\"0 0 1 1\">\n<script/></svg>"}, []string{
			"articles/a.md:11: error: there is no figure b.svg; did you mean a.svg?",
			"figures/a.svg:2: error: <script> is not allowed in a drawing; take it out",
		}},
		{"a broken bibliography makes no citation unknown", map[string]string{"references.yaml": "references:\n- id: [\n", "articles/a.md": article("", "One [@dutton1993]. [a](/sources#x)\n")}, []string{
			"references.yaml:2: error: not valid YAML: sequence end token ']' not found",
		}},
		{"a broken article is still there to link to", map[string]string{"articles/a.md": article("x: y\n", "W.\n"), "articles/b.md": article("related: [a]\n", "[a](/articles/a#b)\n")}, []string{
			`articles/a.md:8: error: unknown key "x" in the front matter; known are allow, brief, description, order, published, question, related, reviewed, safety, title, topics, updated`,
		}},
		{"pages", map[string]string{"pages/about.md": "---\ntitle: About\ndescripton: x\n---\n# Again\n"}, []string{
			"pages/about.md:2: error: description is missing; one sentence for search engines, in 160 characters at most",
			`pages/about.md:3: error: unknown key "descripton" in the front matter; did you mean description?`,
			"pages/about.md:5: error: the title is the page's only heading of level 1; begin with ##",
		}},
	})
}

func TestSettings(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", "site.yaml:1: error: the settings of the site must be keys with values, as in `title: A few words`"},
		{"no name", "exit: https://x.example/\n", "site.yaml:1: error: name is missing; what the site is called"},
		{"no exit", "name: A\n", "site.yaml:1: error: exit is missing; the https address that “Leave this site” leads to"},
		{"an exit without encryption", goodSiteWith("exit", "http://x.example/"), "site.yaml:2: error: exit: \"http://x.example/\" can't be left to; write a whole https address, such as https://www.wikipedia.org/"},
		{"an exit to code", goodSiteWith("exit", "javascript:x"), "site.yaml:2: error: exit: \"javascript:x\" can't be left to; write a whole https address, such as https://www.wikipedia.org/"},
		{"an unknown key", goodSite + "taglin: x\n", `site.yaml:3: error: unknown key "taglin" in the settings of the site; did you mean tagline?`},
		{"an unknown key of the practice", goodSite + "practice:\n  phon: 1\n", `site.yaml:4: error: unknown key "phon" in practice; did you mean phone?`},
		{"an unknown key of the sender", goodSite + "sender:\n  email: a@b.example\n", `site.yaml:4: error: unknown key "email" in sender; known are address, name`},
		{"a bad address", goodSite + "sender: {address: nobody}\n", `site.yaml:3: error: address: "nobody" is no e-mail address that every mail server takes; write one such as post@example.org`},
		{"letters that a mail server may refuse", goodSite + "notify: j\u00fcrgen@b.example\n", "site.yaml:3: error: notify: \"j\u00fcrgen@b.example\" is no e-mail address that every mail server takes; write one such as post@example.org"},
		{"no phone number", goodSite + "practice: {phone: abc}\n", `site.yaml:3: error: phone: "abc" is no phone number; write one such as +44 20 7946 0958`},
		{"another name of a country", goodSite + "country: UK\n", "site.yaml:3: error: country: UK is not its code; write GB"},
		{"no country", goodSite + "country: XX\n", "site.yaml:3: error: country: there is no country XX; write its two letters, such as GB"},
		{"a bad language", goodSite + "language: english please\n", `site.yaml:3: error: language: "english please" is no language code; write one such as en or en-GB`},
		{"a bad country", goodSite + "country: England\n", `site.yaml:3: error: country: "ENGLAND" is no country code; write two letters, such as GB`},
		{"neither true nor false", goodSite + "self_assessment: maybe\n", "site.yaml:3: error: self_assessment must be true or false"},
		{"news-H26 a line break in the sender", goodSite + "sender: {name: \"A\\r\\nBcc: b@x.example\"}\n", "site.yaml:3: error: name holds a line break or another control character; it must be one line of text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := Load(folder(map[string]string{"site.yaml": tt.in}), Options{Now: now})
			if diff := cmp.Diff([]string{tt.want}, lines(findings)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, exit := range []string{"http://localhost:1/x", "http://127.0.0.1/", "http://[::1]:8/", "https://x.example/a?b=c"} {
		load(t, folder(map[string]string{"site.yaml": goodSiteWith("exit", "'"+exit+"'")}))
	}
}

func goodSiteWith(key, value string) string {
	return "name: A\n" + key + ": " + value + "\n"
}

func TestIssuesRefuseHeadersInTheirSubject(t *testing.T) {
	const want = " holds a line break or another control character; it must be one line of text"
	for _, key := range []string{"subject", "discreet_subject", "preheader"} {
		for name, bad := range map[string]string{"CRLF": `a\r\nBcc: v@x.example`, "CR": `a\rb`, "LF": `a\nb`, "NUL": `a\0b`} {
			t.Run("news-H26 "+key+" "+name, func(t *testing.T) {
				front := map[string]string{"subject": "S", "discreet_subject": "D", "preheader": "P", "date": "2026-12-01", key: `"` + bad + `"`}
				text := "---\n"
				for _, k := range []string{"subject", "discreet_subject", "preheader", "date"} {
					text += k + ": " + front[k] + "\n"
				}
				_, findings := Load(folder(map[string]string{"newsletter/one.md": text + "---\nWords.\n"}), Options{Now: now})
				if len(findings) != 1 || findings[0].Message != key+want {
					t.Errorf("findings: %v", findings)
				}
			})
		}
	}
}

func TestIssues(t *testing.T) {
	_, findings := Load(folder(map[string]string{
		"newsletter/done.md": "---\nsubject: S\ndate: soon\n---\nWords.\n", "newsletter/two.md": "---\nsubject: S\nsubjet: D\n---\n\n",
	}), Options{Now: now})
	want := []string{
		"newsletter/done.md:1: error: /newsletter/done is an address of the program; rename the file",
		"newsletter/done.md:2: error: discreet_subject is missing; a plain subject line that says nothing of the topic",
		"newsletter/done.md:2: error: preheader is missing; what an inbox shows after the subject",
		"newsletter/done.md:3: error: date: “soon” is not a date; write it as 2026-12-31",
		"newsletter/two.md:2: error: date is missing; write a date, as in 2026-12-31",
		"newsletter/two.md:2: error: discreet_subject is missing; a plain subject line that says nothing of the topic",
		"newsletter/two.md:2: error: preheader is missing; what an inbox shows after the subject",
		`newsletter/two.md:3: error: unknown key "subjet" in the front matter; did you mean subject?`,
		"newsletter/two.md:5: error: there is no text after the front matter; write it, or begin the file's name with _ to keep it as a draft",
	}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Error(diff)
	}
}

func TestWarningsOfTheFolder(t *testing.T) {
	lib, findings := Load(folder(map[string]string{
		"article/a.md": "x", "b.md": "x", "README.md": "x", "_c.md": "x",
		"articles/d.md": strings.Replace(article("", "W.\n"), "published: 2026-12-01", "published: "+now.AddDate(0, 0, 2).Format(time.DateOnly), 1),
		"articles/e.md": strings.Replace(article("", "W.\n"), "reviewed: none", "reviewed: {by: X, on: 2020-12-01, due: 2021-12-01}", 1),
	}), Options{Now: now})
	if lib == nil {
		t.Error("a warning is an error")
	}
	want := []string{
		"article/a.md:1: warning: the file is not read; move it to one of articles, pages, newsletter, topics, paths",
		"articles/d.md:5: warning: published: " + now.AddDate(0, 0, 2).Format(time.DateOnly) + " is still to come, and the article is shown already; begin its name with _ until then",
		"articles/e.md:7: warning: due: the next review was due on 2021-12-01; have the page read again",
		"b.md:1: warning: the file is not read; move it to one of articles, pages, newsletter, topics, paths",
	}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Error(diff)
	}
}
