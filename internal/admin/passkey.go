package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
)

// errCopied is a passkey whose counter went back: somebody may have a copy of it.
var errCopied = errors.New("counter of a passkey went back")

// passkeyHost is the name that passkeys are bound to. Browsers make none for a number,
// so on this machine itself it is localhost.
func passkeyHost(base *url.URL) string {
	if ip := net.ParseIP(base.Hostname()); ip != nil && ip.IsLoopback() {
		return "localhost"
	}
	return base.Hostname()
}

// PasskeyOrigin is the origin at which the owner's pages are to be opened, so that
// passkeys work: that of the site, or localhost where it is a number of this machine.
func PasskeyOrigin(base *url.URL) string {
	host := passkeyHost(base)
	if port := base.Port(); port != "" {
		host = net.JoinHostPort(host, port)
	}
	return base.Scheme + "://" + host
}

// newPasskeys is what makes and checks passkeys: discoverable ones, of this host alone,
// and only with the authenticator's word that it was this person (a finger, a face, a PIN).
func newPasskeys(base *url.URL, name string) (*webauthn.WebAuthn, error) {
	return webauthn.New(&webauthn.Config{
		RPID:                  passkeyHost(base),
		RPDisplayName:         name,
		RPOrigins:             []string{PasskeyOrigin(base)},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey:        protocol.ResidentKeyRequirementRequired,
			RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification:   protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: pendingLife},
			Registration: webauthn.TimeoutConfig{Timeout: pendingLife},
		},
	})
}

// holder is an owner as the library asks for one.
type holder struct {
	ref, name string
	passkeys  []store.Passkey
}

func (h holder) WebAuthnID() []byte          { return []byte(h.ref) }
func (h holder) WebAuthnName() string        { return h.name }
func (h holder) WebAuthnDisplayName() string { return h.name }

// WebAuthnCredentials are the passkeys, with the counters that the database has.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	all := make([]webauthn.Credential, 0, len(h.passkeys))
	for _, p := range h.passkeys {
		var c webauthn.Credential
		if err := json.Unmarshal(p.Record, &c); err == nil {
			c.Authenticator.SignCount = p.Uses
			all = append(all, c)
		}
	}
	return all
}

// holderOf is an owner with their passkeys.
func (s *Site) holderOf(ctx context.Context, o store.Owner) (holder, error) {
	ways, err := s.Store.OwnerWays(ctx, o.ID)
	return holder{ref: o.Ref, name: o.Name, passkeys: ways.Passkeys}, err
}

// options answers a script with what the browser is to ask the authenticator for, and
// keeps the challenge.
func (s *Site) options(w http.ResponseWriter, r *http.Request, p pending, options any) error {
	body, err := json.Marshal(options)
	if err != nil {
		return fmt.Errorf("write options: %w", err)
	}
	s.pend(w, p)
	respond.Bytes(w, r, http.StatusOK, "application/json", body, respond.NoStore)
	return nil
}

// pend keeps what is pending, bound to this browser.
func (s *Site) pend(w http.ResponseWriter, p pending) {
	life := pendingLife
	if p.purpose == forCode {
		life = codeLife
	}
	now := s.Now()
	p.expires = now.Add(life)
	s.setCookie(w, pendingCookie, s.pendings.put(now, p), life)
}

// newPasskey begins the making of a passkey for h.
func (s *Site) newPasskey(w http.ResponseWriter, r *http.Request, h holder, p pending) error {
	var known []protocol.CredentialDescriptor
	for _, c := range h.WebAuthnCredentials() {
		known = append(known, c.Descriptor())
	}
	options, challenge, err := s.passkeys.BeginRegistration(h, webauthn.WithExclusions(known))
	if err != nil {
		return fmt.Errorf("begin passkey: %w", err)
	}
	p.passkey = challenge
	return s.options(w, r, p, options.Response)
}

// madePasskey checks what an authenticator made. Whatever is wrong with it is fault.Forbidden.
func (s *Site) madePasskey(h holder, p pending, answer, label string) (store.NewPasskey, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return store.NewPasskey{}, fault.Wrap(fault.Forbidden, err)
	}
	made, err := s.passkeys.CreateCredential(h, *p.passkey, parsed)
	if err != nil {
		return store.NewPasskey{}, fault.Wrap(fault.Forbidden, err)
	}
	record, err := json.Marshal(made)
	if err != nil {
		return store.NewPasskey{}, fmt.Errorf("write passkey: %w", err)
	}
	return store.NewPasskey{Credential: made.ID, Record: record, Uses: made.Authenticator.SignCount, Label: label}, nil
}

// askPasskey begins a proof by a passkey: any of them, or one of who is signed in.
func (s *Site) askPasskey(w http.ResponseWriter, r *http.Request, h *holder, p pending) error {
	var options *protocol.CredentialAssertion
	var err error
	if h == nil {
		options, p.passkey, err = s.passkeys.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	} else {
		options, p.passkey, err = s.passkeys.BeginLogin(*h, webauthn.WithUserVerification(protocol.VerificationRequired))
	}
	if err != nil {
		return fmt.Errorf("ask for passkey: %w", err)
	}
	return s.options(w, r, p, options.Response)
}

// parseAnswer reads an authenticator's answer. Whatever is wrong with it is fault.Forbidden.
func parseAnswer(answer string) (*protocol.ParsedCredentialAssertionData, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return nil, fault.Wrap(fault.Forbidden, err)
	}
	return parsed, nil
}

// checkAnswer checks an authenticator's answer to a challenge against the passkeys of h.
// Whatever is wrong with it is fault.Forbidden; around errCopied if it may be a copy's.
func (s *Site) checkAnswer(h holder, p pending, parsed *protocol.ParsedCredentialAssertionData) (store.Proof, error) {
	var used *webauthn.Credential
	var err error
	if p.purpose == forPasskey {
		find := func(_, _ []byte) (webauthn.User, error) { return h, nil }
		_, used, err = s.passkeys.ValidatePasskeyLogin(find, *p.passkey, parsed)
	} else {
		used, err = s.passkeys.ValidateLogin(h, *p.passkey, parsed)
	}
	if err != nil {
		return store.Proof{}, fault.Wrap(fault.Forbidden, err)
	}
	if used.Authenticator.CloneWarning {
		return store.Proof{}, fault.Wrap(fault.Forbidden, errCopied)
	}
	record, err := json.Marshal(used)
	if err != nil {
		return store.Proof{}, fmt.Errorf("write passkey: %w", err)
	}
	for _, k := range h.passkeys {
		if bytes.Equal(k.Credential, used.ID) {
			return store.Proof{Passkey: &store.PasskeyUse{ID: k.ID, Record: record, Uses: used.Authenticator.SignCount}}, nil
		}
	}
	return store.Proof{}, fault.New(fault.Forbidden, "")
}
