package admin

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

const (
	annsPassword = "violet kettles hum beside Thursday rivers"
	firefox      = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

// door is a site with a clock of its own, and no way in yet.
type door struct {
	t       *testing.T
	site    *Site
	db      *store.DB
	handler http.Handler

	mu     sync.Mutex
	now    time.Time
	logged strings.Builder
}

func (d *door) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.logged.Write(b)
}

func (d *door) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *door) pass(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

func newDoor(t *testing.T, base string) *door {
	t.Helper()
	d := &door{t: t, db: storetest.Open(t), now: time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)}
	origin, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	lib := &library.Library{}
	lib.Site.Name, lib.Site.Language = "Quiet Waters", "en"
	d.site = New(Config{Base: origin}, Deps{
		Log: slog.New(slog.NewJSONHandler(d, nil)), Now: d.clock, Ring: seal.NewRing(), Store: d.db,
		Library: func() *library.Library { return lib },
		Hours:   func() slots.Availability { return slots.Availability{Zone: time.UTC} },
	})
	cheapHashes(d.site)
	r := chi.NewRouter()
	r.Route("/admin", func(r chi.Router) {
		d.site.routeSignIn(r)
		r.Group(func(r chi.Router) {
			r.Use(d.site.requireOwner)
			d.site.routeOwn(r)
			r.Get("/", func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "today of "+ownerOf(r.Context()).Name)
			})
			r.With(d.site.requireFresh).Post("/letters/send", func(http.ResponseWriter, *http.Request) {})
		})
	})
	d.handler = r
	return d
}

