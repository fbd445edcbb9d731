package admin

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestALinkThatIsNoGoodHasOneAnswer(t *testing.T) {
	d := newDoor(t, site)
	used := d.firstLink()
	late := used
	b := d.browser()
	key := newAuthenticator(t, site)
	answer := key.make(b.options(used+"/options", "name", "Ann"))
	b.wantCode(b.post(used, "name", "Ann", "credential", answer, "do", "passkey"), http.StatusOK, "claim")
	token, err := AddLink(t.Context(), d.db, d.clock(), "Bea")
	if err != nil {
		t.Fatal(err)
	}
	late = ClaimPath(token)
	d.pass(time.Hour)
	bodies := map[string]bool{}
	for name, path := range map[string]string{"used": used, "over": late, "unknown": ClaimPath(strings.Repeat("A", 43)), "short": ClaimPath("x")} {
		stranger := d.browser()
		for _, w := range []interface{ Result() *http.Response }{stranger.get(path), stranger.post(path, "name", "Eve", "do", "password"), stranger.post(path+"/options", "name", "Eve")} {
			if got := w.Result().StatusCode; got != http.StatusNotFound {
				t.Errorf("%s: answer %d, want 404", name, got)
			}
		}
		bodies[stranger.get(path).Body.String()] = true
	}
	if len(bodies) != 1 {
		t.Error("the answers tell a used link from one that never was")
	}
}

func TestOpeningALinkChangesNothing(t *testing.T) {
	d := newDoor(t, site)
	path := d.firstLink()
	for range 10 {
		b := d.browser()
		b.wantCode(b.get(path), http.StatusOK, "open")
		if len(b.set) > 0 {
			t.Errorf("opening it sets cookies %v", b.set)
		}
	}
	if has, err := d.db.HasOwner(t.Context()); has || err != nil {
		t.Errorf("HasOwner = %v, %v", has, err)
	}
}

func TestAClaimSaysWhatIsToBePutRight(t *testing.T) {
	d := newDoor(t, site)
	b, path := d.browser(), d.firstLink()
	secret := newSecret()
	a := app{d: d, secret: secret}
	for _, tt := range []struct{ name, who, password, secret, code, want string }{
		{"no name", " ", annsPassword, secret, a.code(), "Write the name"},
		{"a name too long", strings.Repeat("n", 101), annsPassword, secret, a.code(), "100 characters"},
		{"fourteen characters", "Ann", "violet kettles", secret, a.code(), "at least 15 characters"},
		{"the name of the place", "Ann", "quiet waters quiet waters ann", secret, a.code(), "tried first"},
		{"a common one, twice", "Ann", "password123password123", secret, a.code(), "tried first"},
		{"no code", "Ann", annsPassword, secret, "", "should show now"},
		{"a wrong code", "Ann", annsPassword, secret, a.at(5), "should show now"},
		{"no secret", "Ann", annsPassword, "", a.code(), "too old"},
		{"a short secret", "Ann", annsPassword, "AAAA", a.code(), "too old"},
	} {
		w := b.post(path, "name", tt.who, "password", tt.password, "secret", tt.secret, "code", tt.code, "credential", "", "do", "password")
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s: answer %d without %q: %s", tt.name, w.Code, tt.want, textOf(w.Body.String()))
		}
		if strings.Contains(w.Body.String(), tt.password) {
			t.Errorf("%s: the password comes back on the page", tt.name)
		}
	}
	b.wantCode(b.post(path, "name", "Ann", "credential", "{}", "do", "passkey"), http.StatusUnprocessableEntity, "a passkey that nobody asked for")
	b.wantCode(b.post(path, "name", "Ann", "password", annsPassword, "secret", secret, "code", a.code(), "do", "password"), http.StatusOK, "all right")
}

func TestAPasskeyOfAnotherLinkIsRefused(t *testing.T) {
	d := newDoor(t, site)
	one, err := AddLink(t.Context(), d.db, d.clock(), "Ann")
	if err != nil {
		t.Fatal(err)
	}
	two, err := AddLink(t.Context(), d.db, d.clock(), "Bea")
	if err != nil {
		t.Fatal(err)
	}
	b, key := d.browser(), newAuthenticator(t, site)
	answer := key.make(b.options(ClaimPath(one)+"/options", "name", "Ann"))
	b.wantCode(b.post(ClaimPath(two), "name", "Bea", "credential", answer, "do", "passkey"), http.StatusUnprocessableEntity, "the challenge of another link")
}

func TestALinkForWhoIsThereReplacesEveryWayIn(t *testing.T) {
	d := newDoor(t, site)
	old, a, codes := d.claimByPassword()
	token, err := AddLink(t.Context(), d.db, d.clock(), " ANN ")
	if err != nil {
		t.Fatal(err)
	}
	if old.isIn() {
		t.Error("asking for the way back leaves an old session alive")
	}
	b, path := d.browser(), ClaimPath(token)
	if page := b.get(path).Body.String(); !strings.Contains(page, "Welcome back") || strings.Contains(page, `name="name"`) {
		t.Error("the page does not say that the owner is there already")
	}
	key := newAuthenticator(t, site)
	answer := key.make(b.options(path+"/options", "name", "Mallory"))
	w := b.post(path, "name", "Mallory", "credential", answer, "do", "passkey")
	b.wantCode(w, http.StatusOK, "claim")
	if got := b.get("/admin/").Body.String(); got != "today of Ann" {
		t.Errorf("signed in: %q", got)
	}
	stale := d.browser()
	stale.wantCode(stale.post(signInPath, "name", "Ann", "password", annsPassword), http.StatusUnprocessableEntity, "the password of before")
	_, _ = a, codes
}
