package slots

import (
	"fmt"
	"time"
	_ "time/tzdata" // zones are known where the host has no zoneinfo
)

// maxZoneName is the longest zone name accepted, in bytes; the longest in use has 30.
const maxZoneName = 64

// LoadZone returns the zone of an IANA name, old names included. The empty name
// and "Local", which [time.LoadLocation] takes for UTC and for the machine's own
// zone, are refused.
func LoadZone(name string) (*time.Location, error) {
	if name == "" || name == "Local" || len(name) > maxZoneName {
		return nil, fmt.Errorf("unknown time zone %.64q: write a name such as Europe/London", name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("unknown time zone %q: write a name such as Europe/London", name)
	}
	return zone, nil
}

// piece is a stretch of instants, [from, to) in unix seconds, in which a zone
// keeps one offset to UTC, in seconds.
type piece struct {
	from, to int64
	offset   int64
}

const daySeconds = 24 * 60 * 60

// cut returns the pieces of a zone that cover the days from first to last, which
// are counted from 1 January 1970, in any zone.
func cut(zone *time.Location, first, last int) []piece {
	at := int64(first-1) * daySeconds
	end := int64(last+2) * daySeconds
	out := make([]piece, 0, 8)
	for at < end {
		t := time.Unix(at, 0).In(zone)
		_, offset := t.Zone()
		to := end
		if _, next := t.ZoneBounds(); !next.IsZero() && next.Unix() > at {
			to = min(end, next.Unix())
		}
		if n := len(out); n > 0 && out[n-1].offset == int64(offset) {
			out[n-1].to = to // only the zone's abbreviation changed
		} else {
			out = append(out, piece{from: at, to: to, offset: int64(offset)})
		}
		at = to
	}
	return out
}

// clock reads the date of instants that come in ascending order.
type clock struct{ pieces []piece }

// day returns the date at t as days since 1 January 1970.
func (c *clock) day(t int64) int {
	for len(c.pieces) > 1 && c.pieces[0].to <= t {
		c.pieces = c.pieces[1:]
	}
	return floorDay(t + c.pieces[0].offset)
}

// floorDay is the date of a local reading in seconds.
func floorDay(local int64) int {
	day := local / daySeconds
	if local%daySeconds < 0 {
		day--
	}
	return int(day)
}

// nextMonday returns the first instant after t that shows a Monday of the zone
// while the instant before it does not; the end of the pieces if there is none.
func nextMonday(pieces []piece, t int64) int64 {
	shows := clock{pieces: pieces}
	for _, p := range pieces {
		from := max(p.from, t+1)
		if from >= p.to {
			continue
		}
		before, day := weekday(shows.day(from-1)), floorDay(from+p.offset)
		if before != time.Monday && weekday(day) == time.Monday {
			return from
		}
		if at := int64(mondayAfter(day))*daySeconds - p.offset; at < p.to {
			return at
		}
	}
	return pieces[len(pieces)-1].to
}

// mondayAfter returns the first Monday after a day.
func mondayAfter(day int) int { return day + 7 - int(weekday(day)+6)%7 }

// weekday is that of a date given as days since 1 January 1970, a Thursday.
func weekday(day int) time.Weekday {
	return time.Weekday(((day+4)%7 + 7) % 7)
}
