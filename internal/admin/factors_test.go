package admin

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// sendPath is an address that only somebody who has just shown who they are may post to.
const sendPath = "/admin/letters/send"

func TestStepUpIsAskedForAfterFiveMinutes(t *testing.T) {
	d := newDoor(t, site)
	b, a, _ := d.claimByPassword()
	d.pass(4 * time.Minute)
	b.wantCode(b.post(sendPath), http.StatusOK, "within five minutes of setting up")
	d.pass(2 * time.Minute)
	w := b.post(sendPath)
	b.wantCode(w, http.StatusSeeOther, "after")
	if got := w.Header().Get("Location"); got != "/admin/step-up?back=%2Fadmin" {
		t.Errorf("sent to %s", got)
	}
	b.wantCode(b.get("/admin/step-up?back=/admin/access"), http.StatusOK, "the page")
	for name, fields := range map[string][]string{
		"no password":    {"password", "", "code", a.code()},
		"wrong password": {"password", "something quite different", "code", a.code()},
		"no code":        {"password", annsPassword, "code", ""},
	} {
		d.pass(time.Minute)
		b.wantCode(b.post(stepUpPath, append(fields, "back", "/admin/access")...), http.StatusUnprocessableEntity, name)
		b.wantCode(b.post(sendPath), http.StatusSeeOther, "after "+name)
	}
	d.pass(time.Minute)
	old := b.fork()
	w = b.post(stepUpPath, "password", annsPassword, "code", a.code(), "back", "/admin/access")
	b.wantCode(w, http.StatusSeeOther, "password and code")
	if got := w.Header().Get("Location"); got != accessPath {
		t.Errorf("sent to %s", got)
	}
	b.wantCode(b.post(sendPath), http.StatusOK, "after stepping up")
	if old.isIn() {
		t.Error("the session has the id of before stepping up")
	}
}

func TestStepUpByPasskeyIsBoundToItsSession(t *testing.T) {
	d := newDoor(t, site)
	b, key := d.claimByPasskey()
	other := d.browser()
	other.wantCode(other.post("/admin/sign-in/passkey", "credential", key.use(other.options("/admin/sign-in/passkey/options"))), http.StatusSeeOther, "in elsewhere")
	d.pass(6 * time.Minute)
	answer := key.use(b.options("/admin/step-up/options"))
	thief := other.fork()
	thief.cookies["__Host-pending"] = b.cookies["__Host-pending"]
	thief.wantCode(thief.post("/admin/step-up/passkey", "credential", answer, "back", ""), http.StatusUnprocessableEntity, "in another session")
	d.pass(time.Minute)
	answer = key.use(b.options("/admin/step-up/options"))
	b.wantCode(b.post("/admin/step-up/passkey", "credential", answer, "back", ""), http.StatusSeeOther, "in its own")
	b.wantCode(b.post(sendPath), http.StatusOK, "after stepping up")
}

func TestStepUpLeadsBackToOurOwnPagesAlone(t *testing.T) {
	d := newDoor(t, site)
	b, _, _ := d.claimByPassword()
	for _, back := range []string{"https://evil.example", "//evil.example", `/\evil.example`, "/admin/../consult", "/admin?x=//e"} {
		w := b.get("/admin/step-up?back=" + url.QueryEscape(back))
		if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != home {
			t.Errorf("back=%s: %d to %q", back, w.Code, got)
		}
	}
}

func TestWithoutASessionNothingOpensAndNothingIsTold(t *testing.T) {
	d := newDoor(t, site)
	first, _, _ := d.claimByPassword()
	ways, err := d.db.OwnerWays(t.Context(), 1)
	if err != nil || !ways.Password {
		t.Fatal(ways, err)
	}
	b := d.browser()
	for _, path := range []string{"/admin/", "/admin/access", "/admin/access/password", "/admin/step-up"} {
		w := b.get(path)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != signInPath || w.Body.Len() > 0 {
			t.Errorf("GET %s: %d %s, %d bytes", path, w.Code, w.Header().Get("Location"), w.Body.Len())
		}
	}
	for _, path := range []string{
		"/admin/sign-out/everywhere", "/admin/step-up", "/admin/step-up/options", "/admin/step-up/passkey", "/admin/access/passkeys/options",
		"/admin/access/passkeys", "/admin/access/passkeys/x/remove", "/admin/access/password", "/admin/access/password/remove",
		"/admin/access/codes", "/admin/sessions/x/end", sendPath,
	} {
		if w := b.post(path); w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), "Ann") {
			t.Errorf("POST %s: %d", path, w.Code)
		}
	}
	if !first.isIn() {
		t.Error("a stranger's posts signed the owner out")
	}
}

