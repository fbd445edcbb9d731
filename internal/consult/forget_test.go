package consult_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store/storetest"
)

func (w *world) forget(now time.Time) int {
	w.Helper()
	n, err := w.db.EraseDueCalls(context.Background(), now)
	if err != nil {
		w.Fatal(err)
	}
	return n
}

func (w *world) page(b consult.Booking, now time.Time) (consult.Booking, error) {
	return w.service.ByToken(context.Background(), now, b.Contact.Token)
}

func TestContactGoesSevenDaysAfterTheCall(t *testing.T) {
	w := mondays(t)
	b := w.book(withEmail("2026-06-08T09:00:00Z"))
	last := b.End.Add(7*24*time.Hour - time.Second)
	if n := w.forget(last); n != 0 {
		t.Errorf("%d erased too early", n)
	}
	if _, err := w.page(b, last); err != nil {
		t.Errorf("the page is gone too early: %v", err)
	}
	end := last.Add(time.Second)
	_, before := w.page(b, end)
	wantKind(t, before, fault.NotFound)
	if n := w.forget(end); n != 1 {
		t.Errorf("%d erased, want 1", n)
	}
	_, after := w.page(b, end)
	wantKind(t, after, fault.NotFound)
	_, err := w.service.Find(context.Background(), end, b.Contact.Code, b.Contact.Name)
	wantKind(t, err, fault.NotFound)
	if row, err := w.db.Call(context.Background(), b.ID); err != nil || row.Contact != nil {
		t.Errorf("the times stay without a person: %+v, error %v", row, err)
	}
	w.forget(b.End.Add(30 * 24 * time.Hour))
	_, err = w.db.Call(context.Background(), b.ID)
	wantKind(t, err, fault.NotFound)
}

func TestContactGoesOnTheVisitorsCancel(t *testing.T) {
	cancel := func(w *world, b consult.Booking, by consult.Who) {
		w.Helper()
		if _, err := w.service.Cancel(context.Background(), w.now, b, by); err != nil {
			w.Fatal(err)
		}
	}
	contact := func(w *world, b consult.Booking) *consult.Contact {
		w.Helper()
		row, err := w.db.Call(context.Background(), b.ID)
		if err != nil {
			w.Fatal(err)
		}
		return row.Contact
	}
	t.Run("at once without an address", func(t *testing.T) {
		w := mondays(t)
		b := w.book(request("2026-06-08T09:00:00Z"))
		cancel(w, b, consult.ByVisitor)
		if contact(w, b) != nil {
			t.Error("the contact is still there")
		}
		if page, err := w.page(b, w.now); err != nil || page.Status != consult.Cancelled {
			t.Errorf("the page must still say that it is cancelled: %+v, error %v", page, err)
		}
	})
	t.Run("once the mail is out", func(t *testing.T) {
		w := mondays(t)
		b := w.book(withEmail("2026-06-08T09:00:00Z"))
		cancel(w, b, consult.ByVisitor)
		if w.forget(w.now); contact(w, b) == nil {
			t.Error("the contact is gone before the mail")
		}
		w.deliver(w.now)
		if w.forget(w.now); contact(w, b) != nil {
			t.Error("the contact is still there after the mail")
		}
	})
	t.Run("after a day if the mail can’t go", func(t *testing.T) {
		w := mondays(t)
		b := w.book(withEmail("2026-06-08T09:00:00Z"))
		cancel(w, b, consult.ByVisitor)
		if w.forget(w.now.Add(24 * time.Hour)); contact(w, b) != nil {
			t.Error("the contact is still there after a day")
		}
	})
	t.Run("at the time of the call when the practice cancels", func(t *testing.T) {
		w := mondays(t)
		b := w.book(request("2026-06-08T09:00:00Z"))
		cancel(w, b, consult.ByOwner)
		if w.forget(b.Start.Add(-time.Second)); contact(w, b) == nil {
			t.Error("the contact is gone too early")
		}
		if w.forget(b.Start); contact(w, b) != nil {
			t.Error("the contact is still there")
		}
	})
}

func TestNothingOfAPersonIsReadableOnDisk(t *testing.T) {
	dir := t.TempDir()
	w := mondays(t)
	w.db = storetest.OpenAt(t, dir, seal.NewRing())
	w.service = w.newService(consult.DefaultBudget())
	q := withEmail("2026-06-08T09:00:00Z")
	q.Name, q.Call, q.Phone, q.Caller, q.StopWord = "canary-name", "me", "020 7946 0018", "canary-caller", "canary-word"
	q.Email = "canary-mail@example.org"
	b := w.book(q)
	w.deliver(w.now)
	for _, word := range []string{"canary", "7946", b.Contact.Token, b.Contact.Code} {
		if file := fileWith(t, dir, word); file != "" {
			t.Errorf("%q is readable in %s", word, file)
		}
	}
}

// fileWith returns the first file below dir that holds text.
func fileWith(t *testing.T, dir, text string) string {
	t.Helper()
	found := ""
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			found = filepath.Base(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
