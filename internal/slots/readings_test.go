package slots_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/slots"
)

// The same starts as in the cases, as the visitor's clock shows them.
func TestTheVisitorsClock(t *testing.T) {
	midnight := with(override(slots.Date{Year: 2026, Month: 7, Day: 18}, "00:00-00:15"))
	for _, c := range []struct {
		of   slotCase
		want string
	}{
		{slotCase{
			name: "booking-H04 the visitor’s clock moves", z: "America/New_York", v: "Europe/London", now: "2025-10-19T12:00:00Z",
			change: with(on(at("09:00-09:30"), time.Monday)), to: "2025-11-10",
		}, "2025-10-20 14:00; 2025-10-27 13:00; 2025-11-03 14:00; 2025-11-10 14:00"},
		{slotCase{
			name: "booking-H07 not today, shown in Tokyo", z: "America/Los_Angeles", v: "Asia/Tokyo", now: "2026-06-10T05:30:00Z",
			change: with(noticeDays(1), horizon(2), on(at("09:00-10:00"), everyDay...)),
		}, "2026-06-11 01:00 01:30; 2026-06-12 01:00 01:30"},
		{slotCase{
			name: "booking-H08 half-hour zone", z: "Asia/Kolkata", v: "Europe/London", now: "2026-06-05T12:00:00Z",
			change: with(step(time.Hour), horizon(5), on(at("07:30-12:00"), time.Monday)),
		}, "2026-06-08 03:00 04:00 05:00 06:00 07:00"},
		{slotCase{
			name: "booking-H12 far west of the practice", z: "America/New_York", v: "Pacific/Pago_Pago", now: "2026-06-02T03:00:00Z",
			change: with(step(240*time.Minute), horizon(2), on(at("09:00-17:00"), everyDay...)), from: "2026-06-02",
		}, "2026-06-02 02:00 06:00; 2026-06-03 02:00 06:00"},
		{slotCase{
			name: "booking-H14 just after midnight, at home", z: "Europe/Amsterdam", now: "2026-07-13T00:00:00Z", change: midnight,
		}, "2026-07-18 00:00"},
		{slotCase{
			name: "booking-H14 just after midnight, a day before", z: "Europe/Amsterdam", v: "America/New_York", now: "2026-07-13T00:00:00Z", change: midnight,
		}, "2026-07-17 18:00"},
		{slotCase{
			name: "booking-H18 renamed zone", z: "Europe/London", v: "Europe/Kyiv", now: "2026-07-10T12:00:00Z",
			change: with(horizon(6), on(at("10:00-10:30"), time.Wednesday)),
		}, "2026-07-15 12:00"},
	} {
		t.Run(c.of.name, func(t *testing.T) {
			v := c.of.v
			if v == "" {
				v = c.of.z
			}
			if diff := cmp.Diff(c.want, byDay(c.of.starts(t), mustZone(t, v))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
