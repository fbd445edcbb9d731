package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// bench is a worker on a real database and a real peer, with a clock of its own.
type bench struct {
	t      *testing.T
	db     *store.DB
	peer   *mailtest.Peer
	worker *outbox.Worker
	now    time.Time
	log    strings.Builder
}

func newBench(t *testing.T, config mailtest.Config) *bench {
	t.Helper()
	b := &bench{t: t, db: storetest.Open(t), peer: mailtest.Start(t, config), now: noon}
	b.start(b.peer.Server())
	return b
}

// start gives the bench a new worker, as a restart of the program would.
func (b *bench) start(server mail.Server) {
	limits := mail.Limits{Connect: 20 * time.Second, Command: 20 * time.Second, Answer: 20 * time.Second}
	transport := mail.NewSMTP(server, "letters.example", b.peer.Roots(), limits)
	b.t.Cleanup(transport.Idle)
	b.worker = outbox.New(outbox.Options{
		Store: b.db, Transport: transport, Now: func() time.Time { return b.now },
		Chance: func() float64 { return 0.5 }, Grace: time.Second,
		Log: slog.New(slog.NewTextHandler(&b.log, nil)),
		Composers: map[string]outbox.Composer{
			"test": outbox.ComposerFunc(func(_ context.Context, m outbox.Message, _ time.Time) (mail.Message, error) {
				return compose(m)
			}),
		},
	})
}

// compose writes to the address in the message's subject; some subjects are special.
func compose(m outbox.Message) (mail.Message, error) {
	switch m.Subject {
	case "gone@x.example":
		return mail.Message{}, outbox.Skip("cancelled")
	case "held@x.example":
		return mail.Message{}, outbox.ErrHeld
	case "broken@x.example":
		return mail.Message{}, errors.New("no words")
	case "panic@x.example":
		panic("no words at all")
	}
	return mail.Message{
		From: mail.Mailbox{Address: "post@letters.example"}, To: m.Subject, Subject: "Hello", Text: m.Key + " " + m.Secret,
	}, nil
}

func (b *bench) enqueue(addresses ...string) {
	b.t.Helper()
	for _, a := range addresses {
		m := outbox.Message{Key: a, Kind: "test", Subject: a, Secret: "s"}
		if err := b.db.Enqueue(context.Background(), b.now, m); err != nil {
			b.t.Fatal(err)
		}
	}
}

// drain steps until there is nothing to do, and returns how long.
func (b *bench) drain() time.Duration {
	b.t.Helper()
	for range 1000 {
		wait, err := b.worker.Step(context.Background())
		if err != nil {
			b.t.Fatal(err)
		}
		if wait > 0 {
			return wait
		}
	}
	b.t.Fatal("the worker never rests")
	return 0
}

func (b *bench) counts() map[outbox.State]int {
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

func (b *bench) want(want map[outbox.State]int) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.counts()); diff != "" {
		b.t.Error(diff)
	}
}

func TestMessagesAreDelivered(t *testing.T) {
	b := newBench(t, mailtest.Config{User: "us", Password: "right"})
	b.enqueue("a@x.example", "b@x.example", "gone@x.example")
	b.drain()
	b.want(map[outbox.State]int{outbox.Accepted: 2, outbox.Skipped: 1})
	if got := len(b.peer.Messages()); got != 2 {
		t.Errorf("%d messages, want 2", got)
	}
}

func TestNewsH23MessageIDIsStableAndNamesNobody(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	b.peer.Script("a@x.example", mailtest.Step{At: mailtest.AtEnd, Code: 451, Keep: true})
	b.enqueue("a@x.example", "b@x.example")
	b.drain()
	b.now = b.now.Add(2 * time.Minute)
	b.drain()
	first, second := b.peer.To("a@x.example"), b.peer.To("b@x.example")
	if len(first) != 2 || len(second) != 1 {
		t.Fatalf("%d and %d messages, want 2 and 1", len(first), len(second))
	}
	ids := [3]string{}
	for i, m := range append(first, second...) {
		ids[i] = m.Header(t).Get("Message-Id")
		if !strings.HasSuffix(ids[i], "@letters.example>") || len(ids[i]) != len("<@letters.example>")+32 {
			t.Errorf("id = %q", ids[i])
		}
	}
	if ids[0] != ids[1] || ids[0] == ids[2] {
		t.Errorf("ids = %q, want the first two alike", ids)
	}
}

func TestNewsH15ALostAnswerIsUnknown(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	b.peer.Script("a@x.example", mailtest.Step{At: mailtest.AtEnd, Drop: true, Keep: true})
	b.enqueue("a@x.example", "b@x.example")
	b.drain()
	b.now = b.now.Add(100 * time.Hour)
	b.drain()
	if got := len(b.peer.To("a@x.example")); got != 1 {
		t.Errorf("%d copies, want 1", got)
	}
	if got := b.counts(); got[outbox.Unknown] != 1 || got[outbox.Accepted] != 1 {
		t.Errorf("counts = %v, want one of each", got)
	}
}

func TestNewsH19AWrongPasswordHaltsTheQueue(t *testing.T) {
	b := newBench(t, mailtest.Config{User: "us", Password: "right"})
	wrong := b.peer.Server()
	wrong.Password = "canary-password"
	b.start(wrong)
	b.enqueue("a@x.example", "b@x.example")
	b.drain()
	b.now = b.now.Add(48 * time.Hour)
	b.drain()
	if got := strings.Count(b.peer.Transcript(), "AUTH PLAIN "); got != 1 {
		t.Errorf("%d sign-ins, want 1", got)
	}
	if got := b.counts()[outbox.Queued]; got != 3 { // and the note to the owner
		t.Errorf("%d queued, want 3", got)
	}
	trouble, err := b.db.Trouble(context.Background())
	if err != nil || !trouble.Halted || !strings.Contains(trouble.Sentence, "password in STEADIER_SMTP") {
		t.Errorf("trouble = %+v, %v", trouble, err)
	}
	if strings.Contains(b.log.String()+trouble.Sentence, "canary") {
		t.Errorf("the password is told: %s", b.log.String())
	}
	b.start(b.peer.Server()) // the owner corrects it and starts again
	b.drain()
	if got := len(b.peer.Messages()); got != 2 {
		t.Errorf("%d messages, want 2", got)
	}
}

