package web

import (
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// letterTrap is a field that is hidden from people and their assistive technology
// alike: a robot that fills in everything gives itself away.
const letterTrap = "website"

// newsletterDone is where every press of a button leads. It holds no token, so that
// the history of a browser keeps none.
const newsletterDone = "/newsletter/done"

// routeLetters are the pages of the newsletter.
func (s *Site) routeLetters(r chi.Router) {
	h := s.errors.Handle
	r.Get("/newsletter", h(s.newsletter))
	r.Post("/newsletter/subscribe", h(s.newsletterSubscribe))
	r.Get("/newsletter/asked", h(s.newsletterAsked))
	r.Get(newsletterDone, h(s.newsletterDone))
	r.Get("/newsletter/confirm/{token}", h(s.newsletterConfirm))
	r.Post("/newsletter/confirm/{token}", h(s.newsletterConfirmPost))
	r.Get("/newsletter/unsubscribe/{token}", h(s.newsletterLeave))
	r.Get("/newsletter/preferences/{token}", h(s.newsletterPreferences))
	r.Post("/newsletter/preferences/{token}", h(s.newsletterPreferencesPost))
	r.Get("/newsletter/{slug}", h(s.newsletterIssue))
}

// routeOneClick is outside the check of where a post comes from: mailbox providers
// post it without a browser's headers, web mailers from their own site, and the
// token is all the proof there is (RFC 8058).
func (s *Site) routeOneClick(r chi.Router) {
	if !s.MailOff {
		r.Post("/newsletter/unsubscribe/{token}", s.errors.Handle(s.newsletterLeavePost))
	}
}

// newsletter shows the sign-up form and the letters sent so far.
func (s *Site) newsletter(w http.ResponseWriter, r *http.Request) error {
	return s.newsletterPage(w, r, "", nil)
}

// newsletterPage shows the form with what was typed; err is what is to be put right.
func (s *Site) newsletterPage(w http.ResponseWriter, r *http.Request, typed string, err error) error {
	status := http.StatusOK
	if err != nil {
		if !showsForm(err) {
			return err
		}
		status = respond.Status(err)
		respond.RetryAfter(w.Header(), err)
	}
	v := s.newsletterView(r, typed, err)
	return respond.Page(w, r, status, templates.Newsletter(s.chrome(r), v), respond.NoStore)
}

// newsletterSubscribe asks for the newsletter. Whoever it was, the answer is the same.
func (s *Site) newsletterSubscribe(w http.ResponseWriter, r *http.Request) error {
	values, key, err := s.form(w, r, respond.Fields{"email", letterTrap})
	if err != nil {
		return s.newsletterPage(w, r, values.Get("email"), err)
	}
	client, ok := clientAddr(r)
	if !ok {
		client = netip.Addr{}
	}
	err = s.Newsletter.Subscribe(r.Context(), s.Now(), newsletter.Request{
		Email: values.Get("email"), Trap: values.Get(letterTrap), Issued: key.Issued, Client: client,
	})
	if err != nil {
		return s.newsletterPage(w, r, values.Get("email"), err)
	}
	respond.SeeOther(w, "/newsletter/asked")
	return nil
}

func (s *Site) newsletterAsked(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	return respond.Page(w, r, http.StatusOK, templates.NewsletterAsked(s.chrome(r)), respond.NoStore)
}

func (s *Site) newsletterDone(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	return respond.Page(w, r, http.StatusOK, templates.NewsletterDone(s.chrome(r)), respond.NoStore)
}

// The pages behind links in mails. A link scanner follows every link, so a GET
// changes nothing: it shows a page with a button.

// newsletterConfirm shows the button that confirms.
func (s *Site) newsletterConfirm(w http.ResponseWriter, r *http.Request) error {
	return s.confirmPage(w, r, nil)
}

func (s *Site) confirmPage(w http.ResponseWriter, r *http.Request, wrong error) error {
	noIndex(w)
	token := chi.URLParam(r, "token")
	if err := s.Newsletter.CheckConfirm(r.Context(), s.Now(), token); err != nil {
		return err
	}
	return s.press(w, r, wrong, confirmView("/newsletter/confirm/"+token, s.keys.New(s.Now())))
}

// press shows a page with one button; wrong is why it is shown again, or nil.
func (s *Site) press(w http.ResponseWriter, r *http.Request, wrong error, v templates.PressView) error {
	status := http.StatusOK
	if wrong != nil {
		if !showsForm(wrong) {
			return wrong
		}
		status = respond.Status(wrong)
		respond.RetryAfter(w.Header(), wrong)
		v.Text = pressAgain
	}
	return respond.Page(w, r, status, templates.NewsletterPress(s.chrome(r), v), respond.NoStore)
}

// newsletterConfirmPost subscribes.
func (s *Site) newsletterConfirmPost(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	if _, _, err := s.form(w, r, nil); err != nil {
		return s.confirmPage(w, r, err)
	}
	if err := s.Newsletter.Confirm(r.Context(), s.Now(), chi.URLParam(r, "token")); err != nil {
		return err
	}
	respond.SeeOther(w, newsletterDone)
	return nil
}

// newsletterLeave shows the button that unsubscribes.
func (s *Site) newsletterLeave(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	token := chi.URLParam(r, "token")
	if err := s.Newsletter.CheckLeave(r.Context(), token); err != nil {
		return err
	}
	return s.press(w, r, nil, leaveView("/newsletter/unsubscribe/"+token))
}

// newsletterLeavePost unsubscribes: by the button, or with one click in a mail
// program, which is answered with 200 and nothing to read.
func (s *Site) newsletterLeavePost(w http.ResponseWriter, r *http.Request) error {
	noIndex(w)
	one, err := oneClick(w, r)
	if err != nil {
		return err
	}
	if err := s.Newsletter.Leave(r.Context(), s.Now(), chi.URLParam(r, "token")); err != nil {
		return err
	}
	if one {
		respond.Bytes(w, r, http.StatusOK, "text/plain; charset=utf-8", []byte("Done.\n"), respond.NoStore)
		return nil
	}
	respond.SeeOther(w, newsletterDone)
	return nil
}

// oneClick reports whether the body is that of RFC 8058, urlencoded or multipart.
// What else it may be does not matter: the token is the proof.
func oneClick(w http.ResponseWriter, r *http.Request) (bool, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return false, nil
	}
	body := http.MaxBytesReader(w, r.Body, respond.MaxBody)
	var value string
	switch kind {
	case "application/x-www-form-urlencoded":
		text, err := io.ReadAll(body)
		if err != nil {
			return false, tooMuch(err)
		}
		values, _ := url.ParseQuery(string(text)) // what cannot be read is no one-click
		value = values.Get("List-Unsubscribe")
	case "multipart/form-data":
		form, err := multipart.NewReader(body, params["boundary"]).ReadForm(respond.MaxBody)
		if err != nil {
			return false, tooMuch(err)
		}
		if values := form.Value["List-Unsubscribe"]; len(values) > 0 {
			value = values[0]
		}
	}
	return value == "One-Click", nil
}
