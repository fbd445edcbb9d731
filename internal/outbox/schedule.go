package outbox

import (
	"time"

	"github.com/steadier/steadier/internal/mail"
)

// Lease is how long a claim holds. With one worker it only tells how old a claim is.
const Lease = 2 * time.Minute

// Poll is the longest time after which the worker looks for rows that another
// process has added.
const Poll = 2 * time.Second

// Window is how many letters of a batch are claimed at once. After a power cut, so
// many may have been delivered or not; after a kill, at most one.
const Window = 50

// longestQueue is how long a claimed queue is worked on before it is given back, so
// that a single message waits no longer than this.
const longestQueue = time.Second

// retries are the waits before the 2nd, 3rd, … attempt of a message.
func retries() []time.Duration {
	return []time.Duration{
		time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	}
}

// RetryAfter tells how long to wait after the given number of attempts, with
// chance (0 to 1) spreading it by ±20 %. ok is false when no attempt is left.
func RetryAfter(attempts int, chance float64) (wait time.Duration, ok bool) {
	waits := retries()
	if attempts < 1 || attempts > len(waits) {
		return 0, false
	}
	spread := 0.8 + 0.4*chance
	return time.Duration(float64(waits[attempts-1]) * spread), true
}

// breaker waits between probes while the server is away.
type breaker struct {
	failures int
	until    time.Time
}

func (b *breaker) trip(now time.Time) {
	waits := []time.Duration{
		30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	}
	b.until = now.Add(waits[min(b.failures, len(waits)-1)])
	b.failures++
}

func (b *breaker) reset() { *b = breaker{} }

// open reports how much longer the breaker is open. A clock that was set back
// cannot keep it open for longer than its longest wait.
func (b *breaker) open(now time.Time) (wait time.Duration, yes bool) {
	wait = b.until.Sub(now)
	if wait <= 0 {
		return 0, false
	}
	return min(wait, 15*time.Minute), true
}

// judge turns the outcome of an attempt into the row's next state.
func judge(now time.Time, job Job, out mail.Outcome, chance float64) Result {
	r := Result{Outcome: out, Charged: true}
	switch out.Verdict {
	case mail.Taken:
		r.State = Accepted
	case mail.Lost:
		r.State, r.Reason = Unknown, "answer lost"
	case mail.NoSuchBox, mail.BoxFull, mail.Refused:
		r.State, r.Reason = Failed, out.Verdict.String()
	case mail.TryAgain:
		wait, ok := RetryAfter(job.Attempts+1, chance)
		r.State, r.Next = Retry, now.Add(wait)
		if !ok {
			r.State, r.Next, r.Reason = Failed, time.Time{}, "given up"
		}
	default: // Unreachable, Halt, NotTried: nobody's attempt
		r.Charged = false
		r.State = waiting(job)
	}
	return r
}

// waiting is the state to which a job goes back that nobody has tried.
func waiting(job Job) State {
	if job.Attempts > 0 {
		return Retry
	}
	return Queued
}
