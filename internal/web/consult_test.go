package web

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/slots"
)

func wantIn(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: no %q in\n%s", what, part, text)
		}
	}
}

func TestThePageOfTimes(t *testing.T) {
	t.Run("booking-H02 both hours of an overlap", func(t *testing.T) {
		b := newCallBench(t, "America/Chicago", "2026-10-20T12:00:00Z", func(a *slots.Availability) {
			a.Step = time.Hour
			a.Week[time.Sunday] = []slots.Window{{From: 0, To: 360}}
		})
		page := b.get("/consult?from=2026-11-01")
		wantIn(t, "both readings", page.body,
			`value="2026-11-01T06:00:00Z"`, "Sunday 1 November, 01:00 (1:00 am), Chicago time, UTC−5", "<small>UTC−5</small>",
			`value="2026-11-01T07:00:00Z"`, "Sunday 1 November, 01:00 (1:00 am), Chicago time, UTC−6", "<small>UTC−6</small>")
		if got := len(page.values()); got != 7 {
			t.Errorf("%d times, want 7", got)
		}
	})
	t.Run("booking-H01 a day without times says so", func(t *testing.T) {
		b := newCallBench(t, "America/New_York", "2026-02-28T12:00:00Z", hoursOn(2, 3, time.Sunday))
		page := b.get("/consult?from=2026-03-08")
		if page.code != http.StatusOK || len(page.values()) > 0 {
			t.Errorf("%d, times %v", page.code, page.values())
		}
		wantIn(t, "what next", page.body, "No free times from Sunday 8 March to Saturday 14 March", "The next one is on Sunday 15 March, 02:00", `value="later"`)
	})
	t.Run("booking-H15 days exist only where there are times", func(t *testing.T) {
		b := newCallBench(t, "America/Chihuahua", "2026-07-09T00:00:00Z", func(a *slots.Availability) {
			a.Step = time.Hour
			hoursOn(15, 17, 1, 2, 3, 4, 5)(a)
		})
		page := b.get("/consult?zone=Europe/Belgrade&from=2026-07-10")
		wantIn(t, "headings", page.body, "<legend>Friday<span>10 July</span>", ", 2 times are free", "<legend>Saturday<span>11 July</span>", ", 1 time is free")
		if strings.Contains(page.body, "12 July</span>") {
			t.Error("a heading without times")
		}
	})
	t.Run("booking-H18 old and new names", func(t *testing.T) {
		b := newCallBench(t, "Europe/London", "2026-07-10T12:00:00Z", hoursOn(10, 11, time.Wednesday))
		for _, zone := range []string{"Europe/Kyiv", "Europe/Kiev", "Asia/Kolkata", "Asia/Calcutta"} {
			page := b.get("/consult?zone=" + zone)
			wantIn(t, zone, page.body, `<option value="`+zone+`" selected`, consult.City(zone)+" time</b>")
			form := b.form(page, "/consult", "zone", zone, "do", "zone")
			wantIn(t, zone+" after a round trip", b.post("/consult", form).body, `<option value="`+zone+`" selected`)
		}
		page := b.get("/consult?zone=Mars/Olympus")
		wantIn(t, "R10 an unknown zone", page.body, "London time</b>", "We did not know the time zone")
	})
	t.Run("nothing is free at all", func(t *testing.T) {
		b := newCallBench(t, "Europe/London", "2026-07-10T12:00:00Z", func(*slots.Availability) {})
		wantIn(t, "what to do", b.get("/consult").body, "No time is free just now", "020 7946 0999")
	})
}

