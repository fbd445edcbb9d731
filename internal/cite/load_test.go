package cite

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLoadReadsAnEntry(t *testing.T) {
	in := `references:
- id: dutton1993
  type: article-journal
  author:
  - family: Dutton
    given: D. G.
  - literal: A Body
  issued:
    date-parts:
    - - 1993
      - 5
  title: 'Emotional attachments: A test'
  container-title: Violence and Victims
  volume: '8'
  page: 105-120
  DOI: 10.1891/0886-6708.8.2.105
  PMID: '9054347'
  call-number: any CSL variable may stand here
  custom:
    evidence: cohort
    finding: It fell
      by 27%.
    limits: One sample.
    verified: true
    checked-at: https://ojp.gov/
    checked-on: '2026-12-01'
`
	b, fs := Load("references.yaml", []byte(in))
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	want := &Reference{
		ID: "dutton1993", Type: "article-journal", Title: "Emotional attachments: A test", Container: "Violence and Victims",
		Authors: []Name{{Family: "Dutton", Given: "D. G."}, {Literal: "A Body"}}, Issued: Date{Year: 1993, Month: 5},
		Volume: "8", Page: "105-120", DOI: "10.1891/0886-6708.8.2.105", PMID: "9054347", Evidence: "cohort", Finding: "It fell by 27%.",
		Limits: "One sample.", CheckedAt: "https://ojp.gov/", CheckedOn: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Line: 2,
	}
	got, ok := b.Get("dutton1993")
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Error(diff)
	}
	if got.Evidence.Label() != "Follow-up study" || len(b.All()) != 1 || b.IDs()[0] != "dutton1993" {
		t.Errorf("label %q, ids %v", got.Evidence.Label(), b.IDs())
	}
}

