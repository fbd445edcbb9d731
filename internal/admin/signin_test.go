package admin

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"github.com/steadier/steadier/internal/outbox"
)

const site = "https://quiet.example"

func TestAnOwnerSetsUpAPasswordAndSignsIn(t *testing.T) {
	d := newDoor(t, site)
	first, a, _ := d.claimByPassword()
	if !first.isIn() {
		t.Fatal("who set up is not signed in")
	}
	b := d.browser()
	if b.isIn() {
		t.Fatal("a browser without a session is in")
	}
	b.signIn(a)
	if !b.isIn() {
		t.Fatal("not in after signing in")
	}
	b.wantCode(b.post("/admin/sign-out"), http.StatusSeeOther, "sign out")
	if b.isIn() || len(b.cookies) != 0 {
		t.Errorf("after signing out: in, or cookies %v", b.cookies)
	}
}

func TestAnOwnerSetsUpAPasskeyAndSignsIn(t *testing.T) {
	for _, base := range []string{site, "http://127.0.0.1:8085"} {
		d := newDoor(t, base)
		first, key := d.claimByPasskey()
		if !first.isIn() {
			t.Fatal("who set up is not signed in")
		}
		b := d.browser()
		answer := key.use(b.options("/admin/sign-in/passkey/options"))
		b.wantCode(b.post("/admin/sign-in/passkey", "credential", answer), http.StatusSeeOther, "passkey")
		if !b.isIn() {
			t.Error("not in after the passkey")
		}
		again := d.browser()
		again.wantCode(again.post("/admin/sign-in/passkey", "credential", answer), http.StatusUnprocessableEntity, "the same answer elsewhere")
		b.wantCode(b.post("/admin/sign-in/passkey", "credential", answer), http.StatusUnprocessableEntity, "the same answer again")
	}
}

func TestAPasskeyIsRefusedUnlessAllOfItIsRight(t *testing.T) {
	d := newDoor(t, site)
	_, key := d.claimByPasskey()
	for _, tt := range []struct {
		name string
		turn func(a *authenticator)
		wait time.Duration
		want int
	}{
		{"another origin", func(a *authenticator) { a.origin = "https://evil.example" }, 0, 422},
		{"the same host over http", func(a *authenticator) { a.origin = "http://quiet.example" }, 0, 422},
		{"nobody verified", func(a *authenticator) { a.flags = 0x01 }, 0, 422},
		{"another key", func(a *authenticator) { a.key = newAuthenticator(t, site).key }, 0, 422},
		{"no such passkey", func(a *authenticator) { a.id = make([]byte, 16) }, 0, 422},
		{"no such owner", func(a *authenticator) { a.user = b64([]byte("nobody")) }, 0, 422},
		{"after two minutes", func(*authenticator) {}, 2 * time.Minute, 422},
		{"in time", func(*authenticator) {}, 2*time.Minute - time.Second, 303},
	} {
		b, a := d.browser(), *key
		o := b.options("/admin/sign-in/passkey/options")
		d.pass(tt.wait)
		tt.turn(&a)
		if w := b.post("/admin/sign-in/passkey", "credential", a.use(o)); w.Code != tt.want {
			t.Errorf("%s: answer %d, want %d: %s", tt.name, w.Code, tt.want, textOf(w.Body.String()))
		}
		d.pass(time.Hour) // whatever the throttle has counted is over
	}
	b := d.browser()
	for _, bad := range []string{"", "{}", "null", `{"id":"x"}`, strings.Repeat("[", 10000)} {
		b.options("/admin/sign-in/passkey/options")
		b.wantCode(b.post("/admin/sign-in/passkey", "credential", bad), http.StatusUnprocessableEntity, "no answer at all")
		d.pass(time.Hour)
	}
}

func TestACopiedPasskeyIsRefusedAndTold(t *testing.T) {
	d := newDoor(t, site)
	_, key := d.claimByPasskey()
	for _, tt := range []struct {
		count uint32
		want  int
	}{{7, 303}, {7, 422}, {6, 422}, {8, 303}} {
		b := d.browser()
		key.count = tt.count
		w := b.post("/admin/sign-in/passkey", "credential", key.use(b.options("/admin/sign-in/passkey/options")))
		if w.Code != tt.want || tt.want == 422 && !strings.Contains(w.Body.String(), "may have a copy") {
			t.Errorf("count %d: answer %d, want %d: %s", tt.count, w.Code, tt.want, textOf(w.Body.String()))
		}
		d.pass(time.Hour)
	}
	told, err := d.db.Notices(t.Context(), d.clock().Add(-24*time.Hour))
	if err != nil || !slices.ContainsFunc(told, func(n outbox.Notice) bool { return n.Kind == outbox.NoticeCopied && n.Times == 2 }) {
		t.Errorf("the owner was told %+v, %v", told, err)
	}
}