// cheapHashes makes hashes that take no time, for tests that are about something else.
func cheapHashes(s *Site) {
	s.hasher.create = func(password string) (string, error) {
		return argon2id.CreateHash(password, &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	}
}

// browser keeps cookies as one does.
type browser struct {
	*door

	cookies map[string]string
	agent   string
	from    string
	set     []*http.Cookie // by the last answer
}

func (d *door) browser() *browser {
	return &browser{door: d, cookies: map[string]string{}, agent: firefox, from: "192.0.2.7:1234"}
}

func (b *browser) send(method, path string, form url.Values) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("User-Agent", b.agent)
	r.RemoteAddr = b.from
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	b.set = w.Result().Cookies()
	for _, c := range b.set {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	return w
}

func (b *browser) get(path string) *httptest.ResponseRecorder {
	b.t.Helper()
	return b.send(http.MethodGet, path, nil)
}

func (b *browser) post(path string, fields ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.send(http.MethodPost, path, form)
}

// fork is another tab or request with the same cookies.
func (b *browser) fork() *browser {
	c := *b
	c.cookies = map[string]string{}
	for name, value := range b.cookies {
		c.cookies[name] = value
	}
	return &c
}

// isIn reports whether the browser sees the first page.
func (b *browser) isIn() bool {
	b.t.Helper()
	w := b.get("/admin/")
	if w.Code != http.StatusOK && (w.Code != http.StatusSeeOther || w.Header().Get("Location") != signInPath) {
		b.t.Fatalf("GET /admin = %d %s", w.Code, w.Header().Get("Location"))
	}
	return w.Code == http.StatusOK
}

func (b *browser) wantCode(w *httptest.ResponseRecorder, code int, what string) {
	b.t.Helper()
	if w.Code != code {
		b.t.Fatalf("%s: answer %d, want %d\n%s", what, w.Code, code, textOf(w.Body.String()))
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

func textOf(html string) string {
	_, body, _ := strings.Cut(html, "<main")
	return strings.Join(strings.Fields(tags.ReplaceAllString(body, " ")), " ")
}

// firstLink is a fresh link of a site without an owner.
func (d *door) firstLink() string {
	d.t.Helper()
	token, err := d.db.FirstOwnerLink(d.t.Context(), d.clock())
	if err != nil {
		d.t.Fatal(err)
	}
	return ClaimPath(token)
}

// app makes codes as the owner's app does.
type app struct {
	d      *door
	secret string
}

// code is what the app shows now.
func (a app) code() string { return a.at(0) }

func (a app) at(steps int64) string {
	a.d.t.Helper()
	code, err := totpCode(a.secret, stepAt(a.d.clock())+steps)
	if err != nil {
		a.d.t.Fatal(err)
	}
	return code
}

var secretInput = regexp.MustCompile(`name="secret" value="([A-Z2-7]{32})"`)

// claimByPassword sets Ann up with a password and an app, in a new browser.
func (d *door) claimByPassword() (*browser, app, []string) {
	d.t.Helper()
	b, path := d.browser(), d.firstLink()
	secret := secretInput.FindStringSubmatch(b.get(path).Body.String())
	if secret == nil {
		d.t.Fatal("no secret on the page of the link")
	}
	a := app{d: d, secret: secret[1]}
	w := b.post(path, "name", "Ann", "password", annsPassword, "secret", a.secret, "code", a.code(), "credential", "", "do", "password")
	b.wantCode(w, http.StatusOK, "claim")
	codes := regexp.MustCompile(`<li><code>([a-z2-7-]{19})</code>`).FindAllStringSubmatch(w.Body.String(), -1)
	if len(codes) != codeCount {
		d.t.Fatalf("%d recovery codes, want %d", len(codes), codeCount)
	}
	var shown []string
	for _, c := range codes {
		shown = append(shown, c[1])
	}
	d.pass(30 * time.Second) // the app shows another code
	return b, a, shown
}

// signIn signs Ann in by password and code.
func (b *browser) signIn(a app) {
	b.t.Helper()
	b.wantCode(b.post(signInPath, "name", "Ann", "password", annsPassword), http.StatusSeeOther, "password")
	b.wantCode(b.post(codePath, "code", a.code()), http.StatusSeeOther, "code")
	b.pass(30 * time.Second)
}

// authenticator makes and uses passkeys as a device does, for one origin.
type authenticator struct {
	t      *testing.T
	origin string
	key    *ecdsa.PrivateKey
	id     []byte
	user   string // base64url, from the options
	count  uint32
	flags  byte
}

func newAuthenticator(t *testing.T, origin string) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	rand.Read(id)
	return &authenticator{t: t, origin: origin, key: key, id: id, flags: 0x05} // somebody is there, and verified
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (a *authenticator) clientData(kind, challenge string) []byte {
	data, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
	return data
}

func (a *authenticator) authData(more ...byte) []byte {
	origin, _ := url.Parse(a.origin)
	sum := sha256.Sum256([]byte(origin.Hostname()))
	data := append(sum[:], a.flags)
	if len(more) > 0 {
		data[32] |= 0x40
	}
	return append(binary.BigEndian.AppendUint32(data, a.count), more...)
}

type creationOptions struct {
	Challenge string `json:"challenge"`
	User      struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"user"`
	Selection struct {
		ResidentKey      string `json:"residentKey"`
		UserVerification string `json:"userVerification"`
	} `json:"authenticatorSelection"`
	UserVerification string `json:"userVerification"`
}

func (b *browser) options(path string, fields ...string) creationOptions {
	b.t.Helper()
	w := b.post(path, fields...)
	b.wantCode(w, http.StatusOK, path)
	var o creationOptions
	if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil {
		b.t.Fatal(err)
	}
	if o.UserVerification+o.Selection.UserVerification != "required" {
		b.t.Errorf("%s: user verification is %q and %q", path, o.UserVerification, o.Selection.UserVerification)
	}
	return o
}

// make is the answer to options for a new passkey: an attestation of none, in CBOR.
func (a *authenticator) make(o creationOptions) string {
	a.user = o.User.ID
	point, err := a.key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	cose := []byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20}
	cose = append(append(cose, point[1:33]...), 0x22, 0x58, 0x20)
	cose = append(cose, point[33:]...)
	credential := append(make([]byte, 16), 0, byte(len(a.id)))
	data := a.authData(append(append(credential, a.id...), cose...)...)
	object := []byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58")
	object = append(append(object, byte(len(data))), data...)
	return a.answer(map[string]string{"clientDataJSON": b64(a.clientData("webauthn.create", o.Challenge)), "attestationObject": b64(object)})
}

// use is the answer to options for signing in.
func (a *authenticator) use(o creationOptions) string {
	client, data := a.clientData("webauthn.get", o.Challenge), a.authData()
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(data, hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]string{
		"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature), "userHandle": a.user,
	})
}

func (a *authenticator) answer(response map[string]string) string {
	out, _ := json.Marshal(map[string]any{
		"id": b64(a.id), "rawId": b64(a.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
	})
	return string(out)
}

// claimByPasskey sets Ann up with a passkey, in a new browser.
func (d *door) claimByPasskey() (*browser, *authenticator) {
	d.t.Helper()
	b, path := d.browser(), d.firstLink()
	a := newAuthenticator(d.t, PasskeyOrigin(d.site.Base))
	answer := a.make(b.options(path+"/options", "name", "Ann", "secret", "", "credential", ""))
	b.wantCode(b.post(path, "name", "Ann", "credential", answer, "do", "passkey"), http.StatusOK, "claim")
	return b, a
}
