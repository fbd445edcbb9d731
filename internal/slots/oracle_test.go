package slots_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/slots"
)

// The oracle reads a clock in the practice's zone at every minute and applies the
// rules one by one to each. It shares no step with the function under test.

// scene is a zone and a date near which something happens to its clock.
type scene struct{ zone, near string }

var scenes = []scene{
	{"Australia/Lord_Howe", "2026-04-05"}, {"Australia/Lord_Howe", "2026-10-04"}, // half an hour
	{"Pacific/Apia", "2011-12-30"}, {"Pacific/Apia", "2012-04-01"}, // a date skipped
	{"America/Havana", "2026-03-08"}, {"America/Havana", "2026-11-01"}, // at midnight
	{"Pacific/Chatham", "2026-04-05"}, {"Pacific/Chatham", "2026-09-27"}, // at 2:45
	{"Asia/Kathmandu", "1986-01-01"}, {"Asia/Kathmandu", "2026-06-01"}, // +5:30 to +5:45
	{"America/St_Johns", "2006-10-29"}, {"America/St_Johns", "2026-03-08"}, // at 0:01
	{"Africa/Casablanca", "2026-02-15"}, {"Africa/Casablanca", "2026-03-22"}, // back for Ramadan
	{"Antarctica/Troll", "2026-03-29"}, {"Antarctica/Troll", "2026-10-25"}, // two hours
	{"Asia/Tehran", "2021-03-22"}, {"Asia/Tehran", "2020-09-21"}, // a Monday's midnight, skipped and repeated
	{"America/Sao_Paulo", "2018-11-04"}, {"Europe/London", "2026-10-25"},
}

const margin = 15 // days laid out on both sides of now

// minute is what the clock shows at one minute.
type minute struct {
	date slots.Date
	week time.Weekday
	of   int // minutes after midnight
}

// film is the clock of a zone, minute by minute from a first instant.
type film struct {
	zone  *time.Location
	first time.Time
	shows []minute
}

func filmOf(t *testing.T, s scene) film {
	zone := mustZone(t, s.zone)
	first := mustTime(t, s.near+"T00:00:00Z").AddDate(0, 0, -margin-4)
	f := film{zone: zone, first: first, shows: make([]minute, (2*margin+12)*24*60)}
	for i := range f.shows {
		local := first.Add(time.Duration(i) * time.Minute).In(zone)
		f.shows[i] = minute{slots.DateOf(local, zone), local.Weekday(), local.Hour()*60 + local.Minute()}
	}
	return f
}

func (f film) at(i int) time.Time { return f.first.Add(time.Duration(i) * time.Minute) }

func (f film) open(a slots.Availability, i int) bool {
	m := f.shows[i]
	windows, own := a.Dates[m.date]
	if !own {
		windows = a.Week[m.week]
	}
	return slices.ContainsFunc(windows, func(w slots.Window) bool { return w.From <= m.of && m.of < w.To })
}

// starts is the oracle.
func (f film) starts(a slots.Availability, q slots.Query) []time.Time {
	var out []time.Time
	length, step := int(a.Length/time.Minute), int(a.Step/time.Minute)
	for i := 0; i < len(f.shows); i++ {
		if !f.open(a, i) {
			continue
		}
		end := i
		for end < len(f.shows) && f.open(a, end) {
			end++
		}
		grid := i
		for j := i; j+length <= end; j++ {
			if j > i && end-i >= 7*24*60 && f.shows[j].week == time.Monday && f.shows[j-1].week != time.Monday {
				grid = j
			}
			if (j-grid)%step == 0 && f.allowed(a, q, f.at(j)) {
				out = append(out, f.at(j))
			}
		}
		i = end
	}
	return out
}

func (f film) allowed(a slots.Availability, q slots.Query, s time.Time) bool {
	day, today := slots.DateOf(s, f.zone), slots.DateOf(q.Now, f.zone)
	visitor := slots.DateOf(s, q.Zone)
	switch {
	case s.Before(q.Now.Add(a.Notice)),
		day.Compare(today.AddDays(a.NoticeDays)) < 0, day.Compare(today.AddDays(a.Horizon)) > 0,
		q.From != (slots.Date{}) && visitor.Compare(q.From) < 0,
		q.To != (slots.Date{}) && visitor.Compare(q.To) > 0:
		return false
	}
	calls := 0
	for _, b := range q.Booked {
		if slots.DateOf(b.From, f.zone) == day {
			calls++
		}
		if s.Add(a.Length).Add(a.Gap()).After(b.From) && s.Before(b.To.Add(a.Gap())) {
			return false
		}
	}
	for _, b := range q.Busy {
		if s.Add(a.Length).Add(a.After).After(b.From) && s.Add(-a.Before).Before(b.To) {
			return false
		}
	}
	return a.PerDay == 0 || calls < a.PerDay
}

