package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func openOutbox(t *testing.T) *DB {
	t.Helper()
	db, err := Open(context.Background(), t.TempDir(), seal.NewRing(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func enqueueAll(t *testing.T, db *DB, now time.Time, msgs ...outbox.Message) {
	t.Helper()
	err := db.write(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		return db.enqueue(ctx, tx, now, msgs...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func claimKeys(t *testing.T, db *DB, now time.Time) []string {
	t.Helper()
	var keys []string
	for {
		job, found, err := db.ClaimOutbox(context.Background(), now, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			return keys
		}
		keys = append(keys, job.Key)
	}
}

func states(t *testing.T, db *DB) map[string]string {
	t.Helper()
	pairs, err := queryAll(context.Background(), db.read, func(rows *sql.Rows) (p [2]string, err error) {
		return p, rows.Scan(&p[0], &p[1])
	}, `SELECT idem, state FROM outbox`)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	for _, p := range pairs {
		out[p[0]] = p[1]
	}
	return out
}

func TestASecondMessageOfTheSameKeyIsDropped(t *testing.T) {
	db := openOutbox(t)
	m := outbox.Message{Key: "k", Kind: "test", Subject: "s"}
	enqueueAll(t, db, noon, m)
	enqueueAll(t, db, noon, m, m)
	if got := claimKeys(t, db, noon); !cmp.Equal(got, []string{"k"}) {
		t.Errorf("claimed %v, want one", got)
	}
}

func TestClaimsComeInOrder(t *testing.T) {
	db := openOutbox(t)
	enqueueAll(t, db, noon,
		outbox.Message{Key: "issue 1", Kind: "issue", Batch: "b"},
		outbox.Message{Key: "older", Kind: "test"},
		outbox.Message{Key: "urgent", Kind: "test", Priority: 1},
		outbox.Message{Key: "later", Kind: "test", Due: noon.Add(time.Hour)},
		outbox.Message{Key: "held", Kind: "issue", Batch: "h"})
	err := db.write(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO outbox_batch (batch, held) VALUES ('b', 0), ('h', 1)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"urgent", "older", "issue 1"}
	if diff := cmp.Diff(want, claimKeys(t, db, noon)); diff != "" {
		t.Error(diff)
	}
	due, found, err := db.NextDue(context.Background())
	if err != nil || !found || !due.Equal(noon.Add(time.Hour)) {
		t.Errorf("next due = %v %v %v, want one hour later", due, found, err)
	}
}

func TestSecretIsSealedAndErasedAtTheEnd(t *testing.T) {
	db := openOutbox(t)
	enqueueAll(t, db, noon, outbox.Message{Key: "k", Kind: "test", Secret: "canary-token"})
	var sealed []byte
	row := db.read.QueryRow(`SELECT secret FROM outbox`)
	if err := row.Scan(&sealed); err != nil || len(sealed) == 0 || string(sealed) == "canary-token" {
		t.Fatalf("secret = %q, %v; want it sealed", sealed, err)
	}
	job, found, err := db.ClaimOutbox(context.Background(), noon, time.Minute)
	if err != nil || !found || job.Secret != "canary-token" {
		t.Fatalf("claim = %+v, %v, %v", job, found, err)
	}
	err = db.SettleOutbox(context.Background(), noon, job.ID, outbox.Result{State: outbox.Accepted, Charged: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.read.QueryRow(`SELECT secret FROM outbox`).Scan(&sealed); err != nil || sealed != nil {
		t.Errorf("secret after the end = %q, %v; want none", sealed, err)
	}
}

func TestRecoveryAfterACrash(t *testing.T) {
	db := openOutbox(t)
	ctx := context.Background()
	enqueueAll(t, db, noon, outbox.Message{Key: "a", Kind: "test"}, outbox.Message{Key: "b", Kind: "test"})
	claimKeys(t, db, noon)
	var ref string
	if err := db.read.QueryRow(`SELECT ref FROM outbox WHERE idem = 'b'`).Scan(&ref); err != nil {
		t.Fatal(err)
	}
	if err := db.BeginData(ctx, noon, ref, nil, true); err != nil {
		t.Fatal(err)
	}
	got, err := db.RecoverOutbox(ctx, noon, "")
	if err != nil || got != (outbox.Recovered{Requeued: 1, Unknown: 1}) {
		t.Fatalf("recovered %+v, %v; want one of each", got, err)
	}
	rows := states(t, db)
	if rows["a"] != "queued" || rows["b"] != "unknown" {
		t.Errorf("states = %v", rows)
	}
	notices, err := db.Notices(ctx, noon.Add(-time.Hour))
	if err != nil || len(notices) != 1 || notices[0].Kind != outbox.NoticeUnknown {
		t.Errorf("notices = %+v, %v; want the unknown one", notices, err)
	}
}

func TestSkippedMessagesAreNotClaimed(t *testing.T) {
	db := openOutbox(t)
	enqueueAll(t, db, noon,
		outbox.Message{Key: "reminder", Kind: "remind", Subject: "call"},
		outbox.Message{Key: "cancelled", Kind: "cancel", Subject: "call"})
	err := db.write(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
		return skipMessages(ctx, tx, noon, "call", []string{"remind"}, "cancelled")
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"cancelled"}, claimKeys(t, db, noon)); diff != "" {
		t.Error(diff)
	}
}

func TestACommitWakesTheWorker(t *testing.T) {
	db := openOutbox(t)
	select {
	case <-db.OutboxWake():
	default:
	}
	enqueueAll(t, db, noon, outbox.Message{Key: "k", Kind: "test"})
	<-db.OutboxWake()
	if _, found, err := db.NextDue(context.Background()); err != nil || !found {
		t.Errorf("woken before the row can be seen: %v, %v", found, err)
	}
}

func TestRecoveryAfterAPowerCut(t *testing.T) {
	for name, test := range map[string]struct {
		boot string
		want outbox.Recovered
	}{
		"killed":            {"monday", outbox.Recovered{Requeued: 3}},
		"the power was cut": {"tuesday", outbox.Recovered{Requeued: 1, Unknown: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			db := openOutbox(t)
			ctx := context.Background()
			if _, err := db.RecoverOutbox(ctx, noon, "monday"); err != nil {
				t.Fatal(err)
			}
			enqueueAll(t, db, noon,
				outbox.Message{Key: "single", Kind: "test"},
				outbox.Message{Key: "letter 1", Kind: "issue", Batch: "b"},
				outbox.Message{Key: "letter 2", Kind: "issue", Batch: "b"},
				outbox.Message{Key: "letter 3", Kind: "issue", Batch: "b"})
			if _, err := db.writer.Exec(`INSERT INTO outbox_batch (batch) VALUES ('b')`); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, err := db.AdvanceOutbox(ctx, noon, time.Minute, nil, 2); err != nil {
					t.Fatal(err)
				}
			}
			got, err := db.RecoverOutbox(ctx, noon, test.boot)
			if err != nil || got != test.want {
				t.Errorf("recovered %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func TestAWriteAfterASoftOneIsFirm(t *testing.T) {
	db := openOutbox(t)
	for _, fails := range []error{nil, errors.New("no")} {
		err := db.writeSoft(context.Background(), func(context.Context, *sql.Tx) error { return fails })
		if !errors.Is(err, fails) {
			t.Errorf("writeSoft = %v, want %v", err, fails)
		}
		var level int
		err = db.write(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
			return tx.QueryRowContext(ctx, `PRAGMA synchronous`).Scan(&level)
		})
		if err != nil || level != 2 {
			t.Errorf("synchronous = %d, %v; want 2", level, err)
		}
	}
}
