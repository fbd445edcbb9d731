package admin

import (
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/steadier/steadier/internal/seal"
)

const (
	pendingLife  = 2 * time.Minute // for a passkey's answer
	codeLife     = 5 * time.Minute // for a code, which may have to be looked for
	pendingTries = 5
	pendingMost  = 10000 // at once; then the one that ends first gives way
	pendingEach  = 20    // of one client, whose first one gives way before anybody else's
)

// purpose is what somebody is in the middle of.
type purpose string

const (
	forCode    purpose = "code"    // the password was right; a code is asked for
	forPasskey purpose = "passkey" // signing in by a passkey
	forClaim   purpose = "claim"   // making a passkey with a one-time link
	forAdding  purpose = "adding"  // making one more passkey
	forStepUp  purpose = "step-up" // proving by a passkey who is signed in
)

// pending is something begun that needs one more step. It is held in memory, found by
// what a cookie holds: after a restart it is begun again.
type pending struct {
	purpose purpose
	from    string                // the client, in memory alone
	about   string                // the session or the link to which it is bound; may be empty
	owner   int64                 // with forCode
	attempt attempt               // with forCode: what the throttle counts
	ref     string                // with forClaim: of the owner that there will be
	passkey *webauthn.SessionData // the challenge; nil with forCode
	tries   int                   // that were made
	expires time.Time
}

// pendings is safe for concurrent use.
type pendings struct {
	mu  sync.Mutex
	all map[string]*pending // by the hash of the cookie's token
}

func newPendings() *pendings { return &pendings{all: map[string]*pending{}} }

// put keeps p until it expires, and returns what the cookie holds.
func (l *pendings) put(now time.Time, p pending) (token string) {
	token = seal.NewToken()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.makeRoom(now, p.from)
	l.all[hashed(token)] = &p
	return token
}

func hashed(token string) string { return string(seal.HashToken("pending", token)) }

// makeRoom forgets what has expired and, if there is too much, what expires first: of the
// same client, or of all.
func (l *pendings) makeRoom(now time.Time, from string) {
	var own, all string // keys of what expires first
	n := 0
	for key, p := range l.all {
		if !now.Before(p.expires) {
			delete(l.all, key)
			continue
		}
		all = l.sooner(all, key)
		if p.from == from {
			own = l.sooner(own, key)
			n++
		}
	}
	switch {
	case n >= pendingEach:
		delete(l.all, own)
	case len(l.all) >= pendingMost:
		delete(l.all, all)
	}
}

// sooner is the one of two keys whose entry expires first; an empty one gives way.
func (l *pendings) sooner(a, b string) string {
	if a == "" || l.all[b].expires.Before(l.all[a].expires) {
		return b
	}
	return a
}

// take returns what is pending and ends it: a challenge is good for one answer.
func (l *pendings) take(now time.Time, token string, what purpose, about string) (pending, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.find(now, token, what, about)
	delete(l.all, hashed(token))
	return p, ok
}

// try returns what is pending and counts a try, before anything is checked, so that many
// at once count too. After the last one there is nothing pending any more.
func (l *pendings) try(now time.Time, token string, what purpose) (p pending, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok = l.find(now, token, what, "")
	if !ok {
		return p, false
	}
	l.all[hashed(token)].tries++
	if p.tries+1 >= pendingTries {
		delete(l.all, hashed(token))
	}
	return p, true
}

// is reports whether something is pending, and changes nothing.
func (l *pendings) is(now time.Time, token string, what purpose) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.find(now, token, what, "")
	return ok
}

// drop ends what is pending.
func (l *pendings) drop(token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.all, hashed(token))
}

func (l *pendings) find(now time.Time, token string, what purpose, about string) (pending, bool) {
	p, ok := l.all[hashed(token)]
	if !ok || p.purpose != what || p.about != about || !now.Before(p.expires) {
		return pending{}, false
	}
	return *p, true
}
