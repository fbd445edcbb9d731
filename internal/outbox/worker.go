package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
)

// Options are what a worker works with.
type Options struct {
	Store     Store
	Transport mail.Transport
	Composers map[string]Composer // by kind
	Wake      <-chan struct{}     // a value when rows were added; may be nil
	Now       func() time.Time
	Chance    func() float64 // from 0 to 1, to spread retries
	Grace     time.Duration  // how long a message in flight may take after the stop
	Log       *slog.Logger
}

// Worker delivers. There must be one for each database: [Worker.RunLocked] sees to it.
type Worker struct {
	o Options

	breaker  breaker
	halted   bool
	troubled bool  // the store holds a trouble
	done     *Done // the last result, until it is written with the next claim
}

// New returns a worker that has not begun.
func New(o Options) *Worker { return &Worker{o: o, troubled: true} }

// RunLocked waits for the lock at path, puts right what a crash left, and delivers
// until ctx ends. It returns an error only if the lock cannot be had at all.
func (w *Worker) RunLocked(ctx context.Context, path string) error {
	lock, err := WaitLock(ctx, path)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	w.Run(ctx)
	return lock.Unlock()
}

// Run puts right what a crash left and delivers until ctx ends, finishing what is
// in flight. The caller holds the lock.
func (w *Worker) Run(ctx context.Context) {
	defer w.end(ctx)
	for !w.recover(ctx) {
		if !w.sleep(ctx, Poll) {
			return
		}
	}
	for ctx.Err() == nil {
		wait, err := w.Step(ctx)
		if err != nil && ctx.Err() == nil {
			w.o.Log.Error("outbox: cannot go on for now", "err", err)
			wait = max(wait, Poll)
		}
		if wait > 0 && !w.sleep(ctx, wait) {
			return
		}
	}
}

// end writes the last result and says goodbye to the server.
func (w *Worker) end(ctx context.Context) {
	if err := w.settle(context.WithoutCancel(ctx)); err != nil {
		w.o.Log.Error("outbox: the last result is not written", "err", err)
	}
	w.o.Transport.Idle()
}

func (w *Worker) recover(ctx context.Context) bool {
	got, err := w.o.Store.RecoverOutbox(ctx, w.o.Now())
	if err != nil {
		w.o.Log.Error("outbox: cannot read what was left", "err", err)
		return ctx.Err() != nil
	}
	if got != (Recovered{}) {
		w.o.Log.Warn("outbox: put right what a stop left", "queued_again", got.Requeued, "unknown", got.Unknown)
	}
	return true
}

// sleep waits for d, for a wake-up or for the end. Only the end gives false.
func (w *Worker) sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(min(d, Poll))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-w.o.Wake:
	case <-timer.C:
	}
	return true
}

// Step delivers at most one message. It returns how long there is nothing to do;
// zero means that there may be more. A result is written by the next step, together
// with the claim that follows; until it is written nothing else is sent, so that a
// full disk cannot lose what a server has said.
func (w *Worker) Step(ctx context.Context) (wait time.Duration, err error) {
	now := w.o.Now()
	wait, blocked, err := w.blocked(ctx, now)
	if !blocked && err == nil && w.done == nil {
		wait, err = w.idle(ctx, now)
	}
	if wait > 0 || err != nil {
		return wait, errors.Join(err, w.settle(ctx))
	}
	job, found, err := w.o.Store.AdvanceOutbox(ctx, now, Lease, w.done)
	if err != nil {
		return 0, err
	}
	w.done = nil
	if !found {
		return w.idle(ctx, now)
	}
	result, gone := w.deliver(ctx, now, job)
	if gone {
		return 0, nil
	}
	w.done = &Done{job.ID, result}
	return 0, w.learn(ctx, job, result)
}

// settle writes the last result.
func (w *Worker) settle(ctx context.Context) error {
	if w.done == nil {
		return nil
	}
	if err := w.o.Store.SettleOutbox(ctx, w.o.Now(), w.done.ID, w.done.Result); err != nil {
		return err
	}
	w.done = nil
	return nil
}

// blocked reports whether the queue waits for a server or for the owner.
func (w *Worker) blocked(ctx context.Context, now time.Time) (wait time.Duration, yes bool, err error) {
	if w.halted {
		t, err := w.o.Store.Trouble(ctx)
		if err != nil || t.Halted {
			return Poll, true, err
		}
		w.halted = false // the owner said: try again
	}
	wait, yes = w.breaker.open(now)
	return wait, yes, nil
}

