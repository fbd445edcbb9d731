package admin

import (
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/templates"
)

const (
	accessPath  = "/admin/access"
	passkeyNone = "The passkey could not be added. Please try again."
	labelMost   = 60 // characters
)

// access shows how the owner signs in, and where they are signed in.
func (s *Site) access(w http.ResponseWriter, r *http.Request) error {
	return s.accessPage(w, r, http.StatusOK, templates.Problem{})
}

func (s *Site) accessPage(w http.ResponseWriter, r *http.Request, status int, p templates.Problem) error {
	session := sessionOf(r.Context())
	ways, err := s.Store.OwnerWays(r.Context(), session.Owner)
	if err != nil {
		return err
	}
	all, err := s.Store.Sessions(r.Context(), s.Now(), session.Owner)
	if err != nil {
		return err
	}
	v := templates.AccessView{
		Name: session.OwnerName, Fresh: s.isFresh(session), Password: ways.Password, Codes: ways.Codes,
		Problem: p, Script: s.passkeyScript(), Elsewhere: s.elsewhere(r, accessPath),
	}
	for _, k := range ways.Passkeys {
		v.Passkeys = append(v.Passkeys, templates.PasskeyView{ID: k.ID, Label: k.Label, Created: s.day(k.Created), Used: s.day(k.Used)})
	}
	for _, o := range all {
		v.Sessions = append(v.Sessions, templates.SessionView{
			Ref: o.Ref, Words: o.Words, Created: s.moment(o.Created), Seen: s.moment(o.Seen), Here: o.Ref == session.Ref,
		})
	}
	return s.page(w, r, status, templates.AdminAccess(s.chrome(r), v))
}

// zone is the practice's, in which the owner reads times.
func (s *Site) zone() *time.Location {
	if zone := s.Hours().Zone; zone != nil {
		return zone
	}
	return time.UTC
}

func (s *Site) day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.zone()).Format("2 January 2006")
}

func (s *Site) moment(t time.Time) string { return t.In(s.zone()).Format("2 January, 15:04") }

// sessionEnd signs the owner out on one device.
func (s *Site) sessionEnd(w http.ResponseWriter, r *http.Request) error {
	session, ref := sessionOf(r.Context()), chi.URLParam(r, "ref")
	if err := s.Store.EndSession(r.Context(), s.Now(), session.Owner, ref); err != nil {
		return err
	}
	if ref == session.Ref {
		s.leave(w)
		return nil
	}
	respond.SeeOther(w, accessPath)
	return nil
}

// passkeyOptions begins the making of one more passkey.
func (s *Site) passkeyOptions(w http.ResponseWriter, r *http.Request) error {
	h, err := s.holderHere(r)
	if err != nil {
		return err
	}
	return s.newPasskey(w, r, h, pending{purpose: forAdding, about: sessionOf(r.Context()).Ref})
}

// holderHere is who is signed in, with their passkeys.
func (s *Site) holderHere(r *http.Request) (holder, error) {
	owner, err := s.Store.OwnerByID(r.Context(), ownerOf(r.Context()).ID)
	if err != nil {
		return holder{}, err
	}
	return s.holderOf(r.Context(), owner)
}

// passkeyAdd takes the passkey that the authenticator made.
func (s *Site) passkeyAdd(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "credential", "label")
	if err != nil {
		return err
	}
	session := sessionOf(r.Context())
	p, ok := s.pendings.take(s.Now(), s.cookie(r, pendingCookie), forAdding, session.Ref)
	if !ok {
		return s.accessPage(w, r, http.StatusUnprocessableEntity, problem(passkeyNone))
	}
	h, err := s.holderHere(r)
	if err != nil {
		return err
	}
	made, err := s.madePasskey(h, p, form.Get("credential"), labelOf(form, r))
	if fault.Is(err, fault.Forbidden) {
		return s.accessPage(w, r, http.StatusUnprocessableEntity, problem(passkeyNone))
	}
	if err != nil {
		return err
	}
	return s.changed(w, r, "passkey added", func() (store.Entry, error) {
		return s.Store.AddPasskey(r.Context(), s.Now(), session, made)
	})
}

// labelOf is what the owner calls a passkey, or where it was made.
func labelOf(form url.Values, r *http.Request) string {
	label := strings.Join(strings.Fields(form.Get("label")), " ")
	if label == "" || utf8.RuneCountInString(label) > labelMost {
		return deviceWords(r.UserAgent())
	}
	return label
}

// passkeyRemove takes a passkey away.
func (s *Site) passkeyRemove(w http.ResponseWriter, r *http.Request) error {
	return s.changed(w, r, "passkey removed", func() (store.Entry, error) {
		return s.Store.RemovePasskey(r.Context(), s.Now(), sessionOf(r.Context()), chi.URLParam(r, "id"))
	})
}

// password is the form for another password.
func (s *Site) password(w http.ResponseWriter, r *http.Request) error {
	return s.passwordPage(w, r, http.StatusOK, "", templates.Problem{})
}

func (s *Site) passwordPage(w http.ResponseWriter, r *http.Request, status int, secret string, p templates.Problem) error {
	name := ownerOf(r.Context()).Name
	return s.page(w, r, status, templates.AdminPassword(s.chrome(r), templates.PasswordView{
		Name: name, App: s.app(name, secret), Problem: p,
	}))
}

// passwordPost sets another password, with another key in the app.
func (s *Site) passwordPost(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "name", "password", "code", "secret")
	if err != nil {
		return err
	}
	password, wrong, err := s.readPassword(r, form, ownerOf(r.Context()).Name)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		return s.passwordPage(w, r, http.StatusUnprocessableEntity, form.Get("secret"), problem("", wrong...))
	}
	return s.changed(w, r, "password set", func() (store.Entry, error) {
		return s.Store.SetPassword(r.Context(), s.Now(), sessionOf(r.Context()), password)
	})
}

// passwordRemove takes the password and the app away.
func (s *Site) passwordRemove(w http.ResponseWriter, r *http.Request) error {
	return s.changed(w, r, "password removed", func() (store.Entry, error) {
		return s.Store.RemovePassword(r.Context(), s.Now(), sessionOf(r.Context()))
	})
}

// changed makes a change of the ways in, which ends all other sessions and gives this
// one another id, and goes back to the page that shows it.
func (s *Site) changed(w http.ResponseWriter, r *http.Request, what string, change func() (store.Entry, error)) error {
	e, err := change()
	if fault.Is(err, fault.Taken) {
		return s.accessPage(w, r, http.StatusConflict, problem(publicOf(err)))
	}
	if err != nil {
		return err
	}
	s.event(r, what, "session")
	s.arrive(w, r, e)
	respond.SeeOther(w, accessPath)
	return nil
}

// codesPost makes other recovery codes and shows them, this once, as its answer.
func (s *Site) codesPost(w http.ResponseWriter, r *http.Request) error {
	codes := newCodes()
	e, err := s.Store.SetCodes(r.Context(), s.Now(), sessionOf(r.Context()), codes)
	if err != nil {
		return err
	}
	s.event(r, "recovery codes made", "session")
	s.arrive(w, r, e)
	return s.page(w, r, http.StatusOK, templates.AdminCodes(s.chrome(r), templates.CodesView{Codes: written(codes), Name: ownerOf(r.Context()).Name}))
}
