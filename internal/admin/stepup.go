package admin

import (
	"errors"
	"net/http"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/templates"
)

const stepUpNot = "That was not accepted, or the code was used before. Wait for the next code of your app, then try again."

// stepUp asks who is signed in to show once more that it is they.
func (s *Site) stepUp(w http.ResponseWriter, r *http.Request) error {
	back := localPath(r.URL.Query().Get("back"))
	if s.isFresh(sessionOf(r.Context())) {
		respond.SeeOther(w, back)
		return nil
	}
	return s.stepUpPage(w, r, http.StatusOK, back, templates.Problem{})
}

func (s *Site) stepUpPage(w http.ResponseWriter, r *http.Request, status int, back string, p templates.Problem) error {
	ways, err := s.Store.OwnerWays(r.Context(), ownerOf(r.Context()).ID)
	if err != nil {
		return err
	}
	return s.page(w, r, status, templates.AdminStepUp(s.chrome(r), templates.StepUpView{
		Back: back, Passkey: len(ways.Passkeys) > 0, Password: ways.Password, Problem: p,
		Script: s.passkeyScript(), Elsewhere: s.elsewhere(r, stepUpPath),
	}))
}

// stepUpPost takes the password and a code.
func (s *Site) stepUpPost(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "password", "code", "back")
	if err != nil {
		return err
	}
	return s.finishStepUp(w, r, form.Get("back"), func(owner store.Owner) (store.Proof, error) {
		right, err := s.hasher.check(r.Context(), form.Get("password"), owner.Password)
		if err != nil {
			return store.Proof{}, err
		}
		if !right {
			return store.Proof{}, fault.New(fault.Forbidden, "")
		}
		proof, _ := s.codeProof(owner, form.Get("code"))
		return proof, nil
	})
}

// stepUpOptions begins a proof by a passkey.
func (s *Site) stepUpOptions(w http.ResponseWriter, r *http.Request) error {
	session := sessionOf(r.Context())
	owner, err := s.Store.OwnerByID(r.Context(), session.Owner)
	if err != nil {
		return err
	}
	h, err := s.holderOf(r.Context(), owner)
	if err != nil {
		return err
	}
	if len(h.passkeys) == 0 {
		return fault.New(fault.NotFound, "")
	}
	return s.askPasskey(w, r, &h, pending{purpose: forStepUp, about: session.Ref})
}

// stepUpPasskey takes a passkey's answer.
func (s *Site) stepUpPasskey(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "credential", "back")
	if err != nil {
		return err
	}
	return s.finishStepUp(w, r, form.Get("back"), func(owner store.Owner) (store.Proof, error) {
		p, ok := s.pendings.take(s.Now(), s.cookie(r, pendingCookie), forStepUp, sessionOf(r.Context()).Ref)
		if !ok {
			return store.Proof{}, fault.New(fault.Forbidden, "")
		}
		parsed, err := parseAnswer(form.Get("credential"))
		if err != nil {
			return store.Proof{}, err
		}
		h, err := s.holderOf(r.Context(), owner)
		if err != nil {
			return store.Proof{}, err
		}
		return s.checkAnswer(h, p, parsed)
	})
}

// finishStepUp uses the proof up and gives the session another id.
func (s *Site) finishStepUp(w http.ResponseWriter, r *http.Request, back string, prove func(store.Owner) (store.Proof, error)) error {
	session, back := sessionOf(r.Context()), localPath(back)
	try, err := s.throttle.known(s.Now(), "session "+session.Ref)
	if err != nil {
		return s.stepUpPage(w, r, tooManyHere(w, err), back, problem(publicOf(err)))
	}
	owner, err := s.Store.OwnerByID(r.Context(), session.Owner)
	if err != nil {
		return err
	}
	var token string
	proof, err := prove(owner)
	if err == nil {
		token, err = s.Store.StepUp(r.Context(), s.Now(), session, proof)
	}
	if fault.Is(err, fault.Forbidden) {
		sentence := stepUpNot
		if errors.Is(err, errCopied) {
			s.tellCopied(r)
			sentence = passkeyTwice
		} else {
			s.event(r, "refused", "step-up")
		}
		return s.stepUpPage(w, r, http.StatusUnprocessableEntity, back, problem(sentence))
	}
	if err != nil {
		return err
	}
	try.succeeded()
	s.event(r, "stepped up", "step-up")
	s.arrive(w, r, store.Entry{Session: token})
	respond.SeeOther(w, back)
	return nil
}
