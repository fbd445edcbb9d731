package slots_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/slots"
)

// busyPractice is open all week at a step of a quarter of an hour, with calls.
func busyPractice(days, calls int) (slots.Availability, slots.Query) {
	zone, err := slots.LoadZone("Europe/London")
	if err != nil {
		panic(err)
	}
	a := slots.Availability{
		Zone: zone, Length: 15 * time.Minute, Step: 15 * time.Minute, After: 10 * time.Minute,
		Horizon: days, PerDay: 40, Dates: map[slots.Date][]slots.Window{},
	}
	for day := range a.Week {
		a.Week[day] = at("09:00-12:00", "13:00-19:00")
	}
	q := slots.Query{Now: time.Date(2026, 10, 1, 6, 0, 0, 0, time.UTC), Zone: zone}
	for i := range calls {
		from := q.Now.Add(time.Duration(i*days*24*60/max(calls, 1)) * time.Minute).Truncate(15 * time.Minute)
		q.Booked = append(q.Booked, slots.Span{From: from, To: from.Add(a.Length)})
	}
	return a, q
}

func BenchmarkStarts(b *testing.B) {
	for _, days := range []int{15, 60, 240} {
		b.Run(fmt.Sprintf("%d days, 500 calls", days), func(b *testing.B) {
			a, q := busyPractice(days, 500)
			b.ReportAllocs()
			for b.Loop() {
				slots.Starts(a, q)
			}
		})
	}
}

// Allocations must not grow with the days asked for: a handful of lists, each
// made once.
func TestStartsAllocateNothingPerCandidate(t *testing.T) {
	count := func(days int) float64 {
		a, q := busyPractice(days, 500)
		return testing.AllocsPerRun(20, func() { slots.Starts(a, q) })
	}
	short, long := count(15), count(240)
	if long > short+2 || long > 20 {
		t.Errorf("%v allocations for 15 days, %v for 240", short, long)
	}
}
