package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
)

// watchEvery is how often the command looks at how far the sending is.
const watchEvery = 200 * time.Millisecond

// errStopped is what an interrupted command says.
var errStopped = errors.New("stopped before the end: run it again to go on")

// sendIssue starts an issue, or goes on with it, and watches until nothing is due.
func (a *app) sendIssue(ctx context.Context, slug string) error {
	issue, err := a.findIssue(slug)
	if err != nil {
		return err
	}
	if n, err := a.db.ActiveSubscribers(ctx); err != nil || n == 0 {
		return errors.Join(err, errors.New("nobody is subscribed yet, so nothing was sent"))
	}
	if err := a.db.StartIssue(ctx, a.env.Now(), issue); err != nil {
		return err
	}
	return a.whileDelivering(ctx, func(ctx context.Context) error {
		if err := newsletter.Fill(ctx, a.db, a.env.Now, slug, newsletter.Rest); err != nil {
			if ctx.Err() != nil {
				return errStopped
			}
			return err
		}
		return a.watchIssue(ctx, slug)
	})
}

// whileDelivering delivers, unless another process does, for as long as watch runs.
func (a *app) whileDelivering(ctx context.Context, watch func(context.Context) error) error {
	lock, err := outbox.Lock(filepath.Join(a.data, outbox.LockName))
	if err != nil && !errors.Is(err, outbox.ErrLocked) {
		return err
	}
	if lock != nil { // nobody else sends: what went wrong before is no news of now
		err = errors.Join(a.db.SetTrouble(ctx, a.env.Now(), outbox.Trouble{}), lock.Unlock())
		if err != nil {
			return err
		}
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); a.deliver(running) }()
	err = watch(ctx)
	stop()
	<-ended
	return err
}

