package newsletter

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/steadier/steadier/internal/mail"
)

// Issue is an issue as its file has it, rendered for mail.
type Issue struct {
	Slug      string
	Subject   string
	Discreet  string // the subject for those who asked for plain subject lines
	Preheader string // what an inbox shows after the subject
	Date      time.Time
	HTML      string // the body, with inline styles, without head and foot
	Text      string // the same as plain text
}

// SiteMark stands for the site's public address in the words of an issue, until a
// letter is composed: the process that starts an issue need not know the address
// under which another one serves.
const SiteMark = "https://site.invalid"

// IssueState is how far an issue is. An issue that was never started is ready.
type IssueState string

// The states of an issue.
const (
	Ready     IssueState = "ready"
	Scheduled IssueState = "scheduled" // Progress.Started is when
	Sending   IssueState = "sending"
	Paused    IssueState = "paused" // by the owner
	OnHold    IssueState = "held"   // by itself, because too many servers refuse it
	Sent      IssueState = "sent"
	Cancelled IssueState = "cancelled"
)

// Progress is how far the sending of an issue is.
type Progress struct {
	ID                string
	Slug              string
	State             IssueState
	Hash              []byte
	Started, Finished time.Time
	Filled            bool // every subscriber of the start has a row
	Accepted          int
	Waiting           int // still to go, now or later
	Later             int // of them, refused for now and to be tried again
	Failed            int
	Unknown           int // may have been delivered
	Skipped           int
}

// Total is how many rows the issue has: those of the other counts together.
func (p Progress) Total() int { return p.Accepted + p.Waiting + p.Failed + p.Unknown + p.Skipped }

// telling are the beginnings of words that must not stand where others may see
// them: in a discreet subject, in the preview of an inbox, in the first mail.
var telling = []string{
	"abus", "trauma", "narciss", "therap", "violen", "coerc", "gasligh", "gaslight", "stalk", "rape",
	"victim", "surviv", "perpetrat", "manipulat", "psycho", "counsel", "bond", "toxic", "partner", "relationship",
	"husband", "wife", "boyfriend", "girlfriend", "leaving", "shelter", "refuge", "helpline",
}

// Telling returns the first word of s that gives the subject away, or "".
func Telling(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		for _, begin := range telling {
			if strings.HasPrefix(word, begin) {
				return word
			}
		}
	}
	return ""
}

// ErrIssue wraps every reason why an issue cannot be sent.
var ErrIssue = errors.New("the issue cannot be sent")

// Check says why an issue cannot be sent: one sentence that names the key of its
// front matter.
func (i Issue) Check() error {
	for _, field := range []struct{ key, value string }{
		{"subject", i.Subject}, {"discreet_subject", i.Discreet}, {"preheader", i.Preheader},
	} {
		if strings.TrimSpace(field.value) == "" {
			return fmt.Errorf("%w: %s is empty", ErrIssue, field.key)
		}
		if err := mail.CheckHeader(field.value); err != nil {
			return fmt.Errorf("%w: %s holds a line break or a control character", ErrIssue, field.key)
		}
	}
	if word := Telling(i.Discreet); word != "" {
		return fmt.Errorf("%w: discreet_subject says %q, which gives the subject away", ErrIssue, word)
	}
	if strings.TrimSpace(i.Text) == "" || strings.TrimSpace(i.HTML) == "" {
		return fmt.Errorf("%w: it has no words", ErrIssue)
	}
	return nil
}

// Hash tells two versions of an issue's words apart.
func (i Issue) Hash() []byte {
	h := sha256.New()
	for _, s := range []string{i.Subject, i.Discreet, i.Preheader, i.HTML, i.Text} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	return h.Sum(nil)
}

// Letter is one issue for one subscriber, as things stand at the time of sending.
type Letter struct {
	Issue      Issue
	To         string
	Subscriber string
	Epoch      int
	Plain      bool
}

// Sender is what the composer needs of the store.
type Sender interface {
	// SignupAddress returns where a sign-up's mail goes; an error of outbox.Skip
	// when it is no longer wanted.
	SignupAddress(ctx context.Context, now time.Time, signup string) (string, error)
	// SubscriberAddress returns an active subscriber's address; outbox.Skip else.
	SubscriberAddress(ctx context.Context, subscriber string) (string, error)
	// LetterFor returns an issue for a subscriber; outbox.Skip when they left or
	// paused, outbox.ErrHeld when the issue is paused.
	LetterFor(ctx context.Context, now time.Time, issue, subscriber string) (Letter, error)
}
