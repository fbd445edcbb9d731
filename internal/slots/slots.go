package slots

import (
	"slices"
	"time"
)

// Availability is when the practice takes calls. Durations are whole minutes.
type Availability struct {
	Zone       *time.Location    // Z; its String is the name in the file
	Length     time.Duration     // of a call; more than 0
	Step       time.Duration     // between two starts of a run; more than 0
	Before     time.Duration     // kept free before a call
	After      time.Duration     // and after it
	Notice     time.Duration     // soonest bookable, elapsed
	NoticeDays int               // soonest bookable day, counted from today in Z
	Horizon    int               // last bookable day, counted from today in Z
	PerDay     int               // most calls in a day of Z; 0 = no limit
	Week       [7][]Window       // by time.Weekday, sorted, without overlap
	Dates      map[Date][]Window // instead of the weekday's; empty = closed
}

// Open reports whether there are any hours at all, on whatever day.
func (a Availability) Open() bool {
	for _, day := range a.Week {
		if len(day) > 0 {
			return true
		}
	}
	for _, day := range a.Dates {
		if len(day) > 0 {
			return true
		}
	}
	return false
}

// Gap is the least time between the end of one call and the start of the next.
func (a Availability) Gap() time.Duration { return max(a.Before, a.After) }

// Window is a stretch of a day on the clock, [From, To), in minutes after
// midnight; To is at most 1440, which is written 24:00.
type Window struct{ From, To int }

// Span is a stretch of time, [From, To).
type Span struct{ From, To time.Time }

// Query is what else a question for starts depends on.
type Query struct {
	Now    time.Time
	Asked  time.Time      // when the notice was met: the issue time of a form; zero = Now
	Zone   *time.Location // V, for From and To; nil = the practice's
	From   Date           // first day in V; zero = now
	To     Date           // last day in V; zero = the horizon
	Booked []Span         // the confirmed calls
	Busy   []Span         // other times at which the practice can't be called
}

// lookBack and lookAhead are how many dates around the wanted ones are laid out,
// so that a run that began earlier, or ends later, is seen as long as it is.
const (
	lookBack  = 9
	lookAhead = 8
	fullWeek  = 7 * 24 * 60 * 60
)

// Starts returns the instants, in UTC and ascending, at which a call may begin.
func Starts(a Availability, q Query) []time.Time {
	if a.Length <= 0 || a.Step <= 0 || a.Zone == nil {
		return nil
	}
	l := limitsOf(a, q)
	if l.firstDay > l.lastDay {
		return nil
	}
	offsets := cut(a.Zone, l.today-lookBack, l.lastDay+lookAhead)
	runs := a.runs(offsets, l.today-lookBack, l.lastDay+lookAhead)
	s := sieve{
		limits:    l,
		own:       clock{pieces: offsets},
		visitor:   clock{pieces: cut(q.zone(a), l.today-lookBack, l.lastDay+lookAhead)},
		forbidden: forbidden(a, q),
		full:      fullDays(a, q.Booked),
	}
	out := make([]time.Time, 0, expected(runs, a, l))
	for _, r := range runs {
		out = s.walk(out, r, a, offsets)
	}
	return out
}

func (q Query) zone(a Availability) *time.Location {
	if q.Zone == nil {
		return a.Zone
	}
	return q.Zone
}

// limits are the bounds that hold for every start, in unix seconds and days
// since 1 January 1970.
type limits struct {
	today, firstDay, lastDay int // of Z
	soonest                  int64
	fromDay, toDay           int // of V
}

func limitsOf(a Availability, q Query) limits {
	asked := q.Asked
	if asked.IsZero() {
		asked = q.Now
	}
	today := DateOf(q.Now, a.Zone).days()
	l := limits{
		today:    today,
		firstDay: DateOf(asked, a.Zone).days() + a.NoticeDays,
		lastDay:  today + a.Horizon,
		soonest:  max(ceil(asked.Add(a.Notice)), ceil(q.Now)),
		fromDay:  today - lookBack,
		toDay:    today + a.Horizon + lookAhead,
	}
	if q.From != (Date{}) {
		l.fromDay = q.From.days()
	}
	if q.To != (Date{}) {
		l.toDay = q.To.days()
		l.lastDay = min(l.lastDay, l.toDay+2) // a date of Z is never two days behind V's
	}
	return l
}

