// Package fault names the ways in which something can go wrong, so that every
// floor above speaks of them in the same words.
//
// There are two families. An [Error] is what a request met: it has a [Kind],
// which one table in internal/respond turns into an HTTP status, and a sentence
// for the visitor, which never holds the detail that the log sees. A [Finding]
// is what is wrong with a file that the owner wrote: it names the file, the
// line and the way out.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind says what sort of failure an error is. The zero value is Internal: an
// error that nobody classified is ours.
type Kind int

// The kinds of failure, each with one HTTP status in internal/respond.
const (
	Internal    Kind = iota // a defect of ours: 500
	NotFound                // nothing under that name or token: 404
	Invalid                 // the form has fields to put right: 422
	Taken                   // the time is gone, or the call has begun: 409
	Forbidden               // a post from another site: 403
	TooLarge                // the body is over the limit: 413
	TooMany                 // a budget is used up: 429
	Unavailable             // nothing can be written now: 503
)

// String names the kind for a log line.
func (k Kind) String() string {
	names := [...]string{"internal", "not found", "invalid", "taken", "forbidden", "too large", "too many", "unavailable"}
	if k < 0 || int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Field is what is wrong with one field of a form, in words for the person who
// filled it in.
type Field struct {
	Name    string // the name attribute of the field
	Message string // one sentence that says what would be right
}

// Error is a failure of a known kind.
type Error struct {
	Kind       Kind
	Public     string        // a sentence for the visitor; may be empty
	Fields     []Field       // with Invalid: what to put right, in page order
	RetryAfter time.Duration // with TooMany and Unavailable: when to try again
	Err        error         // the cause, for the log only; may be nil
}

// Error gives the text for the log. It is never shown on a page.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", e.Kind, e.Err)
	}
	return e.Kind.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns an error of kind k with a sentence for the visitor.
func New(k Kind, public string) *Error { return &Error{Kind: k, Public: public} }

// Wrap returns err as an error of kind k.
func Wrap(k Kind, err error) *Error { return &Error{Kind: k, Err: err} }

// BadFields returns an Invalid error for the given fields.
func BadFields(fields ...Field) *Error { return &Error{Kind: Invalid, Fields: fields} }

// KindOf returns the kind of err: that of the first *Error in its chain, else
// Internal. A nil error has no kind; asking for it panics.
func KindOf(err error) Kind {
	if err == nil {
		panic("fault: KindOf(nil)")
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is of kind k; a nil error is of none.
func Is(err error, k Kind) bool { return err != nil && KindOf(err) == k }
