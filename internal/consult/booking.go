package consult

import (
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/slots"
)

// Status is where a booking stands.
type Status string

// The states of a booking; the last three are final.
const (
	Confirmed Status = "confirmed"
	Cancelled Status = "cancelled"
	Done      Status = "done"
	NoShow    Status = "no-show"
)

// Who changed a booking.
type Who string

// A booking is changed by the visitor or by the owner.
const (
	ByVisitor Who = "visitor"
	ByOwner   Who = "owner"
)

// How long things are kept (security: what is kept, and its end).
const (
	keepContact  = 7 * 24 * time.Hour  // after the call
	keepCancel   = 24 * time.Hour      // at most, for a mail about a visitor's cancellation
	keepPage     = 24 * time.Hour      // the private page after a cancelled call was to begin
	keepBooking  = 30 * 24 * time.Hour // times without a person, after the call
	keepTrail    = 90 * 24 * time.Hour // who changed what when, without a person
	issuePatient = 30 * time.Minute    // a form keeps the notice it met when it was made
)

// Booking is one call.
type Booking struct {
	ID          string // random; tells nothing
	UID         string // of its calendar entry
	Start, End  time.Time
	Status      Status
	Sequence    int // raised by each change of time or state (RFC 5546 §2.1.4)
	Created     time.Time
	Cancelled   time.Time // zero unless cancelled
	CancelledBy Who
	Contact     *Contact // nil once forgotten
}

// Begun reports whether the call has begun, or is over, at now.
func (b Booking) Begun(now time.Time) bool { return !now.Before(b.Start) }

// Open reports whether the call can still be moved or cancelled at now.
func (b Booking) Open(now time.Time) bool { return b.Status == Confirmed && !b.Begun(now) }

// Closed says why a booking can't be changed at now: fault.Taken, or nil if it can.
func (b Booking) Closed(now time.Time) error {
	switch {
	case b.Open(now):
		return nil
	case b.Status == Cancelled:
		return fault.New(fault.Taken, "This call was cancelled. You can book another one.")
	}
	return fault.New(fault.Taken, "This call has begun, so it can’t be moved or cancelled here any more.")
}

// Cancel returns the booking as it is once cancelled at now.
func (b Booking) Cancel(now time.Time, by Who) Booking {
	b.Status, b.Cancelled, b.CancelledBy = Cancelled, now, by
	b.Sequence++
	return b
}

// Length is how long the call takes.
func (b Booking) Length() time.Duration { return b.End.Sub(b.Start) }

// Contact is who is called and how. All of it is sealed at rest.
type Contact struct {
	Name      string // what to ask for, as typed; any name
	Zone      string // the visitor's zone; empty = the practice's
	Call      Call
	Phone     string // E.164; empty unless Call is CallMe
	Extension string
	RawPhone  string // as typed
	Voicemail bool   // may a message be left
	Answer    Answer // if somebody else answers
	Caller    string // who we say is calling; empty = the neutral name
	StopWord  string
	Dropped   Dropped // if the line drops
	Email     string  // as typed; empty = never write
	Remind    bool
	Token     string // opens the visitor's page
	Code      string // three words that find it again
}

// Call is who calls whom.
type Call string

// The values of the field call.
const (
	CallMe Call = "me"  // we call the visitor
	ICall  Call = "you" // the visitor calls us
)

// Answer is what we do if somebody else answers.
type Answer string

// The values of the field answer; the first is what no answer means.
const (
	HangUp      Answer = "hang-up"
	AskFor      Answer = "ask"
	WrongNumber Answer = "wrong-number"
)

// Dropped is what we do if the line drops.
type Dropped string

// The values of the field dropped; the first is what no answer means.
const (
	LeaveIt  Dropped = "leave"
	CallOnce Dropped = "once"
	Wait     Dropped = "wait"
)

// Diary is what is taken, for a stretch of time.
type Diary struct {
	Booked []slots.Span // confirmed calls, and those that were held
	Busy   []slots.Span // other times
}

// Practice is what the site says about itself, as far as a call needs it.
type Practice struct {
	Phone   string // the number that visitors call; may be empty
	Country string // ISO 3166 code: numbers without a country code are read as its own
	Caller  string // who we say is calling if the visitor names nobody
	From    Sender // of mails to visitors
	Notify  string // where the owner is told; empty = nowhere
	Base    string // public origin of the site, for the owner's mails
	Links   string // origin for links in visitors' mails
}

// Sender is a name and an address.
type Sender struct{ Name, Address string }

// DefaultCaller is who we say is calling when nobody else is named.
const DefaultCaller = "a call about the appointment"

// CallerWords is who we say is calling this visitor.
func (p Practice) CallerWords(c Contact) string {
	switch {
	case c.Caller != "":
		return c.Caller
	case p.Caller != "":
		return p.Caller
	}
	return DefaultCaller
}
