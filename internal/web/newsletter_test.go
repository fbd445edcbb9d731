package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail/mailtest"
)

func TestNewsH01AGetChangesNothing(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.subscribe("a@x.example")
	b.send("first")
	b.now = b.now.Add(time.Hour)
	for _, route := range []string{"unsubscribe", "preferences"} {
		path := b.link("a@x.example", route)
		for i := range 20 {
			header := [][]string{{"User-Agent", "scanner"}, {"Purpose", "prefetch"}, {"Sec-Purpose", "prefetch"}, {"X", "y"}}[i%4]
			got := b.do([]string{"GET", "HEAD"}[i%2], path, "", header...)
			if got.code != http.StatusOK || i%2 == 0 && strings.Count(got.body, `method="post"`) != 1 {
				t.Fatalf("%s: %d, want 200 and one form", route, got.code)
			}
		}
	}
	b.send("second")
	if got := len(b.peer.To("a@x.example")); got != 3 {
		t.Errorf("%d mails, want the first and two letters", got)
	}
}

func TestNewsH02TheWholeWayIn(t *testing.T) {
	b := newLetterBench(t, Rate{})
	if got := b.ask("a@x.example"); got.code != http.StatusSeeOther || got.header.Get("Location") != "/newsletter/asked" {
		t.Fatalf("ask: %d %v", got.code, got.header)
	}
	if got := b.do("GET", "/newsletter/asked", ""); got.code != http.StatusOK {
		t.Errorf("asked: %d", got.code)
	}
	b.drain()
	confirm := b.link("a@x.example", "confirm")
	b.do("HEAD", confirm, "")
	for range 5 {
		b.do("GET", confirm, "")
	}
	for range 2 {
		got := b.post(confirm, confirm, nil)
		if got.code != http.StatusSeeOther || got.header.Get("Location") != "/newsletter/done" {
			t.Errorf("confirm: %d %v", got.code, got.header)
		}
	}
	if got := b.do("GET", "/newsletter/done", ""); got.code != http.StatusOK || !strings.Contains(got.body, "done") {
		t.Errorf("done: %d", got.code)
	}
	b.send("a-letter")
	if got := len(b.peer.To("a@x.example")); got != 2 {
		t.Errorf("%d mails, want the first and the letter", got)
	}
}

func TestNewsH09TheConfirmPageIsHardToMiss(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.ask("a@x.example")
	b.drain()
	if text := string(b.peer.To("a@x.example")[0].Raw); !strings.Contains(text, "opens a page with one button") {
		t.Error("the mail does not say that a page with one button opens")
	}
	got := b.do("GET", b.link("a@x.example", "confirm"), "")
	main := got.body[strings.Index(got.body, "<h1"):]
	if !strings.Contains(main, "One step is left") || strings.Count(main, `type="submit"`) != 1 {
		t.Errorf("the page: %s", main)
	}
}

func TestNewsH03AndSECH25OneClick(t *testing.T) {
	multi := "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n"
	for name, post := range map[string]struct{ body, kind string }{
		"urlencoded": {"List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"},
		"multipart":  {multi, "multipart/form-data; boundary=b"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newLetterBench(t, Rate{N: 20, Per: time.Minute})
			b.subscribe("a@x.example")
			b.send("first")
			path := b.link("a@x.example", "unsubscribe")
			header := b.peer.To("a@x.example")[1].Header(t)
			if got := header.Get("List-Unsubscribe"); got != "<"+letterHost+path+">" {
				t.Errorf("news-H04: List-Unsubscribe = %s", got)
			}
			cut := b.do("POST", path[:len(path)-1], post.body, "Content-Type", post.kind)
			if cut.code != http.StatusNotFound {
				t.Errorf("a token cut by one: %d, want 404", cut.code)
			}
			for range 2 {
				got := b.do("POST", path, post.body, "Content-Type", post.kind, "Origin", "https://mail.example", "Sec-Fetch-Site", "cross-site")
				if got.code != http.StatusOK || strings.Contains(got.body, "a@x.example") {
					t.Errorf("one click: %d %s", got.code, got.body)
				}
			}
			b.send("second")
			if got := len(b.peer.To("a@x.example")); got != 2 {
				t.Errorf("%d mails, want no second letter", got)
			}
		})
	}
}

