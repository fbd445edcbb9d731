package consult

import (
	"context"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/ical"
)

// What the owner's feed holds: calls that were, so that a calendar keeps them; all
// that are coming; and cancelled ones for as long as a slow calendar needs to see it.
const (
	feedBack      = 30 * 24 * time.Hour
	feedCancelled = 14 * 24 * time.Hour
	feedMargin    = 2 * 24 * time.Hour
)

// Feed is the owner's calendar for who holds a secret address: times and a short
// reference, since hosted calendars copy whatever they fetch. Unknown and
// revoked tokens are fault.NotFound.
func (s *Service) Feed(ctx context.Context, now time.Time, token string) (string, error) {
	if err := s.store.CheckFeed(ctx, token); err != nil {
		return "", err
	}
	to := now.Add(time.Duration(s.Hours().Horizon)*24*time.Hour + feedMargin)
	calls, err := s.store.FeedCalls(ctx, now.Add(-feedBack), to, now.Add(-feedCancelled))
	if err != nil {
		return "", err
	}
	events := make([]ical.Event, len(calls))
	for i, b := range calls {
		events[i] = b.Event(now)
		events[i].Summary = CalendarTitle + " " + b.Ref()
	}
	text, err := ical.Publish(events, s.Practice().From.Address, now)
	if err != nil {
		return "", fault.Wrap(fault.Internal, err)
	}
	return text, nil
}

// Ref is a short name of the booking, by which a calendar entry and a card are
// known to be the same call. It opens nothing.
func (b Booking) Ref() string { return b.ID[:min(6, len(b.ID))] }
