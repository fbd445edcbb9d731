package consult

import (
	"context"
	"time"

	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/slots"
)

// Store keeps bookings. Every method that writes is one transaction; now is the
// one time of all that it writes. Errors are fault.NotFound for what is not there,
// fault.Unavailable when nothing can be written, and those named at the method.
type Store interface {
	// Diary returns what is taken from one time to another; without is the id of a
	// booking to leave out, or "".
	Diary(ctx context.Context, from, to time.Time, without string) (Diary, error)
	// BookCall writes a new booking, unless one was made under the same key: then
	// that one is returned and nothing is written. Errors: what Allow returns;
	// fault.Taken; ErrBudget or ErrBrake.
	BookCall(ctx context.Context, now time.Time, d Draft) (Booking, error)
	// MoveCall gives a booking another time, unless the same key did so before.
	// Errors: what Allow returns; fault.Taken, also for a call that is not open.
	MoveCall(ctx context.Context, now time.Time, m Move) (Booking, error)
	// CancelCall cancels a booking; one that is cancelled already is returned as it
	// is. Errors: fault.Taken for a call that has begun.
	CancelCall(ctx context.Context, now time.Time, c Cancel) (Booking, error)
	// FinishCall notes that a call was held or that nobody came. Errors: fault.Taken
	// for one that is cancelled.
	FinishCall(ctx context.Context, now time.Time, id string, as Status) error
	// AddBusy keeps a time free of calls.
	AddBusy(ctx context.Context, now time.Time, span slots.Span) error
	// WithdrawEmail forgets the address of a booking and drops what waits for it.
	WithdrawEmail(ctx context.Context, now time.Time, id string) error

	Call(ctx context.Context, id string) (Booking, error)
	CallByToken(ctx context.Context, now time.Time, token string) (Booking, error)
	CallByCode(ctx context.Context, now time.Time, code string) (Booking, error)
	// ComingCalls returns the confirmed calls that end after from and begin before to, by time.
	ComingCalls(ctx context.Context, from, to time.Time) ([]Booking, error)

	// Notify tells the owner of something that belongs to no other change.
	Notify(ctx context.Context, now time.Time, kind outbox.NoticeKind) error

	// CheckFeed returns fault.NotFound unless token is that of a feed in force.
	CheckFeed(ctx context.Context, token string) error
	// FeedCalls returns the calls of a feed, without their contacts; cancelled ones
	// only if that happened after cancelledAfter.
	FeedCalls(ctx context.Context, from, to, cancelledAfter time.Time) ([]Booking, error)
}

// Draft is a booking to be written.
type Draft struct {
	Key      string // of the form
	Booking  Booking
	Gap      time.Duration     // kept free between two calls, as in force now
	From, To time.Time         // what Allow looks at
	Allow    func(Diary) error // the rules again, within the transaction
	Budget   Budget            // how many bookings are too many
	Messages []outbox.Message  // to be sent if it is written
	Ends     Ends              // when it is forgotten
}

// Move is a change of time.
type Move struct {
	ID       string
	Key      string
	Start    time.Time
	End      time.Time
	Zone     string // the visitor's, as chosen now
	Gap      time.Duration
	From, To time.Time
	Allow    func(Diary) error
	Messages func(Booking) []outbox.Message // for the booking as it is after the move
	Ends     Ends
}

// Cancel is a cancellation.
type Cancel struct {
	ID       string
	By       Who
	Messages func(Booking) []outbox.Message
	Ends     Ends
}

// Ends is when parts of a booking are forgotten.
type Ends struct {
	Contact time.Time // who is called and how
	Page    time.Time // the private address
	Row     time.Time // the times
	Early   bool      // the contact goes as soon as no message to the visitor waits
}

// Budget bounds how many calls may be open. Zero is no limit.
type Budget struct {
	PerPerson int // open calls of one phone number or e-mail address
	PerDay    int // bookings made on the site within a day
}

// endsOf is when a booked call is forgotten.
func endsOf(end time.Time) Ends {
	return Ends{Contact: end.Add(keepContact), Page: end.Add(keepContact), Row: end.Add(keepBooking)}
}

// endsOfCancelled is when a cancelled call is forgotten.
func endsOfCancelled(b Booking, now time.Time, by Who) Ends {
	ends := Ends{Contact: b.Start, Page: b.Start.Add(keepPage), Row: b.End.Add(keepBooking)}
	if by == ByVisitor {
		ends.Contact, ends.Early = earlier(now.Add(keepCancel), b.End.Add(keepContact)), true
	}
	return ends
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
