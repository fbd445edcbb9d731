package newsletter

import (
	"context"
	"time"
)

// Filler adds the rows of an issue to the outbox, a few at a time; the store is one.
type Filler interface {
	// FillIssue adds some rows and reports whether all are there.
	FillIssue(ctx context.Context, now time.Time, slug string) (done bool, err error)
}

// restShare is how many times as long as it writes the filling of an issue leaves the
// database to others. An issue for 100,000 readers is filled in half a minute, and a
// visitor who books meanwhile seldom meets it.
const restShare = 2

// Fill puts a row for each reader of a started issue into the outbox, and rests between
// two writes. It may be interrupted and called again. rest waits, or returns at once
// where nobody else writes; it gives the error of a context that has ended.
func Fill(ctx context.Context, f Filler, now func() time.Time, slug string, rest func(context.Context, time.Duration) error) error {
	for {
		begin := time.Now() // by the monotonic clock, of the machine and not of the site
		done, err := f.FillIssue(ctx, now(), slug)
		if done || err != nil {
			return err
		}
		if err := rest(ctx, restShare*time.Since(begin)); err != nil {
			return err
		}
	}
}

// Rest waits for d, or until ctx ends.
func Rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
