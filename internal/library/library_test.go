package library

import (
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/fault"
)

var now = time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC)

const goodSite = "name: Steadier\nexit: https://www.wikipedia.org/\n"

const goodFront = `title: A name for it
question: Is there a name for what I feel?
description: What the words mean.
published: 2026-12-01
brief: It has a name. You are not broken.
reviewed: none
`

const goodWorks = `references:
- id: dutton1993
  type: article-journal
  author: [{family: Dutton, given: D. G.}]
  issued: 1993
  title: A test
  container-title: Violence and Victims
- id: nevin1988
  type: article-journal
  author: [{family: Nevin, given: J. A.}]
  issued: 1988
  title: Behavioral momentum
  container-title: Psychological Bulletin
- id: griffing2002
  type: article-journal
  author: [{family: Griffing, given: S.}]
  issued: 2002
  title: Reasons
  custom: {verified: false}
`

// article is a right article with another front matter key or two and a body.
func article(front, body string) string { return "---\n" + goodFront + front + "---\n" + body }

// folder is a small right folder with files added or, with "-", taken away.
func folder(files map[string]string) fs.FS {
	all := map[string]string{"site.yaml": goodSite, "references.yaml": goodWorks, "articles/a.md": article("", "Words.\n")}
	maps.Copy(all, files)
	out := fstest.MapFS{}
	for name, text := range all {
		if text != "-" {
			out[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return out
}

func load(t *testing.T, fsys fs.FS) *Library {
	t.Helper()
	lib, findings := Load(fsys, Options{Now: now})
	if len(findings) > 0 {
		t.Fatalf("findings in a right folder: %v", findings)
	}
	return lib
}

func lines(findings fault.Findings) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.String())
	}
	return out
}

// everything is a folder with each kind of file in it, and with what editors and
// systems leave behind.
func everything() fs.FS {
	return folder(map[string]string{
		"site.yaml": `name: Steadier
tagline: A quiet room
language: en-GB
practice: {name: The practice, phone: 020 7946 0000, email: hello@example.org, post: "PO Box 1\nLondon"}
sender: {name: Letters, address: letters@example.org}
notify: owner@example.org
country: gb
exit: https://www.wikipedia.org/
self_assessment: true
`,
		"articles/b.md": "---\n" + strings.Replace(goodFront, "reviewed: none", "reviewed: {by: Dr A. Reader, on: 2026-11-01, due: 2027-11-01}", 1) +
			"updated: 2026-12-02\ntopics: [why-it-holds, start]\nrelated: [a, c]\norder: 1\nsafety: A name is *not* a verdict [@nevin1988].\n---\n" +
			"## The start\n\nOne [@dutton1993]. Two [@nevin1988; @dutton1993].\n\n### Deeper\n\n#### Deepest\n\nSee [the other](/articles/a#s) and [a work](/sources#nevin1988).\n",
		"articles/a.md":      article("", "## S\n\nWords.\n"),
		"articles/c.md":      article("order: 2\n", strings.Repeat("word ", 221)+"\n\nA word.\n"),
		"pages/privacy.md":   "---\ntitle: Privacy\ndescription: What is kept.\n---\nNothing [@dutton1993].\n",
		"newsletter/one.md":  "---\nsubject: First\ndiscreet_subject: A letter\npreheader: Hello\ndate: 2026-11-01\n---\nText.\n",
		"newsletter/two.md":  "---\nsubject: Second\ndiscreet_subject: A letter\npreheader: Hello\ndate: 2026-12-01\n---\n[One](/newsletter/one).\n",
		"helplines.yaml":     "countries:\n- {iso: GB, name: United Kingdom, emergency: '999'}\n- {iso: AX, name: Åland}\n- {iso: US, name: United States}\n",
		"assessment.yaml":    strings.ReplaceAll(rightAssessment, "path: p", "path: first"),
		"articles/_draft.md": "not looked at",
		"articles/.DS_Store": "\x00\xff",
		"articles/a.md~":     "backup",
		"articles/.a.md.swp": "\x00",
		"articles/#a.md#":    "backup",
		"articles/notes.txt": "notes",
		"figures/README.md":  "notes",
		"availability.yaml":  "zone: [broken",
		"glossary.yaml": "terms:\n- {id: depths, term: deeper depths, also: [Two], definition: 'A *word* for [b](/articles/b#the-start).'}\n" +
			"- {id: a-word, term: a word, definition: Not used but once.}\n",
		"topics/start.md":        "---\ntitle: To start\ndescription: D.\norder: 2\n---\nFew words [@dutton1993].\n",
		"topics/why-it-holds.md": "---\ntitle: Why it holds\ndescription: D.\norder: 1\n---\nFew words.\n",
		"topics/_later.md":       "broken",
		"paths/first.md":         "---\ntitle: A first path\nquestion: Where?\ndescription: D.\narticles: [c, b]\n---\nSee [a term](/glossary#depths), [a topic](/topics/start), [this](/paths/first), [all](/topics) of [them](/paths).\n",
		"paths/second.md":        "---\ntitle: A later path\nquestion: Where?\ndescription: D.\narticles: [b, a]\norder: 9\n---\nA lead.\n",
		".obsidian/x.json":       "{",
		"articles/.git/a.md":     "x",
		"pages/Thumbs.db":        "x",
		"figures/Desktop.ini":    "x",
	})
}

