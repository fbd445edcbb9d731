package slots_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/slots"
)

// slotCases are the cases of section A that a list of starts can tell.
var slotCases = []slotCase{
	{
		name: "booking-H01 a spring gap inside the window", z: "America/New_York", now: "2026-02-28T12:00:00Z",
		change: with(on(at("01:00-04:00"), time.Sunday)), from: "2026-03-08", to: "2026-03-08",
		want: "2026-03-08 06:00 06:30 07:00 07:30",
	},
	{
		name: "booking-H01 b the window is the spring gap", z: "America/New_York", now: "2026-02-28T12:00:00Z",
		change: with(on(at("02:00-03:00"), time.Sunday)), from: "2026-03-01", to: "2026-03-15",
		want: "2026-03-01 07:00 07:30; 2026-03-15 06:00 06:30",
	},
	{
		name: "booking-H02 autumn overlap offers both hours", z: "America/Chicago", now: "2026-10-20T12:00:00Z",
		change: with(step(time.Hour), on(at("00:00-06:00"), time.Sunday)), from: "2026-11-01", to: "2026-11-01",
		want: "2026-11-01 05:00 06:00 07:00 08:00 09:00 10:00 11:00",
	},
	{
		name: "booking-H02 booking one of the two leaves the other", z: "America/Chicago", now: "2026-10-20T12:00:00Z",
		change: with(step(time.Hour), on(at("00:00-06:00"), time.Sunday)), from: "2026-11-01", to: "2026-11-01",
		booked: []string{"2026-11-01T06:00:00Z"},
		want:   "2026-11-01 05:00 07:00 08:00 09:00 10:00 11:00",
	},
	{
		name: "booking-H03 afternoon of a change day", z: "America/New_York", now: "2026-02-27T12:00:00Z",
		change: with(step(time.Hour), on(at("13:00-18:00"), time.Sunday)), to: "2026-03-08",
		want: "2026-03-01 18:00 19:00 20:00 21:00 22:00; 2026-03-08 17:00 18:00 19:00 20:00 21:00",
	},
	{
		name: "booking-H04 wall clock stays, visitor’s clock moves", z: "America/New_York", v: "Europe/London",
		now: "2025-10-19T12:00:00Z", change: with(on(at("09:00-09:30"), time.Monday)), to: "2025-11-10",
		want: "2025-10-20 13:00; 2025-10-27 13:00; 2025-11-03 14:00; 2025-11-10 14:00",
	},
	{
		name: "booking-H05 long notice that ends on a change day", z: "America/New_York", now: "2023-10-29T16:00:00Z",
		change: with(notice(10080*time.Minute), step(time.Hour), on(at("09:00-12:00"), everyDay...)), to: "2023-11-06",
		want: "2023-11-05 16:00; 2023-11-06 14:00 15:00 16:00",
	},
	{
		name: "booking-H06 notice across midnight", z: "Europe/London", now: "2026-06-10T22:50:00Z",
		change: with(notice(600*time.Minute), horizon(3), on(at("09:00-11:00"), time.Thursday)),
		want:   "2026-06-11 09:00 09:30",
	},
	{
		name: "booking-H06 notice met exactly", z: "Europe/London", now: "2026-06-10T22:30:00Z",
		change: with(notice(600*time.Minute), horizon(3), on(at("09:00-11:00"), time.Thursday)),
		want:   "2026-06-11 08:30 09:00 09:30",
	},
	{
		name: "booking-H07 not today, in the practice’s calendar", z: "America/Los_Angeles", v: "Asia/Tokyo",
		now: "2026-06-10T05:30:00Z", change: with(noticeDays(1), horizon(2), on(at("09:00-10:00"), everyDay...)),
		want: "2026-06-10 16:00 16:30; 2026-06-11 16:00 16:30",
	},
	{
		name: "booking-H08 half-hour zone", z: "Asia/Kolkata", v: "Europe/London", now: "2026-06-05T12:00:00Z",
		change: with(step(time.Hour), horizon(5), on(at("07:30-12:00"), time.Monday)),
		want:   "2026-06-08 02:00 03:00 04:00 05:00 06:00",
	},
	{
		name: "booking-H09 each window has its own grid", z: "Europe/London", now: "2026-06-05T12:00:00Z",
		change: with(step(time.Hour), horizon(5), on(at("08:00-12:00", "12:30-17:30"), time.Monday)),
		want:   "2026-06-08 07:00 08:00 09:00 10:00 11:30 12:30 13:30 14:30 15:30",
	},
	{
		name: "booking-H10 availability over midnight", z: "Europe/London", now: "2026-06-05T12:00:00Z",
		change: with(length(time.Hour), horizon(5), on(at("22:30-24:00"), time.Monday), on(at("00:00-02:00"), time.Tuesday)),
		want:   "2026-06-08 21:30 22:00 22:30 23:00 23:30; 2026-06-09 00:00",
	},
	{
		name: "booking-H11 over the date line", z: "Pacific/Auckland", v: "Pacific/Honolulu", now: "2026-07-09T00:00:00Z",
		change: with(horizon(5), on(at("09:00-10:00"), time.Monday)), from: "2026-07-12", to: "2026-07-12",
		want: "2026-07-12 21:00 21:30",
	},
	{
		name: "booking-H12 last day of the horizon", z: "America/New_York", v: "Pacific/Pago_Pago", now: "2026-06-02T03:00:00Z",
		change: with(step(240*time.Minute), horizon(2), on(at("09:00-17:00"), everyDay...)), from: "2026-06-02",
		want: "2026-06-02 13:00 17:00; 2026-06-03 13:00 17:00",
	},
	{
		name: "booking-H13 daily cap counts the practice’s day", z: "Australia/Brisbane", now: "2026-06-08T00:00:00Z",
		change: with(step(time.Hour), perDay(1), on(at("08:00-10:00"), everyDay...)), from: "2026-06-09", to: "2026-06-11",
		booked: []string{"2026-06-09T22:00:00Z"},
		want:   "2026-06-08 22:00 23:00; 2026-06-10 22:00 23:00",
	},
	{
		name: "booking-H14 override just after local midnight", z: "Europe/Amsterdam", v: "America/New_York", now: "2026-07-13T00:00:00Z",
		change: with(override(slots.Date{Year: 2026, Month: 7, Day: 18}, "00:00-00:15")), from: "2026-07-17", to: "2026-07-17",
		want: "2026-07-17 22:00",
	},
	{
		name: "booking-H15 week boundary", z: "America/Chihuahua", v: "Europe/Belgrade", now: "2026-07-09T00:00:00Z",
		change: with(step(time.Hour), on(at("15:00-17:00"), workDays...)), from: "2026-07-10", to: "2026-07-14",
		want: "2026-07-09 22:00; 2026-07-10 21:00 22:00; 2026-07-13 21:00 22:00; 2026-07-14 21:00",
	},
	{
		name: "booking-H16 month end", z: "Australia/Sydney", now: "2025-10-20T00:00:00Z",
		change: with(on(at("09:00-10:00"), workDays...)), from: "2025-10-30", to: "2025-11-03",
		want: "2025-10-29 22:00 22:30; 2025-10-30 22:00 22:30; 2025-11-02 22:00 22:30",
	},
	{
		name: "booking-H17 leap day", z: "Europe/London", now: "2024-01-31T12:00:00Z",
		change: with(horizon(29), on(at("10:00-11:00"), time.Thursday)),
		want: "2024-02-01 10:00 10:30; 2024-02-08 10:00 10:30; 2024-02-15 10:00 10:30; " +
			"2024-02-22 10:00 10:30; 2024-02-29 10:00 10:30",
	},
	{
		name: "booking-H18 renamed zone, new name", z: "Europe/London", v: "Europe/Kyiv", now: "2026-07-10T12:00:00Z",
		change: with(horizon(6), on(at("10:00-10:30"), time.Wednesday)), want: "2026-07-15 09:00",
	},
	{
		name: "booking-H18 renamed zone, old name", z: "Europe/London", v: "Europe/Kiev", now: "2026-07-10T12:00:00Z",
		change: with(horizon(6), on(at("10:00-10:30"), time.Wednesday)), want: "2026-07-15 09:00",
	},
	{
		name: "booking-H19 busy times", z: "Europe/London", now: "2024-04-26T00:00:00Z",
		change: with(horizon(6), on(at("08:00-11:00"), time.Tuesday)),
		busy:   []slots.Span{utcSpan(2024, 4, 30, 7, 8), utcSpan(2024, 4, 30, 9, 10)},
		want:   "2024-04-30 08:00 08:30",
	},
	{
		name: "booking-H20 buffers", z: "Europe/London", now: "2026-06-05T12:00:00Z",
		change: with(step(15*time.Minute), buffers(0, 15*time.Minute), horizon(5), on(at("09:00-11:30"), time.Monday)),
		booked: []string{"2026-06-08T09:00:00Z"},
		want:   "2026-06-08 08:00 08:15 08:30 09:30 09:45 10:00 10:15",
	},
	{
		name: "booking-H21 one’s own call does not block oneself", z: "Europe/London", now: "2026-06-05T12:00:00Z",
		change: with(step(15*time.Minute), buffers(0, 15*time.Minute), horizon(5), on(at("09:00-11:30"), time.Monday)),
		want:   "2026-06-08 08:00 08:15 08:30 08:45 09:00 09:15 09:30 09:45 10:00 10:15",
	},
	{
		name: "a run of a week or more begins its grid anew each Monday", z: "Europe/London", now: "2026-06-06T12:00:00Z",
		change: with(step(7*time.Hour), horizon(3), on(at("00:00-24:00"), everyDay...)),
		want:   "2026-06-06 12:00 19:00; 2026-06-07 02:00 09:00 16:00 23:00; 2026-06-08 06:00 13:00 20:00; 2026-06-09 03:00 10:00 17:00",
	},
	{
		name: "a closed date ends the run", z: "Europe/London", now: "2026-06-08T10:00:00Z",
		change: with(step(time.Hour), horizon(0), on(at("00:00-24:00"), everyDay...),
			override(slots.Date{Year: 2026, Month: 6, Day: 9})),
		want: "2026-06-08 10:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00 18:00 19:00 20:00 21:00 22:00",
	},
	{
		name: "nothing offered is no time", z: "Europe/London", now: "2026-06-08T10:00:00Z", want: "",
	},
	{
		name: "part of a second past the notice is too late", z: "Europe/London", now: "2026-06-08T08:00:00.000000001Z",
		change: with(horizon(0), on(at("09:00-10:00"), time.Monday)), want: "2026-06-08 08:30",
	},
	{
		name: "a date that the zone skipped has no instants", z: "Pacific/Apia", now: "2011-12-29T00:00:00Z",
		change: with(step(12*time.Hour), horizon(4), on(at("00:00-24:00"), time.Thursday, time.Friday, time.Saturday)),
		want:   "2011-12-29 10:00 22:00; 2011-12-30 10:00 22:00",
	},
}

