package newsletter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
)

// next sends another letter.
func (b *bench) next(slug string) {
	b.t.Helper()
	i := issue()
	i.Slug = slug
	b.start(i)
	b.drain()
}

func TestNewsH15ALostAnswerIsNoReasonToStop(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(1)
	b.peer.Script(readers[0], mailtest.Step{At: mailtest.AtEnd, Drop: true, Keep: true})
	b.start(issue())
	b.drain()
	b.wantProgress(newsletter.Progress{State: newsletter.Sending, Filled: true, Unknown: 1})
	b.next("second")
	if got := len(b.peer.To(readers[0])); got != 2 {
		t.Errorf("%d letters, want both, once each", got)
	}
}

func TestNewsH17GivenUpIsNoReasonToStop(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(2)
	no := mailtest.Refuse(mailtest.AtRcpt, 451, "4.7.1")
	b.peer.Script(readers[0], no, no, no, no, no, no, no, no)
	b.start(issue())
	b.drain()
	if got := len(b.peer.To(readers[1])); got != 1 {
		t.Errorf("%d letters to the other after the first refusal, want no delay", got)
	}
	for range 8 {
		b.now = b.now.Add(30 * time.Hour)
		b.drain()
	}
	b.wantProgress(newsletter.Progress{State: newsletter.Sent, Filled: true, Accepted: 1, Failed: 1})
	b.next("second")
	if got := len(b.peer.To(readers[0])); got != 1 {
		t.Errorf("%d letters, want the second", got)
	}
}

func TestNewsH28LinksOfTheTextStandAlone(t *testing.T) {
	_, letter, _ := mails(t)
	var alone []string
	for line := range strings.Lines(bodies(t, letter)[0]) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.Contains(line, "://") {
			continue
		}
		if strings.ContainsAny(line, " <>()[]") {
			t.Errorf("more than the address: %q", line)
		}
		alone = append(alone, strings.Split(line, "/newsletter/")[1])
	}
	if len(alone) != 3 || alone[0] != issue().Slug || !strings.HasPrefix(alone[1], "unsubscribe/") || !strings.HasPrefix(alone[2], "preferences/") {
		t.Errorf("addresses: %v", alone)
	}
	if strings.Contains(bodies(t, letter)[1], "<img") {
		t.Error("the letter has a picture")
	}
}

func TestNewsH34PausedAndSuppressedStayAsTheyAre(t *testing.T) {
	b := newBench(t)
	ctx := context.Background()
	b.subscribe("paused@x.example", "bounced@x.example", "active@x.example")
	b.peer.Script("bounced@x.example", mailtest.Refuse(mailtest.AtRcpt, 550, "5.1.1"))
	b.start(issue())
	b.drain()
	who, err := b.service.Preferences(ctx, b.now, b.token("paused@x.example", "preferences"))
	b.must(err)
	b.must(b.service.Choose(ctx, b.now, who, newsletter.Settings{PausedUntil: b.now.AddDate(0, 1, 0)}))
	file, err := newsletter.ReadImport(strings.NewReader("email,consent_given,consent_wording\n" +
		"paused@x.example,2026-01-01T00:00:00Z,ours-1\nbounced@x.example,2026-01-01T00:00:00Z,ours-1\n"))
	b.must(err)
	got, err := b.db.ImportSubscribers(ctx, b.now, file.Rows, true)
	if diff := cmp.Diff(newsletter.Imported{Kept: 2}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	before := len(b.letters())
	b.next("second")
	if got := recipients(b.letters()[before:]); !cmp.Equal(got, map[string]int{"active@x.example": 1}) {
		t.Errorf("letters = %v, want none to those two", got)
	}
}

func TestNewsH38AnOwnSignUpEndsTheForgetting(t *testing.T) {
	b := newBench(t)
	ctx := context.Background()
	b.subscribe("a@x.example")
	b.start(issue())
	b.drain()
	b.erase("a@x.example")
	file, err := newsletter.ReadImport(strings.NewReader("email\na@x.example\n"))
	b.must(err)
	imported := func() newsletter.Imported {
		t.Helper()
		got, err := b.db.ImportSubscribers(ctx, b.now, file.Rows, false)
		b.must(err)
		return got
	}
	if got := imported(); got != (newsletter.Imported{Forgotten: 1}) {
		t.Errorf("after erasing: %+v", got)
	}
	b.now = b.now.Add(newsletter.AddressPause)
	b.subscribe("a@x.example")
	if got := imported(); got != (newsletter.Imported{Kept: 1}) {
		t.Errorf("after her own sign-up: %+v", got)
	}
}

func TestNewsH36OneMailInFifteenMinutes(t *testing.T) {
	b := newBench(t)
	asked := noon
	for _, step := range []struct {
		after time.Duration
		mails int
	}{{0, 1}, {time.Minute, 1}, {15*time.Minute - time.Second, 1}, {15 * time.Minute, 2}, {29 * time.Minute, 2}, {30 * time.Minute, 3}, {24*time.Hour - time.Second, 3}, {24*time.Hour + 30*time.Minute, 4}} {
		b.now = asked.Add(step.after)
		b.ask("a@x.example")
		b.drain()
		if got := len(b.peer.To("a@x.example")); got != step.mails {
			t.Errorf("after %v: %d mails, want %d", step.after, got, step.mails)
		}
	}
}
