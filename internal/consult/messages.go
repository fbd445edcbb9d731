package consult

import (
	"strconv"
	"time"

	"github.com/steadier/steadier/internal/outbox"
)

// Kinds of message about a booking. Those to the visitor exist only where an
// address was given.
const (
	KindConfirmed = "call-confirmed"
	KindMoved     = "call-moved"
	KindCancelled = "call-cancelled"
	KindReminder  = "call-reminder"

	KindOwnerBooked    = "owner-call-booked"
	KindOwnerMoved     = "owner-call-moved"
	KindOwnerCancelled = "owner-call-cancelled"
)

// VisitorKinds are the kinds that go to the visitor.
func VisitorKinds() []string {
	return []string{KindConfirmed, KindMoved, KindCancelled, KindReminder}
}

// OwnerKinds are the kinds that go to the owner.
func OwnerKinds() []string {
	return []string{KindOwnerBooked, KindOwnerMoved, KindOwnerCancelled}
}

// Priorities: a visitor who waits goes before a reminder, and the owner between.
const (
	priorityVisitor  = 30
	priorityOwner    = 20
	priorityReminder = 10
)

const (
	reminderLead  = 24 * time.Hour // before the start, elapsed
	reminderWait  = time.Hour      // due sooner than this after booking: none
	messageExpiry = 24 * time.Hour // after it was due
)

// messages are the rows that tell of a booking or a move: the visitor's if there
// is an address, the reminder if it was wanted, and the owner's.
func messages(b Booking, visitor, owner string, now time.Time) []outbox.Message {
	out := []outbox.Message{message(b, owner, now, now.Add(messageExpiry), priorityOwner)}
	if b.Contact == nil || b.Contact.Email == "" {
		return out
	}
	out = append(out, message(b, visitor, now, earlier(b.Start, now.Add(messageExpiry)), priorityVisitor))
	if due := b.Start.Add(-reminderLead); b.Contact.Remind && !due.Before(now.Add(reminderWait)) {
		out = append(out, message(b, KindReminder, due, b.Start, priorityReminder))
	}
	return out
}

// farewell are the rows that tell of a cancellation.
func farewell(b Booking, now time.Time) []outbox.Message {
	out := []outbox.Message{message(b, KindOwnerCancelled, now, now.Add(messageExpiry), priorityOwner)}
	if b.Contact != nil && b.Contact.Email != "" {
		out = append(out, message(b, KindCancelled, now, now.Add(messageExpiry), priorityVisitor))
	}
	return out
}

func message(b Booking, kind string, due, expires time.Time, priority int) outbox.Message {
	return outbox.Message{
		Key:      kind + ":" + b.ID + ":" + strconv.Itoa(b.Sequence),
		Kind:     kind,
		Subject:  b.ID,
		Sequence: b.Sequence,
		Due:      due,
		Expires:  expires,
		Priority: priority,
	}
}

// AllKinds are all kinds of message about a booking.
func AllKinds() []string { return append(VisitorKinds(), OwnerKinds()...) }
