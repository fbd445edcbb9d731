package slots

// run is a stretch of unix seconds, [from, to).
type run struct{ from, to int64 }

// runs lays the windows of the dates from first to last out as instants and
// merges those that touch. Pieces come in order, and within one the dates and
// their windows do, so the result is sorted as it is made.
func (a Availability) runs(pieces []piece, first, last int) []run {
	out := make([]run, 0, 2*(last-first+1))
	for _, p := range pieces {
		from := max(floorDay(p.from+p.offset), first)
		to := min(floorDay(p.to-1+p.offset), last)
		for day := from; day <= to; day++ {
			for _, w := range a.windows(day) {
				out = join(out, p.instants(day, w))
			}
		}
	}
	return out
}

// windows are the rules for a date: its own if it has any, else its weekday's.
func (a Availability) windows(day int) []Window {
	if len(a.Dates) > 0 {
		if own, ok := a.Dates[dateOfDays(day)]; ok {
			return own
		}
	}
	return a.Week[weekday(day)]
}

// instants is the part of the piece at which a clock shows a time of the window.
func (p piece) instants(day int, w Window) run {
	midnight := int64(day)*daySeconds - p.offset
	return run{
		from: max(p.from, midnight+int64(w.From)*60),
		to:   min(p.to, midnight+int64(w.To)*60),
	}
}

// join appends r, or lengthens the last run if r touches it.
func join(runs []run, r run) []run {
	if r.from >= r.to {
		return runs
	}
	if n := len(runs); n > 0 && runs[n-1].to == r.from {
		runs[n-1].to = r.to
		return runs
	}
	return append(runs, r)
}
