package library

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/markdown"
)

func letterFile(text string) map[string]string {
	return map[string]string{
		"articles/a.md":     article("", "Words.\n"),
		"newsletter/one.md": "---\nsubject: S\ndiscreet_subject: D\npreheader: P\ndate: 2026-12-01\n---\n" + text,
	}
}

// What would lead nowhere in a mail is a fault of the letter.
func TestLettersWhoseLinksLeadNowhere(t *testing.T) {
	for text, want := range map[string]string{
		"[b](../y)\n":                     "newsletter/one.md:7: error: the link “b” to \"../y\" is relative",
		"[b][y]\n\n[y]: more/y\n":         "newsletter/one.md:7: error: the link “b” to \"more/y\" is relative",
		"![d](img/p.png \"c\")\n":         "newsletter/one.md:7: error: ",
		"![d](/figures/none.svg \"c\")\n": "newsletter/one.md:7: error: there is no figure none.svg",
		"[a](/articles/none)\n":           "newsletter/one.md:7: error: ",
	} {
		lib, findings := Load(folder(letterFile(text)), Options{Now: now})
		if lib != nil || len(findings) != 1 || !strings.HasPrefix(findings[0].String(), want) {
			t.Errorf("news-H29 %q: %v, want one that begins with %q", text, findings, want)
		}
	}
}

func TestEveryAddressOfALetterIsWhole(t *testing.T) {
	lib := load(t, folder(letterFile("[a](/articles/a) [c](#part) [d][ref] <https://e.example/x>\n\n## Part\n\n[ref]: /articles/a\n")))
	o := markdown.MailOptions{Site: "https://site.example", Page: "https://site.example" + lib.Issues[0].Path()}
	want := []string{
		"https://site.example/articles/a", "https://site.example/newsletter/one#part", "https://site.example/articles/a", "https://e.example/x",
	}
	doc := lib.Issues[0].Doc
	for name, got := range map[string][]string{
		"HTML": find(`href="([^"]*)"`, doc.MailHTML(o)), "feed": find(`href="([^"]*)"`, doc.FeedHTML(o)), "text": find(`\(?(https?://[^\s)]+)`, doc.MailText(o)),
	} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("news-H29 %s (-want +got):\n%s", name, diff)
		}
	}
}

func find(pattern, text string) (out []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}