func TestChangingTheZoneKeepsEverything(t *testing.T) {
	b := newCallBench(t, "Pacific/Auckland", "2026-07-09T00:00:00Z", func(a *slots.Availability) {
		a.Horizon = 5
		hoursOn(9, 10, time.Monday)(a)
	})
	page := b.get("/consult?zone=Pacific/Honolulu")
	wantIn(t, "booking-H11", page.body, "<legend>Sunday<span>12 July</span>", "11:00", "11:30")
	typed := []string{
		"slot", "2026-07-12T21:30:00Z", "zone", "Europe/London", "name", `A "B" <c>`, "call", "you", "phone", "07", "voicemail", "yes",
		"answer", "wrong-number", "caller", "the library", "stop_word", "lemon", "dropped", "wait", "email", "x@", "remind", "yes",
	}
	for _, do := range []string{"zone", "later", "earlier"} {
		got := b.post("/consult", b.form(page, "/consult", append(typed, "do", do)...))
		if got.code != http.StatusOK || got.chosen() != "2026-07-12T21:30:00Z" {
			t.Errorf("booking-H11, booking-H40 %s: %d, chosen %q", do, got.code, got.chosen())
		}
		wantIn(t, do, got.body, "Sunday 12 July, 22:30 (10:30 pm), London time, UTC+1",
			`value="A &#34;B&#34; &lt;c&gt;"`, `name="call" value="you" checked`, `value="07"`, `name="voicemail" value="yes" checked`,
			`name="answer" value="wrong-number" checked`, `value="the library"`, `value="lemon"`, `name="dropped" value="wait" checked`,
			`value="x@"`, `name="remind" value="yes" checked`)
	}
	if calls, err := b.db.ComingCalls(t.Context(), b.now, b.now.AddDate(1, 0, 0)); err != nil || len(calls) > 0 {
		t.Errorf("something was stored: %v, error %v", calls, err)
	}
}

func TestBookingShowsTheOutcome(t *testing.T) {
	b := newCallBench(t, "Pacific/Auckland", "2026-07-09T00:00:00Z", hoursOn(9, 10, time.Monday))
	path := b.book("2026-07-12T21:00:00Z", "zone", "Pacific/Honolulu")
	page := b.get(path)
	if page.code != http.StatusOK {
		t.Fatalf("%d", page.code)
	}
	wantIn(t, "booking-H11", page.body, "Sunday 12 July, 11:00 (11:00 am), Honolulu time, UTC−10",
		"Monday 13 July, 09:00 (9:00 am), Auckland time, UTC+12", "You call us", "020 7946 0999", `class="code"`)
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer",
	} {
		if got := page.header.Get(name); got != want {
			t.Errorf("booking-H38 %s: %q, want %q", name, got, want)
		}
	}
	for range 3 {
		b.get(path)
	}
	if calls, err := b.db.ComingCalls(t.Context(), b.now, b.now.AddDate(0, 1, 0)); err != nil || len(calls) != 1 {
		t.Errorf("booking-H23: %d calls after reloads, error %v", len(calls), err)
	}
}

func TestLastDayOfTheHorizonCanBeBooked(t *testing.T) {
	b := newCallBench(t, "America/New_York", "2026-06-02T03:00:00Z", func(a *slots.Availability) {
		a.Step, a.Horizon = 4*time.Hour, 2
		hoursOn(9, 17, 0, 1, 2, 3, 4, 5, 6)(a)
	})
	b.book("2026-06-03T17:00:00Z", "zone", "Pacific/Pago_Pago")
	if got := b.post("/consult", b.ask("2026-06-04T13:00:00Z")); got.code != http.StatusUnprocessableEntity {
		t.Errorf("booking-H12: the day after the horizon: %d", got.code)
	}
}

func TestEveryOfferedTimeIsTaken(t *testing.T) {
	b := newCallBench(t, "America/New_York", "2025-10-19T12:00:00Z", func(a *slots.Availability) {
		a.Week[time.Monday] = []slots.Window{{From: 540, To: 570}}
	})
	for _, slot := range []string{"2025-10-20T13:00:00Z", "2025-10-27T13:00:00Z", "2025-11-03T14:00:00Z", "2025-11-10T14:00:00Z"} {
		b.book(slot, "zone", "Europe/London")
	}
}

