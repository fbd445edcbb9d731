package consult

import (
	"context"
	"crypto/subtle"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/steadier/steadier/internal/fault"
)

// A booking is found again by its three words and the name that was given. Wrong
// pairs are counted in memory: for each code, whether it exists or not, and for the
// whole site, so that guessing leads nowhere and tells nothing.
const (
	triesPerCode = 5
	triesOnSite  = 100
	triesWindow  = time.Hour
)

// Find returns the booking with this code and name. Errors: fault.NotFound, the
// same for a wrong code and a wrong name; fault.TooMany after too many wrong pairs.
func (s *Service) Find(ctx context.Context, now time.Time, code, name string) (Booking, error) {
	code = NormalCode(code)
	if wait := s.tries.take(now, code, s.Budget.PerDay > 0); wait > 0 {
		return Booking{}, &fault.Error{
			Kind:       fault.TooMany,
			Public:     "That was tried too often. Please wait an hour, then try again.",
			RetryAfter: wait,
		}
	}
	b, err := s.store.CallByCode(ctx, now, code)
	if fault.Is(err, fault.NotFound) || err == nil && !sameName(b, name) {
		return Booking{}, fault.New(fault.NotFound, "Nothing was found under these words and this name.")
	}
	s.tries.giveBack(code)
	return b, err
}

// sameName compares names as people do: letter case, spaces around them and the
// way in which an accent is encoded do not count.
func sameName(b Booking, typed string) bool {
	if b.Contact == nil {
		return false
	}
	have, want := foldName(b.Contact.Name), foldName(typed)
	return have != "" && subtle.ConstantTimeCompare([]byte(have), []byte(want)) == 1
}

func foldName(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(strings.TrimFunc(name, unicode.IsSpace))))
}

// tries counts wrong pairs in the present window.
type tries struct {
	mu    sync.Mutex
	since time.Time
	all   int
	codes map[string]int
}

// take spends one try, or tells how long nothing more may be tried with this code.
// It is spent before the look-up, so that tries side by side count too.
func (t *tries) take(now time.Time, code string, siteWide bool) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.roll(now)
	if t.codes[code] >= triesPerCode || siteWide && t.all >= triesOnSite {
		return t.since.Add(triesWindow).Sub(now)
	}
	t.all++
	if code != "" { // what is no code at all can't be guessed with
		t.codes[code]++
	}
	return 0
}

// giveBack returns the try of a right pair.
func (t *tries) giveBack(code string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all--
	t.codes[code]--
}

// roll begins a new window when the old one is over.
func (t *tries) roll(now time.Time) {
	if t.codes == nil || now.Sub(t.since) >= triesWindow || now.Before(t.since) {
		t.since, t.all, t.codes = now, 0, map[string]int{}
	}
}
