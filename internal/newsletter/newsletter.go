// Package newsletter is the life of a subscription and of an issue.
//
// # A subscription
//
// Asking stores a sealed address and queues one mail; the link in it opens a page
// with one button, and only the press of it subscribes. Nothing that the asker
// sees depends on whether the address is known: the same statements run, and the
// same mail is queued, for a new address, a subscriber, somebody who left and
// somebody who asked to be forgotten. What is limited is limited by the address
// typed, by the network, or by the site, never by what is known of the address.
//
// Leaving erases the address at once; a keyed hash stays, so that signing up again
// is recognised. Erasing takes the row, its consents and its links away and keeps
// only a keyed hash that an import must respect.
//
// # Links
//
// Links in issues must work for years, so they are a [Link]: signed, without a row
// of their own, made dead by raising the subscriber's epoch. Links that do more
// are random, stored as a hash, good for seven days (confirming) or an hour
// (erasing, seeing what is held), and marked when used, not removed, so that a
// second press has the same outcome.
//
// # An issue
//
// ready → sending ⇄ paused | held → sent. The words are frozen when sending starts.
// One row of the outbox is made for each subscriber of that moment; a row whose
// reader has left meanwhile is skipped. An issue is held by itself when five
// refusals in a row, or five that are 3 % of all, say that something is wrong with
// us and not with the readers. It is sent only when no row waits or is unknown.
package newsletter

import "time"

// The kinds of mail that this package composes.
const (
	KindConfirm = "newsletter-confirm"
	KindFresh   = "newsletter-fresh"
	KindIssue   = "newsletter-issue"
	KindCopy    = "newsletter-copy" // a test copy to one address
)

// Wording is the version of the words to which somebody agrees when they press
// the button; a change of those words changes it.
const Wording = "letters-1"

// How long things last and how often they may happen.
const (
	ConfirmFor = 7 * 24 * time.Hour // a link to confirm works; then the address is erased
	FreshFor   = time.Hour          // a freshly mailed link works

	AddressPause = 15 * time.Minute // between two mails that one address asked for
	AddressDaily = 3                // such mails in a day

	NetworkWindow = 10 * time.Minute
	NetworkMost   = 20 // mails that one network can cause in that time

	SiteWindow  = time.Hour
	SiteMost    = 200            // confirmation mails of the whole site in that time
	SiteBacklog = 24 * time.Hour // what would have to wait longer is not sent

	TooFast = 2 * time.Second // a form posted sooner was not filled in by a person

	SoftMost = 3 // issues in a row that could not be delivered, then the address is given up

	RefusedRun     = 5 // refusals in a row that hold an issue
	RefusedPercent = 3 // or so many of a hundred, once there are that many
)

// State is what an address is to the newsletter.
type State string

// The states of a subscriber. A sign-up that was not confirmed is none.
const (
	Active       State = "active"
	Unsubscribed State = "unsubscribed"
	Suppressed   State = "suppressed"
)

// Settings are what a subscriber can choose.
type Settings struct {
	Plain       bool      // plain subject lines
	PausedUntil time.Time // zero: not paused
}

// Subscriber is somebody who is, or was, subscribed.
type Subscriber struct {
	ID    string
	State State
	Epoch int
	Settings
}

// Held is everything that is kept about one subscriber.
type Held struct {
	Address  string
	State    State
	Since    time.Time
	Settings Settings
	Consents []Consent
	Letters  int // mails that were delivered
}

// Consent is what somebody agreed to, and when.
type Consent struct {
	Given   time.Time
	Wording string
}
