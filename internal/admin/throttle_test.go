package admin

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/fault"
)

// wrong tries a wrong password and returns the answer with what it says to wait.
func (b *browser) wrong(name string) (status int, wait time.Duration) {
	b.t.Helper()
	w := b.post(signInPath, "name", name, "password", "not the password at all")
	seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
	return w.Code, time.Duration(seconds) * time.Second
}

func TestWaitsGrowFromASecondToAQuarterOfAnHour(t *testing.T) {
	for failed, want := range map[int]time.Duration{
		0: 0, 1: 0, 2: 0, 3: time.Second, 4: 2 * time.Second, 5: 4 * time.Second, 8: 32 * time.Second,
		12: 512 * time.Second, 13: longest, 14: longest, 1000: longest,
	} {
		if got := waitAfter(failed); got != want {
			t.Errorf("waitAfter(%d) = %v, want %v", failed, got, want)
		}
	}
}

func TestANameIsThrottledFromAnyAddress(t *testing.T) {
	d := newDoor(t, site)
	d.claimByPassword()
	d.site.hasher.compare = func(string, string) (bool, error) { return false, nil }
	var refused int
	for i := range 6 {
		b := d.browser()
		b.from = fmt.Sprintf("198.51.100.%d:1", i)
		if status, wait := b.wrong("Ann"); status == http.StatusTooManyRequests {
			refused++
			if wait != time.Second {
				t.Errorf("told to wait %v, want 1 s", wait)
			}
		}
	}
	if refused != 3 {
		t.Errorf("%d of 6 tries had to wait, want 3", refused)
	}
	for _, name := range []string{"ann", " Ann "} {
		b := d.browser()
		b.from = "203.0.113.9:1"
		if status, _ := b.wrong(name); status != http.StatusTooManyRequests {
			t.Errorf("%q is another name to the throttle: %d", name, status)
		}
	}
}

func TestAnAddressIsThrottledOverAllNames(t *testing.T) {
	d := newDoor(t, site)
	d.site.hasher.compare = func(string, string) (bool, error) { return false, nil }
	for i, from := range []string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::ffff]:1", "[2001:db8::3]:9"} {
		b := d.browser()
		b.from = from
		status, _ := b.wrong(fmt.Sprint("somebody ", i))
		if got, want := status == http.StatusTooManyRequests, i == 3; got != want {
			t.Errorf("try %d of one network: answer %d", i+1, status)
		}
	}
	b := d.browser()
	b.from = "[2001:db8:0:1::1]:1"
	if status, _ := b.wrong("somebody"); status != http.StatusUnprocessableEntity {
		t.Errorf("another network: answer %d", status)
	}
}

func TestAllStrangersTogetherHaveSixtyTriesAMinute(t *testing.T) {
	th, now := newThrottle(), time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)
	for i := range 70 {
		_, err := th.unknown(now, fmt.Sprint("name", i), fmt.Sprint("address", i))
		if got, want := fault.Is(err, fault.TooMany), i >= perMinute; got != want {
			t.Fatalf("try %d: %v", i+1, err)
		}
	}
	if _, err := th.known(now, "device"); err != nil {
		t.Errorf("a known device waits for strangers: %v", err)
	}
	if _, err := th.unknown(now.Add(time.Minute), "name", "address"); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestAnAttackerCannotLockTheOwnerOut(t *testing.T) {
	d := newDoor(t, site)
	home, a, _ := d.claimByPassword()
	d.pass(31 * time.Minute) // the session is over; the device is still known
	compare := d.site.hasher.compare
	d.site.hasher.compare = func(string, string) (bool, error) { return false, nil }
	attack := func() {
		for i := range 80 {
			b := d.browser()
			b.from = fmt.Sprintf("198.51.100.%d:1", i)
			b.wrong("Ann")
		}
	}
	attack()
	d.site.hasher.compare = compare
	stranger := d.browser()
	stranger.wantCode(stranger.post(signInPath, "name", "Ann", "password", annsPassword), http.StatusTooManyRequests, "a device that nobody knows")
	if home.isIn() {
		t.Fatal("the session is not over")
	}
	home.signIn(a)
	if !home.isIn() {
		t.Error("the owner is locked out of their own device")
	}
}

func TestAnAttackerCannotLockPasskeysOut(t *testing.T) {
	d := newDoor(t, site)
	_, key := d.claimByPasskey()
	d.site.hasher.compare = func(string, string) (bool, error) { return false, nil }
	for i := range 80 {
		b := d.browser()
		b.from = fmt.Sprintf("198.51.100.%d:1", i)
		b.wrong("Ann")
	}
	b := d.browser()
	b.wantCode(b.post("/admin/sign-in/passkey", "credential", key.use(b.options("/admin/sign-in/passkey/options"))), http.StatusSeeOther, "passkey")
}

func TestAKnownDeviceThatGuessesIsThrottledItself(t *testing.T) {
	d := newDoor(t, site)
	b, _, _ := d.claimByPassword()
	d.pass(31 * time.Minute)
	d.site.hasher.compare = func(string, string) (bool, error) { return false, nil }
	for i := range 4 {
		status, _ := b.wrong("Ann")
		if got, want := status == http.StatusTooManyRequests, i == 3; got != want {
			t.Errorf("try %d: answer %d", i+1, status)
		}
	}
}

func TestSuccessEndsTheWaiting(t *testing.T) {
	d := newDoor(t, site)
	_, a, _ := d.claimByPassword()
	b := d.browser()
	for range 6 {
		b.wrong("Ann")
		d.pass(time.Minute)
	}
	b.signIn(a)
	other := d.browser()
	if status, _ := other.wrong("Ann"); status != http.StatusUnprocessableEntity {
		t.Errorf("answer %d: the failures of before still count", status)
	}
}

func TestSECH21WhoHasThePasswordGuessesFewCodes(t *testing.T) {
	d := newDoor(t, site)
	_, a, _ := d.claimByPassword()
	wrong := "000000"
	if a.at(-1) == wrong || a.code() == wrong || a.at(1) == wrong {
		wrong = "111111"
	}
	guesses := 0
	for range 60 { // tabs, within a minute
		b := d.browser()
		if b.post(signInPath, "name", "Ann", "password", annsPassword).Code != http.StatusSeeOther {
			continue
		}
		for b.post(codePath, "code", wrong).Code == http.StatusUnprocessableEntity && b.get(codePath).Code == http.StatusOK {
			guesses++
		}
		guesses++
		d.pass(time.Second)
	}
	if guesses > 4*pendingTries {
		t.Errorf("%d codes guessed in a minute", guesses)
	}
}

func TestAnHourWithoutAFailureForgets(t *testing.T) {
	th, now := newThrottle(), time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)
	for range 13 {
		_, _ = th.unknown(now, "name", "address")
		now = now.Add(longest)
	}
	if n := th.tries[th.key("name", "name")].failed; n != 13 {
		t.Fatalf("%d failures counted, want 13", n)
	}
	now = now.Add(forgotten + time.Minute)
	_, _ = th.unknown(now, "name", "address")
	if n := th.tries[th.key("name", "name")].failed; n != 1 {
		t.Errorf("%d failures after an hour, want this one", n)
	}
}
