package web

import (
	"net/http"
	"net/url"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// consultFields are the fields of the form; trap is one that no person fills in.
var consultFields = respond.Fields{
	"slot", "zone", "from", "name", "call", "phone", "phone_ok", "voicemail", "answer", "caller", "stop_word",
	"dropped", "email", "remind", trap,
}

// trap is a field that is hidden from people and their assistive technology alike.
const trap = "url"

// The buttons that change what a page of times shows, and store nothing.
const (
	doZone    = "zone"
	doEarlier = "earlier"
	doLater   = "later"
)

// turnOf is how many pages of times a button turns; ok is false for any other one.
func turnOf(do string) (turn int, ok bool) {
	switch do {
	case doZone:
		return 0, true
	case doEarlier:
		return -1, true
	case doLater:
		return 1, true
	}
	return 0, false
}

// consult shows the free times and the form.
func (s *Site) consult(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	typed := consult.Request{Zone: query.Get("zone"), Call: string(consult.CallMe)}
	v, err := s.consultView(r, typed, consult.Ask{Zone: typed.Zone, From: query.Get("from")}, nil)
	if err != nil {
		return err
	}
	return s.consultPage(w, r, http.StatusOK, v)
}

// consultPost books a call, or shows the page again: with other times, or with what
// is to be put right.
func (s *Site) consultPost(w http.ResponseWriter, r *http.Request) error {
	values, key, err := s.form(w, r, consultFields, doZone, doEarlier, doLater)
	typed := readRequest(values)
	ask := consult.Ask{Zone: typed.Zone, From: values.Get("from"), Chosen: typed.Slot}
	if err != nil {
		return s.consultAgain(w, r, typed, ask, err)
	}
	if turn, ok := turnOf(values.Get(respond.DoField)); ok {
		ask.Turn = turn
		v, err := s.consultView(r, typed, ask, nil)
		if err != nil {
			return err
		}
		return s.consultPage(w, r, http.StatusOK, v)
	}
	if values.Get(trap) != "" {
		filled := fault.New(fault.Invalid, "A field that stays empty was filled in. Please send the form again.")
		return s.consultAgain(w, r, typed, ask, filled)
	}
	b, err := s.Consult.Book(r.Context(), s.Now(), consult.Key(key), typed)
	if err != nil {
		return s.consultAgain(w, r, typed, ask, err)
	}
	return seeAppointment(w, b)
}

// readRequest takes the fields as they were typed.
func readRequest(values url.Values) consult.Request {
	return consult.Request{
		Slot:      values.Get("slot"),
		Zone:      values.Get("zone"),
		Name:      values.Get("name"),
		Call:      values.Get("call"),
		Phone:     values.Get("phone"),
		PhoneOK:   values.Get("phone_ok"),
		Voicemail: values.Get("voicemail"),
		Answer:    values.Get("answer"),
		Caller:    values.Get("caller"),
		StopWord:  values.Get("stop_word"),
		Dropped:   values.Get("dropped"),
		Email:     values.Get("email"),
		Remind:    values.Get("remind"),
	}
}

// seeAppointment sends the visitor on to the page of their booking. One whose
// contact is forgotten has no page to show any more.
func seeAppointment(w http.ResponseWriter, b consult.Booking) error {
	if b.Contact == nil {
		return fault.New(fault.NotFound, "")
	}
	respond.SeeOther(w, "/consult/"+b.Contact.Token)
	return nil
}

// showsForm reports whether an error is shown on the form it belongs to, with what
// was typed; any other one has a page of its own.
func showsForm(err error) bool {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Taken, fault.TooMany, fault.Unavailable:
		return true
	}
	return false
}

// consultAgain shows the form with what was typed and what is to be put right.
func (s *Site) consultAgain(w http.ResponseWriter, r *http.Request, typed consult.Request, ask consult.Ask, err error) error {
	if !showsForm(err) {
		return err
	}
	v, failed := s.consultView(r, typed, ask, err)
	if failed != nil {
		return err // the database can't be read either: the plain page says so
	}
	respond.RetryAfter(w.Header(), err)
	return s.consultPage(w, r, respond.Status(err), v)
}

func (s *Site) consultPage(w http.ResponseWriter, r *http.Request, status int, v templates.ConsultView) error {
	return respond.Page(w, r, status, templates.Consult(s.chrome(r), v), respond.NoStore)
}
