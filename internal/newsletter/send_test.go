package newsletter_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
)

func recipients(messages []mailtest.Message) map[string]int {
	out := map[string]int{}
	for _, m := range messages {
		out[m.To]++
	}
	return out
}

func (b *bench) wantProgress(want newsletter.Progress) {
	b.t.Helper()
	got := b.progress()
	want.ID, want.Slug, want.Hash, want.Started, want.Finished = got.ID, got.Slug, got.Hash, got.Started, got.Finished
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Error(diff)
	}
}

func TestNewsH12PauseAndResume(t *testing.T) {
	b := newBench(t)
	b.crowd(200)
	b.start(issue())
	b.start(issue()) // started twice is started once
	b.step(70)
	b.must(b.db.PauseIssue(context.Background(), issue().Slug))
	b.drain()
	b.wantProgress(newsletter.Progress{State: newsletter.Paused, Filled: true, Accepted: 70, Waiting: 130})
	b.restart()
	b.drain()
	b.must(b.db.ResumeIssue(context.Background(), b.now, issue().Slug))
	b.drain()
	got := recipients(b.letters())
	if len(b.letters()) != 200 || len(got) != 200 {
		t.Errorf("%d letters to %d readers, want 200 to 200", len(b.letters()), len(got))
	}
	b.wantProgress(newsletter.Progress{State: newsletter.Sent, Filled: true, Accepted: 200})
}

func TestNewsH14DoneOnlyWhenDone(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(6)
	b.peer.Script(readers[0], mailtest.Refuse(mailtest.AtRcpt, 451, "4.7.1"))
	b.peer.Script(readers[1], mailtest.Refuse(mailtest.AtRcpt, 550, "5.1.1"))
	b.peer.Script(readers[2], mailtest.Step{At: mailtest.AtEnd, Drop: true, Keep: true})
	b.start(issue())
	b.drain()
	b.wantProgress(newsletter.Progress{State: newsletter.Sending, Filled: true, Accepted: 3, Waiting: 1, Later: 1, Failed: 1, Unknown: 1})
	b.now = b.now.Add(2 * time.Minute)
	b.drain()
	b.wantProgress(newsletter.Progress{State: newsletter.Sending, Filled: true, Accepted: 4, Failed: 1, Unknown: 1})
	if n, err := b.db.ResolveUnknown(context.Background(), b.now, issue().Slug, false); n != 1 || err != nil {
		t.Errorf("resolved %d, %v; want 1", n, err)
	}
	b.wantProgress(newsletter.Progress{State: newsletter.Sent, Filled: true, Accepted: 5, Failed: 1})
}

func TestNewsH15TheOwnerMaySendAgain(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(1)
	b.peer.Script(readers[0], mailtest.Step{At: mailtest.AtEnd, Drop: true, Keep: true})
	b.start(issue())
	b.drain()
	if _, err := b.db.ResolveUnknown(context.Background(), b.now, issue().Slug, true); err != nil {
		t.Fatal(err)
	}
	b.drain()
	got := b.peer.To(readers[0])
	if len(got) != 2 || got[0].Header(t).Get("Message-Id") != got[1].Header(t).Get("Message-Id") {
		t.Errorf("%d copies, want 2 with one Message-ID", len(got))
	}
	b.wantProgress(newsletter.Progress{State: newsletter.Sent, Filled: true, Accepted: 1})
}

func TestNewsH16AHardBounceIsForGood(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(2)
	b.peer.Script(readers[0], mailtest.Refuse(mailtest.AtRcpt, 550, "5.1.1"))
	b.start(issue())
	b.drain()
	second := issue()
	second.Slug = "second"
	b.start(second)
	b.now = b.now.Add(48 * time.Hour)
	b.drain()
	if got := b.peer.Tried(readers[0]); got != 1 {
		t.Errorf("tried %d times, want once", got)
	}
	if got := b.peer.Tried(readers[1]); got != 2 {
		t.Errorf("the other was tried %d times, want twice", got)
	}
}

func TestThreeSoftBouncesInARow(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(1)
	full := mailtest.Refuse(mailtest.AtRcpt, 452, "5.2.2")
	full.Code = 552
	b.peer.Script(readers[0], full, full, mailtest.Step{}, full, full, full)
	for _, slug := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		i := issue()
		i.Slug = slug
		b.start(i)
		b.drain()
		b.now = b.now.Add(24 * time.Hour)
	}
	if got := b.peer.Tried(readers[0]); got != 6 {
		t.Errorf("tried %d times, want 6: two, one that worked, three in a row", got)
	}
}

func TestRefusalsHoldAnIssue(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(20)
	for _, r := range readers {
		b.peer.Script(r, mailtest.Refuse(mailtest.AtEnd, 554, "5.7.1"))
	}
	b.start(issue())
	b.drain()
	b.wantProgress(newsletter.Progress{State: newsletter.OnHold, Filled: true, Failed: 5, Waiting: 15})
	if got := len(b.peer.To("owner@site.example")); got != 1 {
		t.Errorf("the owner was told %d times, want once", got)
	}
	b.must(b.db.ResumeIssue(context.Background(), b.now, issue().Slug))
	b.step(1)
	b.wantProgress(newsletter.Progress{State: newsletter.Sending, Filled: true, Failed: 6, Waiting: 14})
}

