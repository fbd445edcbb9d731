package web

import (
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

// Rate is how many posts a client may send in a stretch of time. N = 0 is no limit.
type Rate struct {
	N   int
	Per time.Duration
}

// lookFactor is how many times as often a client may post what stores nothing.
const lookFactor = 10

// limits are the budgets per client. They live in memory alone, under a key made
// at the start: no address of a reader is written anywhere.
type limits struct {
	store, look *httprate.RateLimiter
	per         time.Duration
	ring        *seal.Ring
}

func newLimits(rate Rate) *limits {
	if rate.N == 0 {
		return nil
	}
	silent := httprate.WithResponseHeaders(httprate.ResponseHeaders{})
	return &limits{
		store: httprate.NewRateLimiter(rate.N, rate.Per, silent),
		look:  httprate.NewRateLimiter(rate.N*lookFactor, rate.Per, silent),
		per:   rate.Per,
		ring:  seal.NewRing(),
	}
}

// spendStore takes one from the client's budget of posts that store or send
// something, or returns fault.TooMany.
func (s *Site) spendStore(w http.ResponseWriter, r *http.Request) error {
	if s.limits == nil {
		return nil
	}
	return s.limits.spend(w, r, s.limits.store)
}

// spendLook does the same for posts that store nothing: search, the self-assessment.
func (s *Site) spendLook(w http.ResponseWriter, r *http.Request) error {
	if s.limits == nil {
		return nil
	}
	return s.limits.spend(w, r, s.limits.look)
}

func (l *limits) spend(w http.ResponseWriter, r *http.Request, limiter *httprate.RateLimiter) error {
	client := string(l.ring.Blind("client", clientKey(r)))
	if !limiter.OnLimit(w, r, client) {
		return nil
	}
	return &fault.Error{
		Kind:       fault.TooMany,
		Public:     "That was a lot in a short time. Please wait a little, then send it again. Nothing is lost.",
		RetryAfter: l.per,
	}
}

// clientKey is what counts as one client: an IPv4 address, or the /64 network of
// an IPv6 address, since one household has all of it.
func clientKey(r *http.Request) string {
	addr, ok := clientAddr(r)
	if !ok {
		return "unknown"
	}
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}

// clientAddr is the address that clientAddress noted; where a trusted proxy named
// none that can be read, the proxy itself.
func clientAddr(r *http.Request) (netip.Addr, bool) {
	if addr := middleware.GetClientIPAddr(r.Context()); addr.IsValid() {
		return addr.Unmap(), true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap(), err == nil
}

// spend takes one from the budget that a press of the button do comes out of.
func (s *Site) spend(w http.ResponseWriter, r *http.Request, do string, looks []string) error {
	if slices.Contains(looks, do) {
		return s.spendLook(w, r)
	}
	return s.spendStore(w, r)
}