func TestNewsH04TheFooterLinkWorks(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.subscribe("a@x.example")
	b.send("first")
	path := b.link("a@x.example", "unsubscribe")
	for range 2 {
		got := b.post(path, path, nil)
		if got.code != http.StatusSeeOther || got.header.Get("Location") != "/newsletter/done" {
			t.Errorf("unsubscribe: %d %v", got.code, got.header)
		}
	}
	b.send("second")
	if got := len(b.peer.To("a@x.example")); got != 2 {
		t.Errorf("%d mails, want no second letter", got)
	}
}

func TestNewsH08NoAddressInAnyForm(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.subscribe("victim@x.example")
	var seen []letterAnswer
	for _, email := range []string{"victim@x.example", "nobody@x.example"} {
		for _, route := range []string{"unsubscribe", "preferences", "confirm"} {
			for _, method := range []string{"GET", "POST"} {
				got := b.do(method, "/newsletter/"+route+"/wrong?email="+email, "email="+email)
				if got.code != http.StatusNotFound && got.code != http.StatusUnprocessableEntity {
					t.Errorf("%s %s: %d", method, route, got.code)
				}
				seen = append(seen, got)
			}
		}
	}
	if half := len(seen) / 2; !slices.EqualFunc(seen[:half], seen[half:], func(a, b letterAnswer) bool { return a.code == b.code && a.body == b.body }) {
		t.Error("known and unknown addresses get different answers")
	}
	b.send("first")
	if got := len(b.peer.To("victim@x.example")); got != 2 {
		t.Errorf("%d mails, want the letter too", got)
	}
}

func TestNewsH10PagesBehindTokensLeakNothing(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.ask("canary@x.example")
	b.drain()
	paths := []string{b.link("canary@x.example", "confirm")}
	b.post(paths[0], paths[0], nil)
	b.send("first")
	paths = append(paths, b.link("canary@x.example", "unsubscribe"), b.link("canary@x.example", "preferences"))
	for _, path := range append(paths, "/newsletter/confirm/wrong") {
		got := b.do("GET", path, "")
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %s = %q, want %q", path[:20], name, got.header.Get(name), want)
			}
		}
		if strings.Contains(got.body, "canary") {
			t.Errorf("%s shows the address", path[:20])
		}
	}
	for _, path := range paths {
		if token := path[strings.LastIndexByte(path, '/')+1:]; strings.Contains(b.log.String(), token) {
			t.Errorf("the log holds a token")
		}
	}
	if strings.Contains(b.log.String(), "canary") {
		t.Error("SEC-H28: the log names somebody")
	}
}

func TestNewsH11AndSECH23TheAnswerIsTheSame(t *testing.T) {
	b := newLetterBench(t, Rate{N: 1000, Per: time.Minute})
	b.subscribe("active@x.example")
	b.subscribe("left@x.example")
	b.subscribe("bounced@x.example")
	b.peer.Script("bounced@x.example", mailtest.Refuse(mailtest.AtRcpt, 550, "5.1.1"))
	b.send("first")
	leave := b.link("left@x.example", "unsubscribe")
	b.post(leave, leave, nil)
	b.ask("pending@x.example")
	b.drain()
	b.now = b.now.Add(24 * time.Hour)
	key := hiddenKey.FindStringSubmatch(b.do("GET", "/newsletter", "").body)[1]
	b.now = b.now.Add(time.Minute)
	var first letterAnswer
	for i, email := range []string{"new@x.example", "active@x.example", "left@x.example", "bounced@x.example", "pending@x.example"} {
		form := url.Values{"key": {key}, "email": {email}}
		got := b.do("POST", "/newsletter/subscribe", form.Encode(), "Sec-Fetch-Site", "same-origin")
		got.header.Del("Date")
		if i == 0 {
			first = got
		}
		if diff := cmp.Diff(first, got, cmp.AllowUnexported(letterAnswer{})); diff != "" {
			t.Errorf("%s: %s", email, diff)
		}
		before := len(b.peer.To(email))
		b.drain()
		if got := len(b.peer.To(email)) - before; got != 1 {
			t.Errorf("%s: %d mails, want 1, as for everybody", email, got)
		}
	}
}

