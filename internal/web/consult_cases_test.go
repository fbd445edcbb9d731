package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/slots"
)

func TestMailsOverTheDateLineNameBothDays(t *testing.T) {
	b := newCallBench(t, "Pacific/Auckland", "2026-07-09T00:00:00Z", hoursOn(9, 10, time.Monday))
	b.book("2026-07-12T21:00:00Z", "zone", "Pacific/Honolulu", "email", "ana@example.org")
	mails := b.sentMails()
	if len(mails) != 2 {
		t.Fatalf("booking-H11: %d mails, want one of each kind", len(mails))
	}
	visitor, owner := mails[0], mails[1]
	if visitor.To != "ana@example.org" || visitor.Subject != "Confirmed: Sunday 12 July, 11:00" {
		t.Errorf("booking-H11: to %s, subject %q", visitor.To, visitor.Subject)
	}
	wantIn(t, "booking-H11 the visitor’s day", visitor.Text, "Sunday 12 July, 11:00 (11:00 am), Honolulu time", "Monday 13 July, 09:00 (9:00 am), Auckland time")
	if owner.Subject != "A call was booked: Monday 13 July, 09:00" {
		t.Errorf("booking-H11: the owner’s subject is %q", owner.Subject)
	}
	wantIn(t, "booking-H11 the practice’s day", owner.Text, "Monday 13 July, 09:00 (9:00 am), Auckland time")
}

func TestThePageIsTheSameInEveryProcessZone(t *testing.T) {
	key := regexp.MustCompile(`name="key" value="[^"]*"`)
	here := time.Local
	t.Cleanup(func() { time.Local = here })
	pages := map[string]string{}
	for _, name := range []string{"UTC", "Australia/Sydney", "America/Los_Angeles"} {
		zone, err := slots.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		time.Local = zone
		b := newCallBench(t, "Australia/Sydney", "2025-10-20T00:00:00Z", hoursOn(9, 10, 1, 2, 3, 4, 5))
		b.now = b.now.In(zone)
		page := b.get("/consult?zone=Australia/Sydney&from=2025-10-28")
		want := []string{
			"2025-10-27T22:00:00Z", "2025-10-27T22:30:00Z", "2025-10-28T22:00:00Z", "2025-10-28T22:30:00Z", "2025-10-29T22:00:00Z",
			"2025-10-29T22:30:00Z", "2025-10-30T22:00:00Z", "2025-10-30T22:30:00Z", "2025-11-02T22:00:00Z", "2025-11-02T22:30:00Z",
		}
		if diff := cmp.Diff(want, page.values()); diff != "" {
			t.Errorf("booking-H16 under TZ=%s (-want +got):\n%s", name, diff)
		}
		wantIn(t, "booking-H16 the last day of the month", page.body, "<legend>Friday<span>31 October</span>")
		pages[name] = key.ReplaceAllString(page.body, "")
	}
	for name, page := range pages {
		if diff := cmp.Diff(pages["UTC"], page); diff != "" {
			t.Errorf("booking-H16 under TZ=%s the page is another (-UTC +got):\n%s", name, diff)
		}
	}
}

// Every day has times, so that a date read as the next month would be taken.
func TestADayThatIsNotIsNeverTheNextMonth(t *testing.T) {
	for now, slot := range map[string]string{
		"2024-02-20T12:00:00Z": "2024-02-30T10:00:00Z", "2023-02-20T12:00:00Z": "2023-02-29T10:00:00Z",
	} {
		b := newCallBench(t, "Europe/London", now, hoursOn(9, 17, 0, 1, 2, 3, 4, 5, 6))
		got := b.post("/consult", b.ask(slot))
		if got.code != http.StatusUnprocessableEntity || got.chosen() != "" {
			t.Errorf("booking-H17 %s: %d, chosen %q", slot, got.code, got.chosen())
		}
		if calls, err := b.db.ComingCalls(t.Context(), b.now, b.now.AddDate(1, 0, 0)); err != nil || len(calls) > 0 {
			t.Errorf("booking-H17 %s: booked %v, error %v", slot, calls, err)
		}
	}
}