func TestALibraryOfEverything(t *testing.T) {
	lib := load(t, everything())
	b, ok := lib.Article("b")
	if !ok {
		t.Fatal("no article b")
	}
	if diff := cmp.Diff(&Review{By: "Dr A. Reader", On: day("2026-11-01"), Due: day("2027-11-01")}, b.Reviewed); diff != "" {
		t.Error(diff)
	}
	var order []string
	for _, a := range lib.Articles {
		order = append(order, a.Slug)
	}
	if diff := cmp.Diff([]string{"b", "c", "a"}, order); diff != "" {
		t.Error(diff)
	}
	a, _ := lib.Article("a")
	c, _ := lib.Article("c")
	if len(b.Related) != 2 || b.Related[0] != a || b.Related[1] != c {
		t.Errorf("related: %v", b.Related)
	}
	if next, ok := lib.Next(b); !ok || next != c {
		t.Errorf("after b comes %v", next)
	}
	if _, ok := lib.Next(a); ok {
		t.Error("something comes after the last article")
	}
	if c.Minutes != 2 || a.Minutes != 1 {
		t.Errorf("minutes: %d and %d, want 2 and 1", c.Minutes, a.Minutes)
	}
	if len(b.Contents) != 2 || b.Contents[1].ID != "deeper" || b.Safety == "" || b.Path() != "/articles/b" || b.Brief != "<p>It has a name. You are not broken.</p>\n" {
		t.Errorf("contents %v, safety %q, brief %q", b.Contents, b.Safety, b.Brief)
	}
	if b.Reviewed == nil || a.Reviewed != nil || !b.Updated.Equal(day("2026-12-02")) || len(b.Topics) != 2 {
		t.Errorf("front matter of b: %+v", b)
	}
	checkSources(t, lib)
	checkTerms(t, lib)
	checkTopics(t, lib)
	if lib.Site.Country != "GB" || lib.Site.Practice.Post != "PO Box 1\nLondon" || !lib.Site.SelfAssessment {
		t.Errorf("site: %+v", lib.Site)
	}
	if len(lib.Issues) != 2 || lib.Issues[0].Slug != "two" || lib.Issues[0].Path() != "/newsletter/two" {
		t.Errorf("issues: %v", lib.Issues)
	}
	if p, ok := lib.Page("privacy"); !ok || p.Path() != "/privacy" || len(p.Notes) != 1 {
		t.Errorf("page: %+v", p)
	}
	if p := (&Page{Slug: "corrections"}); p.Path() != "/about/corrections" {
		t.Errorf("corrections stand at %s", p.Path())
	}
	if _, ok := lib.Issue("none"); ok {
		t.Error("an issue that is not there")
	}
	checkCountries(t, lib)
}

func checkSources(t *testing.T, lib *Library) {
	t.Helper()
	var got []string
	for _, s := range lib.Sources {
		line := s.ID
		for _, p := range s.CitedIn {
			line += " " + p.Path
		}
		got = append(got, line)
	}
	if diff := cmp.Diff([]string{"dutton1993 /articles/b /privacy /topics/start", "nevin1988 /articles/b"}, got); diff != "" {
		t.Error(diff)
	}
}

