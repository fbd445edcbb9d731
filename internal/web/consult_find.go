package web

import (
	"net/http"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// consultFind is the way back to a booking by its three words and the name.
func (s *Site) consultFind(w http.ResponseWriter, r *http.Request) error {
	return s.findPage(w, r, templates.FindView{}, nil)
}

// consultFindPost looks for the booking. Wrong words and a wrong name have one answer.
func (s *Site) consultFindPost(w http.ResponseWriter, r *http.Request) error {
	values, _, err := s.form(w, r, respond.Fields{"code", "name"})
	typed := templates.FindView{Code: values.Get("code"), Name: values.Get("name")}
	if err != nil {
		return s.findPage(w, r, typed, err)
	}
	b, err := s.Consult.Find(r.Context(), s.Now(), typed.Code, typed.Name)
	if fault.Is(err, fault.NotFound) {
		err = fault.BadFields(fault.Field{Name: "code", Message: "Nothing was found under these words and this name. Check both."})
	}
	if err != nil {
		return s.findPage(w, r, typed, err)
	}
	return seeAppointment(w, b)
}

func (s *Site) findPage(w http.ResponseWriter, r *http.Request, v templates.FindView, err error) error {
	noIndex(w)
	if err != nil && !showsForm(err) {
		return err
	}
	v.Key, v.Problem = s.keys.New(s.Now()), problemOf(err)
	status := http.StatusOK
	if err != nil {
		status = respond.Status(err)
		respond.RetryAfter(w.Header(), err)
	}
	return respond.Page(w, r, status, templates.Find(s.chrome(r), v), respond.NoStore)
}
