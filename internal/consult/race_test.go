package consult_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
)

// rush lets n clients post at one time and returns what became of each.
func rush(n int, post func(i int) error) []error {
	var (
		wg    sync.WaitGroup
		start = make(chan struct{})
		out   = make([]error, n)
	)
	for i := range n {
		wg.Go(func() {
			<-start
			out[i] = post(i)
		})
	}
	close(start)
	wg.Wait()
	return out
}

func TestOneOfManyGetsTheTime(t *testing.T) {
	w := newWorld(t, "Europe/London", "2026-06-05T12:00:00Z", weekdays(hours(9, 19), time.Monday))
	clients, rounds := 200, 20
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		start := timeOf(t, "2026-06-08T08:00:00Z").Add(time.Duration(round) * 30 * time.Minute)
		won := 0
		for _, err := range rush(clients, func(i int) error {
			q := request(consult.FormatSlot(start))
			q.Name = fmt.Sprint("client ", i)
			_, err := w.service.Book(context.Background(), w.now, consult.Key{ID: fmt.Sprint(round, "rush", i), Issued: w.now}, q)
			return err
		}) {
			if err == nil {
				won++
				continue
			}
			wantKind(t, err, fault.Taken)
			if got := nearestOf(t, err); round < 17 && len(got) != 3 {
				t.Errorf("booking-H22: near times %v", got)
			}
		}
		coming, err := w.service.Coming(context.Background(), w.now, 28)
		if err != nil || won != 1 || len(coming) != round+1 {
			t.Fatalf("booking-H22, REL-R1 round %d: %d won, %d calls, error %v", round, won, len(coming), err)
		}
	}
	if got := kinds(w.deliver(w.now)); len(got) != rounds {
		t.Errorf("booking-H22: %d messages, want %d", len(got), rounds)
	}
}

func TestTheSameFormSideBySideHasOneEffect(t *testing.T) {
	w := mondays(t)
	var mu sync.Mutex
	tokens := map[string]bool{}
	for _, err := range rush(20, func(int) error {
		b, err := w.service.Book(context.Background(), w.now, consult.Key{ID: "one", Issued: w.now}, withEmail("2026-06-08T09:00:00Z"))
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			tokens[b.Contact.Token] = true
		}
		return err
	}) {
		if err != nil {
			t.Errorf("booking-H23: %v", err)
		}
	}
	if len(tokens) != 1 {
		t.Errorf("booking-H23: %d addresses, want 1", len(tokens))
	}
	if got := kinds(w.deliver(w.now)); len(got) != 2 {
		t.Errorf("booking-H23: messages %v, want one of each kind", got)
	}
}

func noMessages(consult.Booking) []outbox.Message { return nil }

// Calls that overlap without sharing a start are kept apart too, whatever the code
// above the database thinks: here the rules always say yes.
func TestTheDatabaseJudgesLast(t *testing.T) {
	w := mondays(t)
	base := timeOf(t, "2026-06-08T09:00:00Z")
	yes := func(consult.Diary) error { return nil }
	draft := func(i int, start time.Time) consult.Draft {
		id := fmt.Sprint("judge", i)
		return consult.Draft{
			Key: id, Gap: 10 * time.Minute, Allow: yes, From: base, To: base,
			Booking: consult.Booking{
				ID: id, UID: id, Start: start, End: start.Add(15 * time.Minute), Status: consult.Confirmed, Created: w.now,
				Contact: &consult.Contact{Name: id, Token: id, Code: id},
			},
			Ends: consult.Ends{Contact: start, Page: start, Row: start},
		}
	}
	errs := rush(20, func(i int) error {
		_, err := w.db.BookCall(context.Background(), w.now, draft(i, base.Add(time.Duration(i)*time.Minute)))
		return err
	})
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		}
	}
	if won != 1 {
		t.Fatalf("booking-H22: %d of 20 overlapping calls were written", won)
	}
	for _, c := range []struct {
		after time.Duration
		ok    bool
	}{{44 * time.Minute, true}, {-44 * time.Minute, true}} {
		_, err := w.db.BookCall(context.Background(), w.now, draft(100+int(c.after), base.Add(c.after)))
		if (err == nil) != c.ok {
			t.Errorf("a call %s away: error %v", c.after, err)
		}
	}
	calls, err := w.db.ComingCalls(context.Background(), w.now, base.AddDate(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	moved, err := w.db.MoveCall(context.Background(), w.now, consult.Move{
		ID: calls[1].ID, Key: "move", Start: calls[1].Start.Add(5 * time.Minute), End: calls[1].End.Add(5 * time.Minute),
		Allow: yes, From: base, To: base, Messages: noMessages, Ends: consult.Ends{Contact: base, Page: base, Row: base},
	})
	if err != nil || moved.Sequence != 1 {
		t.Errorf("a call moved onto a time that overlaps itself: %v", err)
	}
}

func TestTimesAreTheSameInEveryProcessZone(t *testing.T) {
	w := newWorld(t, "Australia/Sydney", "2025-10-20T00:00:00Z", weekdays(hours(9, 10), time.Thursday, time.Friday, time.Monday))
	want := w.offered(consult.Ask{Zone: "Australia/Sydney"})
	for _, zone := range []string{"Australia/Sydney", "America/Los_Angeles"} {
		w.now = w.now.In(zoneOf(t, zone))
		got := w.offered(consult.Ask{Zone: "Australia/Sydney"})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("booking-H16 in %s: %v, want %v", zone, got, want)
		}
	}
}