func TestSessionCookie(t *testing.T) {
	for _, tt := range []struct {
		base, name string
		secure     bool
	}{
		{site, "__Host-session", true},
		{"http://127.0.0.1:8085", "session", false},
		{"http://localhost:8085", "session", false},
		{"http://quiet.example", "__Host-session", true}, // which no browser keeps: nobody signs in there
	} {
		d := newDoor(t, tt.base)
		b, a, _ := d.claimByPassword()
		b.signIn(a)
		b.post("/admin/sign-in", "name", "Ann", "password", annsPassword)
		b.post(codePath, "code", a.code())
		i := slices.IndexFunc(b.set, func(c *http.Cookie) bool { return c.Name == tt.name })
		if i < 0 {
			t.Fatalf("%s: no cookie %s in %v", tt.base, tt.name, b.set)
		}
		c := b.set[i]
		if c.Secure != tt.secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.MaxAge != 0 ||
			!c.Expires.IsZero() || c.Domain != "" || len(c.Value) != 43 {
			t.Errorf("%s: cookie %s", tt.base, c)
		}
	}
}

func TestAnOldCookieAndTwoOfOneNameOpenNothing(t *testing.T) {
	d := newDoor(t, site)
	b, a, _ := d.claimByPassword()
	old := b.cookies["__Host-session"]
	b.post("/admin/sign-out")
	b.signIn(a)
	if b.cookies["__Host-session"] == old {
		t.Error("the session has the id of before")
	}
	stale := d.browser()
	stale.cookies["__Host-session"] = old
	if stale.isIn() {
		t.Error("a session that was ended opens the site")
	}
	plain := d.browser()
	plain.cookies["session"] = b.cookies["__Host-session"]
	if plain.isIn() {
		t.Error("a cookie without its prefix opens the site")
	}
	r, _ := http.NewRequest(http.MethodGet, "/admin", nil)
	r.Header.Set("Cookie", "__Host-session="+b.cookies["__Host-session"]+"; __Host-session=x")
	if _, err := d.site.findSession(r); err == nil {
		t.Error("two cookies of one name are taken")
	}
}

func TestSigningInEndsTheSessionThatTheBrowserHad(t *testing.T) {
	d := newDoor(t, site)
	b, a, _ := d.claimByPassword()
	before := b.fork()
	b.signIn(a)
	if before.isIn() || !b.isIn() {
		t.Error("the session of before goes on beside the new one")
	}
}

func TestIdleAndAbsoluteEndOfASession(t *testing.T) {
	d := newDoor(t, site)
	b, _, _ := d.claimByPassword()
	d.pass(29 * time.Minute)
	if !b.isIn() {
		t.Fatal("ended before half an hour")
	}
	d.pass(29 * time.Minute)
	if !b.isIn() {
		t.Fatal("a click did not keep the session")
	}
	d.pass(30 * time.Minute)
	if b.isIn() {
		t.Fatal("half an hour idle, and still in")
	}
	d = newDoor(t, site)
	b, _, _ = d.claimByPassword()
	for range 35 {
		d.pass(20 * time.Minute)
		if !b.isIn() {
			t.Fatal("ended while in use")
		}
	}
	d.pass(20 * time.Minute)
	if b.isIn() {
		t.Error("twelve hours, and still in")
	}
}

func TestSECH21ManyCodesAtOnceEndTheSignIn(t *testing.T) {
	d := newDoor(t, site)
	_, a, _ := d.claimByPassword()
	b := d.browser()
	b.wantCode(b.post(signInPath, "name", "Ann", "password", annsPassword), http.StatusSeeOther, "password")
	wrong := "000000"
	if a.at(-1) == wrong || a.code() == wrong || a.at(1) == wrong {
		wrong = "111111"
	}
	var group sync.WaitGroup
	for range 50 {
		tab := b.fork()
		group.Go(func() {
			if w := tab.post(codePath, "code", wrong); w.Code == http.StatusSeeOther {
				t.Error("a wrong code was taken")
			}
		})
	}
	group.Wait()
	d.pass(30 * time.Second)
	b.wantCode(b.post(codePath, "code", a.code()), http.StatusUnprocessableEntity, "the right code, after")
	if b.isIn() {
		t.Error("in by a sign-in that was over")
	}
}

