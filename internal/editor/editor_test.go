package editor

import (
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/library"
)

const (
	site  = "name: Steadier\nexit: https://www.wikipedia.org/\n"
	works = `references:
- id: dutton1993
  type: article-journal
  author:
  - family: Dutton
    given: D. G.
  issued:
    date-parts:
    - - 1993
  title: Emotional attachments
  custom:
    evidence: cohort
    finding: It fell.
    limits: Women only.
    verified: true
    checked-at: https://a.example/
    checked-on: '2026-11-01'
`
	manners = `loaded:
- rule: hype
  why: it promises
  words:
  - say: [breakthrough*, toxic]
    better: say what changed
    unless: [no breakthrough]
- rule: should
  why: it orders
  words:
  - {say: you should, better: give the reason}
claims: [research, studies show, "# women", "# %", times more, brain]
`

	head = "---\ntitle: A name\nquestion: Is there one?\ndescription: About it.\npublished: 2026-11-01\nreviewed: none\nbrief: It has a name.\n"
)

// check reads a folder with one article, or with other files, and gives the warnings.
func check(t *testing.T, files map[string]string) (got []string, allowed int) {
	t.Helper()
	all := map[string]string{"site.yaml": site, "references.yaml": works, "style.yaml": manners}
	maps.Copy(all, files)
	fsys := folder(all)
	_, words, findings := library.Read(fsys, library.Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	if findings.Errors() > 0 {
		t.Fatal(findings)
	}
	report := Check(fsys, words)
	for _, f := range report.Findings.Sorted() {
		got = append(got, f.String())
	}
	return got, report.Allowed
}

func folder(files map[string]string) fs.FS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func article(text string) map[string]string {
	return map[string]string{"articles/a.md": head + "---\n" + text + "\n"}
}

// long is thirty short words.
var long = strings.TrimSpace(strings.Repeat("one two three ", 10))

func TestRules(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // how the warnings begin, after PATH:
	}{
		{"nothing", "It is late. You are tired, and that is all.", nil},

		{"a sentence of 30 words", long + ".", nil},
		{"one of 31", "Short. And " + long + ".", []string{"9: warning: sentence: 31 words, at most 30; part it: “And one two three one two …”"}},
		{"one on a later line of its paragraph", "Short. So\nis this.\nAnd " + long + ".", []string{"11: warning: sentence: 31 words"}},
		{"one of 31 in an item, one in a caption", "- And " + long + "\n\n> so " + long, []string{"9: warning: sentence", "11: warning: sentence"}},
		{"a long heading", "## And " + long, nil},

		{"a loaded word, in any case", "It was Toxic.", []string{"9: warning: hype: “Toxic”: it promises; say what changed"}},
		{"an ending", "Two breakthroughs.", []string{"9: warning: hype: “breakthroughs”"}},
		{"twice, on their lines", "It is toxic,\nand toxic.", []string{"9: warning: hype", "10: warning: hype"}},
		{"a phrase, and one with a mark in it", "You **should** go. You, should.", []string{"9: warning: should: “You should”: it orders; give the reason"}},
		{"what a longer phrase allows", "It is no breakthrough.", nil},
		{"in a heading and a cell", "## A toxic day\n\n| toxic |\n|---|\n| toxic |", []string{"9: warning: hype", "11: warning: hype", "13: warning: hype"}},
		{"in an address and in code", "[Words](/support#toxic-x) `x`.", nil},

		{"what people say", "They say “you should go” and ‘it isn’t toxic’ and \"toxic\".", nil},
		{"what people say, over lines and never closed", "“Toxic.\nYou should.\n\nToxic.", []string{"12: warning: hype"}},
		{"what others wrote", "> You should.\n> Toxic research.", nil},
		{"a note is our own", "> [!NOTE]\n> You should.", []string{"10: warning: should"}},
		{"after what people say", "“Go.” You should. It’s the readers’ ‘job’,\nand you should.", []string{"9: warning: should", "10: warning: should"}},

		{"she and he", "She said it. It’s up to him. His, hers. He’s here.", []string{
			"9: warning: pronoun: “He’s”", "9: warning: pronoun: “His”: readers and partners are of every gender; write “their”", "9: warning: pronoun: “She”",
			"9: warning: pronoun: “hers”", "9: warning: pronoun: “him”",
		}},
		{"she in what people say, and in other words", "“She left.” The sheet, here, this, other, history.", nil},

		{"here", "Look [here](/support), or\n[ this page ](/about). See [Help now](/support).", []string{
			"9: warning: link: “here” does not say where it leads", "10: warning: link: “ this page ” does not say where it leads",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := article(tt.text)
			files["pages/about.md"] = "---\ntitle: About\ndescription: Us.\n---\nWe are.\n"
			got, _ := check(t, files)
			compare(t, tt.want, got)
		})
	}
}

