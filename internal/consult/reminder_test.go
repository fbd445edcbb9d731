package consult_test

import (
	"context"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/outbox"
)

func TestReminderOfACancelledCallEndsAsSkipped(t *testing.T) {
	w := mondays(t)
	b := w.book(withEmail("2026-06-08T09:00:00Z"))
	w.deliver(w.now)
	row := func() (outbox.State, string) {
		t.Helper()
		state, reason, err := w.db.OutboxState(context.Background(), consult.KindReminder+":"+b.ID+":0")
		if err != nil {
			t.Fatal(err)
		}
		return state, reason
	}
	if state, _ := row(); state != outbox.Queued {
		t.Fatalf("the reminder is %s before", state)
	}
	if _, err := w.service.Cancel(context.Background(), timeOf(t, "2026-06-07T08:59:59Z"), b, consult.ByVisitor); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.deliver(timeOf(t, "2026-06-07T09:00:00Z")) {
		if s.kind == consult.KindReminder {
			t.Errorf("booking-H29: %+v", s)
		}
	}
	if state, reason := row(); state != outbox.Skipped || reason != "cancelled" {
		t.Errorf("booking-H29: the row is %s, reason %q", state, reason)
	}
}

func TestAMessageIsNotSentOnceTheCallWasMoved(t *testing.T) {
	w := mondays(t)
	b := w.book(withEmail("2026-06-08T09:00:00Z"))
	job, found, err := w.db.ClaimOutbox(context.Background(), w.now, time.Minute)
	if err != nil || !found || job.Kind != consult.KindConfirmed {
		t.Fatalf("claimed %+v, found %v, error %v", job, found, err)
	}
	if _, err := w.service.Move(context.Background(), w.now, w.key(), b, "2026-06-08T09:30:00Z", ""); err != nil {
		t.Fatal(err)
	}
	_, err = w.mails().Compose(context.Background(), job.Message, w.now)
	if reason, skip := outbox.Skipping(err); !skip || reason != "moved" {
		t.Errorf("R18: moved after the claim: %v", err)
	}
	if got := kinds(w.deliver(w.now)); len(got) != 2 || got[0] != consult.KindMoved || got[1] != consult.KindOwnerMoved {
		t.Errorf("R18: messages %v, want those of the move alone", got)
	}
}
