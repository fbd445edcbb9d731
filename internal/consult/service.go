package consult

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
)

// Config is what the service works with.
type Config struct {
	Hours    func() slots.Availability // the hours now in force
	Practice func() Practice
	MailOn   bool   // e-mail addresses are taken
	Budget   Budget // see [DefaultBudget]
	Log      *slog.Logger
}

// DefaultBudget returns the usual bounds: three open calls for one phone number or
// address, and on the site more bookings in a day than a practice has in a week.
func DefaultBudget() Budget { return Budget{PerPerson: 3, PerDay: 60} }

// Service books, moves and cancels calls. It is safe for concurrent use.
type Service struct {
	Config
	store Store
	zones []*time.Location
	tries tries
}

// New returns a service over a store.
func New(store Store, c Config) *Service {
	return &Service{Config: c, store: store, zones: loadZones()}
}

// Key is what a form's key says.
type Key struct {
	ID     string    // the same key always leads to the same booking
	Issued time.Time // when the form was made
}

// Budgets used up, as the store reports them.
var (
	ErrBudget = errors.New("too many open calls for one person")
	ErrBrake  = errors.New("too many bookings in a day")
)

// ErrGone is a start that another call, a busy time or the day's cap stands in the
// way of. The rules say it, and the database's own guards.
var ErrGone = errors.New("taken")

// Refused is a request for a time that can't be had. Its kind is fault.Invalid
// if the time is not on offer, fault.Taken if it is gone.
type Refused struct {
	Fault   *fault.Error
	Nearest []time.Time // up to three free times, ascending
}

// Error is that of the fault.
func (r *Refused) Error() string { return r.Fault.Error() }

// Unwrap gives the fault.
func (r *Refused) Unwrap() error { return r.Fault }

// Book reads the form and books the call. The errors are fault.Invalid with
// messages at the fields, [Refused], fault.TooMany and fault.Unavailable.
func (s *Service) Book(ctx context.Context, now time.Time, key Key, q Request) (Booking, error) {
	practice := s.Practice()
	start, contact, err := q.Read(practice.Country, s.MailOn)
	if err != nil {
		return Booking{}, err
	}
	hours := s.Hours()
	contact.Token, contact.Code = seal.NewToken(), NewCode()
	b := Booking{
		ID: seal.NewID(), UID: newUID(), Start: start, End: start.Add(hours.Length),
		Status: Confirmed, Created: now, Contact: &contact,
	}
	rules := s.rules(hours, now, asked(now, key.Issued), start)
	made, err := s.store.BookCall(ctx, now, Draft{
		Key: key.ID, Booking: b, Gap: hours.Gap(), From: rules.from, To: rules.to, Allow: rules.allow,
		Budget: s.Budget, Messages: messages(b, KindConfirmed, KindOwnerBooked, now), Ends: endsOf(b.End),
	})
	if err != nil {
		return Booking{}, s.refusal(ctx, now, hours, start, "", err)
	}
	return made, nil
}

// Move gives a booking another time. Moving it to the time that it has changes
// nothing. Errors as for Book; fault.Taken too when the call has begun or was
// cancelled.
func (s *Service) Move(ctx context.Context, now time.Time, key Key, b Booking, slot, zone string) (Booking, error) {
	start, err := ParseSlot(slot)
	if err != nil {
		return b, fault.BadFields(fault.Field{Name: "slot", Message: "Choose one of the times on this page."})
	}
	if err := b.Closed(now); err != nil {
		return b, err
	}
	if start.Equal(b.Start) {
		return b, nil
	}
	hours := s.Hours()
	rules := s.rules(hours, now, asked(now, key.Issued), start)
	moved, err := s.store.MoveCall(ctx, now, Move{
		ID: b.ID, Key: key.ID, Start: start, End: start.Add(hours.Length), Zone: knownZone(zone),
		Gap: hours.Gap(), From: rules.from, To: rules.to, Allow: rules.allow, Ends: endsOf(start.Add(hours.Length)),
		Messages: func(b Booking) []outbox.Message { return messages(b, KindMoved, KindOwnerMoved, now) },
	})
	if err != nil {
		return b, s.refusal(ctx, now, hours, start, b.ID, err)
	}
	return moved, nil
}