func TestClaims(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"without a source", "So it is. Studies show it.", []string{
			"9: warning: claim: “Studies show” is a claim; cite its source in this sentence or the next, or say less: “Studies show it. …”",
		}},
		{"on its own line, once a sentence", "So it is. In\nresearch on 75 women it\nfell by 27%.", []string{"10: warning: claim: “research”"}},
		{"cited in the sentence", "In 75 women it fell [@dutton1993]. So it is.", nil},
		{"cited behind its end", "In 75 women it fell. [@dutton1993] So it is.", nil},
		{"cited in the next", "In 75 women it fell. It was slow [@dutton1993].", nil},
		{"cited in the one after the next", "In 75 women it fell. It was slow. So it is [@dutton1993].", []string{"9: warning: claim"}},
		{"cited in the one before", "It was slow [@dutton1993]. In 75 women it fell.", []string{"9: warning: claim"}},
		{"cited in the next paragraph", "In 75 women it fell.\n\nIt was slow [@dutton1993].", nil},
		{"not across a heading", "In 75 women it fell.\n\n## Slow [@dutton1993]\n\nIt was slow.", []string{"9: warning: claim"}},
		{"in a list whose item cites", "The brain:\n\n- is slow [@dutton1993].\n- is a brain.", []string{"12: warning: claim"}},
		{"with a link to the source", "It fell in 75 women, as [Dutton](/sources#dutton1993) wrote.", nil},
		{"with a link to elsewhere", "It fell in 75 women, as [many](/sources) wrote.", []string{"9: warning: claim"}},
		{"in a heading", "## What research says\n\nLittle.", nil},
		{"in what people say", "They say “it is your brain” and “research”.", nil},
		{"numbers in passing", "Two women spoke to one of the women.", nil},
		{"numbers in words", "Twenty-two women spoke, three times more often.", []string{"9: warning: claim: “Twenty-two women”"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := check(t, article(tt.text))
			compare(t, tt.want, got)
		})
	}
}

func compare(t *testing.T, want, got []string) {
	t.Helper()
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], "articles/a.md:")
		if i < len(want) && strings.HasPrefix(got[i], want[i]) {
			got[i] = want[i]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// grade counts the text of an article.
func grade(t *testing.T, text string) Grade {
	t.Helper()
	fsys := folder(map[string]string{
		"site.yaml": site, "references.yaml": works, "articles/a.md": head + "---\n" + text + "\n",
		"helplines.yaml": "countries:\n- iso: GB\n  name: UK\n  services:\n  - name: The Open Line\n    kind: crisis\n    phone: '1'\n    checked-on: '2026-11-01'\n",
	})
	_, words, _ := library.Read(fsys, library.Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	c := newChecker(&style{}, words)
	p := piece{checker: c, Manuscript: words.Files[0]}
	p.read()
	var sum Grade
	for _, b := range p.blocks {
		if b.part == library.PartBody && isGraded(b) {
			sum.add(p.grade(b))
		}
	}
	return sum
}