func TestRushForOneTime(t *testing.T) {
	b := londonMondays(t)
	forms := make([]url.Values, 20)
	for i := range forms {
		forms[i] = b.ask("2026-06-08T09:00:00Z", "stop_word", "lemon", "caller", "the library")
	}
	answers := make([]callAnswer, len(forms))
	var wg sync.WaitGroup
	for i := range forms {
		wg.Go(func() { answers[i] = b.post("/consult", forms[i]) })
	}
	wg.Wait()
	won := 0
	for _, got := range answers {
		if got.code == http.StatusSeeOther {
			won++
			continue
		}
		if got.code != http.StatusConflict {
			t.Fatalf("booking-H22: %d\n%s", got.code, got.body)
		}
		wantIn(t, "booking-H22 kept", got.body, `value="Zoë Q."`, `value="lemon"`, `value="the library"`)
		want := []string{"2026-06-08T08:00:00Z", "2026-06-08T08:30:00Z", "2026-06-08T09:30:00Z"}
		if diff := cmp.Diff(want, got.values()[:3]); diff != "" {
			t.Errorf("booking-H22 nearest (-want +got):\n%s", diff)
		}
	}
	if won != 1 || strings.Contains(b.log.String(), "locked") {
		t.Errorf("booking-H22: %d won", won)
	}
	if got := len(b.sentMails()); got != 1 {
		t.Errorf("booking-H22: %d mails, want the owner’s", got)
	}
}

func TestTheSameFormTwice(t *testing.T) {
	b := londonMondays(t)
	form := b.ask("2026-06-08T09:00:00Z", "email", "ana@example.org")
	answers := make([]callAnswer, 2)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = b.post("/consult", form) })
	}
	wg.Wait()
	b.now = b.now.Add(10 * time.Minute)
	answers = append(answers, b.post("/consult", form))
	for _, got := range answers {
		if got.code != http.StatusSeeOther || got.location() != answers[0].location() {
			t.Errorf("booking-H23: %d %s, want 303 %s", got.code, got.location(), answers[0].location())
		}
	}
	if got := len(b.sentMails()); got != 2 {
		t.Errorf("booking-H23: %d mails, want one of each kind", got)
	}
}

func TestStaleListGetsNearTimes(t *testing.T) {
	b := londonMondays(t)
	page := b.get("/consult")
	if got := page.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("booking-H24: Cache-Control %q", got)
	}
	stale := b.form(page, "/consult", "slot", "2026-06-08T09:00:00Z", "name", "Bo", "call", "you")
	b.book("2026-06-08T09:00:00Z")
	got := b.post("/consult", stale)
	if got.code != http.StatusConflict || got.chosen() != "" {
		t.Errorf("booking-H24: %d, chosen %q", got.code, got.chosen())
	}
	wantIn(t, "booking-H24", got.body, "has just been taken", "Near it", "Error: Choose a time")
	again := b.form(got, "/consult", "slot", got.values()[0], "name", "Bo", "call", "you")
	if got := b.post("/consult", again); got.code != http.StatusSeeOther {
		t.Errorf("booking-H24: a near time: %d", got.code)
	}
}

func TestNoticeAtSubmit(t *testing.T) {
	b := newCallBench(t, "Europe/London", "2026-06-10T22:50:00Z", func(a *slots.Availability) {
		a.Notice = 10 * time.Hour
		hoursOn(9, 11, time.Thursday)(a)
	})
	form := b.ask("2026-06-11T09:00:00Z")
	post := func(now string, form url.Values) callAnswer {
		b.now, _ = time.Parse(time.RFC3339, now)
		return b.post("/consult", form)
	}
	forged := url.Values{"slot": form["slot"], "name": form["name"], "call": form["call"], "key": {"forged"}}
	if got := post("2026-06-10T23:05:00Z", forged); got.code != http.StatusUnprocessableEntity {
		t.Errorf("booking-H25: forged key: %d", got.code)
	}
	late := post("2026-06-10T23:20:01Z", form)
	if late.code != http.StatusUnprocessableEntity {
		t.Errorf("booking-H25: 30 minutes and a second: %d", late.code)
	}
	wantIn(t, "booking-H25", late.body, "too soon", `value="2026-06-11T09:30:00Z"`)
	if got := post("2026-06-10T23:05:00Z", form); got.code != http.StatusSeeOther {
		t.Errorf("booking-H25: 15 minutes: %d", got.code)
	}
	for name, slot := range map[string]string{
		"booking-H25 off the grid": "2026-06-11T09:07:00Z", "booking-H17 no such day": "2024-02-30T10:00:00Z",
		"booking-H17 no leap year": "2023-02-29T10:00:00Z", "booking-H25 in the past": "2026-06-04T09:00:00Z",
	} {
		if got := b.post("/consult", b.ask(slot)); got.code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.code)
		}
	}
}

