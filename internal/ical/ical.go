// Package ical writes iCalendar files (RFC 5545) that tell no more than a time.
//
// There are three kinds. [Download] is what a visitor may save: a plain event
// without METHOD, ORGANIZER, ATTENDEE, URL or alarm, marked private. [Request] and
// [Withdraw] are what the owner's calendar takes from a mail (RFC 5546): the same
// UID for the life of a call, SEQUENCE raised by each change of time or state.
// [Publish] is a feed that calendars fetch.
//
// Times are UTC, so no VTIMEZONE is needed and none can be wrong. Lines end with
// CRLF and are folded at 75 octets, between characters.
package ical

import (
	"errors"
	"fmt"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
)

// prodID names no site: a saved file may be read by anybody.
const prodID = "-//Calendar//Appointments 1//EN"

// Event is one call in a calendar.
type Event struct {
	UID       string // random; the same for the life of the call
	Sequence  int
	Start     time.Time
	End       time.Time
	Stamp     time.Time // when this text is made
	Summary   string
	Cancelled bool
}

// Download returns the event as a file for the visitor.
func Download(e Event) (string, error) {
	cal := calendar("")
	add(cal, e).SetClass(ics.ClassificationPrivate)
	return serialize(cal)
}

// Request returns the text that puts the event into the attendee's calendar, or
// changes it there. Both are bare ASCII addresses.
func Request(e Event, organizer, attendee string) (string, error) {
	return scheduled(ics.MethodRequest, e, organizer, attendee)
}

// Withdraw returns the text that takes the event out of the attendee's calendar.
func Withdraw(e Event, organizer, attendee string) (string, error) {
	e.Cancelled = true
	return scheduled(ics.MethodCancel, e, organizer, attendee)
}

// Publish returns a feed of events. RFC 5545 wants a calendar to hold something:
// with no event, it says that the hour of stamp is free.
func Publish(events []Event, organizer string, stamp time.Time) (string, error) {
	if err := plain(organizer); err != nil {
		return "", err
	}
	cal := calendar(ics.MethodPublish)
	cal.SetRefreshInterval("PT1H")
	for _, e := range events {
		add(cal, e).SetOrganizer("mailto:" + organizer)
	}
	if len(events) == 0 {
		cal.Components = append(cal.Components, freeHour(organizer, stamp))
	}
	return serialize(cal)
}

func freeHour(organizer string, stamp time.Time) *ics.VBusy {
	hour := stamp.UTC().Truncate(time.Hour)
	free := ics.NewBusy("free-" + hour.Format("20060102T150405Z"))
	free.SetDtStampTime(stamp)
	free.SetStartAt(hour)
	free.SetEndAt(hour.Add(time.Hour))
	free.SetProperty(ics.ComponentPropertyOrganizer, "mailto:"+organizer)
	return free
}

func scheduled(method ics.Method, e Event, organizer, attendee string) (string, error) {
	if err := errors.Join(plain(organizer), plain(attendee)); err != nil {
		return "", err
	}
	cal := calendar(method)
	event := add(cal, e)
	event.SetOrganizer("mailto:" + organizer)
	if method == ics.MethodRequest {
		event.AddAttendee("mailto:"+attendee, ics.ParticipationRoleReqParticipant, ics.ParticipationStatusNeedsAction, ics.WithRSVP(false))
	} else {
		event.AddAttendee("mailto:" + attendee)
	}
	return serialize(cal)
}

func calendar(method ics.Method) *ics.Calendar {
	cal := &ics.Calendar{}
	cal.SetVersion("2.0")
	cal.SetProductId(prodID)
	cal.SetCalscale("GREGORIAN")
	if method != "" {
		cal.SetMethod(method)
	}
	return cal
}

func add(cal *ics.Calendar, e Event) *ics.VEvent {
	event := cal.AddEvent(e.UID)
	event.SetDtStampTime(e.Stamp)
	event.SetStartAt(e.Start)
	event.SetEndAt(e.End)
	event.SetSequence(e.Sequence)
	event.SetSummary(text(e.Summary))
	status := ics.ObjectStatusConfirmed
	if e.Cancelled {
		status = ics.ObjectStatusCancelled
	}
	event.SetStatus(status)
	return event
}

// text makes line ends into what the library escapes; it would pass a CR as it is.
func text(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// plain refuses an address that could end its property.
func plain(address string) error {
	if address == "" || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' }) {
		return errors.New("a calendar needs bare ASCII addresses")
	}
	return nil
}

func serialize(cal *ics.Calendar) (string, error) {
	var b strings.Builder
	if err := cal.SerializeTo(&b, ics.WithNewLineWindows); err != nil {
		return "", fmt.Errorf("write calendar: %w", err)
	}
	return b.String(), nil
}
