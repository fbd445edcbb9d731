package slots

import (
	"cmp"
	"fmt"
	"time"
)

// Date is a day of the calendar, in no zone.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the date that a clock in zone shows at t.
func DateOf(t time.Time, zone *time.Location) Date {
	y, m, d := t.In(zone).Date()
	return Date{Year: y, Month: m, Day: d}
}

// ParseDate reads YYYY-MM-DD; a day that the calendar does not have is an error.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%.40q is no date: write one such as 2026-12-31", s)
	}
	return DateOf(t, time.UTC), nil
}

// String is the date as YYYY-MM-DD.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// AddDays returns the date n days on, or back.
func (d Date) AddDays(n int) Date { return dateOfDays(d.days() + n) }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return weekday(d.days()) }

// Compare is negative if d is before e, 0 if they are the same, else positive.
func (d Date) Compare(e Date) int {
	return cmp.Or(cmp.Compare(d.Year, e.Year), cmp.Compare(d.Month, e.Month), cmp.Compare(d.Day, e.Day))
}

// days counts from 1 January 1970. UTC only carries the number: it has no gaps.
func (d Date) days() int {
	return floorDay(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Unix())
}

func dateOfDays(n int) Date {
	return DateOf(time.Unix(int64(n)*daySeconds, 0), time.UTC)
}
