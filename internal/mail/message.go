// Package mail builds messages and hands them to an SMTP server, with every phase
// of the conversation visible to the caller.
//
// A [Message] becomes bytes by [Build]: RFC 5322 headers, RFC 2047 words,
// quoted-printable bodies with lines of at most 76 characters, text before HTML
// before calendar. A header value with CR, LF or NUL is refused, never encoded.
//
// A [Transport] delivers the bytes to one recipient and returns an [Outcome],
// whose [Verdict] says what it means for the message, its recipient and the queue.
// There are two: [SMTP], and [Capture], which writes .eml files into a folder.
package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Mailbox is a name and an address, as in a From header. The address is ASCII:
// its domain in A-labels (RFC 5890).
type Mailbox struct {
	Name    string // may be empty
	Address string
}

// Message is one mail to one recipient.
type Message struct {
	ID      string    // Message-ID without angle brackets; the worker sets it
	Date    time.Time // the time of sending, written with a numeric offset; the worker sets it
	From    Mailbox
	Bounce  string // envelope sender; empty: the address of From
	To      string // the bare address
	ReplyTo string // empty: no header
	Subject string
	Text    string
	HTML    string    // empty: text only
	Invite  *Calendar // nil: none
	List    *List     // nil: a single message, marked as sent by a program (RFC 3834)
}

// Calendar is an iCalendar part (RFC 6047).
type Calendar struct {
	Method string // REQUEST or CANCEL
	Data   string // with CRLF line ends
}

// List makes the message part of a mailing: RFC 2369, RFC 2919, RFC 8058.
type List struct {
	ID          string // the list's id without angle brackets
	Unsubscribe string // an absolute address that answers a one-click POST
}

// Transport delivers one message to one recipient.
type Transport interface {
	// Deliver sends raw, a whole message with CRLF line ends. It calls inData once,
	// after the recipient was accepted and before a byte of the message leaves;
	// an error of inData ends the attempt with the verdict NotTried.
	Deliver(ctx context.Context, from, to string, raw []byte, inData func() error) Outcome
	// Idle lets go of a connection that nobody needs for now.
	Idle()
}

// ErrMessage wraps every reason why a message cannot be built.
var ErrMessage = errors.New("not a message")

// check refuses what must not reach a header or an envelope.
func (m Message) check() error {
	headers := []struct{ name, value string }{
		{"message id", m.ID},
		{"sender name", m.From.Name},
		{"sender", m.From.Address},
		{"envelope sender", m.Bounce},
		{"recipient", m.To},
		{"reply address", m.ReplyTo},
		{"subject", m.Subject},
	}
	if m.List != nil {
		headers = append(headers,
			struct{ name, value string }{"list id", m.List.ID},
			struct{ name, value string }{"unsubscribe address", m.List.Unsubscribe})
	}
	if m.Invite != nil {
		headers = append(headers, struct{ name, value string }{"calendar method", m.Invite.Method})
	}
	for _, h := range headers {
		if err := CheckHeader(h.value); err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
	}
	return m.checkAddresses()
}

func (m Message) checkAddresses() error {
	for name, address := range map[string]string{"sender": m.From.Address, "recipient": m.To} {
		if !plainAddress(address) {
			return fmt.Errorf("%s: %w: an ASCII address is needed", name, ErrMessage)
		}
	}
	for name, address := range map[string]string{"envelope sender": m.Bounce, "reply address": m.ReplyTo} {
		if address != "" && !plainAddress(address) {
			return fmt.Errorf("%s: %w: an ASCII address is needed", name, ErrMessage)
		}
	}
	if m.ID == "" || m.Date.IsZero() {
		return fmt.Errorf("%w: it has no id or no date", ErrMessage)
	}
	return nil
}

// CheckHeader refuses a header value with a control character: it could begin
// another header, or end the headers (news-H26).
func CheckHeader(value string) error {
	for _, r := range value {
		if r < 0x20 || r == 0x7f || r == '\u0085' || r == '\u2028' || r == '\u2029' {
			return fmt.Errorf("%w: a header must not hold line breaks or control characters", ErrMessage)
		}
	}
	return nil
}

// plainAddress reports whether a is local@domain in printable ASCII, with nothing
// that means something to an SMTP server. What readers type is checked more
// strictly, by ParseAddress.
func plainAddress(a string) bool {
	at := strings.LastIndexByte(a, '@')
	if at < 1 || at == len(a)-1 || len(a) > 254 {
		return false
	}
	for i := range len(a) {
		if c := a[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`<>()[]\,;:"`, c) >= 0 {
			return false
		}
	}
	return strings.IndexByte(a, '@') == at
}

// DomainOf returns what follows the last @ of an address, or "".
func DomainOf(address string) string {
	return address[strings.LastIndexByte(address, '@')+1:]
}
