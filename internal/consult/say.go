package consult

import (
	"fmt"
	"strings"
	"time"
)

// Words for a time, as the visitor's clock shows it: "Tuesday 9 June, 13:30
// (1:30 pm), Madrid time, UTC+2". The zone is called by the city at the end of its
// name; both ways of writing a clock stand there, and the offset tells the two
// readings of a repeated hour apart (rule R8).

// Spoken is the full name of a time, for a label that is heard.
func Spoken(t time.Time, zone *time.Location) string {
	return fmt.Sprintf("%s, %s (%s), %s, %s", DayWords(t, zone), Clock24(t, zone), Clock12(t, zone), ZoneWords(zone), OffsetWords(t, zone))
}

// DayWords is "Tuesday 9 June".
func DayWords(t time.Time, zone *time.Location) string { return t.In(zone).Format("Monday 2 January") }

// Clock24 is "13:30".
func Clock24(t time.Time, zone *time.Location) string { return t.In(zone).Format("15:04") }

// Clock12 is "1:30 pm", "12:00 noon" or "12:00 midnight".
func Clock12(t time.Time, zone *time.Location) string {
	local := t.In(zone)
	switch {
	case local.Minute() == 0 && local.Hour() == 12:
		return "12:00 noon"
	case local.Minute() == 0 && local.Hour() == 0:
		return "12:00 midnight"
	}
	return local.Format("3:04 pm")
}

// clockNote is what a 24-hour reading needs beside it: "am" or "noon" where the
// two ways of writing agree, else the reading in the other way.
func clockNote(t time.Time, zone *time.Location) string {
	twelve := Clock12(t, zone)
	number, half, _ := strings.Cut(twelve, " ")
	if number == strings.TrimPrefix(Clock24(t, zone), "0") {
		return half
	}
	return twelve
}

// ZoneWords is "Madrid time".
func ZoneWords(zone *time.Location) string { return City(zone.String()) + " time" }

// City is the last part of a zone's name, as words.
func City(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
}

// OffsetWords is "UTC+2", "UTC+5:30" or "UTC−5", with a true minus sign.
func OffsetWords(t time.Time, zone *time.Location) string {
	_, offset := t.In(zone).Zone()
	sign := "+"
	if offset < 0 {
		sign, offset = "−", -offset
	}
	minutes := offset / 60
	if minutes%60 == 0 {
		return fmt.Sprintf("UTC%s%d", sign, minutes/60)
	}
	return fmt.Sprintf("UTC%s%d:%02d", sign, minutes/60, minutes%60)
}

// repeated reports whether the clock of the zone shows this reading twice that day.
func repeated(t time.Time, zone *time.Location) bool {
	from, to := t.In(zone).ZoneBounds()
	_, offset := t.In(zone).Zone()
	if !from.IsZero() {
		_, before := from.Add(-time.Second).In(zone).Zone()
		if back := before - offset; back > 0 && t.Sub(from) < time.Duration(back)*time.Second {
			return true
		}
	}
	if !to.IsZero() {
		_, after := to.In(zone).Zone()
		if back := offset - after; back > 0 && to.Sub(t) <= time.Duration(back)*time.Second {
			return true
		}
	}
	return false
}
