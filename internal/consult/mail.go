package consult

import (
	"context"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/ical"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/slots"
)

// CalendarTitle is what a call is named in every calendar.
const CalendarTitle = "Call"

// neutralSender stands for a sender's name that would tell why somebody calls.
const neutralSender = "Appointments"

// Mails gives the messages about bookings their words, from what is true when they
// are sent. A message is dropped when the booking has changed since it was queued,
// has begun, or has no address any more. It implements [outbox.Composer] for
// the kinds of [VisitorKinds] and [OwnerKinds].
type Mails struct {
	Store interface {
		Call(ctx context.Context, id string) (Booking, error)
	}
	Hours    func() slots.Availability // for the practice's zone
	Practice func() Practice
}

// Compose implements [outbox.Composer].
func (m Mails) Compose(ctx context.Context, msg outbox.Message, now time.Time) (mail.Message, error) {
	b, err := m.Store.Call(ctx, msg.Subject)
	if fault.Is(err, fault.NotFound) {
		return mail.Message{}, outbox.Skip("forgotten")
	}
	if err != nil {
		return mail.Message{}, err
	}
	if reason := stale(b, msg, now); reason != "" {
		return mail.Message{}, outbox.Skip(reason)
	}
	switch msg.Kind {
	case KindOwnerBooked, KindOwnerMoved, KindOwnerCancelled:
		return m.toOwner(b, msg.Kind, now)
	}
	return m.toVisitor(b, msg.Kind)
}

// stale says why a message is no longer wanted (rule R18), or "".
func stale(b Booking, msg outbox.Message, now time.Time) string {
	about := msg.Kind == KindCancelled || msg.Kind == KindOwnerCancelled
	switch {
	case b.Status == Cancelled && !about:
		return "cancelled"
	case b.Sequence != msg.Sequence:
		return "moved"
	case b.Begun(now) && msg.Kind != KindOwnerCancelled:
		return "begun"
	}
	return ""
}

// toVisitor makes a plain letter. It holds no name, no number of theirs and nothing
// that they typed; nothing is attached, so no mail program puts it in a calendar.
func (m Mails) toVisitor(b Booking, kind string) (mail.Message, error) {
	if b.Contact == nil || b.Contact.Email == "" {
		return mail.Message{}, outbox.Skip("no address")
	}
	to, err := mail.ParseAddress(b.Contact.Email)
	if err != nil {
		return mail.Message{}, outbox.Skip("address")
	}
	practice, zone := m.Practice(), m.zone(b)
	words := visitorWords(b, kind, practice, zone, m.Hours().Zone)
	return mail.Message{
		From:    mail.Mailbox{Name: practice.SenderName(), Address: practice.From.Address},
		To:      to.Wire(),
		Subject: words.subject,
		Text:    words.text,
	}, nil
}

// SenderName is the name that mails to visitors come from.
func (p Practice) SenderName() string { return neutral(p.From.Name, neutralSender) }

// ExampleSubject is the subject of a confirmation, for the page to show beforehand
// what would arrive.
func ExampleSubject(now time.Time, zone string) string {
	in, err := slots.LoadZone(zone)
	if err != nil {
		in = time.UTC
	}
	return "Confirmed: " + DayWords(now.AddDate(0, 0, 2), in) + ", 10:00"
}

type letter struct{ subject, text string }

func visitorWords(b Booking, kind string, p Practice, zone, ours *time.Location) letter {
	when := DayWords(b.Start, zone) + ", " + Clock24(b.Start, zone)
	details := Spoken(b.Start, zone) + "\n"
	if ours.String() != zone.String() {
		details += "For us that is " + Spoken(b.Start, ours) + ".\n"
	}
	details += howLong(b) + "\n"
	if b.Contact.Call == CallMe {
		details += "We call you.\n"
	} else {
		details += "You call us" + numberWords(p.Phone) + ".\n"
	}
	page := "To see it, move it or cancel it:\n" + p.Links + "/consult/" + b.Contact.Token + "\n"
	switch kind {
	case KindMoved:
		return letter{"Moved: " + when, "The time has been changed. It is now:\n\n" + details + "\n" + page}
	case KindReminder:
		return letter{"Reminder: " + when, "This is the reminder that you asked for.\n\n" + details + "\n" + page}
	case KindCancelled:
		return letter{
			"Cancelled: " + when,
			"This appointment has been cancelled:\n\n" + Spoken(b.Start, zone) + "\n\nThere is nothing you need to do.\n",
		}
	}
	return letter{"Confirmed: " + when, "This is confirmed:\n\n" + details + "\n" + page}
}

func howLong(b Booking) string {
	return "It takes " + itoa(int(b.Length()/time.Minute)) + " minutes."
}

func numberWords(phone string) string {
	if phone == "" {
		return ""
	}
	return ": " + phone
}

// toOwner tells the time and nothing about the person: what was agreed is read in
// one place, by who may read it. The calendar part keeps the owner's calendar right.
func (m Mails) toOwner(b Booking, kind string, now time.Time) (mail.Message, error) {
	practice := m.Practice()
	if practice.Notify == "" {
		return mail.Message{}, outbox.Skip("nobody to tell")
	}
	to, err := mail.ParseAddress(practice.Notify)
	if err != nil {
		return mail.Message{}, outbox.Skip("address")
	}
	zone := m.Hours().Zone
	what := map[string]string{
		KindOwnerBooked: "booked", KindOwnerMoved: "moved", KindOwnerCancelled: "cancelled",
	}[kind]
	return mail.Message{
		From:    mail.Mailbox{Name: practice.SenderName(), Address: practice.From.Address},
		To:      to.Wire(),
		Subject: "A call was " + what + ": " + DayWords(b.Start, zone) + ", " + Clock24(b.Start, zone),
		Text: "A call was " + what + ".\n\n" + Spoken(b.Start, zone) + "\n" + howLong(b) + "\n\n" +
			"What was agreed on is not in this mail. On the machine itself, `steadier calls` shows it.\n",
		Invite: invite(b, kind, practice, to.Wire(), now),
	}, nil
}

// invite is the calendar part of an owner's mail; nil if it can't be made, since
// the words matter more.
func invite(b Booking, kind string, p Practice, owner string, now time.Time) *mail.Calendar {
	method, build := "REQUEST", ical.Request
	if kind == KindOwnerCancelled {
		method, build = "CANCEL", ical.Withdraw
	}
	data, err := build(b.Event(now), p.From.Address, owner)
	if err != nil {
		return nil
	}
	return &mail.Calendar{Method: method, Data: data}
}

// Event is the call as a calendar shows it, made at now.
func (b Booking) Event(now time.Time) ical.Event {
	return ical.Event{
		UID: b.UID, Sequence: b.Sequence, Start: b.Start, End: b.End, Stamp: now,
		Summary: CalendarTitle, Cancelled: b.Status == Cancelled,
	}
}

// zone is the one in which the visitor reads a clock.
func (m Mails) zone(b Booking) *time.Location { return zoneOf(b, m.Hours()) }

func zoneOf(b Booking, hours slots.Availability) *time.Location {
	if b.Contact != nil {
		if zone, err := slots.LoadZone(b.Contact.Zone); err == nil {
			return zone
		}
	}
	return hours.Zone
}
