package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

var ctx = context.Background()

func openAt(t testing.TB, dir string, ring *seal.Ring) *DB {
	t.Helper()
	db, err := Open(ctx, dir, ring, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func put(name string) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO meta (name, value) VALUES (?, x'00')`, name)
		return err
	}
}

func has(t *testing.T, db *DB, name string) bool {
	t.Helper()
	var n int
	if err := db.read.QueryRow(`SELECT count(*) FROM meta WHERE name = ?`, name).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n == 1
}

func TestAFailedTransactionLeavesNothing(t *testing.T) {
	db := openAt(t, t.TempDir(), seal.NewRing())
	want := errors.New("no")
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := put("half")(ctx, tx); err != nil {
			return err
		}
		return want
	})
	if !errors.Is(err, want) || has(t, db, "half") {
		t.Errorf("write = %v, row kept: %v; want the error back and no row", err, has(t, db, "half"))
	}
}

func TestAPanicInATransactionFreesTheWriter(t *testing.T) {
	db := openAt(t, t.TempDir(), seal.NewRing())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = db.write(ctx, func(context.Context, *sql.Tx) error { panic("defect") })
	}()
	if err := db.write(ctx, put("after")); err != nil || !has(t, db, "after") {
		t.Errorf("the next write = %v", err)
	}
}

// SEC-H26: a client that hangs up must not cut a write in half.
func TestSECH26ACancelledCallerGetsAWholeWrite(t *testing.T) {
	db := openAt(t, t.TempDir(), seal.NewRing())
	gone, cancel := context.WithCancel(ctx)
	err := db.write(gone, func(ctx context.Context, tx *sql.Tx) error {
		if err := put("first")(ctx, tx); err != nil {
			return err
		}
		cancel()
		return put("second")(ctx, tx)
	})
	if err != nil || !has(t, db, "first") || !has(t, db, "second") {
		t.Errorf("write = %v; want both rows", err)
	}
}

func TestWritersQueueAndReadersCannotWrite(t *testing.T) {
	db := openAt(t, t.TempDir(), seal.NewRing())
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			if err := db.write(ctx, put(strings.Repeat("x", i+1))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := db.read.Exec(`DELETE FROM meta`); err == nil {
		t.Error("the reading pool could write")
	}
}

func TestAFullDatabaseIsUnavailable(t *testing.T) {
	db := openAt(t, t.TempDir(), seal.NewRing())
	if _, err := db.writer.Exec(`PRAGMA max_page_count = 1`); err != nil {
		t.Fatal(err)
	}
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO meta (name, value) VALUES ('big', zeroblob(1000000))`)
		return err
	})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("write = %v, want unavailable", err)
	}
}

func TestWrongKeysStopTheStartAndChangeNothing(t *testing.T) {
	dir := t.TempDir()
	ring := seal.NewRing()
	openAt(t, dir, ring).Close()
	before := read(t, dir)
	_, err := Open(ctx, dir, seal.NewRing(), slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "STEADIER_KEY_FILE") {
		t.Errorf("Open with other keys = %v, want a line that says what to do", err)
	}
	if read(t, dir) != before {
		t.Error("the refused start changed the database")
	}
	openAt(t, dir, ring.Rotate())
}

func TestANewerDatabaseIsRefused(t *testing.T) {
	dir := t.TempDir()
	ring := seal.NewRing()
	db := openAt(t, dir, ring)
	if _, err := db.writer.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	_, err := Open(ctx, dir, ring, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "newer steadier") {
		t.Errorf("Open = %v, want a refusal", err)
	}
}

func TestADamagedDatabaseIsNoticed(t *testing.T) {
	dir := t.TempDir()
	ring := seal.NewRing()
	openAt(t, dir, ring).Close()
	path := filepath.Join(dir, FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(text); i++ {
		text[i] ^= 0xff
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(ctx, dir, ring, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "restore a backup") {
		t.Errorf("Open = %v, want a line that says what to do", err)
	}
}

func TestOnlyTheOwnerCanReadTheFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data with space", "ü?#%")
	db := openAt(t, dir, seal.NewRing())
	if err := db.write(ctx, put("x")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", d.Name(), info.Mode())
		}
		return err
	})
	if err != nil || !exists(filepath.Join(dir, FileName)) {
		t.Errorf("walk = %v, database there: %v", err, exists(filepath.Join(dir, FileName)))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func read(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestADatabaseThatAnotherHoldsIsNotReady(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, dir, seal.NewRing())
	if err := db.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	other, err := pool(filepath.Join(dir, FileName), writeOptions, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.BeginTx(ctx, nil) // immediate
	if err != nil {
		t.Fatal(err)
	}
	if db.Ready(ctx) == nil {
		t.Error("ready, though nothing can be written")
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := db.Ready(ctx); err != nil {
		t.Error(err)
	}
}
