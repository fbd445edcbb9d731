package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/mail"
)

// composed is a message with its words and bytes, or a result without any server
// being asked.
type composed struct {
	message mail.Message
	raw     []byte
	result  *Result
}

// prepare begins to compose the first message of the queue, while another one is
// in the air.
func (w *Worker) prepare(ctx context.Context, now time.Time) {
	if len(w.queue) == 0 {
		return
	}
	job, ahead := w.queue[0], make(chan *composed, 1)
	w.ahead = ahead
	go func() { ahead <- w.make(ctx, now, job) }()
}

// words returns the message of the first of the queue, prepared or made now.
func (w *Worker) words(ctx context.Context, now time.Time, job Job) *composed {
	if w.ahead == nil {
		return w.make(ctx, now, job)
	}
	c := <-w.ahead
	w.ahead = nil
	return c
}

// make composes also while the worker is told to stop: a letter is not to be tried
// again later because of when that was.
func (w *Worker) make(ctx context.Context, now time.Time, job Job) *composed {
	ctx = context.WithoutCancel(ctx)
	if !job.Expires.IsZero() && now.After(job.Expires) {
		return ended(Result{State: Failed, Reason: "expired"})
	}
	m, err := w.compose(ctx, job, now)
	if reason, skip := Skipping(err); skip {
		return ended(Result{State: Skipped, Reason: reason})
	}
	if errors.Is(err, ErrHeld) {
		return ended(held(now, job))
	}
	if err != nil {
		w.o.Log.Error("outbox: cannot compose", "kind", job.Kind, "row", job.ID, "err", err)
		r := judge(now, job, mail.Outcome{Verdict: mail.TryAgain}, w.o.Chance())
		r.Outcome = mail.Outcome{} // no server was asked
		return ended(r)
	}
	raw, err := mail.Build(m)
	if err == nil && w.o.Signer != nil {
		raw, err = w.o.Signer.Sign(mail.DomainOf(m.From.Address), raw)
	}
	if err != nil {
		w.o.Log.Error("outbox: cannot build", "kind", job.Kind, "row", job.ID, "err", err)
		return ended(Result{State: Failed, Reason: "cannot be built"})
	}
	return &composed{message: m, raw: raw}
}

// held is the result of a message whose batch waits. A single message has no batch
// that would keep it from being claimed again at once.
func held(now time.Time, job Job) Result {
	r := Result{State: waiting(job)}
	if job.Batch == "" {
		r.Next = now.Add(Poll)
	}
	return r
}

func ended(r Result) *composed { return &composed{result: &r} }

// compose asks the composer, and completes what belongs to the delivery.
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