func TestNewHoursLeaveBookingsAlone(t *testing.T) {
	b := newCallBench(t, "Europe/London", "2026-06-05T12:00:00Z", func(a *slots.Availability) {
		a.Horizon = 10
		a.Week[time.Monday] = []slots.Window{{From: 540, To: 690}}
	})
	path := b.book("2026-06-08T09:00:00Z", "email", "ana@example.org", "remind", "yes")
	b.sentMails()
	b.hours.Week[time.Monday] = []slots.Window{{From: 14 * 60, To: 15 * 60}}

	offered := []string{"2026-06-08T13:00:00Z", "2026-06-08T13:30:00Z"}
	if diff := cmp.Diff(append(offered, "2026-06-15T13:00:00Z", "2026-06-15T13:30:00Z"), b.allValues("/consult")); diff != "" {
		t.Errorf("booking-H28 new visitors (-want +got):\n%s", diff)
	}
	page := b.get(path)
	wantIn(t, "booking-H28 the booking stays", page.body, "Your call is booked", "Monday 8 June, 10:00 (10:00 am), London time")
	if diff := cmp.Diff(offered, page.values()); diff != "" {
		t.Errorf("booking-H28 the visitor’s own page (-want +got):\n%s", diff)
	}
	wantIn(t, "booking-H28 the calendar entry", b.get(path+"/invite.ics").body, "SEQUENCE:0\r\n", "DTSTART:20260608T090000Z\r\n")
	if mails := b.sentMails(); len(mails) > 0 {
		t.Errorf("booking-H28: %d mails about nothing", len(mails))
	}
	b.now = time.Date(2026, 6, 7, 9, 0, 0, 0, time.UTC)
	mails := b.sentMails()
	if len(mails) != 1 || mails[0].Subject != "Reminder: Monday 8 June, 10:00" {
		t.Errorf("booking-H28: the reminder: %+v", mails)
	}
}

// allValues are the times of all pages, from the first on.
func (b *callBench) allValues(target string) []string {
	b.t.Helper()
	page := b.get(target)
	out := page.values()
	for strings.Contains(page.body, `name="do" value="later"`) {
		page = b.post("/consult", b.form(page, "/consult", "do", "later"))
		out = append(out, page.values()...)
	}
	return out
}

func TestAnEmptyZoneIsThePractices(t *testing.T) {
	b := newCallBench(t, "America/Denver", "2021-01-20T12:00:00Z", hoursOn(13, 14, time.Thursday))
	path := b.book("2021-01-28T20:30:00Z", "zone", "", "email", "ana@example.org")
	const want = "Thursday 28 January, 13:30 (1:30 pm), Denver time, UTC−7"
	wantIn(t, "booking-H31 the page", b.get(path).body, want)
	for _, m := range b.sentMails() {
		wantIn(t, "booking-H31 the mail to "+m.To, m.Text, want)
	}
}

func TestTheFormSaysWhichCountryIsAssumed(t *testing.T) {
	b := londonMondays(t)
	wantIn(t, "booking-H36, R23", b.get("/consult").body, "With the country code if it is not a number in the United Kingdom.")
}

// Both kinds of calendar entry tell the same life: the owner's by mail, the visitor's
// by download.
func TestLifeOfACallInTwoCalendars(t *testing.T) {
	b := newCallBench(t, "Europe/London", "2026-06-01T12:00:00Z", hoursOn(9, 12, time.Monday, time.Tuesday))
	path := b.book("2026-06-08T09:00:00Z")
	var got [][]string
	step := func() {
		t.Helper()
		mails := b.sentMails()
		if len(mails) != 1 || mails[0].Invite == nil {
			t.Fatalf("booking-H33: mails %+v, want the owner’s", mails)
		}
		line := []string{mails[0].Invite.Method}
		for _, name := range []string{"SEQUENCE", "STATUS", "DTSTAMP", "DTSTART", "DTEND"} {
			line = append(line, property(mails[0].Invite.Data, name))
		}
		got = append(got, line)
		own := b.get(path + "/invite.ics").body
		for _, name := range []string{"UID", "SEQUENCE", "DTSTART", "DTEND", "STATUS"} {
			if a, b := property(mails[0].Invite.Data, name), property(own, name); a != b || a == "" {
				t.Errorf("booking-H33: %s is %q for the owner and %q for the visitor", name, a, b)
			}
		}
	}
	step()
	b.now = time.Date(2026, 6, 2, 8, 0, 0, 0, time.UTC)
	if moved := b.post(path+"/move", b.moveForm(path, "slot", "2026-06-09T10:30:00Z")); moved.code != http.StatusSeeOther {
		t.Fatalf("booking-H33: move: %d", moved.code)
	}
	step()
	b.now = time.Date(2026, 6, 3, 7, 0, 0, 0, time.UTC)
	b.press(path, "cancel")
	step()
	want := [][]string{
		{"REQUEST", "0", "CONFIRMED", "20260601T120000Z", "20260608T090000Z", "20260608T091500Z"},
		{"REQUEST", "1", "CONFIRMED", "20260602T080000Z", "20260609T103000Z", "20260609T104500Z"},
		{"CANCEL", "2", "CANCELLED", "20260603T070000Z", "20260609T103000Z", "20260609T104500Z"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("booking-H33 (-want +got):\n%s", diff)
	}
}

// property is the value of a line of a calendar, "" if there is none.
func property(text, name string) string {
	found := regexp.MustCompile(`(?m)^` + name + `:(.*)\r$`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}
