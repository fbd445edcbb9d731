package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"io/fs"
	"mime/quotedprintable"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"filippo.io/age"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/web/webtest"
)

// reader goes through the site as a browser would, and keeps no cookies.
type reader struct {
	t    *testing.T
	base string
	http http.Client
}

func newReader(t *testing.T, base string) *reader {
	r := &reader{t: t, base: base}
	r.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return r
}

// send fetches a page and posts its form, with these fields filled in. It gives the
// path that the answer leads to, or "", and the page.
func (r *reader) send(page, action string, fields ...string) (path, body string) {
	r.t.Helper()
	form := url.Values{}
	if page != "" {
		_, text := get(r.t, r.base+page)
		form = webtest.HiddenFields(text)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.base+action, strings.NewReader(form.Encode()))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := r.http.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		r.t.Fatalf("%s: %d\n%s", action, res.StatusCode, text)
	}
	return res.Header.Get("Location"), string(text)
}

// canaries are what somebody types: words that stand nowhere else.
var canaries = []string{
	"Canary Wren", "canary the library", "canarystop", "canary.caller@mail.example", "+442079460021", "2079460021", "+44 20 7946 0021",
	"canary.reader@mail.example", "canarysearch",
}

// writtenAs are the ways in which a text can be written down.
func writtenAs(text string) map[string][]byte {
	forms := map[string][]byte{"plain": []byte(text), "hex": []byte(hex.EncodeToString([]byte(text)))}
	var quoted bytes.Buffer
	w := quotedprintable.NewWriter(&quoted)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	forms["quoted-printable"] = quoted.Bytes()
	var wide []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	forms["UTF-16"] = wide
	forms["percent"] = []byte(url.QueryEscape(text))
	for shift := range 3 { // base64 has three alignments
		code := base64.RawStdEncoding.EncodeToString(append(bytes.Repeat([]byte{0}, shift), text...))
		forms["base64 "+string(rune('0'+shift))] = []byte(code[(shift*8+5)/6 : len(code)-2])
	}
	return forms
}

// traces names every canary in a text, with the form in which it stands there.
func traces(text []byte) (found []string) {
	lower := bytes.ToLower(text)
	for _, canary := range canaries {
		for form, bytesOf := range writtenAs(canary) {
			in, what := lower, bytes.ToLower(bytesOf)
			if strings.HasPrefix(form, "base64") { // the one whose letters differ by case
				in, what = text, bytesOf
			}
			if bytes.Contains(in, what) {
				found = append(found, canary+" as "+form)
			}
		}
	}
	return found
}

func lookFor(t *testing.T, where string, text []byte) {
	t.Helper()
	if found := traces(text); len(found) > 0 {
		t.Errorf("%s holds %v", where, found)
	}
}

var mailedLink = regexp.MustCompile(`http://[^\s"<>=]+/newsletter/confirm/[A-Za-z0-9_=-]+`)

// Every journey, and then a look into everything that is left on the disk (T5, T7 of
// the threats): nothing that anybody typed can be read there.
func TestNothingThatWasTypedCanBeReadAnywhere(t *testing.T) {
	peer := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	d := newPractice(t)
	d.env["STEADIER_SMTP"], d.env["STEADIER_RATE"] = peer.URL(), "0" // 0: a quick form is no robot
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	d.env["STEADIER_BACKUP_RECIPIENT"] = identity.Recipient().String()
	address, log, stop := d.start()
	r := newReader(t, address)

	_, times := get(t, address+"/consult")
	slot := regexp.MustCompile(`name="slot" value="([^"]+)"`).FindStringSubmatch(times)[1]
	page, _ := r.send("/consult", "/consult",
		"slot", slot, "name", "Canary Wren", "call", "me", "phone", "+44 20 7946 0021", "caller", "canary the library", "stop_word", "canarystop",
		"email", "canary.caller@mail.example", "voicemail", "yes", "answer", "ask", "remind", "yes")
	get(t, address+page)
	get(t, address+page+"/invite.ics")
	r.send("/newsletter", "/newsletter/subscribe", "email", "canary.reader@mail.example")
	r.send("", "/search", "q", "canarysearch")
	waitFor(t, func() bool {
		return len(peer.To("canary.caller@mail.example")) > 0 && len(peer.To("canary.reader@mail.example")) > 0
	})
	asked := peer.To("canary.reader@mail.example")[0]
	link := mailedLink.FindString(strings.ReplaceAll(strings.ReplaceAll(string(asked.Raw), "=\r\n", ""), "=3D", "="))
	confirm, err := url.Parse(link)
	if err != nil || link == "" {
		t.Fatalf("no link in\n%s", asked.Raw)
	}
	r.send(confirm.Path, confirm.Path)

	d.do("", "backup", d.path("backup.age"))
	d.do("", "keys", "export", d.path("keys.age"))
	lookEverywhere(t, d.dir)
	lookFor(t, "the log", []byte(log.String()))
	inside(t, d.path("backup.age"), identity)
	if code := stop(); code != exitOK {
		t.Errorf("exit status %d", code)
	}
	lookEverywhere(t, d.dir) // what the end writes
	if token := strings.TrimPrefix(page, "/consult/"); strings.Contains(log.String(), token) {
		t.Error("the log holds the address of a private page")
	}
}

func lookEverywhere(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		lookFor(t, path, text)
		return err
	})
	if err != nil || files < 4 {
		t.Errorf("%d files, error %v", files, err)
	}
}

// inside looks into a backup as its holder could.
func inside(t *testing.T, path string, identity age.Identity) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := age.Decrypt(f, identity)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil || !bytes.Contains(text, []byte("SQLite format 3")) {
		t.Fatalf("%d bytes, error %v: no database", len(text), err)
	}
	lookFor(t, "an opened backup", text)
}

// The search itself has to find what is there.
func TestTheCanariesSing(t *testing.T) {
	for _, canary := range canaries {
		for form, text := range writtenAs(canary) {
			if len(traces(append([]byte("before "), text...))) == 0 {
				t.Errorf("%q as %s is not found", canary, form)
			}
		}
	}
}

// waitFor waits for what other goroutines do.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for !done() {
		if t.Context().Err() != nil {
			t.Fatal("it never came")
		}
		time.Sleep(10 * time.Millisecond)
	}
}
