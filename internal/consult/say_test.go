package consult_test

import (
	"testing"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/slots"
)

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := slots.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func timeOf(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

func TestSpokenNamesTheTimeInFull(t *testing.T) {
	for _, c := range []struct{ name, at, zone, want string }{
		{"booking-H39 afternoon", "2026-06-09T11:30:00Z", "Europe/Madrid", "Tuesday 9 June, 13:30 (1:30 pm), Madrid time, UTC+2"},
		{"booking-H08 half hour", "2026-06-08T02:00:00Z", "Asia/Kolkata", "Monday 8 June, 07:30 (7:30 am), Kolkata time, UTC+5:30"},
		{"booking-H11 the day before", "2026-07-12T21:00:00Z", "Pacific/Honolulu", "Sunday 12 July, 11:00 (11:00 am), Honolulu time, UTC−10"},
		{"booking-H14 midnight", "2026-07-17T22:00:00Z", "Europe/Amsterdam", "Saturday 18 July, 00:00 (12:00 midnight), Amsterdam time, UTC+2"},
		{"booking-H18 old name", "2026-07-15T09:00:00Z", "Europe/Kiev", "Wednesday 15 July, 12:00 (12:00 noon), Kiev time, UTC+3"},
		{"booking-H02 first 01:00", "2026-11-01T06:00:00Z", "America/Chicago", "Sunday 1 November, 01:00 (1:00 am), Chicago time, UTC−5"},
		{"booking-H02 second 01:00", "2026-11-01T07:00:00Z", "America/Chicago", "Sunday 1 November, 01:00 (1:00 am), Chicago time, UTC−6"},
		{"booking-H31 long ago", "2021-01-28T20:30:00Z", "America/Denver", "Thursday 28 January, 13:30 (1:30 pm), Denver time, UTC−7"},
		{"a city of two words", "2026-06-09T11:30:00Z", "America/Argentina/Buenos_Aires", "Tuesday 9 June, 08:30 (8:30 am), Buenos Aires time, UTC−3"},
		{"a zone without a city", "2026-06-09T00:30:00Z", "UTC", "Tuesday 9 June, 00:30 (12:30 am), UTC time, UTC+0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := consult.Spoken(timeOf(t, c.at), zoneOf(t, c.zone)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
