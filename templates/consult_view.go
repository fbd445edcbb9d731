package templates

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"github.com/steadier/steadier/internal/consult"
)

// ConsultView is the page of times with the form below it.
type ConsultView struct {
	Key     string // form key
	Minutes int    // how long a call takes
	Times   consult.Times
	Zones   []consult.ZoneChoice
	Typed   consult.Request // shown again as it was typed
	Problem Problem         // what to put right; zero on a fresh page
	Near    []consult.Time  // the nearest free times, where one could not be had
	AskOK   string          // the number that is asked about once: goes back as phone_ok
	Country string          // "the United Kingdom": numbers without a country code; may be empty
	Caller  string          // who we say is calling if nobody is named
	Phone   string          // the practice's number, for who finds no time; may be empty
	WithTo  bool            // addresses are taken
	Sender  string          // whom a mail would come from
	Subject string          // and its subject, as an example
}

// written reports whether the page holds what was typed: then leaving empties its
// choices too (rule E18).
func (v ConsultView) written() bool {
	return v.Problem.Any() || v.Typed.Name != "" || v.Typed.Slot != "" || v.Typed.Phone != ""
}

// again is the address of these times, for a browser that shows an old copy of them.
func (v ConsultView) again() string {
	if v.Typed.Zone == "" {
		return "/consult"
	}
	return "/consult?" + url.Values{"zone": {v.Times.Zone}, "from": {v.Times.From}}.Encode()
}

// Problem is what stands in the summary at the head of a form.
type Problem struct {
	Title  string         // "Two things to put right"
	Text   string         // one sentence
	Fields []ProblemField // in the order of the page
}

// Any reports whether there is anything to say.
func (p Problem) Any() bool { return p.Title != "" }

// Of returns the message at a field, or "".
func (p Problem) Of(name string) string {
	for _, f := range p.Fields {
		if f.Name == name {
			return f.Message
		}
	}
	return ""
}

// ProblemField is a message at a field; the summary links to the element whose id
// is the field's name.
type ProblemField struct{ Name, Message string }

// BookedView is the visitor's own page. It holds nothing that was typed but the
// choice of who calls whom: somebody else may read it.
type BookedView struct {
	Path     string // /consult/TOKEN
	Key      string
	State    BookedState
	Day      string // "Thursday 3 December"
	Clock    string // "15:30"
	Spoken   string // in full, in the visitor's zone
	Practice string // in full, in the practice's zone; empty where it reads the same
	Minutes  int
	WeCall   bool           // we call them; else they call us
	Phone    string         // the practice's number: the one to call, or the one that shows; may be empty
	Code     string         // three words; empty once forgotten
	HasEmail bool           // an address was given: it can be withdrawn
	Times    *consult.Times // nil where nothing can be changed
	Moving   bool           // other times were asked for
	Zones    []consult.ZoneChoice
	Problem  Problem
	Near     []consult.Time
}

// BookedState is what the page says of the call.
type BookedState string

// The states of the visitor's page.
const (
	BookedOpen      BookedState = "open"      // it can be moved and cancelled
	BookedBegun     BookedState = "begun"     // it has begun, or is over
	BookedCancelled BookedState = "cancelled" // nobody calls
)

// FindView is the way back to a booking by code and name.
type FindView struct {
	Key     string
	Code    string // as typed
	Name    string
	Problem Problem
}

// heading says in a few words how things stand.
func (v BookedView) heading() string {
	switch v.State {
	case BookedCancelled:
		return "Your call is cancelled"
	case BookedBegun:
		return "The time of your call has come"
	}
	return "Your call is booked"
}

// whoCalls is one sentence about who calls whom.
func (v BookedView) whoCalls() string {
	long := "it takes " + strconv.Itoa(v.Minutes) + " minutes."
	switch {
	case v.State == BookedCancelled:
		return ""
	case v.WeCall:
		return "We call you, and " + long
	case v.Phone != "":
		return "You call us on " + v.Phone + ", and " + long
	}
	return "You call us, and " + long
}

// problemTitle says in a page's title that something is to be put right, so that it
// is the first thing that is heard.
func problemTitle(p Problem, title string) string {
	if p.Any() {
		return "Error: " + title
	}
	return title
}

// fieldID is the id of the element of a field.
func fieldID(name string) string {
	if name == "stop_word" {
		return "stop"
	}
	return name
}

// invalid are the attributes that tie a field to its hint and its error.
func invalid(name string, hint bool, p Problem) templ.Attributes {
	attrs, by := templ.Attributes{}, ""
	if hint {
		by = fieldID(name) + "-h"
	}
	if p.Of(name) != "" {
		attrs["aria-invalid"] = "true"
		by += " " + fieldID(name) + "-e"
	}
	attrs["aria-describedby"] = by
	return attrs
}