func TestSECH21ACodeIsGoodOnceAndForAMinute(t *testing.T) {
	d := newDoor(t, site)
	_, a, codes := d.claimByPassword()
	// The throttle is another test's: an hour passes between tries.
	try := func(code func() string) bool {
		d.pass(2 * time.Hour)
		b := d.browser()
		b.wantCode(b.post(signInPath, "name", "Ann", "password", annsPassword), http.StatusSeeOther, "password")
		w := b.post(codePath, "code", code())
		if w.Code != http.StatusSeeOther && !strings.Contains(textOf(w.Body.String()), "The code is not right, or it was used before.") {
			t.Errorf("refused with other words: %s", textOf(w.Body.String()))
		}
		return w.Code == http.StatusSeeOther
	}
	var used string
	for _, tt := range []struct {
		name string
		code func() string
		want bool
	}{
		{"of two steps before", func() string { return a.at(-2) }, false},
		{"of two steps after", func() string { return a.at(2) }, false},
		{"of one step before", func() string { return a.at(-1) }, true},
		{"of now", func() string { used = a.code(); return used }, true},
		{"of one step after", func() string { return a.at(1) }, true},
		{"a recovery code", func() string { return codes[0] }, true},
		{"the same recovery code", func() string { return codes[0] }, false},
		{"another, as people type", func() string { return " " + strings.ToUpper(strings.ReplaceAll(codes[1], "-", " ")) }, true},
		{"nothing", func() string { return "" }, false},
		{"words", func() string { return "let me in" }, false},
	} {
		if got := try(tt.code); got != tt.want {
			t.Errorf("a code %s: in %v, want %v", tt.name, got, tt.want)
		}
	}
	d.pass(2 * time.Hour)
	one, two := d.browser(), d.browser()
	for _, b := range []*browser{one, two} {
		b.wantCode(b.post(signInPath, "name", "Ann", "password", annsPassword), http.StatusSeeOther, "password")
	}
	code := a.code()
	one.wantCode(one.post(codePath, "code", code), http.StatusSeeOther, "the code")
	two.wantCode(two.post(codePath, "code", code), http.StatusUnprocessableEntity, "the same code in another sign-in")
}

func TestSECH22ANameThatNobodyHasCostsTheSame(t *testing.T) {
	d := newDoor(t, site)
	d.site.hasher.create = newHasher().create
	d.claimByPassword()
	var runs []argon2id.Params
	compare := d.site.hasher.compare
	d.site.hasher.compare = func(password, hash string) (bool, error) {
		params, _, _, err := argon2id.DecodeHash(hash)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, *params)
		return compare(password, hash)
	}
	answers := map[string]string{}
	for _, name := range []string{"Ann", "Bob"} {
		w := d.browser().post(signInPath, "name", name, "password", "not the password at all")
		header := w.Header().Clone()
		answers[strings.ReplaceAll(w.Body.String(), name, "NAME")] = name
		if w.Code != http.StatusUnprocessableEntity || header.Get("Set-Cookie") != "" {
			t.Errorf("%s: answer %d, headers %v", name, w.Code, header)
		}
	}
	if len(answers) != 1 {
		t.Error("the answers differ by more than the name")
	}
	if len(runs) != 2 || runs[0] != runs[1] || runs[0] != *hashParams {
		t.Errorf("hash runs %+v: want two alike, with %+v", runs, *hashParams)
	}
}

func TestTwoHashesAtOnceAtMost(t *testing.T) {
	d := newDoor(t, site)
	var mu sync.Mutex
	var now, most int
	two := make(chan struct{})
	d.site.hasher.compare = func(string, string) (bool, error) {
		mu.Lock()
		now++
		most = max(most, now)
		if now == 2 {
			select {
			case <-two:
			default:
				close(two)
			}
		}
		mu.Unlock()
		<-two // both places are taken before either is left
		mu.Lock()
		now--
		mu.Unlock()
		return false, nil
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { _, _ = d.site.hasher.check(t.Context(), "x", "y") })
	}
	group.Wait()
	if most != 2 {
		t.Errorf("%d hashes at once, want 2", most)
	}
}

func TestAtANumberThereAreNoPasskeys(t *testing.T) {
	d := newDoor(t, "https://192.0.2.1")
	claim := d.browser().get(d.firstLink()).Body.String()
	b, a, _ := d.claimByPassword()
	for _, page := range []string{claim, d.browser().get(signInPath).Body.String(), b.get(accessPath).Body.String()} {
		if strings.Contains(page, "data-passkey") || strings.Contains(page, "passkey.") {
			t.Errorf("a page speaks of passkeys: %s", textOf(page))
		}
	}
	b.wantCode(b.post("/admin/sign-in/passkey/options"), http.StatusNotFound, "options")
	b.wantCode(b.post("/admin/sign-in/passkey", "credential", "{}"), http.StatusNotFound, "an answer")
	other := d.browser()
	other.signIn(a)
	if !other.isIn() {
		t.Error("not in by password and code")
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	d := newDoor(t, site)
	b, a, codes := d.claimByPassword()
	b.signIn(a)
	other := d.browser()
	other.post(signInPath, "name", "Ann", "password", annsPassword)
	other.post(codePath, "code", codes[0])
	other.post(signInPath, "name", "Canary", "password", "wrong password canary")
	for _, secret := range []string{"Ann", "Canary", annsPassword, "canary", a.secret, codes[0], b.cookies["__Host-session"], "192.0.2.7"} {
		if strings.Contains(d.logged.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	for _, event := range []string{"set up", "signed in", "refused"} {
		if !strings.Contains(d.logged.String(), `"what":"`+event+`"`) {
			t.Errorf("the log does not tell that somebody was %q", event)
		}
	}
}
