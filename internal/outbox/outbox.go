// Package outbox delivers what the site has decided to send.
//
// A row of the outbox is written in the same transaction as the fact that it
// tells of, so neither exists without the other. One [Worker] takes the rows one
// by one, asks the [Composer] of the row's kind for the words as they are true
// now, hands them to an SMTP server, and records the outcome before it takes the
// next one.
//
// # Phases
//
//	queued → claimed → in-data → accepted | retry | failed | unknown | skipped
//
// A claimed row has left nothing on the wire that counts: after a crash it is
// queued again. A row in in-data may have been taken by the server, so after a
// crash, or when the answer to DATA is lost, it becomes unknown and is never sent
// again by itself: SMTP has no exactly-once, and twice is worse here than late.
//
// Letters of a batch are claimed by the window, and that claim is forced to the disk.
// The marks of each letter within it survive a kill but are not forced to the disk
// one by one, so after a power cut a whole window may be unknown, and after a kill
// at most one letter. Single messages are forced to the disk at each phase.
//
// # Order
//
// Single messages go before those of a batch (a newsletter issue); among single
// ones a higher priority first, then the older. A held batch waits.
//
// # What an outcome does
//
// The outcomes are those of [mail.Verdict]. Trouble with the server (it cannot be
// reached, it refuses the sender) is nobody's attempt: the row stays queued and a
// circuit breaker waits 30 s, 1, 2, 5, 10, then 15 minutes between probes. A
// refused sign-in or a missing or wrong certificate halts the queue until the
// program starts again or the owner says so. A temporary refusal of one recipient
// is retried after 1 min, 5 min, 20 min, 1 h, 4 h, 12 h and 24 h, each ±20 %, and
// then given up.
package outbox

import (
	"context"
	"errors"
	"time"

	"github.com/steadier/steadier/internal/mail"
)

// Message is what is to be sent, without its words.
type Message struct {
	// ID is set by the store: 32 random hex digits, the same over all attempts.
	// It is the local part of the Message-ID.
	ID string
	// Key makes enqueueing idempotent: a second message of the same key is dropped.
	Key string
	// Kind names the composer, e.g. "newsletter-confirm".
	Kind string
	// Subject is the id of what the message is about: a booking, a subscriber.
	Subject string
	// Batch groups the messages of one newsletter issue. Empty: a single message.
	Batch string
	// Sequence tells apart messages of one kind about one subject.
	Sequence int
	// Due is the earliest time of sending; zero means at once.
	Due time.Time
	// Expires is the time after which it is of no use; zero means never.
	Expires time.Time
	// Priority orders single messages: higher goes first.
	Priority int
	// Secret is what the composer needs and nobody else may read, such as a
	// token. It is stored sealed, and erased when the row reaches its end.
	Secret string
}

// State is the phase of a row.
type State string

// The states of a row; see the package comment.
const (
	Queued   State = "queued"
	Claimed  State = "claimed"
	InData   State = "in-data"
	Accepted State = "accepted"
	Retry    State = "retry"
	Failed   State = "failed"
	Unknown  State = "unknown"
	Skipped  State = "skipped"
)

// Waiting reports whether a row in this state is still to be sent.
func (s State) Waiting() bool { return s == Queued || s == Claimed || s == InData || s == Retry }

// Job is a claimed message.
type Job struct {
	Message

	Attempts int // attempts charged before this one
}

// Result is what became of a job.
type Result struct {
	State   State
	Next    time.Time    // with Queued and Retry: not before this time
	Charged bool         // an attempt was charged to the row
	Reason  string       // with Skipped and Failed: why, in a word or two
	Outcome mail.Outcome // what the server said; zero if it was not asked
}

// Done is a row and what became of it.
type Done struct {
	ID     string
	Result Result
}

// Fate is what a result says of the recipient.
type Fate int

// The fates. The zero value says nothing.
const (
	NoSign     Fate = iota
	Reached         // the mail was taken
	Bounced         // there is no such mailbox
	OutOfReach      // full, or refused for now until we gave up
	TurnedAway      // refused for what the mail is or where it comes from
)

