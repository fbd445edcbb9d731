package web

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/templates"
)

// consultView makes the page of times from what was asked for and typed, and what is
// wrong with it; err is nil on a fresh page.
func (s *Site) consultView(r *http.Request, typed consult.Request, ask consult.Ask, err error) (templates.ConsultView, error) {
	now := s.Now()
	times, failed := s.Consult.Times(r.Context(), now, ask)
	if failed != nil {
		return templates.ConsultView{}, failed
	}
	practice := s.Consult.Practice()
	v := templates.ConsultView{
		Key:     s.keys.New(now),
		Minutes: s.Consult.Minutes(),
		Times:   times,
		Zones:   s.Consult.Zones(now, times.Zone),
		Typed:   withDefaults(typed),
		Problem: problemOf(err),
		Near:    s.near(err, times.Zone),
		Caller:  practice.CallerWords(consult.Contact{}),
		Phone:   practice.Phone,
		WithTo:  s.Consult.MailOn,
		Sender:  practice.SenderName(),
		Subject: consult.ExampleSubject(now, times.Zone),
	}
	if practice.Country != "" {
		v.Country = consult.CountryWords(practice.Country)
	}
	if v.Problem.Of("phone") != "" {
		v.AskOK = typed.Phone
	}
	return v, nil
}

// withDefaults chooses, where nothing was chosen, what the absence of an answer means.
func withDefaults(typed consult.Request) consult.Request {
	if typed.Answer == "" {
		typed.Answer = string(consult.HangUp)
	}
	if typed.Dropped == "" {
		typed.Dropped = string(consult.LeaveIt)
	}
	return typed
}

// near are the times that a refusal came with.
func (s *Site) near(err error, zone string) []consult.Time {
	refused, ok := errors.AsType[*consult.Refused](err)
	if !ok {
		return nil
	}
	return s.Consult.NearWords(refused.Nearest, zone)
}

// problemOf puts an error into the words of the summary.
func problemOf(err error) templates.Problem {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return templates.Problem{}
	}
	p := templates.Problem{Text: f.Public}
	for _, field := range f.Fields {
		p.Fields = append(p.Fields, templates.ProblemField(field))
	}
	switch {
	case f.Kind == fault.Taken && len(p.Text) > 0:
		p.Title = "This could not be done"
	case f.Kind == fault.TooMany:
		p.Title = "Not just now"
	case f.Kind == fault.Unavailable:
		p.Title = "Nothing can be saved just now"
		p.Text = "Nothing has changed. Please send it again in a minute. Everything you typed is still here."
	case len(p.Fields) == 0:
		p.Title = "Please send it again"
	default:
		p.Title = countThings(len(p.Fields))
	}
	return p
}

// countThings is "One thing to put right", "Two things to put right".
func countThings(n int) string {
	words := []string{"Nothing", "One thing", "Two things", "Three things", "Four things", "Five things", "Six things"}
	if n < len(words) {
		return words[n] + " to put right"
	}
	return strconv.Itoa(n) + " things to put right"
}

// bookedView makes the visitor's page. Times is nil where nothing can be changed.
func (s *Site) bookedView(token string, b consult.Booking, now time.Time) templates.BookedView {
	zone, practiceZone := s.Consult.ZoneOf(b), s.Consult.Hours().Zone
	practice := s.Consult.Practice()
	v := templates.BookedView{
		Path:    "/consult/" + token,
		Key:     s.keys.New(now),
		State:   bookedState(b, now),
		Day:     consult.DayWords(b.Start, zone),
		Clock:   consult.Clock24(b.Start, zone),
		Spoken:  consult.Spoken(b.Start, zone),
		Minutes: int(b.Length() / time.Minute),
		Phone:   practice.Phone,
	}
	if zone.String() != practiceZone.String() {
		v.Practice = consult.Spoken(b.Start, practiceZone)
	}
	if c := b.Contact; c != nil {
		v.WeCall, v.Code, v.HasEmail = c.Call == consult.CallMe, c.Code, c.Email != ""
	}
	return v
}

func bookedState(b consult.Booking, now time.Time) templates.BookedState {
	switch {
	case b.Status == consult.Cancelled:
		return templates.BookedCancelled
	case b.Open(now):
		return templates.BookedOpen
	}
	return templates.BookedBegun
}
