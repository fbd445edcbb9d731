package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/newsletter"
)

// timeForm is how a time is written on the command line.
const timeForm = "2006-01-02 15:04"

// scheduleIssue lets the process that serves start an issue at a time on the clock of
// the practice.
func (a *app) scheduleIssue(ctx context.Context, slug, text string) error {
	issue, err := a.findIssue(slug)
	if err != nil {
		return err
	}
	at, err := time.ParseInLocation(timeForm, text, a.openHours().Zone)
	if err != nil || at.Format(timeForm) != text { // no such day, or an hour that the clocks leave out
		return fmt.Errorf("-at %q is no time: write it as %q, on the clock of %s", text, timeForm, a.openHours().Zone)
	}
	if !at.After(a.env.Now()) {
		return fmt.Errorf("-at %q is over: leave -at out to send now", text)
	}
	err = a.db.ScheduleIssue(ctx, issue, at)
	if fault.Is(err, fault.Taken) {
		return fmt.Errorf("%s was started already: run steadier newsletter status %s", slug, slug)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "%s goes out on %s, if steadier serve runs then.\n", slug, a.atPractice(at))
	return nil
}

// atPractice is a time on the clock of the practice.
func (a *app) atPractice(t time.Time) string {
	zone := a.openHours().Zone
	return t.In(zone).Format(timeForm) + " (" + zone.String() + ")"
}

// startDueIssues starts what was scheduled for now or before. One that cannot be sent
// stays scheduled, and the log says why, until it is put right or taken back.
func (a *app) startDueIssues(ctx context.Context, now time.Time) {
	slugs, err := a.db.DueIssues(ctx, now)
	for _, slug := range slugs {
		issue, found := a.issue(slug)
		if !found {
			err = errors.Join(err, fmt.Errorf("%s is not in the content folder", slug))
			continue
		}
		if wrong := issue.Check(); wrong != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", slug, wrong))
			continue
		}
		err = errors.Join(err, a.db.StartIssue(ctx, now, issue))
	}
	if err != nil {
		a.log.Error("a letter is not started", "err", err)
	}
}

// fillIssues goes on with the letters that were started and are not in the outbox whole:
// those whose time has come, and those that a stop interrupted.
func (a *app) fillIssues(ctx context.Context) error {
	slugs, err := a.db.UnfilledIssues(ctx)
	for _, slug := range slugs {
		err = errors.Join(err, newsletter.Fill(ctx, a.db, a.env.Now, slug, newsletter.Rest))
	}
	return err
}
