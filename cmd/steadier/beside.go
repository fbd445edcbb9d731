package main

import (
	"context"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/web"
)

// tend is how often what is due to be forgotten is looked for.
const tend = time.Minute

// beside is what works beside the requests.
type beside struct {
	cancel context.CancelFunc
	wait   sync.WaitGroup
}

// stop ends it all and waits for it.
func (b *beside) stop() {
	b.cancel()
	b.wait.Wait()
}

// startBeside starts the delivery of mail, the forgetting, and what follows the day
// and the content. It goes on while requests are drained, so it does not end with ctx.
func (a *app) startBeside(ctx context.Context, site *web.Site) *beside {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b := &beside{cancel: cancel}
	b.wait.Go(func() { a.deliver(ctx) })
	b.wait.Go(func() { a.forget(ctx) })
	b.wait.Go(func() { a.followDay(ctx, site) })
	b.wait.Go(func() { a.followContent(ctx, site) })
	b.wait.Go(func() { a.countReads(ctx, site) })
	if !a.dev {
		b.wait.Go(func() { site.Compress(ctx) })
	}
	return b
}

// deliver sends what is in the outbox until ctx ends.
func (a *app) deliver(ctx context.Context) {
	if a.transport == nil {
		return
	}
	worker := outbox.New(outbox.Options{
		Store:     a.db,
		Transport: a.transport,
		Composers: a.composers(),
		Wake:      a.db.OutboxWake(),
		Now:       a.env.Now,
		Chance:    rand.Float64,
		Grace:     drain,
		Boot:      outbox.BootID(),
		Signer:    a.signer,
		Log:       a.log,
	})
	if err := worker.RunLocked(ctx, filepath.Join(a.data, outbox.LockName)); err != nil {
		a.log.Error("mail is not delivered", "err", err)
	}
}

// forget erases what is due, and starts the letters whose time has come, now and every
// minute.
func (a *app) forget(ctx context.Context) {
	a.every(ctx, tend, a.soon, func() {
		now := a.env.Now()
		if _, err := a.db.EraseDueCalls(ctx, now); err != nil {
			a.log.Error("calls are not erased", "err", err)
		}
		if err := a.db.SweepNewsletter(ctx, now); err != nil {
			a.log.Error("sign-ups are not erased", "err", err)
		}
		a.startDueIssues(ctx, now)
		if err := a.fillIssues(ctx); err != nil && ctx.Err() == nil {
			a.log.Error("a letter is not in the outbox whole", "err", err)
		}
		if capture, ok := a.transport.(*mail.Capture); ok {
			if err := capture.Sweep(); err != nil {
				a.log.Error("captured mail is not erased", "err", err)
			}
		}
	})
}

// countReads keeps how often each article was read, every minute and at the end. A power
// cut costs the reads of a minute: they are numbers for the owner, and nothing more.
func (a *app) countReads(ctx context.Context, site *web.Site) {
	keep := func() {
		err := site.KeepReads(func(counts map[string]int64) error {
			return a.db.AddReads(context.WithoutCancel(ctx), a.env.Now(), counts)
		})
		if err != nil {
			a.log.Error("reads are not counted", "err", err)
		}
	}
	a.every(ctx, tend, nil, keep)
	keep()
}

// followDay renders again what depends on the day, once UTC has a new one: for how
// long a helpline has not been checked.
func (a *app) followDay(ctx context.Context, site *web.Site) {
	day := a.env.Now().UTC().YearDay()
	a.every(ctx, tend, nil, func() {
		today := a.env.Now().UTC().YearDay()
		if today == day {
			return
		}
		day = today
		a.reload(site)
	})
}

// tendSoon lets forget do its round now.
func (a *app) tendSoon() {
	select {
	case a.soon <- struct{}{}:
	default: // it is about to
	}
}

// every calls fn now, then each period and whenever soon has a value, until ctx ends.
func (a *app) every(ctx context.Context, period time.Duration, soon <-chan struct{}, fn func()) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		fn()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-soon:
		}
	}
}

// quietLog is for what net/http has to say of connections, which names addresses: it
// is counted as nothing.
func quietLog(_ *slog.Logger) *log.Logger { return log.New(io.Discard, "", 0) }