func TestAWrongFormComesBackWithEverything(t *testing.T) {
	b := londonMondays(t)
	form := b.ask("2026-06-08T09:00:00Z", "call", "me", "name", "", "phone", "call-me-maybe", "caller", "the library", "email", "ana@")
	got := b.post("/consult", form)
	if got.code != http.StatusUnprocessableEntity || got.chosen() != "2026-06-08T09:00:00Z" {
		t.Errorf("booking-H40: %d, chosen %q", got.code, got.chosen())
	}
	wantIn(t, "booking-H36, booking-H39", got.body, "Three things to put right", `href="#name"`, `href="#phone"`, `href="#email"`,
		`id="phone-e"`, `aria-invalid="true"`, `aria-describedby="phone-h phone-e"`, `value="call-me-maybe"`, `value="the library"`, "+44 20 7946 0018")
	again := b.form(got, "/consult", "slot", "2026-06-08T09:00:00Z", "call", "me", "name", "李", "phone", "01632 960001")
	got = b.post("/consult", again)
	if got.code != http.StatusUnprocessableEntity {
		t.Fatalf("R23: %d", got.code)
	}
	wantIn(t, "R23 asked once", got.body, "the United Kingdom", `name="phone_ok" value="01632 960001"`)
	again = b.form(got, "/consult", "slot", "2026-06-08T09:00:00Z", "call", "me", "name", "李", "phone", "01632 960001")
	if got = b.post("/consult", again); got.code != http.StatusSeeOther {
		t.Errorf("R23 sent again: %d\n%s", got.code, got.body)
	}
}

func TestOldKeyKeepsWhatWasTyped(t *testing.T) {
	b := londonMondays(t)
	form := b.ask("2026-06-15T09:00:00Z")
	b.now = b.now.Add(25 * time.Hour)
	got := b.post("/consult", form)
	if got.code != http.StatusUnprocessableEntity || got.chosen() != "2026-06-15T09:00:00Z" {
		t.Errorf("%d, chosen %q", got.code, got.chosen())
	}
	fresh := b.form(got, "/consult", "slot", "2026-06-15T09:00:00Z", "name", "Bo", "call", "you")
	if got := b.post("/consult", fresh); got.code != http.StatusSeeOther {
		t.Errorf("with the fresh key: %d", got.code)
	}
}

func TestOnlyTheBodyCounts(t *testing.T) {
	b := londonMondays(t)
	query := b.ask("2026-06-08T09:00:00Z").Encode()
	for name, got := range map[string]callAnswer{
		"SEC-H05 fields in the address": b.do("POST", "/consult?"+query, ""),
		"SEC-H05 a field twice":         b.do("POST", "/consult", query+"&name=b", "Content-Type", "application/x-www-form-urlencoded"),
		"an unknown field":              b.post("/consult", b.ask("2026-06-08T09:00:00Z", "admin", "1")),
		"the trap":                      b.post("/consult", b.ask("2026-06-08T09:00:00Z", "url", "http://x")),
	} {
		if got.code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.code)
		}
	}
	if got := b.do("POST", "/consult", query, "Origin", "https://evil.example"); got.code != http.StatusForbidden {
		t.Errorf("from another site: %d", got.code)
	}
	if calls, err := b.db.ComingCalls(t.Context(), b.now, b.now.AddDate(0, 1, 0)); err != nil || len(calls) > 0 {
		t.Errorf("something was stored: %v, error %v", calls, err)
	}
}

func TestClientBudget(t *testing.T) {
	b := londonMondays(t)
	b.serve(Rate{N: 2, Per: time.Minute}, consult.DefaultBudget())
	for range 2 {
		b.post("/consult", b.ask("2026-06-08T09:00:00Z"))
	}
	got := b.post("/consult", b.ask("2026-06-08T09:30:00Z"))
	if got.code != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
		t.Errorf("%d, Retry-After %q", got.code, got.header.Get("Retry-After"))
	}
	wantIn(t, "kept", got.body, `value="Zoë Q."`)
	if got := b.post("/consult", b.ask("2026-06-08T09:30:00Z", "do", "zone")); got.code != http.StatusOK {
		t.Errorf("looking is another budget: %d", got.code)
	}
}
