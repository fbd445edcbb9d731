package outbox

import (
	"context"
	"errors"
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
	Signer    *mail.Signer   // signs each message; nil: the mail server does
	Boot      string         // names this run of the machine, see [BootID]; may be empty
	Log       *slog.Logger
}

// Worker delivers. There must be one for each database: [Worker.RunLocked] sees to it.
type Worker struct {
	o Options

	breaker  breaker
	halted   bool
	troubled bool // the store holds a trouble

	done    []Done         // results, until they are written with what follows
	queue   []Job          // claimed, still to be sent
	claimed time.Time      // when the queue was
	ahead   chan *composed // the words of the first of the queue, being made
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

// end writes the last results and says goodbye to the server.
func (w *Worker) end(ctx context.Context) {
	if err := w.flush(context.WithoutCancel(ctx)); err != nil {
		w.o.Log.Error("outbox: the last results are not written", "err", err)
	}
	w.o.Transport.Idle()
}

func (w *Worker) recover(ctx context.Context) bool {
	got, err := w.o.Store.RecoverOutbox(ctx, w.o.Now(), w.o.Boot)
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
// zero means that there may be more. A result is written by the step that follows,
// together with what that has to write; until then nothing else is sent, so that a
// full disk cannot lose what a server has said.
func (w *Worker) Step(ctx context.Context) (wait time.Duration, err error) {
	now := w.o.Now()
	wait, blocked, err := w.blocked(ctx, now)
	if blocked || err != nil {
		return wait, errors.Join(err, w.flush(ctx))
	}
	if len(w.queue) == 0 || now.Sub(w.claimed) > longestQueue || now.Before(w.claimed) {
		if wait, err := w.refill(ctx, now); len(w.queue) == 0 || err != nil {
			return wait, err
		}
	}
	job := w.queue[0]
	c := w.words(ctx, now, job)
	w.queue = w.queue[1:]
	w.prepare(ctx, now)
	result, gone := w.deliver(ctx, now, job, c)
	if gone {
		return 0, nil
	}
	w.done = append(w.done, Done{job.ID, result})
	if result.State != Accepted { // it may change what is to be sent next
		err = w.flush(ctx)
	}
	return 0, errors.Join(err, w.learn(ctx, job, result))
}

// refill writes the results, lets go of what is left of an old queue, and claims
// the next one: a single message, or some of a batch.
func (w *Worker) refill(ctx context.Context, now time.Time) (wait time.Duration, err error) {
	if len(w.queue) > 0 {
		if err := w.flush(ctx); err != nil {
			return 0, err
		}
	}
	if len(w.done) == 0 {
		if wait, err := w.idle(ctx, now); wait > 0 || err != nil {
			return wait, err
		}
	}
	jobs, err := w.o.Store.AdvanceOutbox(ctx, now, Lease, w.done, Window)
	if err != nil {
		return 0, err
	}
	w.done, w.queue, w.claimed = nil, jobs, now
	if len(jobs) > 0 {
		return 0, nil
	}
	return w.idle(ctx, now)
}

// flush writes the results and gives back what was claimed and not sent.
func (w *Worker) flush(ctx context.Context) error {
	w.ahead = nil
	for _, job := range w.queue {
		w.done = append(w.done, Done{job.ID, Result{State: waiting(job)}})
	}
	w.queue = nil
	if len(w.done) == 0 {
		return nil
	}
	if err := w.o.Store.SettleAll(ctx, w.o.Now(), w.done); err != nil {
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

// deliver sends one message. gone means that the row ended meanwhile and nothing is
// to be recorded.
func (w *Worker) deliver(ctx context.Context, now time.Time, job Job, c *composed) (r Result, gone bool) {
	if c.result != nil {
		return *c.result, false
	}
	flight, stop := w.flight(ctx)
	defer stop()
	from := c.message.Bounce
	if from == "" {
		from = c.message.From.Address
	}
	out := w.o.Transport.Deliver(flight, from, c.message.To, c.raw, func() error {
		err := w.o.Store.BeginData(flight, w.o.Now(), job.ID, w.done, job.Batch == "")
		gone = fault.Is(err, fault.NotFound)
		if err == nil || gone || errors.Is(err, ErrHeld) {
			w.done = nil // written with it
		}
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
