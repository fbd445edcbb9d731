package newsletter_test

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
)

// mails returns one message of each kind to one reader.
func mails(t *testing.T) (confirm, letter, fresh mailtest.Message) {
	t.Helper()
	b := newBench(t)
	const address = "reader@x.example"
	b.subscribe(address)
	b.start(issue())
	b.drain()
	who, err := b.service.Preferences(context.Background(), b.now, b.token(address, "preferences"))
	b.must(err)
	b.must(b.service.AskFresh(context.Background(), b.now, who))
	b.drain()
	got := b.peer.To(address)
	if len(got) != 3 {
		t.Fatalf("%d mails, want 3", len(got))
	}
	return got[0], got[1], got[2]
}

func TestNewsH06OnlyIssuesAreListMail(t *testing.T) {
	confirm, letter, fresh := mails(t)
	for name, m := range map[string]mailtest.Message{"confirm": confirm, "fresh": fresh} {
		for header := range m.Header(t) {
			if strings.HasPrefix(header, "List-") || header == "Precedence" {
				t.Errorf("%s has %s", name, header)
			}
		}
		if got := m.Header(t).Get("Auto-Submitted"); got != "auto-generated" {
			t.Errorf("%s: Auto-Submitted = %q", name, got)
		}
		if strings.Contains(strings.Join(bodies(t, m), ""), "unsubscribe") {
			t.Errorf("%s has an unsubscribe link", name)
		}
	}
	for header, want := range map[string]string{
		"List-Id": "<letters.letters.example>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Precedence": "bulk",
	} {
		if got := letter.Header(t).Get(header); got != want {
			t.Errorf("%s = %q, want %q", header, got, want)
		}
	}
}

func TestNewsH04TheUnsubscribeHeaderWorks(t *testing.T) {
	_, letter, _ := mails(t)
	got := letter.Header(t).Get("List-Unsubscribe")
	if !regexp.MustCompile(`^<https://letters\.example/newsletter/unsubscribe/[A-Za-z0-9_-]{48}>$`).MatchString(got) {
		t.Errorf("List-Unsubscribe = %q", got)
	}
	for i, body := range bodies(t, letter) {
		if !strings.Contains(body, strings.Trim(got, "<>")) {
			t.Errorf("part %d lacks the link", i)
		}
	}
}

var urls = regexp.MustCompile(`https?://[^\s"'<>]+`)

