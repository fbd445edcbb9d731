package templates

import (
	"strconv"

	"github.com/a-h/templ"
)

// SignInView is the way in.
type SignInView struct {
	Name      string // as it was typed
	Problem   Problem
	Script    string // address of the script that asks for a passkey; empty: there can be none
	Elsewhere string // where passkeys work, if not at this address; else empty
}

// StepUpView asks who is signed in to show once more that it is they.
type StepUpView struct {
	Back      string // path of the page that they go on to
	Passkey   bool   // the ways that they have
	Password  bool
	Problem   Problem
	Script    string
	Elsewhere string
}

// AppView is what a code app is given.
type AppView struct {
	Secret  string // base32
	Grouped string // the same, in groups, for reading it off
	Address string // otpauth://…
}

// ClaimView is the page of a one-time link.
type ClaimView struct {
	Path      string // /admin/claim/TOKEN
	Name      string
	Returning bool // the owner is there already: what they had ends
	App       AppView
	Problem   Problem
	Script    string
	Elsewhere string
}

// CodesView shows recovery codes, once.
type CodesView struct {
	Name  string
	Codes []string
	New   bool // the owner has just been set up
}

// PasskeyView is one passkey of an owner.
type PasskeyView struct {
	ID      string
	Label   string
	Created string // "10 June 2026"
	Used    string // empty: never
}

// dates says when a passkey was made and used.
func (k PasskeyView) dates() string {
	if k.Used == "" {
		return "Made " + k.Created
	}
	return "Made " + k.Created + ", last used " + k.Used
}

// SessionView is one place where an owner is signed in.
type SessionView struct {
	Ref     string
	Words   string // "Firefox on Linux"
	Created string // "10 June, 09:00"
	Seen    string
	Here    bool // it is this one
}

// AccessView is how an owner signs in, and where they are signed in.
type AccessView struct {
	Name      string
	Fresh     bool // they have just shown that it is they: changes are offered
	Passkeys  []PasskeyView
	Password  bool
	Codes     int // recovery codes that were not used yet
	Sessions  []SessionView
	Problem   Problem
	Script    string
	Elsewhere string
}

// codesLeft says how many recovery codes there are.
func (v AccessView) codesLeft() string {
	switch v.Codes {
	case 0:
		return "None is left."
	case 1:
		return "One is left."
	}
	return strconv.Itoa(v.Codes) + " are left."
}

// PasswordView is the form for another password.
type PasswordView struct {
	Name    string
	App     AppView
	Problem Problem
}

// passkeyOptions is where the script asks for what belongs to a form of a passkey.
func passkeyOptions(action string) string {
	switch action {
	case "/admin/step-up/passkey":
		return "/admin/step-up/options"
	}
	return action + "/options"
}

// wrongField ties a field to its hint and its error, if it has them.
func wrongField(name string, hint bool, p Problem) templ.Attributes {
	if !hint && p.Of(name) == "" {
		return nil
	}
	return invalid(name, hint, p)
}