func checkTerms(t *testing.T, lib *Library) {
	t.Helper()
	var got []string
	for _, term := range lib.Terms {
		line := term.ID + ": " + strings.TrimSpace(term.Definition)
		for _, p := range term.UsedIn {
			line += " " + p.Path
		}
		got = append(got, line)
	}
	want := []string{
		"a-word: <p>Not used but once.</p> /articles/c",
		`depths: <p>A <em>word</em> for <a href="/articles/b#the-start">b</a>.</p> /articles/b`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b, _ := lib.Article("b")
	if term, ok := lib.Term("depths"); !ok || len(b.Terms) != 1 || b.Terms[0] != term || !strings.Contains(b.Body, `<a class="term" href="/glossary#depths">Two</a>`) {
		t.Errorf("terms of b: %v", b.Terms)
	}
	if _, ok := lib.Term("deeper depths"); ok {
		t.Error("a term by its name")
	}
}

func checkTopics(t *testing.T, lib *Library) {
	t.Helper()
	var got []string
	for _, topic := range lib.Topics {
		got = append(got, topic.Path()+" "+slugs(topic.Articles))
	}
	for _, p := range lib.Paths {
		got = append(got, p.Path()+" "+slugs(p.Articles))
	}
	want := []string{"/topics/why-it-holds b", "/topics/start b", "/paths/second b a", "/paths/first c b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b, _ := lib.Article("b")
	c, _ := lib.Article("c")
	second, _ := lib.Path("second")
	if p, at, ok := lib.PathOf(b); !ok || p != second || at != 0 {
		t.Errorf("b stands in %v at %d", p, at)
	}
	if p, at, ok := lib.PathOf(c); !ok || p.Slug != "first" || at != 0 || p.Minutes() != c.Minutes+b.Minutes {
		t.Errorf("c stands in %v at %d", p, at)
	}
	if start, ok := lib.Topic("start"); !ok || b.Topics[1] != start || len(start.Notes) != 1 {
		t.Errorf("topics of b: %v", b.Topics)
	}
	if _, _, ok := lib.PathOf(&Article{}); ok {
		t.Error("a path of what is in none")
	}
}

func slugs(articles []*Article) string {
	var out []string
	for _, a := range articles {
		out = append(out, a.Slug)
	}
	return strings.Join(out, " ")
}

func checkCountries(t *testing.T, lib *Library) {
	t.Helper()
	names := func(cs []*Country) (out []string) {
		for _, c := range cs {
			out = append(out, c.ID())
		}
		return out
	}
	if diff := cmp.Diff([]string{"ax", "gb", "us"}, names(lib.Countries)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"us", "ax", "gb"}, names(lib.CountriesFrom("us"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(names(lib.Countries), names(lib.CountriesFrom("xx"))); diff != "" {
		t.Error(diff)
	}
}

func day(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

func TestTheLeastFolder(t *testing.T) {
	lib := load(t, fstest.MapFS{"site.yaml": {Data: []byte("\xef\xbb\xbfname: A\r\nexit: http://127.0.0.1:9/\r\n")}})
	want := Site{Name: "A", Language: "en", Exit: "http://127.0.0.1:9/", Practice: Practice{Name: "A"}, Sender: Sender{Name: "A"}}
	if diff := cmp.Diff(want, lib.Site); diff != "" {
		t.Error(diff)
	}
	if len(lib.Articles)+len(lib.Pages)+len(lib.Issues)+len(lib.Sources)+len(lib.Countries)+len(lib.Terms)+len(lib.Topics)+len(lib.Paths) > 0 || lib.Works != nil {
		t.Error("an empty folder must give an empty library")
	}
}

func TestAMissingFolderOrSiteIsOneLine(t *testing.T) {
	_, findings := Load(fstest.MapFS{"articles/a.md": {Data: []byte(article("", "Words.\n"))}}, Options{Now: now})
	want := []string{"site.yaml:1: error: site.yaml is missing; it says at least `name:`, what the site is called, and `exit:`, the https address that “Leave this site” leads to"}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Error(diff)
	}
	lib, findings := Load(missing{}, Options{Now: now})
	if diff := cmp.Diff([]string{".:1: error: the content folder can't be read: file does not exist"}, lines(findings)); diff != "" || lib != nil {
		t.Error(diff)
	}
}

type missing struct{}

func (missing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func TestDrafts(t *testing.T) {
	files := folder(map[string]string{"articles/_b.md": article("", "See [a](/articles/a).\n"), "articles/_c.md": "broken"})
	if lib := load(t, files); len(lib.Articles) != 1 {
		t.Errorf("%d articles, want no draft", len(lib.Articles))
	}
	_, findings := Load(files, Options{Now: now, Drafts: true})
	if len(findings) == 0 || findings[0].Path != "articles/_c.md" {
		t.Errorf("findings %v, want those of the broken draft", findings)
	}
	lib, findings := Load(folder(map[string]string{"articles/_b.md": article("", "Words.\n")}), Options{Now: now, Drafts: true})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if b, ok := lib.Article("b"); !ok || !b.Draft {
		t.Error("a draft must be served in development, and be known as one")
	}
}

func TestCRLFAndByteOrderMarkAreAccepted(t *testing.T) {
	crlf := func(s string) string { return "\uFEFF" + strings.ReplaceAll(s, "\n", "\r\n") }
	lib := load(t, folder(map[string]string{
		"site.yaml": crlf(goodSite), "references.yaml": crlf(goodWorks), "articles/a.md": crlf(article("", "Words [@dutton1993].\n\n| a |\n|---|\n")),
		"helplines.yaml": crlf("countries:\n- iso: GB\n  name: United Kingdom\n"),
	}))
	if a, _ := lib.Article("a"); !strings.Contains(a.Body, `<table>`) || strings.Contains(a.Body, "\r") {
		t.Errorf("body: %q", a.Body)
	}
}
