package web

import (
	"context"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

// callBench is the pages of booking with all that is behind them but the mail server.
type callBench struct {
	t       *testing.T
	now     time.Time
	hours   slots.Availability
	db      *store.DB
	handler http.Handler
	mails   consult.Mails
	log     lockedText
}

// lockedText collects a log that several requests write at once.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

const callHost = "https://site.example"

// newCallBench is a practice in a zone at a time, with K0 and what change says.
func newCallBench(t *testing.T, zone, now string, change func(*slots.Availability)) *callBench {
	t.Helper()
	b := &callBench{t: t, hours: slots.Availability{
		Length: 15 * time.Minute, Step: 30 * time.Minute, Horizon: 28, Dates: map[slots.Date][]slots.Window{},
	}}
	var err error
	if b.hours.Zone, err = slots.LoadZone(zone); err != nil {
		t.Fatal(err)
	}
	if b.now, err = time.Parse(time.RFC3339, now); err != nil {
		t.Fatal(err)
	}
	change(&b.hours)
	b.serve(Rate{}, consult.DefaultBudget())
	return b
}

func (b *callBench) serve(rate Rate, budget consult.Budget) {
	b.t.Helper()
	ring := seal.NewRing()
	b.db = storetest.OpenAt(b.t, b.t.TempDir(), ring)
	log := slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	practice := func() consult.Practice {
		return consult.Practice{
			Phone: "020 7946 0999", Country: "GB", Notify: "owner@site.example", Links: callHost, Base: callHost,
			From: consult.Sender{Name: "Appointments", Address: "post@site.example"},
		}
	}
	hours := func() slots.Availability { return b.hours }
	lib, findings := library.Load(fstest.MapFS{
		"site.yaml": {Data: []byte("name: Steadier\ntagline: t\nlanguage: en\nexit: https://exit.example\nsender:\n  name: Post\n  address: post@site.example\n")},
	}, library.Options{Now: b.now})
	if lib == nil {
		b.t.Fatal(findings)
	}
	base, err := url.Parse(callHost)
	if err != nil {
		b.t.Fatal(err)
	}
	site := New(Config{Base: base, Rate: rate}, Deps{
		Log: log, Now: func() time.Time { return b.now }, Ring: ring,
		Ready: func(context.Context) error { return nil },
		Consult: consult.New(b.db, consult.Config{
			Hours: hours, Practice: practice, MailOn: true, Budget: budget, Log: log,
		}),
	})
	if err := site.Refresh(lib); err != nil {
		b.t.Fatal(err)
	}
	b.handler = site.Handler()
	b.mails = consult.Mails{Store: b.db, Hours: hours, Practice: practice}
}

type callAnswer struct {
	code   int
	header http.Header
	body   string
}

func (a callAnswer) location() string { return a.header.Get("Location") }

func (b *callBench) do(method, target, body string, header ...string) callAnswer {
	b.t.Helper()
	r := httptest.NewRequest(method, callHost+target, strings.NewReader(body))
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
		b.t.Error(err)
	}
	return callAnswer{res.StatusCode, res.Header, string(text)}
}

func (b *callBench) get(target string) callAnswer { return b.do("GET", target, "") }

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)"`)

// form is the hidden fields of the first form of a page that goes to action, with
// more fields.
func (b *callBench) form(page callAnswer, action string, more ...string) url.Values {
	b.t.Helper()
	_, part, found := strings.Cut(page.body, `action="`+action+`"`)
	if !found {
		b.t.Fatalf("no form that goes to %s in\n%s", action, page.body)
	}
	part, _, _ = strings.Cut(part, "</form>")
	out := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(part, -1) {
		out.Set(m[1], html.UnescapeString(m[2]))
	}
	for i := 0; i+1 < len(more); i += 2 {
		out.Set(more[i], more[i+1])
	}
	return out
}

func (b *callBench) post(action string, form url.Values) callAnswer {
	b.t.Helper()
	return b.do("POST", action, form.Encode(), "Sec-Fetch-Site", "same-origin", "Origin", "null")
}

// ask is a filled-in form for a start: "I will call you", nothing else.
func (b *callBench) ask(slot string, more ...string) url.Values {
	b.t.Helper()
	return b.form(b.get("/consult"), "/consult", append([]string{"slot", slot, "name", "Zoë Q.", "call", "you"}, more...)...)
}

// book books a call and returns the address of its page.
func (b *callBench) book(slot string, more ...string) string {
	b.t.Helper()
	got := b.post("/consult", b.ask(slot, more...))
	if got.code != http.StatusSeeOther {
		b.t.Fatalf("book %s: %d\n%s", slot, got.code, got.body)
	}
	return got.location()
}

var radio = regexp.MustCompile(`<input type="radio" name="slot" value="([^"]+)"[^>]*>`)

// values are the times that a page offers, in its order.
func (a callAnswer) values() []string {
	var out []string
	for _, m := range radio.FindAllStringSubmatch(a.body, -1) {
		out = append(out, m[1])
	}
	return out
}

// chosen is the time that stands chosen on a page.
func (a callAnswer) chosen() string {
	for _, m := range radio.FindAllStringSubmatch(a.body, -1) {
		if strings.Contains(m[0], " checked") {
			return m[1]
		}
	}
	return ""
}

// sentMails gives every message that is due its words, as the worker would.
func (b *callBench) sentMails() []mail.Message {
	b.t.Helper()
	var out []mail.Message
	for {
		job, found, err := b.db.ClaimOutbox(context.Background(), b.now, time.Minute)
		if err != nil {
			b.t.Fatal(err)
		}
		if !found {
			return out
		}
		result := outbox.Result{State: outbox.Accepted}
		m, err := b.mails.Compose(context.Background(), job.Message, b.now)
		if reason, skip := outbox.Skipping(err); skip {
			result = outbox.Result{State: outbox.Skipped, Reason: reason}
		} else if err != nil {
			b.t.Fatal(err)
		} else {
			out = append(out, m)
		}
		if err := b.db.SettleOutbox(context.Background(), b.now, job.ID, result); err != nil {
			b.t.Fatal(err)
		}
	}
}

func hoursOn(from, to int, days ...time.Weekday) func(*slots.Availability) {
	return func(a *slots.Availability) {
		for _, day := range days {
			a.Week[day] = []slots.Window{{From: from * 60, To: to * 60}}
		}
	}
}

// londonMondays is K0 with Mondays 09:00–11:00 in London, on Friday 5 June 2026.
func londonMondays(t *testing.T) *callBench {
	return newCallBench(t, "Europe/London", "2026-06-05T12:00:00Z", hoursOn(9, 11, time.Monday))
}
