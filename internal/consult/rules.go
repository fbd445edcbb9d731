package consult

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/slots"
)

// around is how much of the diary a decision on one start looks at: the whole day
// of the practice in any zone, and the longest call before it.
const around = 3 * 24 * time.Hour

var (
	errNotOffered = errors.New("not a time on offer")
	errTooSoon    = errors.New("inside the notice")
)

// rules decide on one start, given the diary around it.
type rules struct {
	hours    slots.Availability
	now      time.Time
	asked    time.Time
	start    time.Time
	from, to time.Time
}

func (s *Service) rules(hours slots.Availability, now, asked, start time.Time) rules {
	return rules{hours: hours, now: now, asked: asked, start: start, from: start.Add(-around), to: start.Add(around)}
}

// allow says no with ErrGone if only another call, a busy time or the day's cap
// is in the way; with errTooSoon or errNotOffered if the time was never on offer.
func (r rules) allow(d Diary) error {
	switch {
	case r.offered(r.hours, d, r.asked):
		return nil
	case r.offered(r.hours, Diary{}, r.asked):
		return ErrGone
	}
	patient := r.hours
	patient.Notice, patient.NoticeDays = 0, 0
	if r.offered(patient, Diary{}, r.now) {
		return errTooSoon
	}
	return errNotOffered
}

func (r rules) offered(hours slots.Availability, d Diary, asked time.Time) bool {
	day := slots.DateOf(r.start, hours.Zone)
	starts := slots.Starts(hours, slots.Query{
		Now: r.now, Asked: asked, From: day, To: day, Booked: d.Booked, Busy: d.Busy,
	})
	_, found := slices.BinarySearchFunc(starts, r.start, time.Time.Compare)
	return found
}

// refusal turns what the store said into words, with near times where they help.
func (s *Service) refusal(
	ctx context.Context, now time.Time, hours slots.Availability, start time.Time, without string, err error,
) error {
	var refused *fault.Error
	switch {
	case errors.Is(err, errTooSoon):
		refused = fault.BadFields(fault.Field{Name: "slot", Message: "This time is now too soon. Choose a later one."})
	case errors.Is(err, errNotOffered):
		refused = fault.BadFields(fault.Field{Name: "slot", Message: "This is not one of the free times. Choose another one."})
	case errors.Is(err, ErrGone):
		refused = fault.New(fault.Taken, "This time has just been taken. Everything you typed is still here.")
	case errors.Is(err, ErrBudget):
		return tooMany(err)
	case errors.Is(err, ErrBrake):
		s.brake(ctx, now)
		return tooMany(err)
	default:
		return err
	}
	refused.Err = err
	starts, free := s.free(ctx, now, hours, without)
	if free != nil {
		return free
	}
	return &Refused{Fault: refused, Nearest: nearest(starts, start)}
}

// brake tells the owner that the site takes no more bookings for now. The visitor's
// answer does not depend on it.
func (s *Service) brake(ctx context.Context, now time.Time) {
	s.Log.Warn("more bookings in a day than the site takes")
	if err := s.store.Notify(ctx, now, outbox.NoticeCalls); err != nil {
		s.Log.Error("the owner could not be told", "kind", fault.KindOf(err).String())
	}
}

// tooMany is one answer to both budgets: it must not tell whether this person has
// booked before.
func tooMany(err error) error {
	return &fault.Error{
		Kind:       fault.TooMany,
		Public:     "We can’t take this booking here just now. Please try again tomorrow, or call or write to us: our number is on the page about us.",
		RetryAfter: 24 * time.Hour,
		Err:        err,
	}
}

// free returns all free starts up to the horizon.
func (s *Service) free(ctx context.Context, now time.Time, hours slots.Availability, without string) ([]time.Time, error) {
	return s.freeIn(ctx, hours, without, slots.Query{Now: now})
}

func (s *Service) freeIn(ctx context.Context, hours slots.Availability, without string, q slots.Query) ([]time.Time, error) {
	to := q.Now.Add(time.Duration(hours.Horizon+2) * 24 * time.Hour)
	diary, err := s.store.Diary(ctx, q.Now.Add(-around), to, without)
	if err != nil {
		return nil, err
	}
	q.Booked, q.Busy = diary.Booked, diary.Busy
	return slots.Starts(hours, q), nil
}
