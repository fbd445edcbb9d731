package store_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

var (
	ownerNow = time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)
	ann      = store.OwnerName{Written: "Ann Canary", Key: "ann canary"}
)

func annClaims() store.Claim {
	return store.Claim{
		Name:     ann,
		Password: &store.NewPassword{Hash: "$argon2id$x", Secret: "SECRETCANARY", Step: 100},
		Passkey:  &store.NewPasskey{Credential: []byte("credential"), Record: []byte("{}"), Label: "laptop"},
		Codes:    []string{"one", "two"},
		Words:    "Firefox on Linux",
	}
}

// withOwner is a database with one owner, who is signed in.
func withOwner(t *testing.T) (*store.DB, store.Session, store.Entry) {
	t.Helper()
	db := storetest.Open(t)
	token, err := db.FirstOwnerLink(context.Background(), ownerNow)
	if err != nil {
		t.Fatal(err)
	}
	e, err := db.ClaimOwner(context.Background(), ownerNow, token, annClaims())
	if err != nil {
		t.Fatal(err)
	}
	return db, sessionOf(t, db, e, ownerNow), e
}

func sessionOf(t *testing.T, db *store.DB, e store.Entry, now time.Time) store.Session {
	t.Helper()
	s, err := db.FindSession(context.Background(), now, e.Session)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func signIn(t *testing.T, db *store.DB, now time.Time, owner, step int64) store.Entry {
	t.Helper()
	e, err := db.SignIn(context.Background(), now, owner, store.Proof{Step: step}, "Safari on iPhone")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func isIn(t *testing.T, db *store.DB, now time.Time, e store.Entry) bool {
	t.Helper()
	_, err := db.FindSession(context.Background(), now, e.Session)
	if err != nil && !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	return err == nil
}

func TestTheFirstLinkMakesOneOwnerAndNeverComesBack(t *testing.T) {
	ctx := context.Background()
	db := storetest.Open(t)
	old, err := db.FirstOwnerLink(ctx, ownerNow)
	if err != nil {
		t.Fatal(err)
	}
	token, err := db.FirstOwnerLink(ctx, ownerNow)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.FindOwnerLink(ctx, ownerNow, old); !fault.Is(err, fault.NotFound) {
		t.Errorf("the link of the start before = %v, want not found", err)
	}
	if _, err := db.FindOwnerLink(ctx, ownerNow.Add(time.Hour), token); !fault.Is(err, fault.NotFound) {
		t.Errorf("after an hour = %v, want not found", err)
	}
	if l, err := db.FindOwnerLink(ctx, ownerNow.Add(59*time.Minute), token); err != nil || l.Returning || len(l.Ref) != 32 {
		t.Errorf("FindOwnerLink = %+v, %v", l, err)
	}
	var wins sync.Map
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			if _, err := db.ClaimOwner(ctx, ownerNow, token, annClaims()); err == nil {
				wins.Store(i, true)
			} else if !fault.Is(err, fault.NotFound) {
				t.Errorf("ClaimOwner = %v", err)
			}
		})
	}
	group.Wait()
	n := 0
	wins.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d claims won, want 1", n)
	}
	if _, err := db.FirstOwnerLink(ctx, ownerNow); !fault.Is(err, fault.Taken) {
		t.Errorf("FirstOwnerLink with an owner = %v, want taken", err)
	}
}

