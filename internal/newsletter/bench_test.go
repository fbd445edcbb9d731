package newsletter_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// bench is the newsletter on a real database and a real peer, with a clock of its own.
type bench struct {
	t       testing.TB
	dir     string
	ring    *seal.Ring
	db      *store.DB
	peer    *mailtest.Peer
	service *newsletter.Service
	mailer  newsletter.Mailer
	worker  *outbox.Worker
	now     time.Time
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{
		t: t, dir: t.TempDir(), ring: seal.NewRing(), now: noon,
		peer: mailtest.Start(t, mailtest.Config{Security: mail.Clear}),
	}
	b.db = storetest.OpenAt(t, b.dir, b.ring)
	b.service = newsletter.NewService(b.db, newsletter.NewLinks(b.ring), true)
	b.mailer = newsletter.Mailer{
		Sender: b.db, Links: newsletter.NewLinks(b.ring),
		From: mail.Mailbox{Name: "Post", Address: "post@letters.example"}, Postal: "PO box 1, Town",
		Site: "https://site.example", MailSite: "https://letters.example",
		Issue: func(slug string) (newsletter.Issue, bool) { return issue(), slug == issue().Slug },
	}
	b.restart()
	return b
}

// restart gives the bench a new worker, as a restart of the program would.
func (b *bench) restart() {
	composers := map[string]outbox.Composer{
		outbox.KindNotice: outbox.NoticeMail{
			From: b.mailer.From, To: mail.Mailbox{Address: "owner@site.example"}, Site: b.mailer.Site,
		},
	}
	for _, kind := range newsletter.Kinds() {
		composers[kind] = b.mailer
	}
	limits := mail.Limits{Connect: 20 * time.Second, Command: 20 * time.Second, Answer: 20 * time.Second}
	transport := mail.NewSMTP(b.peer.Server(), "letters.example", nil, limits)
	b.t.Cleanup(transport.Idle)
	b.worker = outbox.New(outbox.Options{
		Store: b.db, Transport: transport, Composers: composers,
		Now: func() time.Time { return b.now }, Chance: func() float64 { return 0.5 }, Grace: 10 * time.Second,
		Log: slog.New(slog.DiscardHandler),
	})
	if _, err := b.db.RecoverOutbox(context.Background(), b.now, ""); err != nil {
		b.t.Fatal(err)
	}
}

func issue() newsletter.Issue {
	return newsletter.Issue{
		Slug: "a-letter", Subject: "On the bond that stays", Discreet: "A letter", Preheader: "Read it slowly.",
		HTML: "<p>A trauma is told of here.</p>", Text: "A trauma is told of here.",
	}
}

// step delivers until there is nothing to do, or so many times.
func (b *bench) step(most int) {
	b.t.Helper()
	for range most {
		wait, err := b.worker.Step(context.Background())
		if err != nil {
			b.t.Fatal(err)
		}
		if wait > 0 {
			return
		}
	}
}

func (b *bench) drain() { b.step(100_000) }

func (b *bench) ask(email string) {
	b.t.Helper()
	b.askFrom(email, netip.MustParseAddr("192.0.2.1"))
}

func (b *bench) askFrom(email string, client netip.Addr) {
	b.t.Helper()
	err := b.service.Subscribe(context.Background(), b.now, newsletter.Request{
		Email: email, Issued: b.now.Add(-time.Minute), Client: client,
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// token finds the token of the last mail to an address, by the route in its link.
func (b *bench) token(address, route string) string {
	b.t.Helper()
	messages := b.peer.To(address)
	if len(messages) == 0 {
		b.t.Fatalf("no mail to %s", address)
	}
	text := strings.Join(bodies(b.t, messages[len(messages)-1]), "\n")
	found := regexp.MustCompile(`/newsletter/` + route + `/([A-Za-z0-9_-]+)`).FindStringSubmatch(text)
	if found == nil {
		b.t.Fatalf("no link to %s in:\n%s", route, text)
	}
	return found[1]
}

func (b *bench) confirm(token string) error {
	return b.service.Confirm(context.Background(), b.now, token)
}

// subscribe makes an address a subscriber, by mail and press, and moves the clock
// on so that it may ask again.
func (b *bench) subscribe(addresses ...string) {
	b.t.Helper()
	for _, a := range addresses {
		b.ask(a)
		b.drain()
		typed, err := mail.ParseAddress(a)
		b.must(err)
		b.must(b.confirm(b.token(typed.Wire(), "confirm")))
		b.now = b.now.Add(newsletter.AddressPause)
	}
}

// crowd adds subscribers faster than by mail.
func (b *bench) crowd(n int) (addresses []string) {
	b.t.Helper()
	for i := range n {
		address, err := mail.ParseAddress(fmt.Sprintf("reader%d@x.example", i))
		b.must(err)
		addresses = append(addresses, address.Wire())
		hash := seal.HashToken("newsletter confirm", address.Key)
		b.must(b.db.AskNewsletter(context.Background(), b.now, newsletter.Ask{Address: address, Token: "t", Hash: hash}))
		b.must(b.db.ConfirmNewsletter(context.Background(), b.now, hash, newsletter.Wording))
	}
	return addresses
}

// start begins to send the issue and puts all its rows into the outbox.
func (b *bench) start(i newsletter.Issue) {
	b.t.Helper()
	b.startResting(i, func(context.Context, time.Duration) error { return nil })
}

// startResting does so and lets others write in between.
func (b *bench) startResting(i newsletter.Issue, rest func(context.Context, time.Duration) error) {
	b.t.Helper()
	b.must(b.db.StartIssue(context.Background(), b.now, i))
	b.must(newsletter.Fill(context.Background(), b.db, func() time.Time { return b.now }, i.Slug, rest))
}

func (b *bench) progress() newsletter.Progress {
	b.t.Helper()
	p, err := b.db.IssueProgress(context.Background(), issue().Slug)
	b.must(err)
	return p
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// state is what an address is, by the link in its last letter.
func (b *bench) state(token string) newsletter.State {
	b.t.Helper()
	who, err := b.service.Preferences(context.Background(), b.now, token)
	if fault.Is(err, fault.NotFound) {
		return ""
	}
	b.must(err)
	return who.State
}

// letters returns the newsletter's mails that the peer took, without notes to the owner.
func (b *bench) letters() (out []mailtest.Message) {
	for _, m := range b.peer.Messages() {
		if m.Header(b.t).Get("List-Id") != "" {
			out = append(out, m)
		}
	}
	return out
}

// bodies returns the decoded parts of a message.
func bodies(t testing.TB, m mailtest.Message) (out []string) {
	t.Helper()
	header, body := m.Header(t), strings.SplitN(string(m.Raw), "\r\n\r\n", 2)[1]
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
		if err != nil {
			t.Fatal(err)
		}
		return []string{string(text)}
	}
	for reader := multipart.NewReader(strings.NewReader(body), params["boundary"]); ; {
		part, err := reader.NextPart() // decodes quoted-printable
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
}
