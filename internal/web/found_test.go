package web

import (
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/templates"
)

var update = flag.Bool("update", false, "write the golden files")

// foundFiles are a small content folder with an article of each kind.
var foundFiles = map[string]string{
	"site.yaml": "name: Steadier\ntagline: Plain words\nlanguage: en-GB\nexit: https://exit.example\n" +
		"practice:\n  name: A Practice\n  email: hello@site.example\n",
	"references.yaml": `references:
- id: one1993
  type: article-journal
  title: One study
  author: [{family: One, given: A. B.}]
  issued: 1993
  container-title: A Journal
  volume: 8
  DOI: 10.1000/one<1>
- id: two2001
  type: book
  title: Two books
  author: [{literal: The Body}]
  issued: 2001
  publisher: A House
`,
	"articles/first.md": `---
title: The first & <best>
question: Is it so?
description: What the first says.
published: 2026-11-02
updated: 2026-11-20
brief: A brief with a [link](/articles/second).
safety: Mind this.
reviewed: none
---
Words that study one [@one1993] and two [@two2001] carry. See [below](#below) and [help](/support).

> [!WARNING]
> Call somebody.

## Below

Ends “here”.
`,
	"articles/second.md": `---
title: The second
question: And then?
description: What the second says.
published: 2026-11-10
brief: Another brief.
reviewed: {by: Dr A. Reader, on: 2026-11-09, due: 2027-11-09}
---
Only words.
`,
	"articles/_draft.md": `---
title: A draft
question: Not yet?
description: What nobody reads yet.
published: 2026-11-11
brief: Not yet.
reviewed: none
---
Unfinished.
`,
	"pages/about.md":         "---\ntitle: About\ndescription: Who we are.\n---\nWe are.\n",
	"newsletter/sent.md":     "---\nsubject: A sent letter\ndiscreet_subject: A letter\npreheader: Read it.\ndate: 2026-11-15\n---\nDear [reader](/about).\n",
	"newsletter/not-sent.md": "---\nsubject: Another letter\ndiscreet_subject: A letter\npreheader: Read it.\ndate: 2026-11-16\n---\nNot yet.\n",
}

var (
	foundBase = &url.URL{Scheme: "https", Host: "site.example"}
	foundSent = map[string]bool{"sent": true}
)

func foundLibrary(t *testing.T) *library.Library {
	t.Helper()
	return loadFiles(t, foundFiles)
}

func loadFiles(t *testing.T, files map[string]string) *library.Library {
	t.Helper()
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	lib, findings := library.Load(folder, library.Options{
		Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Drafts: true,
	})
	if lib == nil {
		t.Fatal(findings)
	}
	return lib
}

// golden compares with a file in testdata, which -update writes.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s:\n%s", path, diff)
	}
}

// wellFormed reads a document to its end and returns the words in it.
func wellFormed(t *testing.T, document []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(document)))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
	}
}

func TestFeedIsAtom(t *testing.T) {
	feed := feedXML(foundLibrary(t), foundBase, foundSent)
	wellFormed(t, feed)
	golden(t, "feed.xml", feed)
}

// readFeed is what a feed reader makes of a feed.
type readFeed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"http://www.w3.org/2005/Atom id"`
	Title   string   `xml:"http://www.w3.org/2005/Atom title"`
	Updated string   `xml:"http://www.w3.org/2005/Atom updated"`
	Author  string   `xml:"http://www.w3.org/2005/Atom author>name"`
	Links   []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"http://www.w3.org/2005/Atom link"`
	Entries []struct {
		ID      string `xml:"http://www.w3.org/2005/Atom id"`
		Title   string `xml:"http://www.w3.org/2005/Atom title"`
		Updated string `xml:"http://www.w3.org/2005/Atom updated"`
		Content struct {
			Type string `xml:"type,attr"`
			Text string `xml:",chardata"`
		} `xml:"http://www.w3.org/2005/Atom content"`
	} `xml:"http://www.w3.org/2005/Atom entry"`
}