// Cancel cancels a booking. Doing it twice is harmless. Errors: fault.Taken when
// the call has begun.
func (s *Service) Cancel(ctx context.Context, now time.Time, b Booking, by Who) (Booking, error) {
	if b.Status == Cancelled {
		return b, nil
	}
	if err := b.Closed(now); err != nil {
		return b, err
	}
	return s.store.CancelCall(ctx, now, CancelOf(b, now, by))
}

// Finish notes that a call was held, or that nobody came. Doing it again with the other
// word puts it right. Errors: fault.Invalid for another word; fault.Taken for a call
// that has not begun, or was cancelled.
func (s *Service) Finish(ctx context.Context, now time.Time, b Booking, as Status) error {
	switch {
	case as != Done && as != NoShow:
		return fault.New(fault.Invalid, "A call was held, or nobody came.")
	case b.Status == Cancelled:
		return fault.New(fault.Taken, "This call was cancelled.")
	case !b.Begun(now):
		return fault.New(fault.Taken, "This call has not begun yet.")
	}
	return s.store.FinishCall(ctx, now, b.ID, as)
}

// Block keeps a time free of calls. Calls that are booked already stay. Errors:
// fault.Invalid for an end that is not after the start, or more than a year on.
func (s *Service) Block(ctx context.Context, now time.Time, span slots.Span) error {
	if !span.To.After(span.From) || span.To.Sub(span.From) > 366*24*time.Hour {
		return fault.New(fault.Invalid, "The end has to come after the start, and within a year of it.")
	}
	return s.store.AddBusy(ctx, now, span)
}

// CancelByOwner cancels a call for the owner. The visitor is told if tell is set and
// they may be written to. Errors as for Cancel.
func (s *Service) CancelByOwner(ctx context.Context, now time.Time, b Booking, tell bool) (Booking, error) {
	if b.Status == Cancelled {
		return b, nil
	}
	if err := b.Closed(now); err != nil {
		return b, err
	}
	c := CancelOf(b, now, ByOwner)
	if !tell {
		c.Messages = func(b Booking) []outbox.Message {
			return slices.DeleteFunc(farewell(b, now), func(m outbox.Message) bool { return m.Kind == KindCancelled })
		}
	}
	return s.store.CancelCall(ctx, now, c)
}

// CancelOf is the cancellation of a booking: what is sent, and when it is forgotten.
func CancelOf(b Booking, now time.Time, by Who) Cancel {
	return Cancel{
		ID: b.ID, By: by, Ends: endsOfCancelled(b, now, by),
		Messages: func(b Booking) []outbox.Message { return farewell(b, now) },
	}
}

// WithdrawEmail forgets the address of a booking: nothing more is sent to it.
func (s *Service) WithdrawEmail(ctx context.Context, now time.Time, b Booking) error {
	return s.store.WithdrawEmail(ctx, now, b.ID)
}

// ByToken returns the booking whose private page has this token, or fault.NotFound
// for any that is unknown, over or forgotten.
func (s *Service) ByToken(ctx context.Context, now time.Time, token string) (Booking, error) {
	return s.store.CallByToken(ctx, now, token)
}

// Coming returns the calls from now to a number of days on, those under way
// included.
func (s *Service) Coming(ctx context.Context, now time.Time, days int) ([]Booking, error) {
	return s.store.ComingCalls(ctx, now, now.Add(time.Duration(days)*24*time.Hour))
}

// asked is the time at which the notice counts: that of a form made a short while
// ago, else now.
func asked(now, issued time.Time) time.Time {
	if age := now.Sub(issued); age < 0 || age > issuePatient {
		return now
	}
	return issued
}

// newUID makes the calendar identity: a random UUID (RFC 9562 §5.4), which tells
// nothing (RFC 7986 §5.3).
func newUID() string {
	id := []byte(seal.NewID())
	id[12] = '4'
	id[16] = "89ab"[hexValue(id[16])&3]
	return string(id[:8]) + "-" + string(id[8:12]) + "-" + string(id[12:16]) + "-" + string(id[16:20]) + "-" + string(id[20:])
}

func hexValue(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

// nearest returns up to three of the starts closest to t, ascending.
func nearest(starts []time.Time, t time.Time) []time.Time {
	close := slices.Clone(starts)
	slices.SortStableFunc(close, func(a, b time.Time) int {
		return cmp.Compare(a.Sub(t).Abs(), b.Sub(t).Abs())
	})
	close = close[:min(3, len(close))]
	slices.SortFunc(close, time.Time.Compare)
	return close
}