func TestNewsH07NoAddressInAnyLink(t *testing.T) {
	const address = "reader@x.example"
	sum, weak := sha256.Sum256([]byte(address)), md5.Sum([]byte(address))
	forms := []string{
		address, url.QueryEscape(address), hex.EncodeToString([]byte(address)), hex.EncodeToString(sum[:]),
		hex.EncodeToString(weak[:]), base64.RawURLEncoding.EncodeToString([]byte(address)), base64.StdEncoding.EncodeToString(sum[:]),
	}
	token := regexp.MustCompile(`/newsletter/(?:confirm|unsubscribe|preferences)/([A-Za-z0-9_-]+)$`)
	confirm, letter, fresh := mails(t)
	found := 0
	for _, m := range []mailtest.Message{confirm, letter, fresh} {
		text := m.Header(t).Get("List-Unsubscribe") + "\n" + strings.Join(bodies(t, m), "\n")
		for _, link := range urls.FindAllString(text, -1) {
			for _, form := range forms {
				if strings.Contains(strings.ToLower(link), strings.ToLower(form)) {
					t.Errorf("%s holds the address as %s", link, form)
				}
			}
			if part := token.FindStringSubmatch(link); part != nil {
				found++
				if raw, err := base64.RawURLEncoding.DecodeString(part[1]); err != nil || len(raw) < 16 {
					t.Errorf("%s: token of %d bytes, %v", link, len(raw), err)
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("%d links with tokens, want 6 or more", found)
	}
}

func TestTheFirstMailIsDull(t *testing.T) {
	confirm, _, fresh := mails(t)
	for _, m := range []mailtest.Message{confirm, fresh} {
		for _, part := range append(bodies(t, m), m.Header(t).Get("Subject"), m.Header(t).Get("From")) {
			for line := range strings.Lines(part) {
				if word := newsletter.Telling(urls.ReplaceAllString(line, "")); word != "" {
					t.Errorf("it says %q: %s", word, line)
				}
			}
		}
	}
}

// plainLetter is the letter of somebody who asked for plain subject lines.
func plainLetter(t *testing.T) mailtest.Message {
	t.Helper()
	b := newBench(t)
	b.subscribe("reader@x.example")
	first := issue()
	first.Slug = "first"
	b.start(first)
	b.drain()
	who, err := b.service.Preferences(context.Background(), b.now, b.token("reader@x.example", "preferences"))
	b.must(err)
	b.must(b.service.Choose(context.Background(), b.now, who, newsletter.Settings{Plain: true}))
	b.start(issue())
	b.drain()
	return b.letters()[1]
}

// visible returns the text of an HTML part in reading order.
func visible(t *testing.T, part string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(part))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for node := range root.Descendants() {
		if node.Type == html.TextNode && node.Parent.Data != "style" && node.Parent.Data != "title" {
			b.WriteString(node.Data)
		}
	}
	return strings.Trim(b.String(), " \n")
}

func TestNewsH31Preheader(t *testing.T) {
	_, letter, _ := mails(t)
	parts := bodies(t, letter)
	if strings.Contains(parts[0], issue().Preheader) {
		t.Error("the preheader is in the text part")
	}
	seen := visible(t, parts[1])
	preview := string([]rune(seen)[:200])
	if !strings.HasPrefix(preview, issue().Preheader) || strings.Contains(preview, "A trauma") {
		t.Errorf("preview = %q", preview)
	}
}

func TestNewsH31DiscreetLetters(t *testing.T) {
	letter := plainLetter(t)
	if got := letter.Header(t).Get("Subject"); got != issue().Discreet {
		t.Errorf("subject = %q, want %q", got, issue().Discreet)
	}
	for i, part := range bodies(t, letter) {
		if i == 1 {
			part = strings.NewReplacer("\u00a0", "", "\u200c", "").Replace(visible(t, part))
		}
		if utf8.RuneCountInString(part) < 300 {
			t.Fatalf("part %d is short", i)
		}
		if word := newsletter.Telling(string([]rune(part)[:300])); word != "" {
			t.Errorf("part %d says %q at once", i, word)
		}
		if !strings.Contains(part, "A trauma is told of here.") {
			t.Errorf("part %d lacks the letter", i)
		}
	}
}

func TestNewsH30DarkMode(t *testing.T) {
	_, letter, _ := mails(t)
	part := bodies(t, letter)[1]
	for _, want := range []string{`name="color-scheme"`, `name="supported-color-schemes"`, "prefers-color-scheme:dark"} {
		if !strings.Contains(part, want) {
			t.Errorf("the HTML lacks %s", want)
		}
	}
	for _, style := range regexp.MustCompile(`style="([^"]*)"`).FindAllStringSubmatch(part, -1) {
		text := regexp.MustCompile(`(^|;)color:`).MatchString(style[1])
		if ground := strings.Contains(style[1], "background-color:"); text != ground {
			t.Errorf("text and ground do not come together: %s", style[1])
		}
	}
}

// luminance is the relative luminance of #rrggbb (WCAG 2.2), inverted or not.
func luminance(t *testing.T, colour string, inverted bool) float64 {
	t.Helper()
	n, err := strconv.ParseUint(colour, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	if inverted {
		n = 0xffffff - n
	}
	part := func(shift int) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

func TestNewsH30ContrastInLightDarkAndInverted(t *testing.T) {
	_, letter, _ := mails(t)
	pair := regexp.MustCompile(`(?:background-color:#([0-9a-f]{6})[^"}]*;)?color:#([0-9a-f]{6})(?:!important)?(?:;background-color:#([0-9a-f]{6}))?`)
	dark := regexp.MustCompile(`background-color:#([0-9a-f]{6})!important;color:#([0-9a-f]{6})!important`)
	body := bodies(t, letter)[1]
	seen := 0
	check := func(ground, text string) {
		seen++
		for _, inverted := range []bool{false, true} {
			a, b := luminance(t, ground, inverted), luminance(t, text, inverted)
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
				t.Errorf("#%s on #%s, inverted %v: %.1f, want 4.5", text, ground, inverted, ratio)
			}
		}
	}
	for _, m := range dark.FindAllStringSubmatch(body, -1) {
		check(m[1], m[2])
	}
	for _, style := range regexp.MustCompile(`style="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		m := pair.FindStringSubmatch(style[1])
		if m == nil || strings.Contains(style[1], "display:none") {
			continue
		}
		check(m[1]+m[3], m[2])
	}
	if seen < 4 {
		t.Errorf("%d pairs of colours, want 4 or more", seen)
	}
}

func TestIssuesThatCannotBeSent(t *testing.T) {
	if err := issue().Check(); err != nil {
		t.Errorf("a good issue: %v", err)
	}
	for name, change := range map[string]func(*newsletter.Issue){
		"news-H26 line break in the subject": func(i *newsletter.Issue) { i.Subject = "a\r\nBcc: v@x.example" },
		"news-H26 lone CR in the plain one":  func(i *newsletter.Issue) { i.Discreet = "a\rb" },
		"news-H26 NUL in the preheader":      func(i *newsletter.Issue) { i.Preheader = "a\x00b" },
		"no subject":                         func(i *newsletter.Issue) { i.Subject = " " },
		"a discreet subject that is not":     func(i *newsletter.Issue) { i.Discreet = "About traumatic bonds" },
		"no words":                           func(i *newsletter.Issue) { i.Text = "" },
	} {
		i := issue()
		change(&i)
		if err := i.Check(); err == nil || strings.ContainsAny(err.Error(), "\r\n\x00") {
			t.Errorf("%s: %v, want one line", name, err)
		}
	}
}
