package admin

import (
	"errors"
	"net/http"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/templates"
)

// One message for every way in which the first or the second step can fail.
const (
	notRight     = "The name and the password don’t go together, or nobody has them."
	codeNotRight = "The code is not right, or it was used before. A code of an app is good once and for about a minute."
	passkeyNot   = "The passkey was not accepted. Please try again, or sign in by name and password."
	passkeyTwice = "This passkey was refused, because its counter went back: somebody may have a copy of it. Sign in another way, and remove it."
	codeLate     = "That took too long, or there were too many tries. Please begin again."
)

const codePath = "/admin/sign-in/code"

// signIn is the way in.
func (s *Site) signIn(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.findSession(r); err == nil {
		respond.SeeOther(w, home)
		return nil
	}
	return s.signInPage(w, r, http.StatusOK, "", templates.Problem{})
}

func (s *Site) signInPage(w http.ResponseWriter, r *http.Request, status int, name string, p templates.Problem) error {
	return s.page(w, r, status, templates.AdminSignIn(s.chrome(r), templates.SignInView{
		Name: name, Problem: p, Script: s.passkeyScript(), Elsewhere: s.elsewhere(r, signInPath),
	}))
}

// elsewhere is the address at which passkeys work, if this is not it.
func (s *Site) elsewhere(r *http.Request, path string) string {
	origin := PasskeyOrigin(s.Base)
	if passkeyHost(s.Base) != "localhost" || s.Base.Scheme+"://"+r.Host == origin {
		return ""
	}
	return origin + path
}

// signInPost checks the password. A name that nobody has costs the same work and has the
// same answer.
func (s *Site) signInPost(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "name", "password")
	if err != nil {
		return err
	}
	name := ownerName(form.Get("name"))
	owner, err := s.Store.OwnerNamed(r.Context(), name.Key)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	known, err := s.isKnown(r, owner.ID)
	if err != nil {
		return err
	}
	try, err := s.attemptBy(r, known, name.Key)
	if err != nil {
		return s.signInPage(w, r, tooManyHere(w, err), form.Get("name"), problem(publicOf(err)))
	}
	right, err := s.hasher.check(r.Context(), form.Get("password"), owner.Password)
	if err != nil {
		return err
	}
	if !right {
		s.event(r, "refused", "password")
		return s.signInPage(w, r, http.StatusUnprocessableEntity, form.Get("name"), problem(notRight))
	}
	s.pend(w, pending{purpose: forCode, owner: owner.ID, attempt: try, from: clientOf(r)})
	respond.SeeOther(w, codePath)
	return nil
}

// publicOf is what an error says to a person.
func publicOf(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Public
	}
	return ""
}

// signInCode asks for the second half.
func (s *Site) signInCode(w http.ResponseWriter, r *http.Request) error {
	if !s.pendings.is(s.Now(), s.cookie(r, pendingCookie), forCode) {
		respond.SeeOther(w, signInPath)
		return nil
	}
	return s.codePage(w, r, http.StatusOK, templates.Problem{})
}

func (s *Site) codePage(w http.ResponseWriter, r *http.Request, status int, p templates.Problem) error {
	return s.page(w, r, status, templates.AdminCode(s.chrome(r), p))
}

// signInCodePost checks the code of the app, or a recovery code.
func (s *Site) signInCodePost(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "code")
	if err != nil {
		return err
	}
	token := s.cookie(r, pendingCookie)
	p, ok := s.pendings.try(s.Now(), token, forCode)
	if !ok {
		return s.signInPage(w, r, http.StatusUnprocessableEntity, "", problem(codeLate))
	}
	owner, err := s.Store.OwnerByID(r.Context(), p.owner)
	if err != nil {
		return err
	}
	p.attempt.again(s.Now())
	proof, by := s.codeProof(owner, form.Get("code"))
	e, err := s.Store.SignIn(r.Context(), s.Now(), owner.ID, proof, deviceWords(r.UserAgent()))
	if fault.Is(err, fault.Forbidden) {
		s.event(r, "refused", by)
		if !s.pendings.is(s.Now(), token, forCode) {
			return s.signInPage(w, r, http.StatusUnprocessableEntity, "", problem(codeLate))
		}
		return s.codePage(w, r, http.StatusUnprocessableEntity, problem(codeNotRight))
	}
	if err != nil {
		return err
	}
	p.attempt.succeeded()
	s.event(r, "signed in", by)
	if err := s.welcome(w, r, e); err != nil {
		return err
	}
	respond.SeeOther(w, home)
	return nil
}