func TestNewsH21LeftWhileTheIssueIsGoingOut(t *testing.T) {
	b := newBench(t)
	b.subscribe("leaves@x.example", "pauses@x.example", "erases@x.example", "stays@x.example")
	first := issue()
	first.Slug = "first"
	b.start(first)
	b.drain()
	who, err := b.service.Preferences(context.Background(), b.now, b.token("pauses@x.example", "preferences"))
	b.must(err)
	eraser, err := b.service.Preferences(context.Background(), b.now, b.token("erases@x.example", "preferences"))
	b.must(err)
	leave := b.token("leaves@x.example", "unsubscribe")
	b.must(b.service.AskFresh(context.Background(), b.now, eraser))
	b.drain()
	b.start(issue())
	b.must(b.service.Leave(context.Background(), b.now, leave))
	b.must(b.service.Choose(context.Background(), b.now, who, newsletter.Settings{PausedUntil: b.now.Add(time.Hour)}))
	b.must(b.service.Erase(context.Background(), b.now, b.token("erases@x.example", "preferences")))
	before := len(b.letters())
	b.drain()
	if got := recipients(b.letters()[before:]); len(got) != 1 || got["stays@x.example"] != 1 {
		t.Errorf("letters = %v, want one", got)
	}
	b.wantProgress(newsletter.Progress{State: newsletter.Sent, Filled: true, Accepted: 1, Skipped: 3})
}

func TestNewsH18ConfirmationsGoBeforeTheIssue(t *testing.T) {
	b := newBench(t)
	b.crowd(3)
	no := mailtest.Refuse(mailtest.AtMail, 451, "4.3.2")
	b.peer.ScriptMail(no)
	b.start(issue())
	b.drain()
	b.ask("new@x.example")
	b.now = b.now.Add(10 * time.Minute)
	b.drain()
	if got := b.peer.Messages(); got[0].To != "new@x.example" || len(b.letters()) != 3 {
		t.Errorf("first to %s, %d letters; want the confirmation first", got[0].To, len(b.letters()))
	}
}

func TestFrozenWords(t *testing.T) {
	b := newBench(t)
	b.crowd(2)
	b.start(issue())
	b.step(1)
	edited := issue()
	edited.Text = "Other words."
	b.start(edited)
	b.drain()
	for _, m := range b.letters() {
		if !strings.Contains(bodies(t, m)[0], "A trauma is told of here.") {
			t.Error("the words of a letter changed on the way")
		}
	}
	notices, err := b.db.Notices(context.Background(), b.now.Add(-time.Hour))
	b.must(err)
	if len(notices) == 0 || notices[len(notices)-1].Kind != outbox.NoticeEdited && notices[0].Kind != outbox.NoticeEdited {
		t.Errorf("notices = %+v, want that it was edited", notices)
	}
}

func TestATestCopyGoesToOneAddress(t *testing.T) {
	b := newBench(t)
	b.crowd(2)
	b.must(b.db.Enqueue(context.Background(), b.now, outbox.Message{
		Key: "copy", Kind: newsletter.KindCopy, Subject: issue().Slug, Secret: "owner@site.example",
	}))
	b.drain()
	if got := recipients(b.letters()); len(got) != 1 || got["owner@site.example"] != 1 {
		t.Errorf("letters = %v, want one", got)
	}
}

func TestOldRowsAreForgottenAndCountsStay(t *testing.T) {
	b := newBench(t)
	readers := b.crowd(3)
	b.peer.Script(readers[0], mailtest.Refuse(mailtest.AtRcpt, 550, "5.1.1"))
	b.start(issue())
	b.drain()
	want := newsletter.Progress{State: newsletter.Sent, Filled: true, Accepted: 2, Failed: 1}
	for range 3 {
		b.now = b.now.AddDate(0, 0, 91)
		b.must(b.db.SweepNewsletter(context.Background(), b.now))
		b.wantProgress(want)
	}
	counts, err := b.db.CountOutbox(context.Background(), b.progress().ID)
	b.must(err)
	if len(counts) != 0 {
		t.Errorf("rows left: %v", counts)
	}
}

func TestNewsH14StoppedInTheMiddle(t *testing.T) {
	b := newBench(t)
	b.crowd(60)
	b.start(issue())
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); b.worker.Run(ctx) }()
	for len(b.peer.Messages()) < 20 {
		runtime.Gosched()
	}
	stop()
	<-ended
	p := b.progress()
	if p.State != newsletter.Sending || p.Total() != 60 || p.Accepted != len(b.letters()) || p.Unknown != 0 || p.Waiting == 0 {
		t.Errorf("progress = %+v with %d letters, want it stopped in the middle", p, len(b.letters()))
	}
	counts, err := b.db.CountOutbox(context.Background(), p.ID)
	b.must(err)
	for _, c := range counts {
		if c.State == outbox.Claimed || c.State == outbox.InData {
			t.Errorf("%d rows are left as %s", c.Rows, c.State)
		}
	}
	b.restart()
	b.drain()
	if got := recipients(b.letters()); len(got) != 60 || len(b.letters()) != 60 {
		t.Errorf("%d letters to %d readers, want 60 to 60", len(b.letters()), len(got))
	}
}

func TestAnInterruptedStartIsCompleted(t *testing.T) {
	b := newBench(t)
	b.crowd(3)
	b.must(b.db.StartIssue(context.Background(), b.now, issue()))
	b.drain()
	b.wantProgress(newsletter.Progress{State: newsletter.Sending})
	open, err := b.db.UnfilledIssues(context.Background())
	if b.must(err); !slices.Equal(open, []string{issue().Slug}) {
		t.Fatalf("unfilled issues: %q", open)
	}
	b.start(issue())
	b.drain()
	b.wantProgress(newsletter.Progress{State: newsletter.Sent, Filled: true, Accepted: 3})
}
