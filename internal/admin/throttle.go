package admin

import (
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

// The throttle. After freeTries failures each one doubles the time until the next try,
// from a second to a quarter of an hour; an hour without a failure ends it.
const (
	freeTries = 2
	firstWait = time.Second
	longest   = 15 * time.Minute
	forgotten = time.Hour
	perMinute = 60 // tries of all who are not known, together
)

// throttle counts failed tries to sign in, in memory alone and under a key made at the
// start: no address is written anywhere.
//
// A try counts before it is checked, so that many at once count too, and a success takes
// it back. A try from a device that is known counts against that device and nothing
// else: whoever guesses elsewhere cannot keep an owner out.
type throttle struct {
	ring *seal.Ring

	mu     sync.Mutex
	tries  map[string]tries
	minute int64 // unix minutes
	total  int   // in that minute
}

type tries struct {
	failed int
	until  time.Time // when the next one is let through
}

func newThrottle() *throttle {
	return &throttle{ring: seal.NewRing(), tries: map[string]tries{}}
}

// attempt is a try that was counted, and is taken back if it succeeds.
type attempt struct {
	throttle *throttle
	keys     []string
}

// known begins a try from a device that is known, or of who is signed in already.
func (t *throttle) known(now time.Time, device string) (attempt, error) {
	return t.begin(now, false, t.key("device", device))
}

// unknown begins a try from anywhere: for a name, which may be empty, and an address.
func (t *throttle) unknown(now time.Time, name, address string) (attempt, error) {
	keys := []string{t.key("address", address)}
	if name != "" {
		keys = append(keys, t.key("name", name))
	}
	return t.begin(now, true, keys...)
}

func (t *throttle) key(kind, value string) string { return string(t.ring.Blind(kind, value)) }

func (t *throttle) begin(now time.Time, counted bool, keys ...string) (attempt, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turn(now)
	if counted && t.total >= perMinute {
		return attempt{}, tooMany(time.Minute)
	}
	for _, key := range keys {
		if wait := t.tries[key].until.Sub(now); wait > 0 {
			return attempt{}, tooMany(wait)
		}
	}
	t.count(now, keys)
	if counted {
		t.total++
	}
	return attempt{throttle: t, keys: keys}, nil
}

func (t *throttle) count(now time.Time, keys []string) {
	for _, key := range keys {
		failed := t.tries[key].failed + 1
		t.tries[key] = tries{failed: failed, until: now.Add(waitAfter(failed))}
	}
}

// turn begins another minute, and forgets what is long past.
func (t *throttle) turn(now time.Time) {
	if minute := now.Unix() / 60; minute != t.minute {
		t.minute, t.total = minute, 0
		for key, v := range t.tries {
			if now.Sub(v.until) > forgotten {
				delete(t.tries, key)
			}
		}
	}
}

// again counts one more try of the same. It does not wait: what is tried is bounded by
// itself, as the codes after a password are.
func (a attempt) again(now time.Time) {
	a.throttle.mu.Lock()
	defer a.throttle.mu.Unlock()
	a.throttle.count(now, a.keys)
}

// succeeded takes the failures back.
func (a attempt) succeeded() {
	a.throttle.mu.Lock()
	defer a.throttle.mu.Unlock()
	for _, key := range a.keys {
		delete(a.throttle.tries, key)
	}
}

// waitAfter is how long the next try waits after so many failures in a row.
func waitAfter(failed int) time.Duration {
	if failed <= freeTries {
		return 0
	}
	if failed > freeTries+10 {
		return longest
	}
	return min(firstWait<<(failed-freeTries-1), longest)
}

func tooMany(wait time.Duration) error {
	return &fault.Error{
		Kind:       fault.TooMany,
		Public:     "There were several tries in a short time. Please wait a little, then try again.",
		RetryAfter: max(wait, time.Second),
	}
}

// clientOf is what counts as one client: an IPv4 address, or the /64 network of an IPv6
// address, since one household has all of it.
func clientOf(r *http.Request) string {
	addr := middleware.GetClientIPAddr(r.Context()).Unmap()
	if !addr.IsValid() {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil {
			return "unknown"
		}
		addr = peer.Addr().Unmap()
	}
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}
