package outbox_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/outbox"
)

func TestNewsH17TemporaryRefusalsAreRetried(t *testing.T) {
	for name, at := range map[string]mailtest.At{"at RCPT": mailtest.AtRcpt, "at the end": mailtest.AtEnd} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, mailtest.Config{Security: mail.Clear})
			no := mailtest.Refuse(at, 451, "4.7.1")
			b.peer.Script("a@x.example", no, no)
			b.enqueue("a@x.example", "b@x.example")
			for _, step := range []struct {
				later time.Duration
				tried int
			}{{0, 1}, {59 * time.Second, 1}, {time.Second, 2}, {299 * time.Second, 2}, {time.Second, 3}, {time.Hour, 3}} {
				b.now = b.now.Add(step.later)
				b.drain()
				if got := b.peer.Tried("a@x.example"); got != step.tried {
					t.Errorf("after another %v: tried %d times, want %d", step.later, got, step.tried)
				}
			}
			b.want(map[outbox.State]int{outbox.Accepted: 2})
		})
	}
}

func TestRetriesEnd(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	no := mailtest.Refuse(mailtest.AtRcpt, 451, "4.7.1")
	b.peer.Script("a@x.example", no, no, no, no, no, no, no, no, no, no)
	b.enqueue("a@x.example")
	for range 12 {
		b.now = b.now.Add(30 * time.Hour)
		b.drain()
	}
	if got := b.peer.Tried("a@x.example"); got != 8 {
		t.Errorf("tried %d times, want 8", got)
	}
	if got := b.counts()[outbox.Failed]; got < 1 {
		t.Errorf("%d failed, want 1", got)
	}
}

func TestRetrySchedule(t *testing.T) {
	want := []time.Duration{time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour, 24 * time.Hour}
	for i, base := range want {
		for _, chance := range []float64{0, 0.5, 1} {
			got, ok := outbox.RetryAfter(i+1, chance)
			if !ok || got < base*8/10-1 || got > base*12/10+1 {
				t.Errorf("attempt %d: %v, want %v ± 20 %%", i+1, got, base)
			}
		}
	}
	if _, ok := outbox.RetryAfter(len(want)+1, 0); ok {
		t.Error("there is an attempt after the last")
	}
}

func TestNewsH18AServerThatIsAwayIsProbed(t *testing.T) {
	b := newBench(t, mailtest.Config{Security: mail.Clear})
	no := mailtest.Refuse(mailtest.AtMail, 451, "4.3.2")
	b.peer.ScriptMail(no, no, no, no)
	b.enqueue("a@x.example", "b@x.example", "c@x.example")
	var waits []time.Duration
	for range 4 {
		wait := b.drain()
		waits = append(waits, wait)
		if trouble, err := b.db.Trouble(context.Background()); err != nil || trouble.Sentence == "" || !trouble.Next.Equal(b.now.Add(wait)) {
			t.Errorf("trouble = %+v, %v", trouble, err)
		}
		b.now = b.now.Add(wait)
	}
	if diff := cmp.Diff([]time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute}, waits); diff != "" {
		t.Error(diff)
	}
	if got := strings.Count(b.peer.Transcript(), "MAIL FROM"); got != 4 {
		t.Errorf("%d probes, want 4: one a step", got)
	}
	b.want(map[outbox.State]int{outbox.Queued: 3})
	b.drain()
	b.want(map[outbox.State]int{outbox.Accepted: 3})
	if trouble, err := b.db.Trouble(context.Background()); err != nil || trouble != (outbox.Trouble{}) {
		t.Errorf("trouble = %+v, %v; want none", trouble, err)
	}
}