func TestSECH20OnTwoDevicesEveryChangeSignsTheOtherOut(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, b *browser, a app, codes []string){
		"another password": func(_ *testing.T, b *browser, _ app, _ []string) {
			secret := secretInput.FindStringSubmatch(b.get("/admin/access/password").Body.String())[1]
			fresh := app{d: b.door, secret: secret}
			w := b.post("/admin/access/password", "name", "Ann", "password", "amber ladders sing under Monday lakes", "secret", secret, "code", fresh.code())
			b.wantCode(w, http.StatusSeeOther, "password")
		},
		"add a passkey": func(t *testing.T, b *browser, _ app, _ []string) {
			key := newAuthenticator(t, site)
			answer := key.make(b.options("/admin/access/passkeys/options"))
			b.wantCode(b.post("/admin/access/passkeys", "credential", answer, "label", "ring"), http.StatusSeeOther, "passkey")
		},
		"new recovery codes": func(_ *testing.T, b *browser, _ app, _ []string) {
			b.wantCode(b.post("/admin/access/codes"), http.StatusOK, "codes")
		},
		"use a recovery code": func(_ *testing.T, b *browser, _ app, codes []string) {
			b.post("/admin/sign-in", "name", "Ann", "password", annsPassword)
			b.wantCode(b.post(codePath, "code", codes[3]), http.StatusSeeOther, "recovery code")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDoor(t, site)
			one, a, codes := d.claimByPassword()
			two := d.browser()
			two.signIn(a)
			before := one.fork()
			change(t, one, a, codes)
			if two.isIn() {
				t.Error("the other device is still signed in")
			}
			if !one.isIn() {
				t.Error("the device of the change is signed out")
			}
			if before.isIn() {
				t.Error("the cookie of before still opens the site")
			}
		})
	}
}

func TestSECH20RemovingAPasskeySignsItsDeviceOut(t *testing.T) {
	d := newDoor(t, site)
	one, _ := d.claimByPasskey()
	second := newAuthenticator(t, site)
	answer := second.make(one.options("/admin/access/passkeys/options"))
	one.wantCode(one.post("/admin/access/passkeys", "credential", answer, "label", "stolen"), http.StatusSeeOther, "add")
	two := d.browser()
	two.wantCode(two.post("/admin/sign-in/passkey", "credential", second.use(two.options("/admin/sign-in/passkey/options"))), http.StatusSeeOther, "sign in")
	page := one.get("/admin/access").Body.String()
	ids := regexp.MustCompile(`/admin/access/passkeys/([0-9a-f]{32})/remove`).FindAllStringSubmatch(page, -1)
	if len(ids) != 2 || !strings.Contains(page, "stolen") {
		t.Fatalf("the page offers %v", ids)
	}
	ways, err := d.db.OwnerWays(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range ways.Passkeys {
		if k.Label == "stolen" {
			one.wantCode(one.post("/admin/access/passkeys/"+k.ID+"/remove"), http.StatusSeeOther, "remove")
		}
	}
	if two.isIn() {
		t.Error("the device whose passkey was removed is still in")
	}
	two.wantCode(two.post("/admin/sign-in/passkey", "credential", second.use(two.options("/admin/sign-in/passkey/options"))), http.StatusUnprocessableEntity, "by the removed passkey")
	for _, k := range ways.Passkeys {
		if k.Label != "stolen" {
			one.wantCode(one.post("/admin/access/passkeys/"+k.ID+"/remove"), http.StatusConflict, "the last way in")
		}
	}
	if !one.isIn() {
		t.Error("a change that was refused signed the owner out")
	}
}

func TestOneDeviceSignsAnotherOut(t *testing.T) {
	d := newDoor(t, site)
	one, a, _ := d.claimByPassword()
	two, three := d.browser(), d.browser()
	two.agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
	two.signIn(a)
	three.signIn(a)
	page := one.get("/admin/access").Body.String()
	ref := regexp.MustCompile(`Safari on iPhone[\s\S]*?/admin/sessions/([0-9a-f]{32})/end`).FindStringSubmatch(page)
	if ref == nil {
		t.Fatalf("no way to end the phone's session: %s", textOf(page))
	}
	one.wantCode(one.post("/admin/sessions/"+ref[1]+"/end"), http.StatusSeeOther, "end")
	if two.isIn() || !one.isIn() || !three.isIn() {
		t.Error("ending one session ended another, or none")
	}
	w := three.post("/admin/sign-out/everywhere")
	three.wantCode(w, http.StatusSeeOther, "everywhere")
	if w.Header().Get("Clear-Site-Data") != `"cache", "cookies", "storage"` {
		t.Errorf("Clear-Site-Data %q", w.Header().Get("Clear-Site-Data"))
	}
	if one.isIn() || three.isIn() {
		t.Error("still in after signing out everywhere")
	}
}

func TestNobodyEndsTheSessionsOfAnother(t *testing.T) {
	d := newDoor(t, site)
	ann, _, _ := d.claimByPassword()
	token, err := AddLink(t.Context(), d.db, d.clock(), "Bea")
	if err != nil {
		t.Fatal(err)
	}
	bea, path := d.browser(), ClaimPath(token)
	key := newAuthenticator(t, site)
	answer := key.make(bea.options(path+"/options", "name", "Bea"))
	bea.wantCode(bea.post(path, "name", "Bea", "credential", answer, "do", "passkey"), http.StatusOK, "claim")
	sessions, err := d.db.Sessions(t.Context(), d.clock(), 1)
	if err != nil || len(sessions) != 1 {
		t.Fatal(sessions, err)
	}
	bea.post("/admin/sessions/" + sessions[0].Ref + "/end")
	ways, err := d.db.OwnerWays(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	ann.wantCode(ann.post("/admin/access/passkeys/"+ways.Passkeys[0].ID+"/remove"), http.StatusNotFound, "another's passkey")
	if !ann.isIn() || !bea.isIn() {
		t.Error("one owner signed another out")
	}
}