// ceil is the first whole second not before t.
func ceil(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

// expected is an upper bound for the number of starts: one allocation serves all.
func expected(runs []run, a Availability, l limits) int {
	n := 0
	for _, r := range runs {
		if r.to > l.soonest {
			n += int((r.to-max(r.from, l.soonest))/seconds(a.Step)) + 2
		}
	}
	return n
}

// sieve decides on starts, which it must be given in ascending order.
type sieve struct {
	limits
	own, visitor clock
	forbidden    []run // open at both ends, sorted, apart
	full         []int // days of Z at their cap, sorted
}

// walk appends the starts of one run. Its grid is laid from the run's own
// beginning, and anew from each Monday of a long one.
func (s *sieve) walk(out []time.Time, r run, a Availability, offsets []piece) []time.Time {
	last := r.to - seconds(a.Length)
	for from := r.from; from < r.to; {
		to := r.to
		if r.to-r.from >= fullWeek {
			to = min(to, nextMonday(offsets, from))
		}
		for t := s.skip(from, seconds(a.Step)); t < to && t <= last; t += seconds(a.Step) {
			if s.keep(t) {
				out = append(out, time.Unix(t, 0).UTC())
			}
		}
		from = to
	}
	return out
}

// skip goes along the grid that begins at from to its first start that is not
// too soon.
func (s *sieve) skip(from, step int64) int64 {
	if late := s.soonest - from; late > 0 {
		return from + (late+step-1)/step*step
	}
	return from
}

func (s *sieve) keep(t int64) bool {
	day := s.own.day(t)
	if t < s.soonest || day < s.firstDay || day > s.lastDay {
		return false
	}
	if v := s.visitor.day(t); v < s.fromDay || v > s.toDay {
		return false
	}
	for len(s.forbidden) > 0 && s.forbidden[0].to <= t {
		s.forbidden = s.forbidden[1:]
	}
	if len(s.forbidden) > 0 && s.forbidden[0].from < t {
		return false
	}
	_, full := slices.BinarySearch(s.full, day)
	return !full
}

// forbidden returns the open intervals in which no call may begin because of
// another call or a busy time.
func forbidden(a Availability, q Query) []run {
	length, gap := seconds(a.Length), seconds(a.Gap())
	out := make([]run, 0, len(q.Booked)+len(q.Busy))
	for _, b := range q.Booked {
		out = append(out, run{b.From.Unix() - gap - length, b.To.Unix() + gap})
	}
	for _, b := range q.Busy {
		out = append(out, run{b.From.Unix() - seconds(a.After) - length, b.To.Unix() + seconds(a.Before)})
	}
	slices.SortFunc(out, func(x, y run) int { return int(min(max(x.from-y.from, -1), 1)) })
	apart := out[:0]
	for _, r := range out {
		if n := len(apart); n > 0 && r.from < apart[n-1].to {
			apart[n-1].to = max(apart[n-1].to, r.to)
			continue
		}
		apart = append(apart, r)
	}
	return apart
}

// fullDays returns the days of Z, sorted, that have as many calls as they may.
func fullDays(a Availability, booked []Span) []int {
	if a.PerDay <= 0 {
		return nil
	}
	days := make([]int, len(booked))
	for i, b := range booked {
		days[i] = DateOf(b.From, a.Zone).days()
	}
	slices.Sort(days)
	full := days[:0]
	for i := 0; i < len(days); {
		n := 1
		for i+n < len(days) && days[i+n] == days[i] {
			n++
		}
		day := days[i]
		i += n
		if n >= a.PerDay {
			full = append(full, day)
		}
	}
	return full
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }
