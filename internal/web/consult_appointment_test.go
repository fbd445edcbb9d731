package web

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/slots"
)

// moveForm is the form of a booking's page that moves it.
func (b *callBench) moveForm(path string, more ...string) url.Values {
	b.t.Helper()
	return b.form(b.get(path), path+"/move", more...)
}

// press posts a form that has nothing but a button.
func (b *callBench) press(path, what string) callAnswer {
	b.t.Helper()
	return b.post(path+"/"+what, b.form(b.get(path), path+"/"+what))
}

func TestMovingACall(t *testing.T) {
	b := newCallBench(t, "Europe/London", "2026-06-05T12:00:00Z", func(a *slots.Availability) {
		a.Step, a.After, a.Horizon = 15*time.Minute, 15*time.Minute, 5
		a.Week[time.Monday] = []slots.Window{{From: 540, To: 690}}
	})
	path := b.book("2026-06-08T09:00:00Z", "zone", "Europe/London")
	page := b.get(path)
	var want []string
	for _, clock := range []string{"08:00", "08:15", "08:30", "08:45", "09:15", "09:30", "09:45", "10:00", "10:15"} {
		want = append(want, "2026-06-08T"+clock+":00Z")
	}
	if diff := cmp.Diff(want, page.values()); diff != "" {
		t.Errorf("booking-H21 (-want +got):\n%s", diff)
	}
	wantIn(t, "booking-H21", page.body, "10:00 <small>your present time</small>")
	other := b.post(path+"/move", b.moveForm(path, "zone", "Europe/Madrid", "do", "zone"))
	if other.code != http.StatusOK {
		t.Errorf("another zone: %d", other.code)
	}
	wantIn(t, "another zone", other.body, "Madrid time", "Monday 8 June, 10:15 (10:15 am), Madrid time")
	form := b.moveForm(path, "slot", "2026-06-08T09:15:00Z")
	for range 2 {
		if got := b.post(path+"/move", form); got.code != http.StatusSeeOther || got.location() != path {
			t.Errorf("booking-H21 moved: %d %s", got.code, got.location())
		}
	}
	wantIn(t, "moved", b.get(path).body, "Monday 8 June, 10:15 (10:15 am), London time")
	b.book("2026-06-08T08:00:00Z")
	gone := b.post(path+"/move", b.moveForm(path, "slot", "2026-06-08T08:00:00Z"))
	if gone.code != http.StatusConflict {
		t.Errorf("R16: %d", gone.code)
	}
	wantIn(t, "R16 the old time stays", gone.body, "Monday 8 June, 10:15 (10:15 am), London time", "Near it")
	if got := b.post(path+"/move", b.moveForm(path, "slot", "2026-06-08T08:07:00Z")); got.code != http.StatusUnprocessableEntity {
		t.Errorf("off the grid: %d", got.code)
	}
	b.now = time.Date(2026, 6, 8, 9, 15, 0, 0, time.UTC)
	begun := b.post(path+"/move", form)
	if begun.code != http.StatusConflict && begun.code != http.StatusUnprocessableEntity {
		t.Errorf("R15: %d", begun.code)
	}
	wantIn(t, "after the call", b.get(path).body, "The time of your call has come")
}

func TestCancellingACall(t *testing.T) {
	b := newCallBench(t, "Europe/London", "2026-06-05T12:00:00Z", func(a *slots.Availability) {
		a.PerDay, a.Horizon = 1, 5
		hoursOn(9, 10, time.Monday)(a)
	})
	path := b.book("2026-06-08T08:00:00Z")
	if got := b.get("/consult").values(); len(got) > 0 {
		t.Errorf("booking-H26 before: %v", got)
	}
	form := b.form(b.get(path), path+"/cancel")
	for range 2 {
		if got := b.post(path+"/cancel", form); got.code != http.StatusSeeOther || got.location() != path {
			t.Errorf("booking-H26: %d %s", got.code, got.location())
		}
	}
	page := b.get(path)
	wantIn(t, "booking-H26", page.body, "Your call is cancelled")
	if strings.Contains(page.body, "<form") {
		t.Error("a cancelled call still has a form")
	}
	if got := b.post(path+"/move", url.Values{"key": form["key"], "slot": {"2026-06-08T08:30:00Z"}}); got.code != http.StatusConflict {
		t.Errorf("R15: moving a cancelled call: %d", got.code)
	}
	if diff := cmp.Diff([]string{"2026-06-08T08:00:00Z", "2026-06-08T08:30:00Z"}, b.get("/consult").values()); diff != "" {
		t.Errorf("booking-H26 after (-want +got):\n%s", diff)
	}
	if other := b.book("2026-06-08T08:00:00Z"); other == path {
		t.Error("booking-H26: the same page")
	}
	b.now = b.now.AddDate(0, 0, 40)
	if got := b.get(path); got.code != http.StatusNotFound {
		t.Errorf("forgotten: %d", got.code)
	}
}

var anyURL = regexp.MustCompile(`https?://[^\s"'<>]+`)

func TestLinkScannersChangeNothing(t *testing.T) {
	b := londonMondays(t)
	path := b.book("2026-06-08T09:00:00Z", "email", "ana@example.org")
	letter := b.sentMails()[0]
	links := anyURL.FindAllString(letter.Text, -1)
	if len(links) != 1 || !strings.HasSuffix(links[0], path) {
		t.Fatalf("booking-H27: links %v", links)
	}
	for range 50 {
		for _, link := range links {
			target := strings.TrimPrefix(link, callHost)
			for _, got := range []callAnswer{b.get(target), b.do("HEAD", target, "")} {
				if got.code != http.StatusOK {
					t.Fatalf("booking-H27: %d", got.code)
				}
			}
		}
	}
	for _, what := range []string{"/cancel", "/move", "/email"} {
		if got := b.get(path + what); got.code == http.StatusOK || got.code == http.StatusSeeOther {
			t.Errorf("R14: GET %s: %d", what, got.code)
		}
	}
	if mails := b.sentMails(); len(mails) > 0 {
		t.Errorf("booking-H27: %d mails", len(mails))
	}
	wantIn(t, "booking-H27", b.get(path).body, "Your call is booked")
	if got := b.press(path, "cancel"); got.code != http.StatusSeeOther {
		t.Errorf("booking-H27: the button: %d", got.code)
	}
}

func TestThePageGivesNothingAway(t *testing.T) {
	b := londonMondays(t)
	path := b.book("2026-06-08T09:00:00Z", "call", "me", "name", "Canaryname Q.", "phone", "020 7946 0018", "voicemail", "yes",
		"answer", "wrong-number", "caller", "canary-caller", "stop_word", "canary-word", "email", "canary@example.org", "remind", "yes")
	calls, err := b.db.ComingCalls(context.Background(), b.now, b.now.AddDate(0, 1, 0))
	if err != nil || len(calls) != 1 {
		t.Fatal(calls, err)
	}
	secrets := []string{"anary", "7946 0018", "+442079460018", "voicemail", "wrong", "example.org", calls[0].ID}
	for _, target := range []string{path, path + "/invite.ics", "/consult"} {
		page := b.get(target)
		body := page.body
		if target == "/consult" {
			body, _, _ = strings.Cut(body, "If we call you") // the questions themselves
		}
		for _, secret := range secrets {
			if strings.Contains(body, secret) {
				t.Errorf("SEC-H04: %q stands on %s", secret, strings.ReplaceAll(target, path, "the page"))
			}
		}
	}
	form := b.moveForm(path, "slot", "2026-06-08T09:30:00Z")
	answers := []callAnswer{b.post(path+"/move", form), b.press(path, "email"), b.press(path, "cancel")}
	log := b.log.String()
	for _, got := range answers {
		log += got.location()
	}
	for _, m := range b.sentMails() {
		log += strings.Join(anyURL.FindAllString(m.Text, -1), " ")
	}
	for _, secret := range []string{"Canary", "7946", "canary@", "canary%40"} {
		if strings.Contains(log, secret) {
			t.Errorf("booking-H38: %q stands in a log or an address", secret)
		}
	}
	if strings.Contains(b.log.String(), strings.TrimPrefix(path, "/consult/")) {
		t.Error("booking-H38: the token stands in the log")
	}
}