// draw makes up hours, calls and a question.
func (f film) draw(r *rand.Rand) (slots.Availability, slots.Query) {
	now := f.first.Add((margin+4)*24*time.Hour + time.Duration(r.IntN(8*24*3600)-4*24*3600)*time.Second)
	pick := func(of ...int) int { return of[r.IntN(len(of))] }
	a := slots.Availability{
		Zone:       f.zone,
		Length:     time.Duration(pick(1, 10, 15, 45, 60, 180)) * time.Minute,
		Step:       time.Duration(pick(5, 15, 30, 45, 60, 420, 1500)) * time.Minute,
		Before:     time.Duration(pick(0, 0, 5, 30)) * time.Minute,
		After:      time.Duration(pick(0, 0, 10, 45)) * time.Minute,
		Notice:     time.Duration(pick(0, 0, 10, 600, 2880)) * time.Minute,
		NoticeDays: pick(0, 0, 1, 2),
		Horizon:    pick(0, 1, 2, 3, 4),
		PerDay:     pick(0, 0, 1, 2),
		Dates:      map[slots.Date][]slots.Window{},
	}
	mostly := r.IntN(3) == 0 // open nearly always: long runs
	for day := range a.Week {
		a.Week[day] = drawWindows(r, mostly)
	}
	today := slots.DateOf(now, f.zone)
	for range pick(0, 0, 1, 3) {
		a.Dates[today.AddDays(r.IntN(12)-4)] = drawWindows(r, false)
	}
	q := slots.Query{Now: now, Zone: mustVisitor(r)}
	for range pick(0, 0, 2, 8) {
		from := now.Truncate(time.Minute).Add(time.Duration(r.IntN(5*24*12)) * 5 * time.Minute)
		q.Booked = append(q.Booked, slots.Span{From: from, To: from.Add(a.Length)})
	}
	for range pick(0, 0, 3) {
		from := now.Truncate(time.Minute).Add(time.Duration(r.IntN(5*24*60)-60) * time.Minute)
		q.Busy = append(q.Busy, slots.Span{From: from, To: from.Add(time.Duration(1+r.IntN(600)) * time.Minute)})
	}
	if r.IntN(3) == 0 {
		q.From = slots.DateOf(now, q.Zone).AddDays(r.IntN(3) - 1)
		q.To = q.From.AddDays(r.IntN(4))
	}
	return a, q
}

func mustVisitor(r *rand.Rand) *time.Location {
	zone, err := slots.LoadZone(scenes[r.IntN(len(scenes))].zone)
	if err != nil {
		panic(err)
	}
	return zone
}

func drawWindows(r *rand.Rand, mostly bool) []slots.Window {
	if mostly && r.IntN(20) != 0 {
		return []slots.Window{{From: 0, To: 1440}}
	}
	edges := []int{0, 1440, 60, 120, 150, 180, 165, 545, 600, 720, 1380, 1425}
	var cuts []int
	for range r.IntN(3) * 2 {
		cuts = append(cuts, edges[r.IntN(len(edges))])
	}
	slices.Sort(cuts)
	var out []slots.Window
	for i := 0; i+1 < len(cuts); i += 2 {
		if cuts[i] < cuts[i+1] && (len(out) == 0 || out[len(out)-1].To <= cuts[i]) {
			out = append(out, slots.Window{From: cuts[i], To: cuts[i+1]})
		}
	}
	return out
}

func TestStartsAgreeWithAClockReadMinuteByMinute(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	offered := 0
	for n, s := range scenes {
		f := filmOf(t, s)
		for round := range rounds {
			a, q := f.draw(rand.New(rand.NewPCG(uint64(n), uint64(round))))
			want, got := f.starts(a, q), slots.Starts(a, q)
			offered += len(want)
			if diff := cmp.Diff(format(want), format(got)); diff != "" {
				t.Fatalf("%s near %s, round %d: hours %+v, question %+v (-oracle +got):\n%s", s.zone, s.near, round, a, q, diff)
			}
		}
	}
	t.Logf("%d scenes of %d rounds, %d starts", len(scenes), rounds, offered)
	if offered == 0 {
		t.Error("no scenario offered a time: the drawing is broken")
	}
}

func format(ts []time.Time) []string {
	out := make([]string, 0, len(ts))
	for _, t := range ts {
		out = append(out, t.Format(time.RFC3339Nano))
	}
	return out
}
