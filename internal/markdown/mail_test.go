package markdown

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const mailSource = `## A heading

A paragraph with *soft* and **strong** words, a [link](/articles/x), one [part](#part) of the
page, an address <https://example.org/long>, [the same](https://example.org/y) and ` + "`code`" + `.

> A quote that is long enough to be broken into more than one line of text when it is sent.

- one
- two

1. first

2. second

| Name | Much |
|------|------|
| Ana  | 1    |
| Žile | 12   |

> [!WARNING]
> If you are not safe.

![A line that rises](/figures/line.svg "Caption here")

Term
: What it means.

A note.[^1]

[^1]: The note’s words.
`

func mailDocument(t *testing.T) *Document {
	t.Helper()
	figure, _ := ParseSVG("line.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>`))
	page := NewPage(Options{Figures: map[string]*Figure{"line.svg": figure}})
	doc, findings := page.Parse(Source{Path: "x.md", Text: mailSource, Line: 1})
	for _, f := range findings {
		if !strings.Contains(f.Message, "#part") {
			t.Error(f)
		}
	}
	return doc
}

func mailOptions() MailOptions {
	return MailOptions{Site: "https://site.example", Page: "https://site.example/newsletter/x"}
}

func TestNewsH28MailText(t *testing.T) {
	const want = `A heading
---------

A paragraph with *soft* and **strong** words, a link
(https://site.example/articles/x), one part
(https://site.example/newsletter/x#part) of the page, an address
https://example.org/long, the same (https://example.org/y) and code.

> A quote that is long enough to be broken into more than one line of
> text when it is sent.

- one
- two

1. first

2. second

Name  Much
----  ----
Ana   1
Žile  12

If you are not safe:
  If you are not safe.

[A line that rises]
Caption here
https://site.example/newsletter/x#fig1

Term

  What it means.

A note.[a]

Notes

[a] The note’s words.
`
	got := mailDocument(t).MailText(mailOptions())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for line := range strings.Lines(got) {
		if utf8.RuneCountInString(line) > mailWidth+1 {
			t.Errorf("a long line: %s", line)
		}
	}
}

func TestNewsH29EveryAddressInAMailIsWhole(t *testing.T) {
	doc := mailDocument(t)
	got := doc.MailHTML(mailOptions())
	links := regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(got, -1)
	want := []string{
		"https://site.example/articles/x", "https://site.example/newsletter/x#part", "https://example.org/long",
		"https://example.org/y", "https://site.example/newsletter/x#fig1",
	}
	var found []string
	for _, link := range links {
		found = append(found, link[1])
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"<img", "<svg", " id=", " class=", "<script"} {
		if strings.Contains(got, bad) {
			t.Errorf("the mail has %s", bad)
		}
	}
}

func TestNewsH30ColoursOfAMailComeInPairs(t *testing.T) {
	got := mailDocument(t).MailHTML(mailOptions())
	for _, style := range regexp.MustCompile(`style="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		text := regexp.MustCompile(`(^|;)color:`).MatchString(style[1])
		if ground := strings.Contains(style[1], "background-color:"); text != ground {
			t.Errorf("text and ground do not come together: %s", style[1])
		}
	}
}

func TestMailEscapesWhatIsWritten(t *testing.T) {
	doc, _ := NewPage(Options{}).Parse(Source{Path: "x.md", Line: 1, Text: "a &lt;b&gt; & \"c\" <script>x</script>\n\n[x](javascript:alert)\n"})
	got := doc.MailHTML(mailOptions())
	if strings.Contains(got, "<script") || strings.Contains(got, "<b>") || strings.Contains(got, "javascript") {
		t.Errorf("not escaped: %s", got)
	}
}
