package main

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

// ownersBrowser is a client that is signed in at a site that serves.
type ownersBrowser struct {
	*http.Client

	t      *testing.T
	site   *url.URL
	cookie string
}

// signedIn starts a site, sets up an owner in its database, and signs them in.
func (d *desk) signedIn() *ownersBrowser {
	d.t.Helper()
	_, _, stop := d.start()
	stop()
	ring, err := seal.Load(keysOf(d))
	if err != nil {
		d.t.Fatal(err)
	}
	db, err := store.Open(d.t.Context(), d.path("data"), ring, slog.New(slog.DiscardHandler))
	if err != nil {
		d.t.Fatal(err)
	}
	now := time.Now() // as the program has it
	token, err := db.FirstOwnerLink(d.t.Context(), now)
	if err != nil {
		d.t.Fatal(err)
	}
	entry, err := db.ClaimOwner(d.t.Context(), now, token, store.Claim{
		Name: store.OwnerName{Written: "Ann", Key: "ann"}, Password: &store.NewPassword{Hash: "x", Secret: "y"}, Words: "x",
	})
	if err != nil {
		d.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		d.t.Fatal(err)
	}
	address, _, _ := d.start()
	site, err := url.Parse(address)
	if err != nil {
		d.t.Fatal(err)
	}
	jar, _ := cookiejar.New(nil)
	jar.SetCookies(site, []*http.Cookie{{Name: "session", Value: entry.Session}})
	return &ownersBrowser{t: d.t, site: site, cookie: entry.Session, Client: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}}
}

// keysOf is the key file of a desk.
func keysOf(d *desk) string {
	d.t.Helper()
	files, err := filepath.Glob(d.path("data/keys/*"))
	if err != nil || len(files) != 1 {
		d.t.Fatalf("keys %v, %v", files, err)
	}
	return files[0]
}

// isIn reports whether the session of the cookie is alive.
func (b *ownersBrowser) isIn() bool {
	b.t.Helper()
	res, err := b.Get(b.site.String() + "/admin/access")
	if err != nil {
		b.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (b *ownersBrowser) post(path string, header http.Header) int {
	b.t.Helper()
	r, err := http.NewRequest(http.MethodPost, b.site.String()+path, strings.NewReader(""))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

func TestSECH06APostFromAnotherSiteDoesNothing(t *testing.T) {
	b := newDesk(t).signedIn()
	if !b.isIn() {
		t.Fatal("not signed in")
	}
	for name, header := range map[string]http.Header{
		"cross-site":                 {"Sec-Fetch-Site": {"cross-site"}},
		"same-site":                  {"Sec-Fetch-Site": {"same-site"}},
		"another origin":             {"Origin": {"https://evil.example"}},
		"null, from an old browser":  {"Origin": {"null"}},
		"the same name over https":   {"Origin": {"https://" + b.site.Host}},
		"another port":               {"Origin": {"http://127.0.0.1:1"}},
		"ours, but from another one": {"Origin": {b.site.String()}, "Sec-Fetch-Site": {"cross-site"}},
	} {
		for _, path := range []string{"/admin/sign-out", "/admin/sign-out/everywhere", "/admin/access/codes", "/admin/access/password/remove"} {
			if got := b.post(path, header); got != http.StatusForbidden {
				t.Errorf("%s: POST %s: answer %d, want 403", name, path, got)
			}
		}
	}
	if !b.isIn() {
		t.Fatal("a post from another site signed the owner out")
	}
	if got := b.post("/admin/sign-out/everywhere", http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {b.site.String()}}); got != http.StatusSeeOther {
		t.Errorf("from a page of ours: answer %d, want 303", got)
	}
	if b.isIn() {
		t.Error("a post from a page of ours did nothing")
	}
}

func TestSECH07NoSpellingOfAPathGoesAroundTheOrigin(t *testing.T) {
	b := newDesk(t).signedIn()
	for _, path := range []string{
		"/admin/sign-out/everywhere", "/admin/sign-out/everywhere/", "//admin/sign-out/everywhere", "/admin/./sign-out/everywhere",
		"/Admin/sign-out/everywhere", "/newsletter/unsubscribe/../../admin/sign-out/everywhere",
		"/newsletter/unsubscribe/t%2f..%2f..%2fadmin%2fsign-out%2feverywhere",
	} {
		conn, err := net.Dial("tcp", b.site.Host)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: "+b.site.Host+"\r\nCookie: session="+b.cookie+
			"\r\nSec-Fetch-Site: cross-site\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
		if res.StatusCode < 400 {
			t.Errorf("POST %s: answer %d", path, res.StatusCode)
		}
		if !b.isIn() {
			t.Fatalf("POST %s from another site signed the owner out", path)
		}
	}
}

// SEC-H07: nothing in the source frees a path from the check by a pattern.
func TestSECH07ThereIsNoBypassPattern(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".git")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if regexp.MustCompile(`AddInsecureBypassPattern|AddTrustedOrigin`).Match(text) {
			t.Errorf("%s frees a path or an origin", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// SEC-H05: fields in the address of an owner's page change nothing.
func TestSECH05AGetChangesNothing(t *testing.T) {
	b := newDesk(t).signedIn()
	for _, path := range []string{"/admin/sign-out", "/admin/sign-out/everywhere?do=x", "/admin/access/codes?do=x", "/admin/access/password/remove"} {
		res, err := b.Get(b.site.String() + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("GET %s: answer %d, want 405", path, res.StatusCode)
		}
	}
	if !b.isIn() {
		t.Error("a GET signed the owner out")
	}
}

func TestAHeadOfTheWayInIsAGetWithoutItsBody(t *testing.T) {
	b := newDesk(t).signedIn()
	for _, path := range []string{"/admin/sign-in", "/admin/access"} {
		res, err := b.Head(b.site.String() + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode >= 400 {
			t.Errorf("HEAD %s: answer %d", path, res.StatusCode)
		}
	}
}

func TestNoReaderIsGivenACookie(t *testing.T) {
	b := newDesk(t).signedIn()
	for _, path := range []string{"/", "/consult", "/none", "/admin", "/admin/sign-in", "/admin/claim/x", "/admin/none"} {
		r, err := http.NewRequest(http.MethodGet, b.site.String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if got := res.Header.Values("Set-Cookie"); len(got) > 0 {
			t.Errorf("GET %s sets %v", path, got)
		}
		if strings.HasPrefix(path, "/admin") && (res.Header.Get("X-Robots-Tag") != "noindex" || res.Header.Get("Cache-Control") != "no-store") {
			t.Errorf("GET %s: %d, headers %v", path, res.StatusCode, res.Header)
		}
	}
}
