package consult

import (
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/slots"
)

// Bounds of the fields, in characters.
const (
	MaxName  = 300
	MaxShort = 60 // caller, stop word
	maxPhone = 60
)

// Request is the form as it was typed, kept so that it can be shown again.
type Request struct {
	Slot      string // RFC 3339
	Zone      string
	Name      string
	Call      string
	Phone     string
	PhoneOK   string // the number that the visitor was asked to look at once more
	Voicemail string
	Answer    string
	Caller    string
	StopWord  string
	Dropped   string
	Email     string
	Remind    string
}

// reading collects what is wrong with a request, in the order of the page.
type reading struct{ fields []fault.Field }

func (r *reading) wrong(name, message string) {
	r.fields = append(r.fields, fault.Field{Name: name, Message: message})
}

// Read checks the form against its rules and returns what will be kept. Country is
// that of the practice, for numbers without a country code; withMail says whether
// addresses are taken at all. The error is a fault.Invalid with a message for each
// field to put right.
func (q Request) Read(country string, withMail bool) (time.Time, Contact, error) {
	var r reading
	start := r.slot(q.Slot)
	c := Contact{
		Name:    r.line("name", q.Name, MaxName),
		Call:    choice(&r, "call", q.Call, "Choose who calls whom.", "", CallMe, ICall),
		Answer:  choice(&r, "answer", q.Answer, "Choose one of the three.", HangUp, HangUp, AskFor, WrongNumber),
		Dropped: choice(&r, "dropped", q.Dropped, "Choose one of the three.", LeaveIt, LeaveIt, CallOnce, Wait),
		Zone:    knownZone(q.Zone),
	}
	c.Caller = r.line("caller", q.Caller, MaxShort)
	c.StopWord = r.line("stop_word", q.StopWord, MaxShort)
	voicemail := r.tick("voicemail", q.Voicemail)
	if hasControl(q.Zone) {
		r.wrong("zone", "This is no time zone. Choose one from the list.")
	}
	if c.Name == "" && !r.has("name") {
		r.wrong("name", "Give a name we can ask for. Any name will do.")
	}
	switch {
	case c.Call == CallMe:
		c.Voicemail = voicemail
		r.phone(&c, q, country)
	case c.Dropped == CallOnce:
		c.Dropped = Wait // there is no number to call once more
	}
	if withMail && strings.TrimSpace(q.Email) != "" {
		c.Email, c.Remind = r.email(q.Email), r.tick("remind", q.Remind)
	}
	if len(r.fields) > 0 {
		return start, c, fault.BadFields(inPageOrder(r.fields)...)
	}
	return start, c, nil
}

var pageOrder = []string{
	"slot", "zone", "name", "call", "phone", "voicemail", "answer", "caller", "stop_word", "dropped", "email", "remind",
}

func inPageOrder(fields []fault.Field) []fault.Field {
	out := make([]fault.Field, 0, len(fields))
	for _, name := range pageOrder {
		for _, f := range fields {
			if f.Name == name {
				out = append(out, f)
			}
		}
	}
	return out
}

func (r *reading) has(name string) bool {
	for _, f := range r.fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

func (r *reading) slot(typed string) time.Time {
	start, err := ParseSlot(typed)
	switch {
	case typed == "":
		r.wrong("slot", "Choose a time.")
	case err != nil:
		r.wrong("slot", "Choose one of the times on this page.")
	}
	return start
}

// ParseSlot reads a start as the page writes it, strictly RFC 3339; a date that the
// calendar does not have is an error.
func ParseSlot(s string) (time.Time, error) {
	var t time.Time
	if err := t.UnmarshalText([]byte(s)); err != nil {
		return time.Time{}, err
	}
	return t.UTC(), nil
}

// FormatSlot is a start as the page writes it: RFC 3339 in UTC.
func FormatSlot(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// line reads one line of free text.
func (r *reading) line(name, typed string, most int) string {
	if hasControl(typed) {
		r.wrong(name, "This holds a character that can’t be printed. Please type it again.")
		return ""
	}
	text := strings.TrimFunc(typed, blank)
	// Counted as it is written composed: an accent is no character of its own.
	if n := utf8.RuneCountInString(norm.NFC.String(text)); n > most {
		r.wrong(name, "This is too long: "+itoa(most)+" characters at most.")
		return ""
	}
	return text
}

// hasControl finds control characters, and those that reorder the text around
// them, which could make a call card read wrongly.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
			r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
	})
}

// blank reports whether r shows nothing at the edge of a text.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == '\u3164' }

// choice reads one of a few values; no answer means what absent says, or is a
// message if that is "".
func choice[T ~string](r *reading, name, typed, message string, absent T, known ...T) T {
	if typed == "" && absent != "" {
		return absent
	}
	for _, k := range known {
		if T(typed) == k {
			return k
		}
	}
	r.wrong(name, message)
	return ""
}

func (r *reading) tick(name, typed string) bool {
	if typed != "" && typed != "yes" {
		r.wrong(name, "Tick this, or leave it.")
	}
	return typed == "yes"
}

func (r *reading) email(typed string) string {
	address, err := mail.ParseAddress(typed)
	switch {
	case errors.Is(err, mail.ErrForeignLocal):
		r.wrong("email", "We can’t reach addresses with letters such as ž or 李 before the @. Please give another one, or none.")
	case err != nil:
		r.wrong("email", "Check the email address: it should look like name@example.org.")
	}
	return address.Spelling
}

// knownZone returns the name if it is a zone's, else "": the practice's zone then
// stands for it.
func knownZone(name string) string {
	if _, err := slots.LoadZone(name); err != nil {
		return ""
	}
	return name
}
