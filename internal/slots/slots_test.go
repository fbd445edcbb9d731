package slots_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/slots"
)

// k0 is the base fixture of the booking cases; each case changes what differs.
func k0(t *testing.T, zone string, change func(a *slots.Availability)) slots.Availability {
	t.Helper()
	a := slots.Availability{
		Zone: mustZone(t, zone), Length: 15 * time.Minute, Step: 30 * time.Minute, Horizon: 28,
		Dates: map[slots.Date][]slots.Window{},
	}
	if change != nil {
		change(&a)
	}
	return a
}

func mustZone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := slots.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func mustTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// at is a window written as in the file.
func at(windows ...string) []slots.Window {
	var out []slots.Window
	for _, w := range windows {
		var fh, fm, th, tm int
		if _, err := fmt.Sscanf(w, "%d:%d-%d:%d", &fh, &fm, &th, &tm); err != nil {
			panic(err)
		}
		out = append(out, slots.Window{From: fh*60 + fm, To: th*60 + tm})
	}
	return out
}

func on(windows []slots.Window, days ...time.Weekday) func(*slots.Availability) {
	return func(a *slots.Availability) {
		for _, d := range days {
			a.Week[d] = windows
		}
	}
}

var (
	everyDay = []time.Weekday{0, 1, 2, 3, 4, 5, 6}
	workDays = []time.Weekday{1, 2, 3, 4, 5}
)

type slotCase struct {
	name   string
	z      string
	v      string // "" = z
	now    string
	change []func(*slots.Availability)
	booked []string // starts
	busy   []slots.Span
	from   string // days in V
	to     string
	want   string // UTC starts: "2006-01-02 15:04 15:04; …"
}

func step(d time.Duration) func(*slots.Availability) {
	return func(a *slots.Availability) { a.Step = d }
}

func length(d time.Duration) func(*slots.Availability) {
	return func(a *slots.Availability) { a.Length = d }
}

func notice(d time.Duration) func(*slots.Availability) {
	return func(a *slots.Availability) { a.Notice = d }
}

func noticeDays(n int) func(*slots.Availability) {
	return func(a *slots.Availability) { a.NoticeDays = n }
}

func horizon(n int) func(*slots.Availability) {
	return func(a *slots.Availability) { a.Horizon = n }
}

func perDay(n int) func(*slots.Availability) {
	return func(a *slots.Availability) { a.PerDay = n }
}

func buffers(before, after time.Duration) func(*slots.Availability) {
	return func(a *slots.Availability) { a.Before, a.After = before, after }
}

func override(date slots.Date, windows ...string) func(*slots.Availability) {
	return func(a *slots.Availability) { a.Dates[date] = at(windows...) }
}

func with(changes ...func(*slots.Availability)) []func(*slots.Availability) { return changes }

// starts is what the case is offered.
func (c slotCase) starts(t *testing.T) []time.Time {
	t.Helper()
	a := k0(t, c.z, func(a *slots.Availability) {
		for _, change := range c.change {
			change(a)
		}
	})
	q := slots.Query{Now: mustTime(t, c.now), Zone: a.Zone, Busy: c.busy}
	if c.v != "" {
		q.Zone = mustZone(t, c.v)
	}
	for _, b := range c.booked {
		from := mustTime(t, b)
		q.Booked = append(q.Booked, slots.Span{From: from, To: from.Add(a.Length)})
	}
	q.From, q.To = mustDate(t, c.from), mustDate(t, c.to)
	return slots.Starts(a, q)
}

func mustDate(t *testing.T, s string) slots.Date {
	t.Helper()
	if s == "" {
		return slots.Date{}
	}
	d, err := slots.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// byDay writes starts as "2006-01-02 15:04 15:04; …", days in zone.
func byDay(starts []time.Time, zone *time.Location) string {
	var b strings.Builder
	last := ""
	for _, s := range starts {
		day := s.In(zone).Format(time.DateOnly)
		if day != last {
			if last != "" {
				b.WriteString("; ")
			}
			b.WriteString(day)
			last = day
		}
		b.WriteString(s.In(zone).Format(" 15:04"))
	}
	return b.String()
}

func TestStartsAreThoseOfTheCases(t *testing.T) {
	for _, c := range slotCases {
		t.Run(c.name, func(t *testing.T) {
			got := byDay(c.starts(t), time.UTC)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("starts in UTC (-want +got):\n%s", diff)
			}
		})
	}
}
