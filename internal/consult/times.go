package consult

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/slots"
)

// shownDays is how many days a page of times covers.
const shownDays = 7

// Ask is what a page of times is asked for.
type Ask struct {
	Zone   string   // of the visitor; empty or unknown = the practice's
	From   string   // first day shown, YYYY-MM-DD in that zone; empty = where times begin
	Turn   int      // pages to turn from there: -1 earlier, 1 later
	Chosen string   // the slot that is chosen, as the form holds it
	Own    *Booking // the visitor's own call, which does not block itself
}

// Times is a page of bookable times, in the visitor's zone.
type Times struct {
	Zone     string // its name
	City     string // "Madrid"
	Offset   string // "UTC+1", now
	Unknown  bool   // the zone asked for is unknown: the practice's is shown
	From     string // first day shown, to be handed back
	Days     []Day  // the days with free times
	Range    string // "Thursday 3 December to Wednesday 9 December"
	Earlier  bool   // there are free times before
	Later    bool   // and after
	Next     string // where Days is empty: the next free time in words, or "" if there is none
	NextFrom string // and its day
	Kept     *Time  // the chosen time, when it is free but not among Days
}

// Free reports whether any time is free at all, on this page or another.
func (p Times) Free() bool { return len(p.Days) > 0 || p.Earlier || p.Later }

// Day is a day with free times.
type Day struct {
	Weekday string // "Thursday"
	Date    string // "3 December"
	Count   string // "1 time is free", "8 times are free"
	Times   []Time
}

// Time is one bookable start.
type Time struct {
	Value   string // for the form: RFC 3339 in UTC
	Clock   string // "13:30"
	Note    string // "am", "noon" or "1:30 pm"
	Offset  string // "UTC−5", where the clock shows this reading twice that day
	Spoken  string // in full
	Chosen  bool
	Present bool // the visitor's own call: shown, not to be chosen
}

// Times returns a page of free times. An unknown zone or day is no error: the
// practice's zone, or the first free day, stands for it.
func (s *Service) Times(ctx context.Context, now time.Time, ask Ask) (Times, error) {
	hours := s.Hours()
	zone, err := slots.LoadZone(ask.Zone)
	if err != nil {
		zone = hours.Zone
	}
	without := ""
	if ask.Own != nil {
		without = ask.Own.ID
	}
	starts, failed := s.free(ctx, now, hours, without)
	if failed != nil {
		return Times{}, failed
	}
	starts = withOwn(starts, ask.Own)
	page := Times{
		Zone: zone.String(), City: City(zone.String()), Offset: OffsetWords(now, zone),
		Unknown: err != nil && ask.Zone != "",
	}
	page.fill(starts, zone, firstDay(starts, zone, now, ask), ask)
	return page, nil
}

// withOwn puts the start of the visitor's own call among the free ones.
func withOwn(starts []time.Time, own *Booking) []time.Time {
	if own == nil || own.Status != Confirmed {
		return starts
	}
	for i, t := range starts {
		if t.Equal(own.Start) {
			return starts
		}
		if t.After(own.Start) {
			return append(starts[:i:i], append([]time.Time{own.Start}, starts[i:]...)...)
		}
	}
	return append(starts, own.Start)
}

// firstDay is the first day to show.
func firstDay(starts []time.Time, zone *time.Location, now time.Time, ask Ask) slots.Date {
	from, err := slots.ParseDate(ask.From)
	if err != nil {
		from = slots.DateOf(now, zone)
		if len(starts) > 0 {
			from = slots.DateOf(starts[0], zone)
		}
	}
	return from.AddDays(ask.Turn * shownDays)
}

// fill sorts the starts into the days from first on.
func (p *Times) fill(starts []time.Time, zone *time.Location, first slots.Date, ask Ask) {
	last := first.AddDays(shownDays - 1)
	p.From = first.String()
	p.Range = dateWords(first) + " to " + dateWords(last)
	var current slots.Date
	for _, start := range starts {
		date := slots.DateOf(start, zone)
		t := timeOf(start, zone, ask)
		switch {
		case date.Compare(first) < 0:
			p.Earlier = true
		case date.Compare(last) > 0:
			p.Later = true
			if len(p.Days) == 0 && p.Next == "" {
				p.Next, p.NextFrom = DayWords(start, zone)+", "+Clock24(start, zone), date.String()
			}
		default:
			if date != current {
				p.Days = append(p.Days, dayOf(start, zone))
				current = date
			}
			day := &p.Days[len(p.Days)-1]
			day.Times = append(day.Times, t)
			continue
		}
		if t.Chosen {
			p.Kept = &t
		}
	}
	for i := range p.Days {
		p.Days[i].Count = countWords(p.Days[i].Times)
	}
}

func dayOf(start time.Time, zone *time.Location) Day {
	weekday, date, _ := strings.Cut(DayWords(start, zone), " ")
	return Day{Weekday: weekday, Date: date}
}

func dateWords(d slots.Date) string {
	return time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC).Format("Monday 2 January")
}

func timeOf(start time.Time, zone *time.Location, ask Ask) Time {
	t := Time{
		Value:  FormatSlot(start),
		Clock:  Clock24(start, zone),
		Note:   clockNote(start, zone),
		Spoken: Spoken(start, zone),
	}
	t.Present = ask.Own != nil && ask.Own.Start.Equal(start)
	if chosen, err := ParseSlot(ask.Chosen); err == nil {
		t.Chosen = chosen.Equal(start) && !t.Present
	}
	if repeated(start, zone) {
		t.Offset = OffsetWords(start, zone)
	}
	return t
}

func countWords(times []Time) string {
	free := 0
	for _, t := range times {
		if !t.Present {
			free++
		}
	}
	if free == 1 {
		return "1 time is free"
	}
	return strconv.Itoa(free) + " times are free"
}

// NearWords names starts in full, in a zone that may be unknown.
func (s *Service) NearWords(starts []time.Time, zone string) []Time {
	in, err := slots.LoadZone(zone)
	if err != nil {
		in = s.Hours().Zone
	}
	out := make([]Time, len(starts))
	for i, start := range starts {
		out[i] = timeOf(start, in, Ask{})
	}
	return out
}

// Minutes is how long a call takes.
func (s *Service) Minutes() int { return int(s.Hours().Length / time.Minute) }

// ZoneOf is the zone in which the visitor of a booking reads a clock; the
// practice's, where none is known.
func (s *Service) ZoneOf(b Booking) *time.Location { return zoneOf(b, s.Hours()) }