// watchIssue shows how far an issue is until nothing of it is due now.
func (a *app) watchIssue(ctx context.Context, slug string) error {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		p, err := a.db.IssueProgress(context.WithoutCancel(ctx), slug)
		if err != nil {
			return err
		}
		trouble, err := a.db.Trouble(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		a.showProgress(p)
		if done, err := watched(ctx, p, trouble); done || err != nil {
			a.endProgress()
			fmt.Fprint(a.env.Stdout, describe(p))
			return err
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// watched says whether there is nothing more to wait for, and why not.
func watched(ctx context.Context, p newsletter.Progress, trouble outbox.Trouble) (done bool, err error) {
	switch {
	case p.State == newsletter.OnHold:
		return true, errors.New("too many mail servers refuse this issue, so it is held: " +
			"look at its words, then run steadier newsletter resume")
	case p.State == newsletter.Paused:
		return true, errors.New("the issue is paused: run steadier newsletter resume to go on")
	case p.Filled && p.Waiting == p.Later:
		return true, nil
	case trouble.Halted:
		return true, errors.New(trouble.Sentence)
	case ctx.Err() != nil:
		return true, errStopped
	}
	return false, nil
}

// showProgress draws a bar on a terminal, and nothing elsewhere.
func (a *app) showProgress(p newsletter.Progress) {
	if !isTerminal(a.env.Stderr) {
		return
	}
	const width = 30
	total := max(p.Total(), 1)
	full := width * (total - p.Waiting) / total
	fmt.Fprintf(a.env.Stderr, "\r[%s%s] %d of %d sent, %d failed ",
		strings.Repeat("#", full), strings.Repeat(" ", width-full), p.Accepted, p.Total(), p.Failed)
}

func (a *app) endProgress() {
	if isTerminal(a.env.Stderr) {
		fmt.Fprintln(a.env.Stderr)
	}
}

// describe says how far an issue is, in counts that add up.
func describe(p newsletter.Progress) string {
	state := string(p.State)
	if p.State == newsletter.Sending && p.Waiting > 0 {
		state = "sending, not done"
	}
	out := fmt.Sprintf("%s: %s\n  sent %d, waiting %d, failed %d, unknown %d, skipped %d; %d in all\n",
		p.Slug, state, p.Accepted, p.Waiting, p.Failed, p.Unknown, p.Skipped, p.Total())
	if p.Later > 0 {
		out += fmt.Sprintf("  %d were refused for now and are tried again later, while steadier serve runs\n", p.Later)
	}
	if p.Unknown > 0 {
		out += fmt.Sprintf("  %d may have been delivered: the server’s answer was lost. They are not sent again by themselves;\n"+
			"  run steadier newsletter settle %s sent, or … again\n", p.Unknown, p.Slug)
	}
	return out
}

// sendCopy sends a test copy of an issue to one address.
func (a *app) sendCopy(ctx context.Context, slug, to string) error {
	if _, err := a.findIssue(slug); err != nil {
		return err
	}
	address, err := mail.ParseAddress(to)
	if err != nil {
		return fmt.Errorf("%q is not an e-mail address", to)
	}
	key := "copy:" + seal.NewID()
	err = a.db.Enqueue(ctx, a.env.Now(), outbox.Message{
		Key: key, Kind: newsletter.KindCopy, Subject: slug, Secret: address.Wire(), Expires: a.env.Now().Add(time.Hour),
	})
	if err != nil {
		return err
	}
	return a.whileDelivering(ctx, func(ctx context.Context) error { return a.watchCopy(ctx, key) })
}

func (a *app) watchCopy(ctx context.Context, key string) error {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		state, reason, err := a.db.OutboxState(context.WithoutCancel(ctx), key)
		if err != nil {
			return err
		}
		trouble, err := a.db.Trouble(context.WithoutCancel(ctx))
		switch {
		case err != nil:
			return err
		case state == outbox.Accepted:
			fmt.Fprintln(a.env.Stdout, "One copy was sent, to that address only.")
			return nil
		case trouble.Sentence != "":
			return errors.New(trouble.Sentence)
		case state == outbox.Retry:
			return errors.New("the mail server asks to try later: " +
				"the copy goes out while steadier serve runs, or run this again")
		case !state.Waiting():
			return fmt.Errorf("the copy was not delivered (%s)", reason)
		case ctx.Err() != nil:
			return errStopped
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// issueStatus prints how far one issue is, or all that were started, and what the
// owner should know of the mail.
func (a *app) issueStatus(ctx context.Context, slug string) error {
	issues, err := a.db.Issues(ctx)
	if slug != "" {
		issues = nil
		var p newsletter.Progress
		if p, err = a.db.IssueProgress(ctx, slug); fault.Is(err, fault.NotFound) {
			if _, found := a.library().Issue(slug); !found {
				return fmt.Errorf("there is no issue %q: run steadier newsletter list", slug)
			}
			fmt.Fprintf(a.env.Stdout, "%s: %s\n", slug, newsletter.Ready)
			err = nil
		} else {
			issues = append(issues, p)
		}
	}
	if err != nil {
		return err
	}
	for _, p := range issues {
		if p.State == newsletter.Scheduled {
			fmt.Fprintf(a.env.Stdout, "%s: scheduled for %s\n", p.Slug, a.atPractice(p.Started))
			continue
		}
		fmt.Fprint(a.env.Stdout, describe(p))
	}
	return a.mailStatus(ctx)
}

func (a *app) mailStatus(ctx context.Context) error {
	trouble, err := a.db.Trouble(ctx)
	if err != nil {
		return err
	}
	if trouble.Sentence != "" {
		fmt.Fprintln(a.env.Stdout, trouble.Sentence)
		if !trouble.Next.IsZero() {
			fmt.Fprintf(a.env.Stdout, "The next try is at %s.\n", trouble.Next.Format("15:04 on 2 January (UTC)"))
		}
	}
	notices, err := a.db.Notices(ctx, a.env.Now().AddDate(0, 0, -7))
	if err != nil {
		return err
	}
	for _, n := range notices {
		fmt.Fprintf(a.env.Stdout, "%s: %s\n", n.Last.Format(time.DateOnly), n.Sentence)
	}
	return nil
}
