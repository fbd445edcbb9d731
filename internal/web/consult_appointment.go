package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/ical"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// The visitor's own page. Its address is all the proof there is, so each of its
// answers is kept out of stores and search engines, a refusal too.

// own returns the booking whose page this is, or fault.NotFound.
func (s *Site) own(w http.ResponseWriter, r *http.Request) (token string, b consult.Booking, err error) {
	noIndex(w)
	token = chi.URLParam(r, "token")
	b, err = s.Consult.ByToken(r.Context(), s.Now(), token)
	return token, b, err
}

func noIndex(w http.ResponseWriter) { w.Header().Set("X-Robots-Tag", "noindex") }

// appointment shows a booking, with other times if it can still be moved.
func (s *Site) appointment(w http.ResponseWriter, r *http.Request) error {
	token, b, err := s.own(w, r)
	if err != nil {
		return err
	}
	return s.appointmentPage(w, r, token, b, consult.Ask{}, nil)
}

// appointmentPage shows a booking; err is what kept it from being changed, or nil.
func (s *Site) appointmentPage(w http.ResponseWriter, r *http.Request, token string, b consult.Booking, ask consult.Ask, err error) error {
	if err != nil && !showsForm(err) {
		return err
	}
	now := s.Now()
	v := s.bookedView(token, b, now)
	v.Problem = problemOf(err)
	if v.State == templates.BookedOpen {
		if ask.Zone == "" {
			ask.Zone = s.Consult.ZoneOf(b).String()
		}
		ask.Own = &b
		times, failed := s.Consult.Times(r.Context(), now, ask)
		if failed != nil {
			return failed
		}
		v.Moving = ask.From != ""
		v.Times, v.Zones, v.Near = &times, s.Consult.Zones(now, times.Zone), s.near(err, times.Zone)
	}
	status := http.StatusOK
	if err != nil {
		status = respond.Status(err)
		respond.RetryAfter(w.Header(), err)
	}
	return respond.Page(w, r, status, templates.Booked(s.chrome(r), v), respond.NoStore)
}

// appointmentMove gives the call another time, or shows other times to choose from.
func (s *Site) appointmentMove(w http.ResponseWriter, r *http.Request) error {
	token, b, err := s.own(w, r)
	if err != nil {
		return err
	}
	values, key, err := s.form(w, r, respond.Fields{"slot", "zone", "from"}, doZone, doEarlier, doLater)
	ask := consult.Ask{Zone: values.Get("zone"), From: values.Get("from"), Chosen: values.Get("slot")}
	if err != nil {
		return s.appointmentPage(w, r, token, b, ask, err)
	}
	if turn, ok := turnOf(values.Get(respond.DoField)); ok {
		ask.Turn = turn
		return s.appointmentPage(w, r, token, b, ask, nil)
	}
	if _, err := s.Consult.Move(r.Context(), s.Now(), consult.Key(key), b, ask.Chosen, ask.Zone); err != nil {
		return s.appointmentPage(w, r, token, b, ask, err)
	}
	respond.SeeOther(w, "/consult/"+token)
	return nil
}

// appointmentCancel cancels the call.
func (s *Site) appointmentCancel(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(b consult.Booking) error {
		_, err := s.Consult.Cancel(r.Context(), s.Now(), b, consult.ByVisitor)
		return err
	})
}

// appointmentEmail forgets the visitor's address.
func (s *Site) appointmentEmail(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(b consult.Booking) error {
		return s.Consult.WithdrawEmail(r.Context(), s.Now(), b)
	})
}

// change does one thing to a booking that needs no more than a press of a button.
func (s *Site) change(w http.ResponseWriter, r *http.Request, do func(consult.Booking) error) error {
	token, b, err := s.own(w, r)
	if err != nil {
		return err
	}
	if _, _, err = s.form(w, r, nil); err == nil {
		err = do(b)
	}
	if err != nil {
		return s.appointmentPage(w, r, token, b, consult.Ask{}, err)
	}
	respond.SeeOther(w, "/consult/"+token)
	return nil
}

// appointmentICS is the call as a file for the visitor's calendar.
func (s *Site) appointmentICS(w http.ResponseWriter, r *http.Request) error {
	_, b, err := s.own(w, r)
	if err != nil {
		return err
	}
	text, err := ical.Download(b.Event(s.Now()))
	if err != nil {
		return fault.Wrap(fault.Internal, err)
	}
	w.Header().Set("Content-Disposition", `attachment; filename="call.ics"`)
	respond.Bytes(w, r, http.StatusOK, "text/calendar; charset=utf-8", []byte(text), respond.NoStore)
	return nil
}