func TestCalendarFileOfTheVisitor(t *testing.T) {
	b := londonMondays(t)
	path := b.book("2026-06-08T09:00:00Z")
	got := b.get(path + "/invite.ics")
	if got.code != http.StatusOK || got.header.Get("Content-Type") != "text/calendar; charset=utf-8" ||
		got.header.Get("Content-Disposition") != `attachment; filename="call.ics"` || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("booking-H42: %d %v", got.code, got.header)
	}
	wantIn(t, "booking-H33", got.body, "SUMMARY:Call\r\n", "CLASS:PRIVATE\r\n", "SEQUENCE:0\r\n", "DTSTART:20260608T090000Z\r\n")
	for _, word := range []string{"METHOD", "ORGANIZER", "ATTENDEE", "URL", "VALARM", "LOCATION", "DESCRIPTION", "teadier"} {
		if strings.Contains(got.body, word) {
			t.Errorf("booking-H33, booking-H42: %s in\n%s", word, got.body)
		}
	}
	if word := consult.Banned(got.body); word != "" {
		t.Errorf("booking-H42: %q", word)
	}
}

func TestUnknownAndOverAreOnePage(t *testing.T) {
	b := londonMondays(t)
	path := b.book("2026-06-08T09:00:00Z")
	b.now = b.now.AddDate(0, 0, 30)
	var pages []callAnswer
	for _, target := range []string{path, "/consult/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "/consult/x", path + "/invite.ics"} {
		got := b.get(target)
		if got.code != http.StatusNotFound || got.header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%d, X-Robots-Tag %q", got.code, got.header.Get("X-Robots-Tag"))
		}
		pages = append(pages, got)
	}
	for _, page := range pages[1:] {
		if page.body != pages[0].body {
			t.Error("the answers differ")
		}
	}
	if got := b.post(path+"/cancel", url.Values{"key": {"x"}}); got.code != http.StatusNotFound || got.body != pages[0].body {
		t.Errorf("a post: %d", got.code)
	}
}

func TestDoNotContactMe(t *testing.T) {
	b := londonMondays(t)
	path := b.book("2026-06-08T09:00:00Z")
	wantIn(t, "booking-H41", b.get(path).body, "You call us", "020 7946 0999", `class="code"`, "We did not ask for it", "None. We will not write.")
	withMail := b.book("2026-06-08T09:30:00Z", "email", "ana@example.org", "remind", "yes")
	if got := b.press(withMail, "email"); got.code != http.StatusSeeOther {
		t.Fatalf("booking-H41: %d", got.code)
	}
	wantIn(t, "booking-H41", b.get(withMail).body, "None. We will not write.")
	b.now = b.now.AddDate(0, 0, 2)
	for _, m := range b.sentMails() {
		if m.To != "owner@site.example" {
			t.Errorf("booking-H41: a mail to the visitor: %+v", m)
		}
	}
}

func TestFindingTheWayBack(t *testing.T) {
	b := londonMondays(t)
	path := b.book("2026-06-08T09:00:00Z")
	code := strings.TrimSpace(between(b.get(path).body, `<b class="code">`, "</b>"))
	find := func(code, name string) callAnswer {
		return b.post("/consult/find", b.form(b.get("/consult/find"), "/consult/find", "code", code, "name", name))
	}
	if got := find(strings.ToUpper(code), " zoë Q. "); got.code != http.StatusSeeOther || got.location() != path {
		t.Errorf("%d %s", got.code, got.location())
	}
	wrongName, wrongCode := find(code, "Bo"), find("harbour pencil nowhere", "Bo")
	for _, got := range []callAnswer{wrongName, wrongCode} {
		if got.code != http.StatusUnprocessableEntity || got.header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%d", got.code)
		}
	}
	strip := func(a callAnswer, code string) string {
		return strings.ReplaceAll(hiddenField.ReplaceAllString(a.body, ""), code, "")
	}
	if strip(wrongName, code) != strip(wrongCode, "harbour pencil nowhere") {
		t.Error("the answers differ")
	}
	for range 4 {
		find(code, "Bo")
	}
	if got := find(code, "Zoë Q."); got.code != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
		t.Errorf("after five wrong names: %d", got.code)
	}
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}
