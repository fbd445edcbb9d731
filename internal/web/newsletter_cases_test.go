package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// held is the page of all that is kept about an address, without what changes by itself.
func (b *letterBench) held(address string) string {
	b.t.Helper()
	path := b.link(address, "preferences")
	b.post(path, path, url.Values{"do": {"fresh"}})
	b.drain()
	fresh := b.link(address, "preferences")
	got := b.post(fresh, fresh, url.Values{"do": {"export"}})
	if got.code != http.StatusOK {
		b.t.Fatalf("export: %d", got.code)
	}
	return got.body
}

func TestNewsH01TheConsentRecordStays(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.subscribe("a@x.example")
	b.send("first")
	letter := []string{b.link("a@x.example", "unsubscribe"), b.link("a@x.example", "preferences")}
	before := b.held("a@x.example")
	for _, path := range letter {
		for _, header := range []string{"Purpose", "Sec-Purpose"} {
			if got := b.do("GET", path, "", header, "prefetch", "User-Agent", "scanner"); got.code != http.StatusOK {
				t.Errorf("%d", got.code)
			}
		}
	}
	if diff := cmp.Diff(before, b.held("a@x.example")); diff != "" {
		t.Errorf("a GET changed what is kept:\n%s", diff)
	}
	for _, path := range letter {
		if got := b.do("GET", path, ""); got.code != http.StatusOK {
			t.Errorf("a GET spent the token: %d", got.code)
		}
	}
}

// A mailbox provider sends the body and nothing else that a browser would.
func TestNewsH03OneClickWithoutABrowser(t *testing.T) {
	b := newLetterBench(t, Rate{N: 20, Per: time.Minute})
	b.subscribe("a@x.example")
	b.send("first")
	link := strings.Trim(b.peer.To("a@x.example")[1].Header(t).Get("List-Unsubscribe"), "<>")
	for range 2 {
		got := b.do("POST", link, "List-Unsubscribe=One-Click")
		if got.code != http.StatusOK || got.header.Get("Location") != "" || regexp.MustCompile(`(?i)steadier|letter|@`).MatchString(got.body) {
			t.Errorf("%d %v %q", got.code, got.header, got.body)
		}
	}
	b.send("second")
	if got := len(b.peer.To("a@x.example")); got != 2 {
		t.Errorf("%d mails, want no second letter", got)
	}
}

func TestNewsH10TokenPagesLinkToThisSiteAlone(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.ask("a@x.example")
	b.drain()
	paths := []string{b.link("a@x.example", "confirm")}
	b.post(paths[0], paths[0], nil)
	b.send("first")
	paths = append(paths, b.link("a@x.example", "unsubscribe"), b.link("a@x.example", "preferences"))
	address := regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	for _, path := range paths {
		for _, m := range address.FindAllStringSubmatch(b.do("GET", path, "").body, -1) {
			inside := strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], "//") || strings.HasPrefix(m[1], "#")
			if !inside && !strings.HasPrefix(m[1], letterHost+"/") && m[1] != "https://exit.example" {
				t.Errorf("%s leads to %s", path[:20], m[1])
			}
		}
	}
}

// The trap has to look like a field to a robot, and like nothing to a person.
func TestNewsH37TheTrapInThePage(t *testing.T) {
	b := newLetterBench(t, Rate{N: 20, Per: time.Minute})
	page := b.do("GET", "/newsletter", "").body
	field := regexp.MustCompile(`<input[^>]*name="website"[^>]*>`).FindString(page)
	for _, want := range []string{`type="text"`, `tabindex="-1"`, `autocomplete="off"`} {
		if !strings.Contains(field, want) {
			t.Errorf("no %s in %s", want, field)
		}
	}
	if around := page[strings.LastIndex(page[:strings.Index(page, field)], "<div"):]; !strings.HasPrefix(around, `<div class="unseen" aria-hidden="true">`) {
		t.Errorf("it is in %.80s", around)
	}
}

func TestNewsH37RobotsGetTheUsualAnswer(t *testing.T) {
	b := newLetterBench(t, Rate{N: 20, Per: time.Minute})
	usual := b.ask("person@x.example")
	b.drain()
	key := hiddenKey.FindStringSubmatch(b.do("GET", "/newsletter", "").body)[1]
	post := func(form url.Values) letterAnswer {
		return b.do("POST", "/newsletter/subscribe", form.Encode(), "Sec-Fetch-Site", "same-origin")
	}
	b.now = b.now.Add(time.Second)
	hasty := post(url.Values{"key": {key}, "email": {"hasty@x.example"}})
	b.now = b.now.Add(time.Minute)
	trapped := post(url.Values{"key": {key}, "email": {"trapped@x.example"}, "website": {"https://spam.example"}})
	for name, got := range map[string]letterAnswer{"within a second": hasty, "the trap is filled": trapped} {
		if diff := cmp.Diff(usual, got, cmp.AllowUnexported(letterAnswer{})); diff != "" {
			t.Errorf("%s (-usual +got):\n%s", name, diff)
		}
	}
	b.drain()
	if got := len(b.peer.Messages()); got != 1 {
		t.Errorf("%d mails, want the person’s alone", got)
	}
	b.now = b.now.Add(23 * time.Hour)
	if got := post(url.Values{"key": {key}, "email": {"slow@x.example"}}); got.code != http.StatusSeeOther {
		t.Errorf("somebody slow: %d", got.code)
	}
	b.drain()
	if got := len(b.peer.To("slow@x.example")); got != 1 {
		t.Errorf("%d mails to somebody slow, want 1", got)
	}
}

// The scanner that follows the link has agreed to nothing.
func TestNewsH02AGetConfirmsNobody(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.ask("a@x.example")
	b.drain()
	confirm := b.link("a@x.example", "confirm")
	b.do("HEAD", confirm, "")
	for range 5 {
		if got := b.do("GET", confirm, "", "User-Agent", "scanner"); got.code != http.StatusOK || strings.Count(got.body, `method="post"`) != 1 {
			t.Errorf("%d, want 200 and one form", got.code)
		}
	}
	b.send("first")
	if got := len(b.peer.To("a@x.example")); got != 1 {
		t.Errorf("%d mails before the press, want the first alone", got)
	}
	b.post(confirm, confirm, nil)
	b.send("second")
	if got := len(b.peer.To("a@x.example")); got != 2 {
		t.Errorf("%d mails after it, want the letter too", got)
	}
}