func TestLoadTellsEveryFaultAtOnce(t *testing.T) {
	in := `references:
- id: a
  type: book
  author: [{family: A}]
  issued: 1990
- id: a
  type: book
  title: T
  author: [{family: A}]
  issued: 1990
- id: b c
  title: T
  author: [{given: ''}, {literal: B}]
  issued: {date-parts: [[2001, 2, 30]]}
  DOI: https://doi.org/10.1/x
  PMID: PMC123
  URL: javascript:alert(1)
  custom: {evidence: hearsay, verifed: true, checked-on: 2026-13-01}
- id: d
  type: book
  title: T
  custom: {verified: perhaps}
- just text
`
	_, fs := Load("references.yaml", []byte(in))
	var got []string
	for _, f := range fs.Sorted() {
		got = append(got, f.String())
	}
	want := []string{
		`references.yaml:2: error: title is missing; the title of the work`,
		`references.yaml:6: error: the id a is taken by the entry on line 2; give this one another`,
		`references.yaml:11: error: the id "b c" can't be cited; write letters, digits and single marks such as - or _`,
		`references.yaml:11: error: type is missing; such as article-journal, book or report`,
		"references.yaml:13: error: a name without `family` or `literal`",
		`references.yaml:14: error: issued: 2001-02-30 is not a day of the calendar`,
		`references.yaml:15: error: the DOI "https://doi.org/10.1/x" is malformed; it begins with 10. and a number, as in 10.1891/0886-6708.8.2.105, without https://doi.org/`,
		`references.yaml:16: error: the PMID "PMC123" is malformed; it is a number of up to nine digits`,
		`references.yaml:17: error: the URL "javascript:alert(1)" is no web address; it begins with https:// or http://`,
		`references.yaml:18: error: checked-on: 2026-13-01 is not a day of the calendar`,
		`references.yaml:18: error: unknown key "verifed" in custom; did you mean verified?`,
		`references.yaml:18: error: unknown kind of evidence "hearsay"; known are clinical-book, cohort, cross-sectional, guideline, lab-study, meta-analysis, qualitative, randomised-trial, report, systematic-review, theory`,
		"references.yaml:19: error: author is missing; give `family` and `given`, or `literal` for a body, or an editor",
		"references.yaml:19: error: issued is missing; give the year, as in `issued: 1993`",
		`references.yaml:22: error: verified must be true or false`,
		"references.yaml:23: error: a reference must be keys with values, as in `title: A few words`",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadAcceptsEveryFormOfDate(t *testing.T) {
	tests := map[string]Date{
		"1993":                                {Year: 1993},
		"'1993-05-01'":                        {Year: 1993, Month: 5, Day: 1},
		"{year: 1993, month: 5}":              {Year: 1993, Month: 5},
		"[{year: 1993}]":                      {Year: 1993},
		"{date-parts: [[1993, 5, 1]]}":        {Year: 1993, Month: 5, Day: 1},
		"{date-parts: [['1993'],['1994']]}":   {Year: 1993},
		"{raw: 1993-05}":                      {Year: 1993, Month: 5},
		"{literal: in press}":                 {Literal: "in press"},
		"{date-parts: [[1993, 21]]}":          {Year: 1993, Month: 21},
		"forthcoming":                         {Literal: "forthcoming"},
		"{date-parts: [[2028, 2, 29]]}":       {Year: 2028, Month: 2, Day: 29},
		"{year: 1993, season: 1, circa: yes}": {Year: 1993},
	}
	for in, want := range tests {
		b, fs := Load("r.yaml", []byte("references:\n- id: a\n  type: book\n  title: T\n  author: [{family: A}]\n  issued: "+in+"\n"))
		r, ok := b.Get("a")
		if len(fs) > 0 || !ok {
			t.Errorf("%s: %v", in, fs)
			continue
		}
		if diff := cmp.Diff(want, r.Issued); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}

func TestLoadOfOddFiles(t *testing.T) {
	tests := []struct {
		name, in, want string
		entries        int
	}{
		{name: "empty", in: ""},
		{name: "no entries yet", in: "references:\n"},
		{name: "between document marks, as Pandoc writes it", in: "---\nreferences:\n- id: a\n  type: book\n  title: T\n  editor: [{family: E}]\n  issued: 1990\n...\n", entries: 1},
		{name: "a bare list, with CRLF and a byte order mark", in: "\uFEFF- id: a\r\n  type: book\r\n  title: T\r\n  author: A Body\r\n  issued: 1990\r\n", entries: 1},
		{name: "another file", in: "title: x\n", want: "r.yaml:1: error: no list of references; the file begins with `references:`, and each entry with `- id:`"},
		{name: "broken YAML", in: "references:\n- id: a\n  title: A: b\n", want: "r.yaml:3: error: not valid YAML: mapping value is not allowed in this context; put a text that holds a colon or begins with a quote in quotes, and check the indentation"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, fs := Load("r.yaml", []byte(tt.in))
			got := ""
			if len(fs) > 0 {
				got = fs[0].String()
			}
			if got != tt.want || len(b.All()) != tt.entries || len(fs) > 1 {
				t.Errorf("got %q and %d entries, want %q and %d", got, len(b.All()), tt.want, tt.entries)
			}
		})
	}
	var none *Bibliography
	if _, ok := none.Get("a"); ok || none.All() != nil {
		t.Error("a nil bibliography must be empty")
	}
}

// The bibliography that ships: every identifier is well formed and every entry
// reads as a reference.
func TestShippedBibliography(t *testing.T) {
	data, err := os.ReadFile("../../content/references.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b, fs := Load("references.yaml", data)
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	if len(b.All()) < 60 {
		t.Fatalf("%d entries", len(b.All()))
	}
	form := regexp.MustCompile(`^\p{L}.*\. .*\b(19|20)\d\d\b.*\.$`)
	for _, r := range b.All() {
		t.Run("reader-H34 "+r.ID, func(t *testing.T) {
			if got := r.Vancouver(); !form.MatchString(got) || strings.Contains(got, "..") || strings.Contains(got, "  ") {
				t.Errorf("reference reads %q", got)
			}
			if r.Evidence.Label() == "" || r.Finding == "" || r.Limits == "" {
				t.Error("kind of evidence, finding or limits missing")
			}
			if r.DOI == "" && r.PMID == "" && r.URL == "" && r.ISBN == "" && r.Type == "article-journal" && r.Page == "" {
				t.Error("nothing to find it by")
			}
		})
	}
}
