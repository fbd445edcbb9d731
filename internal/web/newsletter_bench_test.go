package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

// letterBench is the newsletter's pages with all that is behind them: a real
// database, the worker, and a real peer.
type letterBench struct {
	t       *testing.T
	now     time.Time
	db      *store.DB
	peer    *mailtest.Peer
	worker  *outbox.Worker
	handler http.Handler
	log     strings.Builder
}

const letterHost = "https://site.example"

func newLetterBench(t *testing.T, rate Rate) *letterBench {
	t.Helper()
	b := &letterBench{
		t: t, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), peer: mailtest.Start(t, mailtest.Config{Security: mail.Clear}),
	}
	ring := seal.NewRing()
	b.db = storetest.OpenAt(t, t.TempDir(), ring)
	links := newsletter.NewLinks(ring)
	lib, findings := library.Load(fstest.MapFS{
		"site.yaml":              {Data: []byte("name: Steadier\ntagline: t\nlanguage: en\nexit: https://exit.example\nsender:\n  name: Post\n  address: post@site.example\n")},
		"newsletter/a-letter.md": {Data: []byte("---\nsubject: A quiet letter\ndiscreet_subject: A letter\npreheader: Read it slowly.\ndate: 2026-12-01\n---\nThe words of the letter.\n")},
	}, library.Options{Now: b.now})
	if lib == nil {
		t.Fatal(findings)
	}
	base, _ := url.Parse(letterHost)
	clock := func() time.Time { return b.now }
	site := New(Config{Base: base, Rate: rate}, Deps{
		Log: slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug})), Now: clock, Ring: ring,
		Ready:      func(context.Context) error { return nil },
		Newsletter: newsletter.NewService(b.db, links, rate.N > 0),
	})
	if err := site.Refresh(lib); err != nil {
		t.Fatal(err)
	}
	b.handler = site.Handler()
	b.startWorker(links)
	return b
}

func (b *letterBench) startWorker(links newsletter.Links) {
	mailer := newsletter.Mailer{
		Sender: b.db, Links: links, From: mail.Mailbox{Name: "Post", Address: "post@site.example"},
		Postal: "PO box 1", Site: letterHost, MailSite: letterHost,
	}
	composers := map[string]outbox.Composer{}
	for _, kind := range newsletter.Kinds() {
		composers[kind] = mailer
	}
	transport := mail.NewSMTP(b.peer.Server(), "site.example", nil, mail.DefaultLimits())
	b.t.Cleanup(transport.Idle)
	b.worker = outbox.New(outbox.Options{
		Store: b.db, Transport: transport, Composers: composers, Now: func() time.Time { return b.now },
		Chance: func() float64 { return 0.5 }, Log: slog.New(slog.NewTextHandler(&b.log, nil)),
	})
}

func (b *letterBench) drain() {
	b.t.Helper()
	for {
		wait, err := b.worker.Step(context.Background())
		if err != nil {
			b.t.Fatal(err)
		}
		if wait > 0 {
			return
		}
	}
}

type letterAnswer struct {
	code   int
	header http.Header
	body   string
}

func (b *letterBench) do(method, target, body string, header ...string) letterAnswer {
	b.t.Helper()
	if !strings.HasPrefix(target, "http") {
		target = letterHost + target
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	res := w.Result()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return letterAnswer{res.StatusCode, res.Header, string(text)}
}

var hiddenKey = regexp.MustCompile(`name="key" value="([^"]+)"`)

// post fetches a page, and posts its form with more fields, as a person would a
// minute later.
func (b *letterBench) post(page, action string, fields url.Values) letterAnswer {
	b.t.Helper()
	form := url.Values{}
	if key := hiddenKey.FindStringSubmatch(b.do("GET", page, "").body); key != nil {
		form.Set("key", key[1])
	}
	for name, values := range fields {
		form[name] = values
	}
	b.now = b.now.Add(time.Minute)
	return b.do("POST", action, form.Encode(), "Sec-Fetch-Site", "same-origin")
}

func (b *letterBench) ask(email string) letterAnswer {
	b.t.Helper()
	return b.post("/newsletter", "/newsletter/subscribe", url.Values{"email": {email}})
}

// link finds the path of a link in the last mail to an address.
func (b *letterBench) link(address, route string) string {
	b.t.Helper()
	messages := b.peer.To(address)
	if len(messages) == 0 {
		b.t.Fatalf("no mail to %s", address)
	}
	raw := strings.ReplaceAll(string(messages[len(messages)-1].Raw), "=\r\n", "")
	path := regexp.MustCompile(`/newsletter/` + route + `/[A-Za-z0-9_-]+`).FindString(raw)
	if path == "" {
		b.t.Fatalf("no link to %s in:\n%s", route, raw)
	}
	return path
}

// subscribe brings an address through the whole way in, and sends it a letter.
func (b *letterBench) subscribe(email string) {
	b.t.Helper()
	b.ask(email)
	b.drain()
	confirm := b.link(email, "confirm")
	if got := b.post(confirm, confirm, nil); got.code != http.StatusSeeOther {
		b.t.Fatalf("confirm: %d %s", got.code, got.body)
	}
}

func (b *letterBench) send(slug string) {
	b.t.Helper()
	ctx := context.Background()
	err := b.db.StartIssue(ctx, b.now, newsletter.Issue{
		Slug: slug, Subject: "A quiet letter", Discreet: "A letter", Preheader: "Slowly.", HTML: "<p>Words.</p>", Text: "Words.",
	})
	for done := false; err == nil && !done; {
		done, err = b.db.FillIssue(ctx, b.now, slug)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.drain()
}
