package web

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/outbox"
)

// silentServer accepts connections and never says a word; asked has one value for each.
type silentServer struct {
	net.Listener

	asked chan struct{}
}

func startSilent(t *testing.T) *silentServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &silentServer{Listener: l, asked: make(chan struct{}, 100)}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.asked <- struct{}{}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	return s
}

func (s *silentServer) server() mail.Server {
	host, port, _ := net.SplitHostPort(s.Addr().String())
	return mail.Server{Host: host, Port: port, Security: mail.Clear}
}

// work gives the bench a worker that hands its mail to a server, and steps it until
// nothing is due.
func (b *callBench) work(server mail.Server, limits mail.Limits) {
	b.t.Helper()
	composers := map[string]outbox.Composer{outbox.KindNotice: outbox.NoticeMail{
		From: mail.Mailbox{Address: "post@site.example"}, To: mail.Mailbox{Address: "owner@site.example"}, Site: callHost,
	}}
	for _, kind := range consult.AllKinds() {
		composers[kind] = b.mails
	}
	transport := mail.NewSMTP(server, "site.example", nil, limits)
	defer transport.Idle()
	worker := outbox.New(outbox.Options{
		Store: b.db, Transport: transport, Composers: composers, Now: func() time.Time { return b.now },
		Chance: func() float64 { return 0.5 }, Grace: time.Second, Log: slog.New(slog.NewTextHandler(&b.log, nil)),
	})
	for {
		wait, err := worker.Step(context.Background())
		if err != nil {
			b.t.Fatal(err)
		}
		if wait > 0 {
			return
		}
	}
}

func (b *callBench) rows() map[outbox.State]int {
	b.t.Helper()
	counts, err := b.db.CountOutbox(context.Background(), "")
	if err != nil {
		b.t.Fatal(err)
	}
	out := map[outbox.State]int{}
	for _, c := range counts {
		out[c.State] = c.Rows
	}
	return out
}

// impatient is what a test can wait for.
var impatient = mail.Limits{Connect: 100 * time.Millisecond, Command: 100 * time.Millisecond, Answer: 100 * time.Millisecond}

func TestBookingNeverWaitsForMail(t *testing.T) {
	b := londonMondays(t)
	silent := startSilent(t)
	path := b.book("2026-06-08T09:00:00Z", "email", "ana+call@example.org")
	if len(silent.asked) > 0 {
		t.Error("booking-H32: the request asked the mail server")
	}
	b.work(silent.server(), impatient)
	<-silent.asked
	if trouble, err := b.db.Trouble(t.Context()); err != nil || trouble.Halted || trouble.Sentence == "" || len(silent.asked) > 0 {
		t.Errorf("booking-H32: trouble %+v, error %v; want one probe, and another later", trouble, err)
	}
	if diff := cmp.Diff(map[outbox.State]int{outbox.Queued: 2}, b.rows()); diff != "" {
		t.Errorf("booking-H32 the rows wait (-want +got):\n%s", diff)
	}
	if got := b.get(path); got.code != http.StatusOK {
		t.Errorf("booking-H32: the page is %d", got.code)
	}

	b.now = b.now.Add(time.Hour)
	peer := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	for range 2 {
		b.work(peer.Server(), mail.DefaultLimits())
	}
	if diff := cmp.Diff(map[outbox.State]int{outbox.Accepted: 2}, b.rows()); diff != "" {
		t.Errorf("booking-H32 once it is back (-want +got):\n%s", diff)
	}
	if len(peer.To("owner@site.example")) != 1 || len(peer.Messages()) != 2 {
		t.Errorf("booking-H32: %d mails, want one of each kind", len(peer.Messages()))
	}
	visitor := peer.To("ana+call@example.org")
	if len(visitor) != 1 || visitor[0].Header(t).Get("To") != "<ana+call@example.org>" {
		t.Errorf("booking-H37: envelope and header do not both name ana+call@example.org: %+v", visitor)
	}
}

func TestMailThatCannotGoForADayIsToldToTheOwner(t *testing.T) {
	b := newCallBench(t, "Europe/London", "2026-06-01T12:00:00Z", hoursOn(9, 11, time.Monday))
	silent := startSilent(t)
	b.book("2026-06-08T09:00:00Z", "email", "ana@example.org")
	b.now = b.now.Add(24*time.Hour - time.Minute)
	b.work(silent.server(), impatient)
	if diff := cmp.Diff(map[outbox.State]int{outbox.Queued: 2}, b.rows()); diff != "" {
		t.Errorf("booking-H32 a minute before the day is over (-want +got):\n%s", diff)
	}
	b.now = b.now.Add(2 * time.Minute)
	b.work(silent.server(), impatient)
	if got := b.rows(); got[outbox.Failed] != 2 {
		t.Errorf("booking-H32 after the day: %v, want two failed", got)
	}
	notices, err := b.db.Notices(context.Background(), b.now.Add(-time.Hour))
	if err != nil || len(notices) != 1 || notices[0].Kind != outbox.NoticeFailed {
		t.Errorf("booking-H32: the owner is told %v, error %v", notices, err)
	}
}
