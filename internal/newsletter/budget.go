package newsletter

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"net/netip"
	"sync"
	"time"
)

// Budget limits how many mails one network can cause: IPv4 by /24, IPv6 by /48. It
// lives in memory only, and keeps no address but a keyed hash of it, for as long
// as its window lasts. It is safe for concurrent use.
type Budget struct {
	key [32]byte

	mu      sync.Mutex
	spent   map[[16]byte]spending
	cleaned time.Time
}

type spending struct {
	since time.Time
	mails int
}

// NewBudget returns a budget of which nothing is spent.
func NewBudget() *Budget {
	b := &Budget{spent: make(map[[16]byte]spending)}
	_, _ = rand.Read(b.key[:]) // never fails (crypto/rand)
	return b
}

// Spend takes one mail from the budget of the client's network, or reports that
// nothing is left. A client without an address has a budget of its own.
func (b *Budget) Spend(now time.Time, client netip.Addr) bool {
	name := b.network(client)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clean(now)
	s, known := b.spent[name]
	if !known || now.Sub(s.since) >= NetworkWindow || now.Before(s.since) {
		s = spending{since: now}
	}
	if s.mails >= NetworkMost {
		return false
	}
	s.mails++
	b.spent[name] = s
	return true
}

func (b *Budget) network(client netip.Addr) (name [16]byte) {
	client = client.Unmap().WithZone("")
	bits := 48
	if client.Is4() {
		bits = 24
	}
	prefix, _ := client.Prefix(bits) // an invalid address gives the zero prefix
	mac := hmac.New(sha256.New, b.key[:])
	mac.Write([]byte(prefix.String()))
	copy(name[:], mac.Sum(nil))
	return name
}

// clean forgets the networks whose window is over.
func (b *Budget) clean(now time.Time) {
	if now.Sub(b.cleaned) < NetworkWindow && !now.Before(b.cleaned) {
		return
	}
	b.cleaned = now
	for name, s := range b.spent {
		if now.Sub(s.since) >= NetworkWindow || now.Before(s.since) {
			delete(b.spent, name)
		}
	}
}