func utcSpan(year int, month time.Month, day, from, to int) slots.Span {
	return slots.Span{
		From: time.Date(year, month, day, from, 0, 0, 0, time.UTC),
		To:   time.Date(year, month, day, to, 0, 0, 0, time.UTC),
	}
}

func TestStartsFallUnderTheVisitorsDays(t *testing.T) {
	for _, c := range []struct{ name, v, want string }{
		{"booking-H11 over the date line", "Pacific/Honolulu", "2026-07-12 11:00 11:30"},
		{"booking-H11 another zone, the same instants", "Europe/London", "2026-07-12 22:00 22:30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			of := slotCase{
				z: "Pacific/Auckland", v: c.v, now: "2026-07-09T00:00:00Z",
				change: with(horizon(5), on(at("09:00-10:00"), time.Monday)),
			}
			if diff := cmp.Diff(c.want, byDay(of.starts(t), mustZone(t, c.v))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("booking-H15 week boundary", func(t *testing.T) {
		of := slotCase{
			z: "America/Chihuahua", v: "Europe/Belgrade", now: "2026-07-09T00:00:00Z", from: "2026-07-10", to: "2026-07-14",
			change: with(step(time.Hour), on(at("15:00-17:00"), workDays...)),
		}
		want := "2026-07-10 00:00 23:00; 2026-07-11 00:00; 2026-07-13 23:00; 2026-07-14 00:00 23:00"
		if diff := cmp.Diff(want, byDay(of.starts(t), mustZone(t, of.v))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestNoticeKeepsTheTimeAFormWasIssued(t *testing.T) {
	a := k0(t, "Europe/London", func(a *slots.Availability) {
		a.Notice = 10 * time.Hour
		a.Week[time.Thursday] = at("09:00-11:00")
	})
	q := slots.Query{
		Now: mustTime(t, "2026-06-10T23:05:00Z"), Asked: mustTime(t, "2026-06-10T22:50:00Z"),
		To: slots.Date{Year: 2026, Month: 6, Day: 11},
	}
	if got, want := byDay(slots.Starts(a, q), time.UTC), "2026-06-11 09:00 09:30"; got != want {
		t.Errorf("booking-H25 issued in time: got %q, want %q", got, want)
	}
	q.Asked = time.Time{}
	if got, want := byDay(slots.Starts(a, q), time.UTC), "2026-06-11 09:30"; got != want {
		t.Errorf("booking-H25 asked now: got %q, want %q", got, want)
	}
	a.Notice, q.Asked, q.Now = 0, mustTime(t, "2026-06-11T07:50:00Z"), mustTime(t, "2026-06-11T08:10:00Z")
	if got, want := byDay(slots.Starts(a, q), time.UTC), "2026-06-11 08:30 09:00 09:30"; got != want {
		t.Errorf("a time that is over is never offered: got %q, want %q", got, want)
	}
}