func TestAnOwnerMayTryAgainAfterAHalt(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	b.peer.ScriptMail(mailtest.Refuse(mailtest.AtMail, 530, "5.7.0"))
	b.enqueue("a@x.example")
	b.drain()
	if err := b.db.SetTrouble(context.Background(), b.now, outbox.Trouble{}); err != nil {
		t.Fatal(err)
	}
	b.drain()
	if got := len(b.peer.Messages()); got != 1 {
		t.Errorf("%d messages, want 1", got)
	}
}

func TestComposersThatCannot(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	b.enqueue("broken@x.example", "panic@x.example", "held@x.example", "a@x.example\r\nBcc: b@x.example")
	for range 4 {
		if _, err := b.worker.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	counts := b.counts()
	if counts[outbox.Retry] != 2 || counts[outbox.Failed] != 1 || len(b.peer.Messages()) != 0 {
		t.Errorf("counts = %v, want two to retry and one failed", counts)
	}
	if strings.Contains(b.log.String(), "@x.example") {
		t.Errorf("the log names somebody: %s", b.log.String())
	}
}

func TestSECH28AServerThatEchoesTheAddress(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	for i, code := range []int{550, 451, 554} {
		to := fmt.Sprintf("canary%d@x.example", i)
		b.peer.Script(to, mailtest.Step{At: mailtest.AtRcpt, Code: code, Text: "<" + to + ">: no, " + to})
		b.enqueue(to)
	}
	b.drain()
	_, reason, err := b.db.OutboxState(context.Background(), "canary0@x.example")
	if err != nil || strings.Contains(b.log.String()+reason, "canary") {
		t.Errorf("the log or the row names somebody: %v %s %s", err, reason, b.log.String())
	}
	if !strings.Contains(b.log.String(), "no such mailbox") && !strings.Contains(b.log.String(), "refused") {
		t.Errorf("the log does not tell what happened: %s", b.log.String())
	}
}

func TestExpiredMessagesAreNotSent(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	m := outbox.Message{Key: "k", Kind: "test", Subject: "a@x.example", Expires: noon.Add(time.Hour)}
	if err := b.db.Enqueue(context.Background(), noon, m); err != nil {
		t.Fatal(err)
	}
	b.now = noon.Add(2 * time.Hour)
	b.drain()
	if b.counts()[outbox.Failed] != 1 || len(b.peer.Messages()) != 0 {
		t.Errorf("counts = %v", b.counts())
	}
}

func TestAMessageEndedMeanwhileLeavesNothing(t *testing.T) {
	p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	s := &fakeStore{job: outbox.Job{Message: outbox.Message{ID: "1", Kind: "test", Subject: "a@x.example"}}, gone: true}
	w := outbox.New(outbox.Options{
		Store: s, Transport: mail.NewSMTP(p.Server(), "letters.example", nil, mail.DefaultLimits()),
		Now: func() time.Time { return noon }, Chance: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
		Composers: map[string]outbox.Composer{"test": outbox.ComposerFunc(func(_ context.Context, m outbox.Message, _ time.Time) (mail.Message, error) {
			return compose(m)
		})},
	})
	if _, err := w.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(p.Messages()) != 0 || len(s.settled) != 0 {
		t.Errorf("%d messages, settled %v; want nothing", len(p.Messages()), s.settled)
	}
}

func TestAResultIsKeptUntilItCanBeWritten(t *testing.T) {
	s := &fakeStore{job: outbox.Job{Message: outbox.Message{ID: "1", Kind: "test", Subject: "a@x.example"}}, full: 3}
	sent := 0
	w := outbox.New(outbox.Options{
		Store: s, Transport: transportFunc(func() mail.Outcome { sent++; return mail.Outcome{Verdict: mail.Taken} }),
		Now: func() time.Time { return noon }, Chance: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
		Composers: map[string]outbox.Composer{"test": outbox.ComposerFunc(func(_ context.Context, m outbox.Message, _ time.Time) (mail.Message, error) {
			return compose(m)
		})},
	})
	for range 6 {
		_, _ = w.Step(context.Background()) // some fail: that is the case
	}
	if sent != 1 || fmt.Sprint(s.settled) != "[accepted]" {
		t.Errorf("sent %d, settled %v; want one of each", sent, s.settled)
	}
}

func TestRunWakesAndStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeStore{none: true}
		sent := 0
		wake := make(chan struct{}, 1)
		w := outbox.New(outbox.Options{
			Store: s, Transport: transportFunc(func() mail.Outcome { sent++; return mail.Outcome{Verdict: mail.Taken} }),
			Wake: wake, Now: time.Now, Chance: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
			Composers: map[string]outbox.Composer{"test": outbox.ComposerFunc(func(_ context.Context, m outbox.Message, _ time.Time) (mail.Message, error) {
				return compose(m)
			})},
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { w.Run(ctx); close(done) }()
		synctest.Wait()
		s.job = outbox.Job{Message: outbox.Message{ID: "1", Kind: "test", Subject: "a@x.example"}}
		s.none = false
		wake <- struct{}{}
		synctest.Wait()
		if sent != 1 {
			t.Errorf("sent %d after a wake-up, want 1", sent)
		}
		cancel()
		<-done
	})
}
