package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/steadier/steadier/internal/seal"
)

// marks are the rows that changes of these tests write.
func openMarks(t testing.TB) *DB {
	t.Helper()
	db := openAt(t, t.TempDir(), seal.NewRing())
	if _, err := db.writer.Exec(`CREATE TABLE mark (name TEXT PRIMARY KEY) STRICT`); err != nil {
		t.Fatal(err)
	}
	return db
}

func mark(name string, then error) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO mark (name) VALUES (?)`, name)
		return errors.Join(err, then)
	}
}

func marked(t testing.TB, db *DB) []string {
	t.Helper()
	names, err := queryAll(context.Background(), db.read, func(rows *sql.Rows) (name string, err error) {
		return name, rows.Scan(&name)
	}, `SELECT name FROM mark ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// together makes all changes wait while one is being written, and then lets them go in
// one commit. It returns what each was told.
func together(t *testing.T, db *DB, changes ...func(context.Context, *sql.Tx) error) []error {
	t.Helper()
	told := make([]error, len(changes))
	synctest.Test(t, func(t *testing.T) {
		first := make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			_ = db.write(context.Background(), func(context.Context, *sql.Tx) error { <-first; return nil })
		})
		synctest.Wait()
		for i, fn := range changes {
			all.Go(func() {
				defer func() {
					if p := recover(); p != nil {
						told[i] = fmt.Errorf("panicked: %v", p)
					}
				}()
				told[i] = db.write(context.Background(), fn)
			})
		}
		synctest.Wait()
		close(first)
		all.Wait()
	})
	return told
}

func TestChangesThatWaitAreCommittedTogether(t *testing.T) {
	db := openMarks(t)
	var before, after int
	count := func(into *int) func(context.Context, *sql.Tx) error {
		return func(ctx context.Context, tx *sql.Tx) error {
			return tx.QueryRowContext(ctx, `SELECT total_changes()`).Scan(into)
		}
	}
	var seen []string // by a reader, in the middle of the commit
	told := together(t, db, count(&before), mark("a", nil), mark("b", nil),
		func(context.Context, *sql.Tx) error { seen = marked(t, db); return nil }, count(&after))
	for _, err := range told {
		if err != nil {
			t.Error(err)
		}
	}
	if len(seen) > 0 {
		t.Errorf("a reader saw %q before the commit", seen)
	}
	if got := marked(t, db); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("kept %q", got)
	}
}

func TestAChangeThatFailsTakesNoOtherWithIt(t *testing.T) {
	db := openMarks(t)
	no := errors.New("no")
	told := together(t, db, mark("a", nil), mark("b", no), mark("c", nil), func(ctx context.Context, tx *sql.Tx) error {
		if err := mark("d", nil)(ctx, tx); err != nil {
			return err
		}
		panic("by this one")
	}, mark("e", nil))
	if got := marked(t, db); !slices.Equal(got, []string{"a", "c", "e"}) {
		t.Errorf("kept %q, want a, c and e", got)
	}
	for i, want := range []string{"<nil>", "no", "<nil>", "panicked: by this one", "<nil>"} {
		if got := fmt.Sprint(told[i]); got != want {
			t.Errorf("change %d was told %s, want %s", i, got, want)
		}
	}
	if err := db.write(context.Background(), mark("f", nil)); err != nil {
		t.Errorf("the writer does not go on: %v", err)
	}
}

// When the transaction itself is lost, as on a full disk, nobody is told that theirs
// was kept.
func TestNobodyIsAnsweredForACommitThatIsLost(t *testing.T) {
	db := openMarks(t)
	told := together(t, db, mark("a", nil), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `ROLLBACK`)
		return errors.Join(err, errors.New("disk is full"))
	}, mark("b", nil))
	if got := marked(t, db); len(got) > 0 {
		t.Errorf("kept %q", got)
	}
	for i, err := range told {
		if err == nil {
			t.Errorf("change %d was acknowledged", i)
		}
	}
	if err := db.write(context.Background(), mark("c", nil)); err != nil {
		t.Errorf("the writer does not go on: %v", err)
	}
}

// One firm change among soft ones makes the commit of them all firm.
func TestOneFirmChangeMakesAllFirm(t *testing.T) {
	db := openMarks(t)
	level := func(tx *sql.Tx) (n int) {
		if err := tx.QueryRow(`PRAGMA synchronous`).Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	var soft, mixed int
	if err := db.writeSoft(context.Background(), func(_ context.Context, tx *sql.Tx) error { soft = level(tx); return nil }); err != nil {
		t.Fatal(err)
	}
	together(t, db, func(_ context.Context, tx *sql.Tx) error { mixed = level(tx); return nil })
	if soft != 1 || mixed != 2 {
		t.Errorf("synchronous = %d alone and %d together, want 1 (NORMAL) and 2 (FULL)", soft, mixed)
	}
}

// BenchmarkWriters compares one writer, and 64, with a transaction for each write on
// the same disk with the same pragmas: ratio is our rate over its.
func BenchmarkWriters(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			db := openMarks(b)
			round := 0
			for b.Loop() {
				round++
				plain := pace(b, writers, fmt.Sprint("plain ", round), func(name string) error {
					tx, err := db.writer.Begin()
					if err != nil {
						return err
					}
					return errors.Join(mark(name, nil)(context.Background(), tx), tx.Commit())
				})
				ours := pace(b, writers, fmt.Sprint("ours ", round), func(name string) error {
					return db.write(context.Background(), mark(name, nil))
				})
				b.ReportMetric(float64(plain)/float64(ours), "ratio")
				b.ReportMetric(float64(plain.Microseconds())/paceWrites, "µs-plain")
			}
		})
	}
}

const paceWrites = 2048

// pace tells how long so many writes take that are shared by some writers.
func pace(b *testing.B, writers int, name string, write func(name string) error) time.Duration {
	b.Helper()
	begin := time.Now()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range paceWrites / writers {
				if err := write(fmt.Sprint(name, w, "-", i)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	return time.Since(begin)
}