func parseFeed(t *testing.T, document []byte) (f readFeed) {
	t.Helper()
	if err := xml.Unmarshal(document, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFeedHoldsWhatCanBeReadAndNoMore(t *testing.T) {
	f := parseFeed(t, feedXML(foundLibrary(t), foundBase, foundSent))
	var titles []string
	ids := map[string]bool{}
	for _, e := range f.Entries {
		titles = append(titles, e.Title)
		ids[e.ID] = true
		if _, err := time.Parse(time.RFC3339, e.Updated); err != nil {
			t.Errorf("%s: updated: %v", e.Title, err)
		}
	}
	want := []string{"The first & <best>", "A sent letter", "The second"}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Errorf("no drafts, no letters that were not sent, newest first:\n%s", diff)
	}
	if len(ids) != len(want) {
		t.Errorf("ids are not unique: %v", ids)
	}
	if f.Updated != f.Entries[0].Updated {
		t.Errorf("feed updated %s, newest entry %s", f.Updated, f.Entries[0].Updated)
	}
}

func TestFeedIDsOutliveTheScheme(t *testing.T) {
	lib := foundLibrary(t)
	before := parseFeed(t, feedXML(lib, &url.URL{Scheme: "http", Host: "site.example:8080"}, nil))
	after := parseFeed(t, feedXML(lib, foundBase, nil))
	if before.Entries[0].ID != after.Entries[0].ID {
		t.Errorf("%s became %s", before.Entries[0].ID, after.Entries[0].ID)
	}
}

var (
	anyAddress = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	oddMarkup  = regexp.MustCompile(`(?i)<(script|style|iframe|svg|img|form)\b|\s(on\w+|style|class|id)=`)
)

func TestFeedAddressesAreWhole(t *testing.T) {
	for _, e := range parseFeed(t, feedXML(foundLibrary(t), foundBase, foundSent)).Entries {
		for _, m := range anyAddress.FindAllStringSubmatch(e.Content.Text, -1) {
			if !strings.HasPrefix(m[1], "https://") {
				t.Errorf("news-H29 %s: %s", e.Title, m[1])
			}
		}
	}
}

func TestFeedHoldsNoMarkupThatActs(t *testing.T) {
	files := map[string]string{"site.yaml": foundFiles["site.yaml"]}
	files["articles/a.md"] = strings.NewReplacer("The second", `"</title><script>1</script>"`, "Only words.",
		"`<script>1</script>` and ```\"><script>```\n\n```\n<img src=x onerror=alert(1)>\n```\n").Replace(foundFiles["articles/second.md"])
	feed := feedXML(loadFiles(t, files), foundBase, nil)
	wellFormed(t, feed)
	e := parseFeed(t, feed).Entries[0]
	if e.Content.Type != "html" || !strings.Contains(e.Title, "</title><script>") {
		t.Errorf("SEC-H13: title %q, content of type %q", e.Title, e.Content.Type)
	}
	if odd := oddMarkup.FindString(regexp.MustCompile(`&lt;[^>]*?&gt;`).ReplaceAllString(e.Content.Text, "")); odd != "" {
		t.Errorf("SEC-H13: %s in %s", odd, e.Content.Text)
	}
}

func TestFeedOfNothing(t *testing.T) {
	feed := feedXML(loadFiles(t, map[string]string{"site.yaml": foundFiles["site.yaml"]}), foundBase, nil)
	if f := parseFeed(t, feed); f.Updated == "" || f.ID == "" || f.Author == "" {
		t.Errorf("RFC 4287 asks for id, updated and author:\n%s", feed)
	}
}

func TestSitemapNamesWhatMayBeIndexed(t *testing.T) {
	m := sitemapXML(foundLibrary(t), foundBase, foundSent, true)
	wellFormed(t, m)
	golden(t, "sitemap.xml", m)
}

func TestSitemapWithoutLetters(t *testing.T) {
	m := sitemapXML(foundLibrary(t), foundBase, foundSent, false)
	if strings.Contains(string(m), "/newsletter") {
		t.Errorf("no mail, yet letters:\n%s", m)
	}
}

func TestRobots(t *testing.T) {
	const want = "User-agent: *\nDisallow: /consult?\n\nSitemap: https://site.example/sitemap.xml\n"
	if diff := cmp.Diff(want, string(robotsTXT(foundBase))); diff != "" {
		t.Error(diff)
	}
}

func TestSecurityTXT(t *testing.T) {
	lib := foundLibrary(t)
	now := time.Date(2026, 12, 1, 13, 14, 15, 0, time.UTC)
	const want = "Contact: mailto:hello@site.example\nExpires: 2027-05-30T00:00:00Z\nPreferred-Languages: en-GB\n" +
		"Canonical: https://site.example/.well-known/security.txt\n"
	if diff := cmp.Diff(want, string(securityTXT(lib, foundBase, now))); diff != "" {
		t.Error(diff)
	}
	files := map[string]string{"site.yaml": "name: S\nexit: https://exit.example\n"}
	if got := string(securityTXT(loadFiles(t, files), foundBase, now)); !strings.Contains(got, "Contact: https://site.example/\n") {
		t.Errorf("no e-mail, and no other contact:\n%s", got)
	}
}

func TestArticlesAreDescribedForRobots(t *testing.T) {
	lib := foundLibrary(t)
	for _, tt := range []struct{ slug, file string }{
		{"first", "first.json"},
		{"second", "second.json"},
	} {
		a, _ := lib.Article(tt.slug)
		got, err := json.MarshalIndent(articleThing(lib, a, "https://site.example", "https://site.example/static/preview.png"), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, tt.file, append(got, '\n'))
	}
}

func TestOnlyAReviewMakesAMedicalPage(t *testing.T) {
	lib := foundLibrary(t)
	for slug, want := range map[string]string{"first": "Article", "second": "MedicalWebPage"} {
		a, _ := lib.Article(slug)
		got := articleThing(lib, a, "https://site.example", "")
		if _, reviewed := got["reviewedBy"]; got["@type"] != want || reviewed != (a.Reviewed != nil) {
			t.Errorf("%s: got %v", slug, got)
		}
	}
}

func TestAPreviewSaysLittle(t *testing.T) {
	lib := foundLibrary(t)
	a, _ := lib.Article("first")
	got := sharedArticle(lib, foundBase, "/static/preview.png", a)
	if got.Data == nil {
		t.Error("an article without data")
	}
	got.Data = nil
	want := &templates.Shared{
		Site: "Steadier", Title: "The first & <best>", Line: "To read in 1 minute.", Article: true,
		URL: "https://site.example/articles/first", Picture: "https://site.example/static/preview.png",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
