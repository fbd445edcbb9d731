package admin

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/templates"
)

const (
	nameTaken     = "Somebody here has this name already. Choose another one."
	secretWrong   = "The page is too old. Open it again, and give the app its key once more."
	appNotRight   = "This is not the code that your app should show now. Is the clock of your phone right?"
	passkeyUnmade = "The passkey could not be made. Try again, or choose a password instead."
)

// ClaimPath is the path of a one-time link.
func ClaimPath(token string) string { return "/admin/claim/" + token }

// AddLink makes a one-time link with which an owner of that name sets up how they sign
// in, and returns its token. A name that cannot be one is fault.Invalid.
func AddLink(ctx context.Context, db *store.DB, now time.Time, name string) (token string, err error) {
	n := ownerName(name)
	if wrong := nameFault(n.Written); wrong != "" {
		return "", fault.New(fault.Invalid, wrong)
	}
	return db.AddOwnerLink(ctx, now, n)
}

// claim is the page of a one-time link. Opening it changes nothing.
func (s *Site) claim(w http.ResponseWriter, r *http.Request) error {
	link, err := s.findLink(r)
	if err != nil {
		return err
	}
	return s.claimPage(w, r, http.StatusOK, link, url.Values{"name": {link.Name}}, templates.Problem{})
}

// findLink is the link of a request. All that are no good have one answer.
func (s *Site) findLink(r *http.Request) (store.OwnerLink, error) {
	return s.Store.FindOwnerLink(r.Context(), s.Now(), chi.URLParam(r, "token"))
}

func (s *Site) claimPage(w http.ResponseWriter, r *http.Request, status int, link store.OwnerLink, form url.Values, p templates.Problem) error {
	path := ClaimPath(chi.URLParam(r, "token"))
	return s.page(w, r, status, templates.AdminClaim(s.chrome(r), templates.ClaimView{
		Path: path, Name: form.Get("name"), Returning: link.Returning, App: s.app(form.Get("name"), form.Get("secret")),
		Problem: p, Script: s.passkeyScript(), Elsewhere: s.elsewhere(r, path),
	}))
}

// app is what a code app is given: the secret that a form held, or a new one.
func (s *Site) app(owner, secret string) templates.AppView {
	if _, err := totpCode(secret, 0); err != nil {
		secret = newSecret()
	}
	return templates.AppView{
		Secret: secret, Grouped: grouped(secret, " "), Address: appAddress(s.Library().Site.Name, owner, secret),
	}
}

// claimOptions begins the making of a passkey with a one-time link.
func (s *Site) claimOptions(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "name", "password", "code", "secret", "credential")
	if err != nil {
		return err
	}
	link, err := s.findLink(r)
	if err != nil {
		return err
	}
	h := holder{ref: link.Ref, name: claimName(link, form).Written}
	if wrong := nameFault(h.name); wrong != "" {
		return fault.New(fault.Invalid, wrong)
	}
	return s.newPasskey(w, r, h, pending{purpose: forClaim, about: chi.URLParam(r, "token"), ref: link.Ref})
}

// claimName is the name of who comes: that of an owner who is there does not change.
func claimName(link store.OwnerLink, form url.Values) store.OwnerName {
	if link.Returning {
		return ownerName(link.Name)
	}
	return ownerName(form.Get("name"))
}

// claimPost makes the owner with a passkey, or a password and an app, signs them in, and
// shows their recovery codes: this once, as the answer to the post.
func (s *Site) claimPost(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "name", "password", "code", "secret", "credential")
	if err != nil {
		return err
	}
	link, err := s.findLink(r)
	if err != nil {
		return err
	}
	codes := newCodes()
	c := store.Claim{Name: claimName(link, form), Codes: codes, Words: deviceWords(r.UserAgent())}
	wrong, err := s.readClaim(r, link, form, &c)
	if err != nil {
		return err
	}
	if wrong.Any() {
		return s.claimPage(w, r, http.StatusUnprocessableEntity, link, form, wrong)
	}
	e, err := s.Store.ClaimOwner(r.Context(), s.Now(), chi.URLParam(r, "token"), c)
	if fault.Is(err, fault.Taken) {
		return s.claimPage(w, r, http.StatusConflict, link, form, problem("", field("name", nameTaken)))
	}
	if err != nil {
		return err
	}
	by := "password"
	if c.Passkey != nil {
		by = "passkey"
	}
	s.event(r, "set up", by)
	if err := s.welcome(w, r, e); err != nil {
		return err
	}
	return s.page(w, r, http.StatusOK, templates.AdminCodes(s.chrome(r), templates.CodesView{Codes: written(codes), New: true, Name: c.Name.Written}))
}

// readClaim reads the way in that was chosen into c, and says what is to be put right.
func (s *Site) readClaim(r *http.Request, link store.OwnerLink, form url.Values, c *store.Claim) (templates.Problem, error) {
	if wrong := nameFault(c.Name.Written); wrong != "" {
		return problem("", field("name", wrong)), nil
	}
	if form.Get(respond.DoField) == "passkey" && s.passkeys != nil {
		p, ok := s.pendings.take(s.Now(), s.cookie(r, pendingCookie), forClaim, chi.URLParam(r, "token"))
		if !ok {
			return problem(passkeyUnmade), nil
		}
		made, err := s.madePasskey(holder{ref: link.Ref, name: c.Name.Written}, p, form.Get("credential"), deviceWords(r.UserAgent()))
		if fault.Is(err, fault.Forbidden) {
			return problem(passkeyUnmade), nil
		}
		c.Passkey = &made
		return templates.Problem{}, err
	}
	password, fields, err := s.readPassword(r, form, c.Name.Written)
	if len(fields) > 0 || err != nil {
		return problem("", fields...), err
	}
	c.Password = &password
	return templates.Problem{}, nil
}

func field(name, message string) templates.ProblemField {
	return templates.ProblemField{Name: name, Message: message}
}

// readPassword reads a new password with the code that shows that the app works.
func (s *Site) readPassword(r *http.Request, form url.Values, name string) (p store.NewPassword, wrong []templates.ProblemField, err error) {
	site := s.Library().Site
	if m := passwordFault(form.Get("password"), name, site.Name, site.Practice.Name, s.Base.Hostname()); m != "" {
		wrong = append(wrong, field("password", m))
	}
	p.Secret = form.Get("secret")
	code, _ := readCode(form.Get("code"))
	step, right := matchStep(p.Secret, code, s.Now())
	if _, err := totpCode(p.Secret, 0); err != nil {
		wrong = append(wrong, field("code", secretWrong))
	} else if !right {
		wrong = append(wrong, field("code", appNotRight))
	}
	if len(wrong) > 0 {
		return store.NewPassword{}, wrong, nil
	}
	p.Step = step
	p.Hash, err = s.hasher.hash(r.Context(), form.Get("password"))
	return p, nil, err
}