// idle tells how long nothing is due, and lets go of the connection meanwhile.
func (w *Worker) idle(ctx context.Context, now time.Time) (wait time.Duration, err error) {
	due, found, err := w.o.Store.NextDue(ctx)
	if err != nil {
		return 0, err
	}
	if found && !due.After(now) {
		return 0, nil
	}
	w.o.Transport.Idle()
	if !found {
		return Poll, nil
	}
	return due.Sub(now), nil
}

// deliver composes and sends one message. gone means that the row ended meanwhile
// and nothing is to be recorded.
func (w *Worker) deliver(ctx context.Context, now time.Time, job Job) (r Result, gone bool) {
	if !job.Expires.IsZero() && now.After(job.Expires) {
		return Result{State: Failed, Reason: "expired"}, false
	}
	m, err := w.compose(ctx, job, now)
	if reason, skip := Skipping(err); skip {
		return Result{State: Skipped, Reason: reason}, false
	}
	if errors.Is(err, ErrHeld) {
		return Result{State: waiting(job), Next: now.Add(Poll)}, false
	}
	if err != nil {
		w.o.Log.Error("outbox: cannot compose", "kind", job.Kind, "row", job.ID, "err", err)
		r := judge(now, job, mail.Outcome{Verdict: mail.TryAgain}, w.o.Chance())
		r.Outcome = mail.Outcome{} // no server was asked
		return r, false
	}
	raw, err := mail.Build(m)
	if err != nil {
		w.o.Log.Error("outbox: cannot build", "kind", job.Kind, "row", job.ID, "err", err)
		return Result{State: Failed, Reason: "cannot be built"}, false
	}
	return w.send(ctx, now, job, m, raw)
}

func (w *Worker) compose(ctx context.Context, job Job, now time.Time) (m mail.Message, err error) {
	composer, ok := w.o.Composers[job.Kind]
	if !ok {
		return mail.Message{}, fmt.Errorf("no composer for %q", job.Kind)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("composer panicked: %v", p)
		}
	}()
	m, err = composer.Compose(ctx, job.Message, now)
	if m.ID == "" {
		m.ID = job.ID + "@" + mail.DomainOf(m.From.Address)
	}
	if m.Date.IsZero() {
		m.Date = now
	}
	return m, err
}

func (w *Worker) send(ctx context.Context, now time.Time, job Job, m mail.Message, raw []byte) (r Result, gone bool) {
	flight, stop := w.flight(ctx)
	defer stop()
	from := m.Bounce
	if from == "" {
		from = m.From.Address
	}
	out := w.o.Transport.Deliver(flight, from, m.To, raw, func() error {
		err := w.o.Store.BeginData(flight, w.o.Now(), job.ID)
		gone = fault.Is(err, fault.NotFound)
		return err
	})
	return judge(now, job, out, w.o.Chance()), gone
}

// flight is a context for a message in the air: the end of ctx gives it the grace
// to arrive.
func (w *Worker) flight(ctx context.Context) (context.Context, func()) {
	flight, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(w.o.Grace, cancel) })
	return flight, func() { stop(); cancel() }
}

// learn draws the queue's own conclusions from a result.
func (w *Worker) learn(ctx context.Context, job Job, r Result) error {
	now := w.o.Now()
	switch r.Outcome.Verdict {
	case mail.Unreachable:
		w.breaker.trip(now)
		return w.trouble(ctx, now, Trouble{Sentence: r.Outcome.Sentence, Next: w.breaker.until}, r)
	case mail.Halt:
		w.halted = true
		return w.trouble(ctx, now, Trouble{Halted: true, Sentence: r.Outcome.Sentence}, r)
	case mail.NotTried:
		return nil
	}
	if r.State != Accepted {
		w.o.Log.Warn("outbox: not delivered", "kind", job.Kind, "row", job.ID, "state", string(r.State), "outcome", r.Outcome.String())
	}
	w.breaker.reset()
	if !w.troubled {
		return nil
	}
	w.troubled = false
	return w.o.Store.SetTrouble(ctx, now, Trouble{})
}

func (w *Worker) trouble(ctx context.Context, now time.Time, t Trouble, r Result) error {
	w.troubled = true
	w.o.Log.Error("outbox: the mail server does not take our mail", "outcome", r.Outcome.String(), "halted", t.Halted)
	return w.o.Store.SetTrouble(ctx, now, t)
}
