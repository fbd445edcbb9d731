package consult_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store/storetest"
)

func TestErasingAPersonLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	w := mondays(t)
	w.db = storetest.OpenAt(t, dir, seal.NewRing())
	w.service = w.newService(consult.DefaultBudget())
	q := withEmail("2026-06-08T09:00:00Z")
	q.Call, q.Phone, q.Name = "me", "020 7946 0018", "canary"
	b := w.book(q)
	other := w.book(request("2026-06-08T09:30:00Z"))
	for _, typed := range []string{"", "nobody", "12"} {
		if _, err := consult.ReadPerson(typed, "GB"); err == nil {
			t.Errorf("%q was read as a person", typed)
		}
	}
	erase := func(typed string) consult.Erased {
		t.Helper()
		person, err := consult.ReadPerson(typed, "GB")
		if err != nil {
			t.Fatal(err)
		}
		done, err := w.db.EraseCalls(context.Background(), w.now, person)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	for _, c := range []struct {
		typed string
		want  consult.Erased
	}{
		{"bo@example.org", consult.Erased{}},
		{" ANA+call@example.ORG", consult.Erased{Contacts: 1, Cancelled: 1, Addresses: []string{"ana+call@example.org"}}},
		{"+44 20 7946 0018", consult.Erased{}},
	} {
		if diff := cmp.Diff(c.want, erase(c.typed)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.typed, diff)
		}
	}
	_, err := w.page(b, w.now)
	wantKind(t, err, fault.NotFound)
	if _, err := w.page(other, w.now); err != nil {
		t.Errorf("somebody else’s page: %v", err)
	}
	all := w.deliver(w.now)
	if diff := cmp.Diff([]string{consult.KindOwnerBooked, consult.KindOwnerCancelled}, kinds(all)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if got := strings.Join(w.offered(consult.Ask{}), " "); !strings.Contains(got, "2026-06-08T09:00:00Z") {
		t.Errorf("the time is not free again: %s", got)
	}
	for _, word := range []string{"canary", "ana+call", "7946"} {
		if file := fileWith(t, dir, word); file != "" {
			t.Errorf("%q is readable in %s", word, file)
		}
	}
}