func TestAFirstLinkIsDeadOnceThereIsAnOwner(t *testing.T) {
	ctx := context.Background()
	db := storetest.Open(t)
	first, _ := db.FirstOwnerLink(ctx, ownerNow)
	named, err := db.AddOwnerLink(ctx, ownerNow, ann)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ClaimOwner(ctx, ownerNow, named, annClaims()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ClaimOwner(ctx, ownerNow, first, annClaims()); !fault.Is(err, fault.NotFound) {
		t.Errorf("ClaimOwner = %v, want not found", err)
	}
}

func TestSessionsEndByIdlenessAgeAndNumber(t *testing.T) {
	ctx := context.Background()
	db, s, e := withOwner(t)
	for _, tt := range []struct {
		name string
		at   time.Duration
		want bool
	}{
		{"at once", 0, true},
		{"just before half an hour", 30*time.Minute - time.Second, true},
		{"half an hour idle", 30 * time.Minute, false},
	} {
		if got := isIn(t, db, ownerNow.Add(tt.at), e); got != tt.want {
			t.Errorf("%s: signed in %v, want %v", tt.name, got, tt.want)
		}
	}
	for at := ownerNow; at.Before(ownerNow.Add(12 * time.Hour)); at = at.Add(20 * time.Minute) {
		if err := db.SeeSession(ctx, at, s.Ref); err != nil {
			t.Fatal(err)
		}
	}
	if !isIn(t, db, ownerNow.Add(12*time.Hour-time.Second), e) || isIn(t, db, ownerNow.Add(12*time.Hour), e) {
		t.Error("a session in use ends after twelve hours, and not before")
	}
	for i := range 5 {
		signIn(t, db, ownerNow.Add(time.Duration(i)*time.Minute), s.Owner, int64(101+i))
	}
	all, err := db.Sessions(ctx, ownerNow.Add(5*time.Minute), s.Owner)
	if err != nil || len(all) != 5 {
		t.Fatalf("%d sessions, %v; want 5", len(all), err)
	}
}

func TestSECH20EveryChangeOfTheWaysInEndsAllOtherSessions(t *testing.T) {
	ctx := context.Background()
	passkey := store.NewPasskey{Credential: []byte("other"), Record: []byte("{}"), Label: "phone"}
	for name, change := range map[string]func(*store.DB, store.Session) (store.Entry, error){
		"add a passkey": func(db *store.DB, s store.Session) (store.Entry, error) {
			return db.AddPasskey(ctx, ownerNow, s, passkey)
		},
		"remove a passkey": func(db *store.DB, s store.Session) (store.Entry, error) {
			w, err := db.OwnerWays(ctx, s.Owner)
			if err != nil {
				return store.Entry{}, err
			}
			return db.RemovePasskey(ctx, ownerNow, s, w.Passkeys[0].ID)
		},
		"set the password": func(db *store.DB, s store.Session) (store.Entry, error) {
			return db.SetPassword(ctx, ownerNow, s, store.NewPassword{Hash: "$argon2id$y", Secret: "S", Step: 7})
		},
		"remove the password": func(db *store.DB, s store.Session) (store.Entry, error) {
			return db.RemovePassword(ctx, ownerNow, s)
		},
		"other recovery codes": func(db *store.DB, s store.Session) (store.Entry, error) {
			return db.SetCodes(ctx, ownerNow, s, []string{"three"})
		},
		"use a recovery code": func(db *store.DB, s store.Session) (store.Entry, error) {
			return db.SignIn(ctx, ownerNow, s.Owner, store.Proof{Code: "one"}, "Chrome on Windows")
		},
		"step up by a recovery code": func(db *store.DB, s store.Session) (store.Entry, error) {
			token, err := db.StepUp(ctx, ownerNow, s, store.Proof{Code: "one"})
			return store.Entry{Session: token}, err
		},
		"come back by a link": func(db *store.DB, _ store.Session) (store.Entry, error) {
			token, err := db.AddOwnerLink(ctx, ownerNow, ann)
			if err != nil {
				return store.Entry{}, err
			}
			return db.ClaimOwner(ctx, ownerNow, token, annClaims())
		},
	} {
		t.Run(name, func(t *testing.T) {
			db, s, one := withOwner(t)
			two := signIn(t, db, ownerNow, s.Owner, 101)
			renewed, err := change(db, s)
			if err != nil {
				t.Fatal(err)
			}
			told, err := db.Notices(ctx, ownerNow)
			if err != nil || len(told) != 1 || told[0].Kind != outbox.NoticeAccess || told[0].Times != 2 {
				t.Errorf("the owner was told %+v, %v; want of the setting up and the change", told, err)
			}
			if isIn(t, db, ownerNow, one) || isIn(t, db, ownerNow, two) {
				t.Error("a token of before still opens the site")
			}
			if !isIn(t, db, ownerNow, renewed) {
				t.Error("who made the change is not signed in")
			}
			if all, err := db.Sessions(ctx, ownerNow, s.Owner); err != nil || len(all) != 1 {
				t.Errorf("%d sessions, %v; want 1", len(all), err)
			}
		})
	}
}

func TestSECH20TheCommandForAWayBackSignsOutAtOnce(t *testing.T) {
	db, s, one := withOwner(t)
	two := signIn(t, db, ownerNow, s.Owner, 101)
	if _, err := db.AddOwnerLink(context.Background(), ownerNow, ann); err != nil {
		t.Fatal(err)
	}
	if isIn(t, db, ownerNow, one) || isIn(t, db, ownerNow, two) {
		t.Error("an old session goes on")
	}
}

func TestAChangeKeepsWhenTheSessionBegan(t *testing.T) {
	ctx := context.Background()
	db, s, _ := withOwner(t)
	later := ownerNow.Add(4 * time.Minute)
	e, err := db.SetCodes(ctx, later, s, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	if got := sessionOf(t, db, e, later); !got.Created.Equal(ownerNow) || !got.SteppedUp.Equal(ownerNow) || got.Ref == s.Ref {
		t.Errorf("session %+v: want the old times under another name", got)
	}
	if _, err := db.SetCodes(ctx, later, s, []string{"y"}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a change from a session that ended = %v, want forbidden", err)
	}
}

func TestSECH21AProofIsGoodOnce(t *testing.T) {
	ctx := context.Background()
	db, s, _ := withOwner(t)
	ways, err := db.OwnerWays(ctx, s.Owner)
	if err != nil {
		t.Fatal(err)
	}
	counted := func(n uint32) store.Proof {
		return store.Proof{Passkey: &store.PasskeyUse{ID: ways.Passkeys[0].ID, Record: []byte("{}"), Uses: n}}
	}
	for _, tt := range []struct {
		name  string
		proof store.Proof
		want  bool
	}{
		{"the code that set it up", store.Proof{Step: 100}, false},
		{"the next code", store.Proof{Step: 101}, true},
		{"the same code", store.Proof{Step: 101}, false},
		{"a code of before", store.Proof{Step: 99}, false},
		{"a recovery code", store.Proof{Code: "one"}, true},
		{"the same recovery code", store.Proof{Code: "one"}, false},
		{"no recovery code of theirs", store.Proof{Code: "zzz"}, false},
		{"a passkey without a counter", counted(0), true},
		{"and again", counted(0), true},
		{"a passkey that counts", counted(5), true},
		{"the same count: a copy", counted(5), false},
		{"a count that went back", counted(4), false},
		{"a count that was lost", counted(0), false},
		{"no proof at all", store.Proof{}, false},
	} {
		_, err := db.SignIn(ctx, ownerNow, s.Owner, tt.proof, "x")
		if got := err == nil; got != tt.want || err != nil && !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: SignIn = %v, want ok %v", tt.name, err, tt.want)
		}
	}
}

func TestSECH21OneCodeTwiceAtOnceHasOneSuccess(t *testing.T) {
	db, s, _ := withOwner(t)
	for name, proof := range map[string]store.Proof{"code": {Step: 200}, "recovery code": {Code: "two"}} {
		won := make(chan bool, 10)
		var group sync.WaitGroup
		for range cap(won) {
			group.Go(func() {
				_, err := db.SignIn(context.Background(), ownerNow, s.Owner, proof, "x")
				won <- err == nil
			})
		}
		group.Wait()
		close(won)
		n := 0
		for ok := range won {
			if ok {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s: %d successes, want 1", name, n)
		}
	}
}

func TestTheLastWayInStays(t *testing.T) {
	ctx := context.Background()
	db, s, _ := withOwner(t)
	e, err := db.RemovePassword(ctx, ownerNow, s)
	if err != nil {
		t.Fatal(err)
	}
	s = sessionOf(t, db, e, ownerNow)
	ways, err := db.OwnerWays(ctx, s.Owner)
	if err != nil || ways.Password || len(ways.Passkeys) != 1 || ways.Codes != 2 {
		t.Fatalf("OwnerWays = %+v, %v", ways, err)
	}
	if _, err := db.RemovePasskey(ctx, ownerNow, s, ways.Passkeys[0].ID); !fault.Is(err, fault.Taken) {
		t.Errorf("RemovePasskey = %v, want taken", err)
	}
	if _, err := db.RemovePasskey(ctx, ownerNow, s, "nobody's"); !fault.Is(err, fault.NotFound) {
		t.Errorf("RemovePasskey = %v, want not found", err)
	}
	if !isIn(t, db, ownerNow, e) {
		t.Error("a change that failed ended the session")
	}
}

func TestNamesAndSecretsOfOwnersAreSealed(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	db := storetest.OpenAt(t, dir, seal.NewRing())
	for _, name := range []store.OwnerName{ann, {Written: "Bea Canary", Key: "bea canary"}} {
		token, err := db.AddOwnerLink(ctx, ownerNow, name)
		if err != nil {
			t.Fatal(err)
		}
		if l, err := db.FindOwnerLink(ctx, ownerNow, token); err != nil || l.Name != name.Written {
			t.Fatalf("FindOwnerLink = %+v, %v", l, err)
		}
		c := annClaims()
		c.Name, c.Passkey, c.Codes = name, nil, nil
		if _, err := db.ClaimOwner(ctx, ownerNow, token, c); err != nil {
			t.Fatal(err)
		}
	}
	o, err := db.OwnerNamed(ctx, "bea canary")
	if err != nil || o.Name != "Bea Canary" || o.Secret != "SECRETCANARY" {
		t.Fatalf("OwnerNamed = %+v, %v", o, err)
	}
	for _, file := range []string{store.FileName, store.FileName + "-wal"} {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(bytes.ToLower(raw), []byte("canary")) {
			t.Errorf("%s holds a name or a secret in the clear", file)
		}
	}
}

func TestANameThatAnotherOwnerHasLeavesTheLinkGood(t *testing.T) {
	ctx := context.Background()
	db, _, _ := withOwner(t)
	token, err := db.AddOwnerLink(ctx, ownerNow, store.OwnerName{Written: "Bea", Key: "bea"})
	if err != nil {
		t.Fatal(err)
	}
	c := annClaims()
	c.Passkey, c.Codes = nil, nil
	if _, err := db.ClaimOwner(ctx, ownerNow, token, c); !fault.Is(err, fault.Taken) {
		t.Fatalf("ClaimOwner = %v, want taken", err)
	}
	c.Name = store.OwnerName{Written: "Bea", Key: "bea"}
	if _, err := db.ClaimOwner(ctx, ownerNow, token, c); err != nil {
		t.Errorf("ClaimOwner = %v", err)
	}
}

func TestADeviceIsKnownToItsOwnerAlone(t *testing.T) {
	ctx := context.Background()
	db, s, e := withOwner(t)
	for _, tt := range []struct {
		name  string
		owner int64
		token string
		at    time.Time
		want  bool
	}{
		{"theirs", s.Owner, e.Device, ownerNow, true},
		{"another owner's", s.Owner + 1, e.Device, ownerNow, false},
		{"a token of another kind", s.Owner, e.Session, ownerNow, false},
		{"half a year later", s.Owner, e.Device, ownerNow.Add(store.DeviceLife), false},
	} {
		if got, err := db.IsKnownDevice(ctx, tt.at, tt.owner, tt.token); err != nil || got != tt.want {
			t.Errorf("%s: IsKnownDevice = %v, %v", tt.name, got, err)
		}
	}
}
