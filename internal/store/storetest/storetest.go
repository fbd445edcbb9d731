// Package storetest opens real databases for tests.
package storetest

import (
	"context"
	"log/slog"
	"testing"

	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

// Open returns a fresh database in a folder of its own, sealed by fresh keys and
// closed when the test ends.
func Open(t testing.TB) *store.DB {
	t.Helper()
	return OpenAt(t, t.TempDir(), seal.NewRing())
}

// OpenAt opens the database in dir, for tests that look at the files or start again.
func OpenAt(t testing.TB, dir string, ring *seal.Ring) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), dir, ring, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