func TestNewsletterFormIsShownAgain(t *testing.T) {
	b := newLetterBench(t, Rate{})
	for typed, says := range map[string]string{
		"nobody":                  "Enter one e-mail address",
		"željka@example.net":      "many mail servers",
		"a@x.example,b@x.example": "Enter one e-mail address",
	} {
		got := b.ask(typed)
		if got.code != http.StatusUnprocessableEntity || !strings.Contains(got.body, says) || !strings.Contains(got.body, `value="`+typed+`"`) {
			t.Errorf("%s: %d, want 422 with %q", typed, got.code, says)
		}
	}
	got := b.post("/newsletter", "/newsletter/subscribe", url.Values{"email": {"a@x.example"}, "key": {"forged"}})
	if got.code != http.StatusUnprocessableEntity || !strings.Contains(got.body, `value="a@x.example"`) {
		t.Errorf("a forged key: %d, want 422 with what was typed", got.code)
	}
}

func TestNewsletterArchive(t *testing.T) {
	b := newLetterBench(t, Rate{})
	if got := b.do("GET", "/newsletter/a-letter", ""); got.code != http.StatusNotFound {
		t.Errorf("before it was sent: %d, want 404", got.code)
	}
	b.send("a-letter")
	got := b.do("GET", "/newsletter/a-letter", "")
	if got.code != http.StatusOK || !strings.Contains(got.body, "The words of the letter.") || got.header.Get("ETag") == "" {
		t.Errorf("the letter: %d %v", got.code, got.header)
	}
	if got := b.do("GET", "/newsletter", ""); !strings.Contains(got.body, `href="/newsletter/a-letter"`) {
		t.Error("the letter is not in the list")
	}
}

func TestNewsletterPreferences(t *testing.T) {
	b := newLetterBench(t, Rate{})
	b.subscribe("a@x.example")
	b.send("first")
	path := b.link("a@x.example", "preferences")
	if got := b.post(path, path, url.Values{"do": {"save"}, "plain": {"yes"}, "pause": {"1"}}); got.code != http.StatusSeeOther {
		t.Fatalf("save: %d", got.code)
	}
	b.send("second")
	if got := len(b.peer.To("a@x.example")); got != 2 {
		t.Errorf("%d mails, want none during the pause", got)
	}
	b.now = b.now.AddDate(0, 1, 1)
	b.send("third")
	if got := b.peer.To("a@x.example"); len(got) != 3 || got[2].Header(t).Get("Subject") != "A letter" {
		t.Errorf("%d mails, want a third with the plain subject", len(got))
	}
	if got := b.post(path, path, url.Values{"do": {"export"}}); got.code != http.StatusNotFound {
		t.Errorf("export by an old link: %d, want 404", got.code)
	}
	b.post(path, path, url.Values{"do": {"fresh"}})
	b.drain()
	fresh := b.link("a@x.example", "preferences")
	if got := b.post(fresh, fresh, url.Values{"do": {"export"}}); got.code != http.StatusOK || !strings.Contains(got.body, "a@x.example") {
		t.Errorf("export: %d", got.code)
	}
	key := url.Values{"do": {"erase"}}
	for range 2 {
		if got := b.post("/newsletter", fresh, key); got.code != http.StatusSeeOther {
			t.Errorf("erase: %d", got.code)
		}
	}
	if got := b.do("GET", path, ""); got.code != http.StatusNotFound {
		t.Errorf("after erasing: %d, want 404", got.code)
	}
}