// codeProof is the proof in a code that was typed: none for one that is wrong, which the
// database refuses as it refuses one that was used.
func (s *Site) codeProof(owner store.Owner, typed string) (p store.Proof, by string) {
	app, recovery := readCode(typed)
	if recovery != "" {
		return store.Proof{Code: recovery}, "recovery code"
	}
	if step, ok := matchStep(owner.Secret, app, s.Now()); ok {
		return store.Proof{Step: step}, "code"
	}
	return store.Proof{}, "code"
}

// signInOptions begins signing in by a passkey.
func (s *Site) signInOptions(w http.ResponseWriter, r *http.Request) error {
	return s.askPasskey(w, r, nil, pending{purpose: forPasskey, from: clientOf(r)})
}

// signInPasskey signs in by a passkey. Nobody guesses one, so a try counts against the
// address alone, and not at all on a device that is known: nothing can keep an owner out.
func (s *Site) signInPasskey(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "credential")
	if err != nil {
		return err
	}
	e, err := s.enterByPasskey(r, form.Get("credential"))
	switch {
	case errors.Is(err, errCopied):
		s.tellCopied(r)
		return s.signInPage(w, r, http.StatusUnprocessableEntity, "", problem(passkeyTwice))
	case fault.Is(err, fault.Forbidden), fault.Is(err, fault.NotFound):
		s.event(r, "refused", "passkey")
		return s.signInPage(w, r, http.StatusUnprocessableEntity, "", problem(passkeyNot))
	case fault.Is(err, fault.TooMany):
		return s.signInPage(w, r, tooManyHere(w, err), "", problem(publicOf(err)))
	case err != nil:
		return err
	}
	s.event(r, "signed in", "passkey")
	if err := s.welcome(w, r, e); err != nil {
		return err
	}
	respond.SeeOther(w, home)
	return nil
}

// tellCopied tells the owner of a passkey of which there may be a copy.
func (s *Site) tellCopied(r *http.Request) {
	s.event(r, "refused a copy", "passkey")
	if err := s.Store.Notify(r.Context(), s.Now(), outbox.NoticeCopied); err != nil {
		s.Log.WarnContext(r.Context(), "owner not told", "cause", respond.Cause(err))
	}
}

func (s *Site) enterByPasskey(r *http.Request, answer string) (store.Entry, error) {
	p, ok := s.pendings.take(s.Now(), s.cookie(r, pendingCookie), forPasskey, "")
	if !ok {
		return store.Entry{}, fault.New(fault.Forbidden, "")
	}
	parsed, err := parseAnswer(answer)
	if err != nil {
		return store.Entry{}, err
	}
	owner, err := s.Store.OwnerByRef(r.Context(), string(parsed.Response.UserHandle))
	if err != nil {
		return store.Entry{}, err
	}
	known, err := s.isKnown(r, owner.ID)
	if err != nil {
		return store.Entry{}, err
	}
	try, err := s.passkeyAttempt(r, known)
	if err != nil {
		return store.Entry{}, err
	}
	h, err := s.holderOf(r.Context(), owner)
	if err != nil {
		return store.Entry{}, err
	}
	proof, err := s.checkAnswer(h, p, parsed)
	if err != nil {
		return store.Entry{}, err
	}
	e, err := s.Store.SignIn(r.Context(), s.Now(), owner.ID, proof, deviceWords(r.UserAgent()))
	if err == nil {
		try.succeeded()
	}
	return e, err
}

// passkeyAttempt counts apart from passwords: whoever guesses those locks no passkey out.
func (s *Site) passkeyAttempt(r *http.Request, known bool) (attempt, error) {
	if known {
		return s.throttle.known(s.Now(), s.cookie(r, deviceCookie))
	}
	return s.throttle.known(s.Now(), "passkey from "+clientOf(r))
}

// signOut ends the session, and has the browser forget all that it holds of the site.
func (s *Site) signOut(w http.ResponseWriter, r *http.Request) error {
	session, err := s.findSession(r)
	if err == nil {
		err = s.Store.EndSession(r.Context(), s.Now(), session.Owner, session.Ref)
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	s.leave(w)
	return nil
}

// signOutEverywhere ends every session of the owner.
func (s *Site) signOutEverywhere(w http.ResponseWriter, r *http.Request) error {
	if err := s.Store.EndSessions(r.Context(), s.Now(), ownerOf(r.Context()).ID); err != nil {
		return err
	}
	s.event(r, "signed out everywhere", "session")
	s.leave(w)
	return nil
}

func (s *Site) leave(w http.ResponseWriter) {
	for _, name := range []string{sessionCookie, deviceCookie, pendingCookie} {
		s.dropCookie(w, name)
	}
	w.Header().Set("Clear-Site-Data", `"cache", "cookies", "storage"`)
	respond.SeeOther(w, signInPath)
}
