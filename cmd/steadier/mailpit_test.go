//go:build e2e

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mailpit is a mail server with a page for each mail, and an opinion on it. It has a
// module of its own, see internal/tools/mailpit.
type mailpit struct {
	t          *testing.T
	smtp, http string // host and port
}

func startMailpit(t *testing.T) *mailpit {
	t.Helper()
	path := os.Getenv("STEADIER_MAILPIT")
	if path == "" {
		var err error
		if path, err = exec.LookPath("mailpit"); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal("mailpit is missing")
			}
			t.Skip("mailpit is missing: run make e2e, which builds it")
		}
	}
	m := &mailpit{t: t, smtp: freePort(t), http: freePort(t)}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path,
		"--listen", m.http, "--smtp", m.smtp, "--database", filepath.Join(t.TempDir(), "mail.db"),
		"--disable-version-check", "--smtp-disable-rdns", "--block-remote-css-and-fonts",
		"--allow-internal-http-requests", "--disable-link-check-rate-limit")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = cmd.Wait() }) // it was stopped
	waitFor(t, "http://"+m.http+"/readyz")
	return m
}

// freePort is a port that was free a moment ago: mailpit does not tell which one it
// has taken by itself.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func waitFor(t *testing.T, address string) {
	t.Helper()
	for range 300 {
		if res, err := http.Get(address); err == nil {
			_ = res.Body.Close() // only the status counts
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(100 * time.Millisecond) // another program starts
	}
	t.Fatalf("%s is not ready", address)
}

// get reads an answer of mailpit's interface.
func (m *mailpit) get(path string, into any) {
	m.t.Helper()
	res, err := http.Get("http://" + m.http + "/api/v1/" + path)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		m.t.Fatalf("%s: %d %s %v", path, res.StatusCode, body, err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		m.t.Fatalf("%s: %v", path, err)
	}
}

type pitMail struct {
	ID, Subject, Text, HTML string
	ListUnsubscribe         struct {
		Header, HeaderPost, Errors string
		Links                      []string
	}
}

// wait returns the newest mail with a subject, once it is there.
func (m *mailpit) wait(subject string) (mail pitMail) {
	m.t.Helper()
	for range 100 {
		var list struct {
			Messages []struct{ ID, Subject string }
		}
		m.get("messages", &list)
		for _, found := range list.Messages {
			if found.Subject == subject {
				m.get("message/"+found.ID, &mail)
				return mail
			}
		}
		time.Sleep(100 * time.Millisecond) // another program delivers
	}
	m.t.Fatalf("no mail %q", subject)
	return mail
}

var keyField = regexp.MustCompile(`name="key" value="([^"]+)"`)

// press fetches a page and sends its form, as a browser does.
func press(t *testing.T, page, action string, fields url.Values) int {
	t.Helper()
	res, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it was read
	key := keyField.FindSubmatch(body)
	if err != nil || key == nil {
		t.Fatalf("%s: %d, no form: %v", page, res.StatusCode, err)
	}
	form := url.Values{"key": {string(key[1])}}
	for name, values := range fields {
		form[name] = values
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err = client.PostForm(action, form)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close() // only the status counts
	return res.StatusCode
}

// serveHere serves the content that the program ships with until the test ends, and
// returns the address.
func serveHere(t *testing.T, getenv func(string) string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	ended := make(chan int)
	go func() {
		world := Env{Stdin: strings.NewReader(""), Stdout: writer, Stderr: io.Discard, Getenv: getenv, Now: time.Now}
		ended <- run(ctx, world, []string{"serve"})
		_ = writer.Close() // the reader sees the end
	}()
	line, err := bufio.NewReader(reader).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); <-ended })
	return strings.TrimSpace(line)
}

func TestTheWholeWayByARealMailServer(t *testing.T) {
	pit := startMailpit(t)
	getenv := env("STEADIER_ADDR", freePort(t), "STEADIER_DATA", t.TempDir(), "STEADIER_RATE", "0",
		"STEADIER_CONTENT", "../../content", "STEADIER_SMTP", "smtp://"+pit.smtp+"?tls=none")
	site := serveHere(t, getenv)
	email := url.Values{"email": {"reader@x.example"}}
	if got := press(t, site+"/newsletter", site+"/newsletter/subscribe", email); got != http.StatusSeeOther {
		t.Fatalf("subscribe: %d", got)
	}
	confirm := regexp.MustCompile(`http\S+/newsletter/confirm/\S+`).FindString(pit.wait("Please confirm your address").Text)
	if got := press(t, confirm, confirm, nil); got != http.StatusSeeOther {
		t.Fatalf("confirm: %d", got)
	}
	var out strings.Builder
	const slug, subject = "on-waiting-for-the-post", "On waiting for the post"
	world := Env{Stdout: &out, Stderr: &out, Getenv: getenv, Now: time.Now}
	if status := run(context.Background(), world, []string{"newsletter", "send", slug}); status != exitOK {
		t.Fatalf("send: %s", out.String())
	}
	letter := pit.wait(subject)
	checkHTML(t, pit, letter.ID)
	checkLinks(t, pit, letter.ID)
	leave(t, letter)
}

// allowedWarnings are what mailpit says of every letter of ours. None of it is
// needed to read one: it is how wide, how dark and how quiet a letter is.
var allowedWarnings = []string{
	"html-body", "html-style", "css-at-media", "css-background-color", "css-margin", "css-padding",
	"css-max-width", "css-line-height", "css-display", "css-display-none",
}

func checkHTML(t *testing.T, pit *mailpit, id string) {
	t.Helper()
	var answer struct {
		Total    struct{ Supported, Tests float64 }
		Warnings []struct{ Slug, Title string }
	}
	pit.get("message/"+id+"/html-check", &answer)
	if answer.Total.Tests == 0 || answer.Total.Supported < 90 {
		t.Errorf("%.1f %% of the HTML is supported, want 90", answer.Total.Supported)
	}
	for _, w := range answer.Warnings {
		if !slices.Contains(allowedWarnings, w.Slug) {
			t.Errorf("html-check: %s (%s)", w.Title, w.Slug)
		}
	}
}

func checkLinks(t *testing.T, pit *mailpit, id string) {
	t.Helper()
	var answer struct {
		Links []struct {
			URL        string
			StatusCode int
		}
	}
	pit.get("message/"+id+"/link-check", &answer)
	ours := 0
	for _, link := range answer.Links {
		if !strings.HasPrefix(link.URL, "http://127.0.0.1") {
			continue // the sources, which are not on this machine
		}
		ours++
		if link.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", link.URL, link.StatusCode)
		}
	}
	if ours < 3 {
		t.Errorf("%d links of ours, want the web page, leaving and choosing", ours)
	}
}

func leave(t *testing.T, letter pitMail) {
	t.Helper()
	if u := letter.ListUnsubscribe; u.HeaderPost != "List-Unsubscribe=One-Click" || len(u.Links) != 1 {
		t.Fatalf("List-Unsubscribe: %+v", u)
	}
	for range 2 {
		res, err := http.PostForm(letter.ListUnsubscribe.Links[0], url.Values{"List-Unsubscribe": {"One-Click"}})
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close() // only the status counts
		if res.StatusCode != http.StatusOK {
			t.Errorf("one click: %d", res.StatusCode)
		}
	}
}