// BounceResult is what a report says that came back by mail: hard, there is no such
// mailbox; else it is full.
func BounceResult(hard bool) Result {
	verdict := mail.BoxFull
	if hard {
		verdict = mail.NoSuchBox
	}
	return Result{State: Failed, Reason: "bounced", Outcome: mail.Outcome{Verdict: verdict}}
}

// Fate tells what the result says of the recipient.
func (r Result) Fate() Fate {
	switch {
	case r.State == Accepted:
		return Reached
	case r.State != Failed:
		return NoSign
	case r.Outcome.Verdict == mail.NoSuchBox:
		return Bounced
	case r.Outcome.Verdict == mail.BoxFull, r.Outcome.Verdict == mail.TryAgain:
		return OutOfReach
	case r.Outcome.Verdict == mail.Refused:
		return TurnedAway
	}
	return NoSign
}

// Composer gives a message its words, from what is true at the time of sending.
type Composer interface {
	Compose(ctx context.Context, m Message, now time.Time) (mail.Message, error)
}

// ComposerFunc lets a function be a Composer.
type ComposerFunc func(ctx context.Context, m Message, now time.Time) (mail.Message, error)

// Compose calls f.
func (f ComposerFunc) Compose(ctx context.Context, m Message, now time.Time) (mail.Message, error) {
	return f(ctx, m, now)
}

// Store keeps the rows. Each method is one transaction.
type Store interface {
	// RecoverOutbox puts right what a crash left: claimed rows are queued again,
	// rows in in-data become unknown. boot names this run of the machine: if it is
	// another one than at the last recovery, the power was cut, marks that were not
	// forced to the disk may be lost, and claimed rows of a batch are unknown too.
	RecoverOutbox(ctx context.Context, now time.Time, boot string) (Recovered, error)
	// AdvanceOutbox records results and what follows from them, and takes what is
	// due until now+lease: one single message, or up to most of a batch.
	AdvanceOutbox(ctx context.Context, now time.Time, lease time.Duration, done []Done, most int) ([]Job, error)
	// BeginData records results, and that a message is about to be handed over;
	// durable says that this must survive a power cut, and not only a kill. It
	// returns fault.NotFound if the message has ended meanwhile, and ErrHeld if its
	// batch was paused: the results are recorded then too.
	BeginData(ctx context.Context, now time.Time, id string, done []Done, durable bool) error
	// SettleAll records results without taking another row.
	SettleAll(ctx context.Context, now time.Time, done []Done) error
	// NextDue tells when the next row that is not held becomes due.
	NextDue(ctx context.Context) (due time.Time, found bool, err error)
	// Trouble and SetTrouble keep what the owner should know of the queue.
	Trouble(ctx context.Context) (Trouble, error)
	SetTrouble(ctx context.Context, now time.Time, t Trouble) error
}

// Recovered counts what a crash had left behind.
type Recovered struct {
	Requeued int
	Unknown  int
}

// Trouble is why nothing is being sent, in words for the owner. The zero value
// means that all is well.
type Trouble struct {
	Halted   bool      // waits for the owner; else it tries again by itself
	Sentence string    // one plain sentence, without address or password
	Since    time.Time // first seen
	Next     time.Time // next try; zero when halted
}

type skipError struct{ reason string }

func (e skipError) Error() string { return "skip: " + e.reason }

// Skip is the error of a composer that says: no longer wanted. The row ends as
// skipped with the reason, a word or two without anything personal.
func Skip(reason string) error { return skipError{reason} }

// Skipping returns the reason if err was made by Skip.
func Skipping(err error) (reason string, ok bool) {
	skip, ok := errors.AsType[skipError](err)
	return skip.reason, ok
}

// ErrHeld is the error of a composer whose batch is paused: the row is queued
// again and waits for the batch.
var ErrHeld = errors.New("held")
