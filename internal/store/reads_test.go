package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

func TestReadsAreCountedByDayAndWeek(t *testing.T) {
	db, ctx := storetest.Open(t), context.Background()
	today := time.Date(2026, 12, 1, 23, 30, 0, 0, time.FixedZone("", 3600)) // 22:30 UTC
	add := func(at time.Time, slug string, n int64) {
		t.Helper()
		if err := db.AddReads(ctx, at, map[string]int64{slug: n}); err != nil {
			t.Fatal(err)
		}
	}
	add(today.AddDate(-2, 0, 0), "one", 100)
	add(today.AddDate(0, 0, -8), "one", 4)
	add(today.AddDate(0, 0, -6), "one", 2)
	add(today, "one", 3)
	add(today, "one", 1)
	add(today, "two", 7)
	got, err := db.ReadsByWeek(ctx, today, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Reads{{Slug: "one", Week: 0, N: 6}, {Slug: "one", Week: 1, N: 4}, {Slug: "two", Week: 0, N: 7}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
