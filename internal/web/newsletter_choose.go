package web

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// The buttons of the preferences.
const (
	doSave   = "save"
	doFresh  = "fresh"  // mail me a link with which I may see and erase
	doExport = "export" // show what is held
	doErase  = "erase"
)

// newsletterPreferences shows what a subscriber can choose.
func (s *Site) newsletterPreferences(w http.ResponseWriter, r *http.Request) error {
	return s.preferencesPage(w, r, nil)
}

func (s *Site) preferencesPage(w http.ResponseWriter, r *http.Request, wrong error) error {
	noIndex(w)
	if wrong != nil && !showsForm(wrong) {
		return wrong
	}
	token, now := chi.URLParam(r, "token"), s.Now()
	who, err := s.Newsletter.Preferences(r.Context(), now, token)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if wrong != nil {
		status = respond.Status(wrong)
		respond.RetryAfter(w.Header(), wrong)
	}
	v := preferencesView("/newsletter/preferences/"+token, s.keys.New(now), who, now)
	return respond.Page(w, r, status, templates.NewsletterPreferences(s.chrome(r), v), respond.NoStore)
}

// newsletterPreferencesPost does what one of the buttons says.
func (s *Site) newsletterPreferencesPost(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	values, _, err := s.form(w, r, respond.Fields{"pause", "plain"})
	if err != nil {
		return s.preferencesPage(w, r, err)
	}
	do := values.Get(respond.DoField)
	if do == doErase {
		err = s.Newsletter.Erase(r.Context(), s.Now(), chi.URLParam(r, "token"))
		return s.chosen(w, err)
	}
	who, err := s.Newsletter.Preferences(r.Context(), s.Now(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	switch do {
	case doFresh:
		return s.chosen(w, s.Newsletter.AskFresh(r.Context(), s.Now(), who))
	case doExport:
		return s.newsletterHeld(w, r, who)
	}
	return s.chosen(w, s.choose(r, who, values))
}

// choose keeps the settings of the form.
func (s *Site) choose(r *http.Request, who newsletter.Choice, values url.Values) error {
	until, ok := pauseUntil(values.Get("pause"), who, s.Now())
	if !ok {
		return fault.BadFields(fault.Field{Name: "pause", Message: "Choose one of these."})
	}
	settings := newsletter.Settings{Plain: values.Get("plain") == "yes", PausedUntil: until}
	return s.Newsletter.Choose(r.Context(), s.Now(), who, settings)
}

func (s *Site) chosen(w http.ResponseWriter, err error) error {
	if err == nil {
		respond.SeeOther(w, newsletterDone)
	}
	return err
}

// newsletterHeld shows everything that is kept about one address, as the answer to
// the post: no address holds it.
func (s *Site) newsletterHeld(w http.ResponseWriter, r *http.Request, who newsletter.Choice) error {
	held, err := s.Newsletter.Export(r.Context(), who)
	if err != nil {
		return err
	}
	v := heldView("/newsletter/preferences/"+chi.URLParam(r, "token"), held)
	return respond.Page(w, r, http.StatusOK, templates.NewsletterHeld(s.chrome(r), v), respond.NoStore)
}

// tooMuch is the failure of a body that could not be read: too large, or broken.
func tooMuch(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return fault.Wrap(fault.TooLarge, err)
	}
	return nil
}
