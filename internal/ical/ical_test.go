package ical_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/ical"
)

const (
	organizer = "post@example.net"
	attendee  = "owner@example.net"
)

func at(t *testing.T, s string) time.Time {
	t.Helper()
	got, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func event(t *testing.T, start string) ical.Event {
	t.Helper()
	from := at(t, start)
	return ical.Event{
		UID: "0b0e9c4e-0f6e-4a54-9d52-3a4f6d2b8c11", Start: from, End: from.Add(15 * time.Minute),
		Stamp: at(t, "2026-06-01T12:00:00Z"), Summary: "Call",
	}
}

// lines are the unfolded content lines, after the raw form was checked.
func lines(t *testing.T, text string) []string {
	t.Helper()
	if rest := strings.ReplaceAll(text, "\r\n", ""); strings.ContainsAny(rest, "\r\n") {
		t.Errorf("a line end that is not CRLF in %q", text)
	}
	if !strings.HasSuffix(text, "\r\n") {
		t.Error("the last line has no end")
	}
	for _, line := range strings.Split(text, "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) {
			t.Errorf("a line of %d octets, valid UTF-8 %v: %q", len(line), utf8.ValidString(line), line)
		}
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"), "\r\n")
}

func value(t *testing.T, all []string, name string) string {
	t.Helper()
	got := ""
	for _, line := range all {
		if head, v, ok := strings.Cut(line, ":"); ok && (head == name || strings.HasPrefix(head, name+";")) {
			if got != "" {
				t.Errorf("%s stands twice", name)
			}
			got = v
		}
	}
	return got
}

func TestLifeOfACalendarEntry(t *testing.T) {
	mails := []struct {
		name      string
		make      func(ical.Event, string, string) (string, error)
		seq       int
		start     string
		stamp     string
		wantLines []string
	}{
		{
			"booking-H33 mail 1", ical.Request, 0, "2026-06-08T09:00:00Z", "2026-06-01T12:00:00Z",
			[]string{"REQUEST", "0", "CONFIRMED", "20260601T120000Z", "20260608T090000Z", "20260608T091500Z"},
		},
		{
			"booking-H33 mail 2", ical.Request, 1, "2026-06-09T10:30:00Z", "2026-06-02T08:00:00Z",
			[]string{"REQUEST", "1", "CONFIRMED", "20260602T080000Z", "20260609T103000Z", "20260609T104500Z"},
		},
		{
			"booking-H33 mail 3", ical.Withdraw, 2, "2026-06-09T10:30:00Z", "2026-06-03T07:00:00Z",
			[]string{"CANCEL", "2", "CANCELLED", "20260603T070000Z", "20260609T103000Z", "20260609T104500Z"},
		},
	}
	for _, m := range mails {
		t.Run(m.name, func(t *testing.T) {
			e := event(t, m.start)
			e.Sequence, e.Stamp = m.seq, at(t, m.stamp)
			text, err := m.make(e, organizer, attendee)
			if err != nil {
				t.Fatal(err)
			}
			all := lines(t, text)
			var got []string
			for _, name := range []string{"METHOD", "SEQUENCE", "STATUS", "DTSTAMP", "DTSTART", "DTEND"} {
				got = append(got, value(t, all, name))
			}
			if diff := cmp.Diff(m.wantLines, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for name, want := range map[string]string{
				"UID": e.UID, "ORGANIZER": "mailto:" + organizer, "ATTENDEE": "mailto:" + attendee,
				"VERSION": "2.0", "PRODID": "-//Calendar//Appointments 1//EN", "SUMMARY": "Call",
			} {
				if got := value(t, all, name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestSendingAgainChangesOnlyTheStamp(t *testing.T) {
	e := event(t, "2026-06-09T10:30:00Z")
	first, err := ical.Request(e, organizer, attendee)
	if err != nil {
		t.Fatal(err)
	}
	e.Stamp = e.Stamp.Add(time.Hour)
	second, err := ical.Request(e, organizer, attendee)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(second, "20260601T130000Z", "20260601T120000Z"); got != first {
		t.Errorf("booking-H33: more than DTSTAMP changed:\n%s", cmp.Diff(first, got))
	}
}

func TestDownloadTellsNothingMore(t *testing.T) {
	text, err := ical.Download(event(t, "2026-06-08T09:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Calendar//Appointments 1//EN", "CALSCALE:GREGORIAN",
		"BEGIN:VEVENT", "UID:0b0e9c4e-0f6e-4a54-9d52-3a4f6d2b8c11", "DTSTAMP:20260601T120000Z",
		"DTSTART:20260608T090000Z", "DTEND:20260608T091500Z", "SEQUENCE:0", "SUMMARY:Call",
		"STATUS:CONFIRMED", "CLASS:PRIVATE", "END:VEVENT", "END:VCALENDAR",
	}
	if diff := cmp.Diff(want, lines(t, text)); diff != "" {
		t.Errorf("booking-H33, booking-H42 (-want +got):\n%s", diff)
	}
}

func TestFoldingCutsBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		name, summary string
		octets        []int
	}{
		{"booking-H34 a sign at the edge", strings.Repeat("a", 66) + "⌘ end", []int{74, 8}},
		{"booking-H34 a sign after the edge", strings.Repeat("a", 67) + "⌘", []int{75, 4}},
		{"booking-H34 signs of four octets", strings.Repeat("🙂", 40), []int{72, 73, 25}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := event(t, "2026-06-08T09:00:00Z")
			e.Summary = c.summary
			text, err := ical.Download(e)
			if err != nil {
				t.Fatal(err)
			}
			if got := value(t, lines(t, text), "SUMMARY"); got != c.summary {
				t.Errorf("unfolded %q, want %q", got, c.summary)
			}
			var octets []int
			_, rest, _ := strings.Cut(text, "\r\nSUMMARY")
			for i, line := range strings.Split("SUMMARY"+rest, "\r\n") {
				if i > 0 && !strings.HasPrefix(line, " ") {
					break
				}
				octets = append(octets, len(line))
			}
			if diff := cmp.Diff(c.octets, octets); diff != "" {
				t.Errorf("octets of the lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTimesAreUTC(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Bratislava")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		start time.Time
		want  string
	}{
		{"booking-H35 in summer time", time.Date(2022, 10, 24, 15, 0, 0, 0, zone), "DTSTART:20221024T130000Z"},
		{"booking-H35 in winter time", time.Date(2022, 10, 31, 15, 0, 0, 0, zone), "DTSTART:20221031T140000Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := ical.Download(ical.Event{UID: "u", Start: c.start, End: c.start, Stamp: c.start, Summary: "Call"})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text, c.want+"\r\n") || strings.Contains(text, "TZID") || strings.Contains(text, "VTIMEZONE") {
				t.Errorf("want %s without a zone in\n%s", c.want, text)
			}
		})
	}
}

func TestTextCannotBreakOut(t *testing.T) {
	e := event(t, "2026-06-08T09:00:00Z")
	e.Summary = "a\r\nATTENDEE:mailto:x@example.org\rb;c,d\\e"
	text, err := ical.Download(e)
	if err != nil {
		t.Fatal(err)
	}
	all := lines(t, text)
	if got := value(t, all, "ATTENDEE"); got != "" {
		t.Errorf("a second property: %q", got)
	}
	if got, want := value(t, all, "SUMMARY"), `a\nATTENDEE:mailto:x@example.org\nb\;c\,d\\e`; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	if _, err := ical.Request(e, "a@example.org\r\nX:y", attendee); err == nil {
		t.Error("an address with a line break was taken")
	}
}

func TestPublishIsAFeed(t *testing.T) {
	stamp := at(t, "2026-06-01T12:34:56Z")
	cancelled := event(t, "2026-06-09T09:00:00Z")
	cancelled.Cancelled = true
	text, err := ical.Publish([]ical.Event{event(t, "2026-06-08T09:00:00Z"), cancelled}, organizer, stamp)
	if err != nil {
		t.Fatal(err)
	}
	all := lines(t, text)
	if value(t, all, "METHOD") != "PUBLISH" || value(t, all, "ATTENDEE") != "" || strings.Count(text, "ORGANIZER:mailto:"+organizer) != 2 {
		t.Errorf("booking R21: want PUBLISH with an organizer and no attendee:\n%s", text)
	}
	if !strings.Contains(text, "STATUS:CANCELLED") {
		t.Errorf("a cancelled call must say so:\n%s", text)
	}
	empty, err := ical.Publish(nil, organizer, stamp)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(empty, "BEGIN:VFREEBUSY\r\n") || !strings.Contains(empty, "DTSTART:20260601T120000Z\r\n") {
		t.Errorf("an empty feed must hold something:\n%s", empty)
	}
}
