package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
)

// RecoverOutbox implements [outbox.Store]. Call it only while holding the lock of
// the outbox: a row claimed by a living worker would be sent twice.
func (db *DB) RecoverOutbox(ctx context.Context, now time.Time, boot string) (outbox.Recovered, error) {
	var out outbox.Recovered
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		cut, err := powerCut(ctx, tx, boot)
		if err != nil {
			return err
		}
		out.Unknown, err = execCount(ctx, tx, `
			UPDATE outbox SET state = 'unknown', reason = 'stopped while sending', lease = 0, updated = ?
			WHERE state = 'in-data' OR (? AND state = 'claimed' AND batch <> '')`, unix(now), cut)
		if err != nil {
			return err
		}
		out.Requeued, err = execCount(ctx, tx, `
			UPDATE outbox SET state = CASE WHEN attempts = 0 THEN 'queued' ELSE 'retry' END, lease = 0, updated = ?
			WHERE state = 'claimed'`, unix(now))
		if err != nil || out.Unknown == 0 {
			return err
		}
		return db.notice(ctx, tx, now, outbox.NoticeUnknown)
	})
	if err != nil {
		return outbox.Recovered{}, fmt.Errorf("recover outbox: %w", err)
	}
	return out, nil
}

// powerCut reports whether the machine was started anew since the last recovery,
// and notes down its present run.
func powerCut(ctx context.Context, tx *sql.Tx, boot string) (bool, error) {
	var last string
	err := tx.QueryRowContext(ctx, `SELECT boot FROM outbox_run`).Scan(&last)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO outbox_run (id, boot) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET boot = ?1`, boot)
	return last != boot, err
}

// AdvanceOutbox implements [outbox.Store]: single messages first, one at a time, then
// the batches that are not held, in the order in which they were started.
func (db *DB) AdvanceOutbox(ctx context.Context, now time.Time, lease time.Duration, done []outbox.Done, most int) (jobs []outbox.Job, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := db.settleLast(ctx, tx, now, done); err != nil {
			return err
		}
		ids, err := nextRows(ctx, tx, now, most)
		if err != nil {
			return err
		}
		jobs, err = db.claim(ctx, tx, now, ids, lease)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("advance outbox: %w", err)
	}
	return jobs, nil
}

// ClaimOutbox takes the next due row, and records nothing.
func (db *DB) ClaimOutbox(ctx context.Context, now time.Time, lease time.Duration) (job outbox.Job, found bool, err error) {
	jobs, err := db.AdvanceOutbox(ctx, now, lease, nil, 1)
	if err != nil || len(jobs) == 0 {
		return outbox.Job{}, false, err
	}
	return jobs[0], true, nil
}

func nextRows(ctx context.Context, tx *sql.Tx, now time.Time, most int) ([]int64, error) {
	scan := func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) }
	ids, err := queryAll(ctx, tx, scan, `
		SELECT id FROM outbox
		WHERE batch = '' AND state IN ('queued', 'retry') AND next_try <= ?
		ORDER BY priority DESC, due, id
		LIMIT 1`, unix(now))
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	batches, err := openBatches(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, batch := range batches {
		ids, err := queryAll(ctx, tx, scan, `
			SELECT id FROM outbox
			WHERE batch = ? AND batch <> '' AND state IN ('queued', 'retry') AND next_try <= ?
			ORDER BY next_try, id
			LIMIT ?`, batch, unix(now), most)
		if err != nil || len(ids) > 0 {
			return ids, err
		}
	}
	return nil, nil
}

func openBatches(ctx context.Context, q querier) ([]string, error) {
	return queryAll(ctx, q, func(rows *sql.Rows) (batch string, err error) {
		return batch, rows.Scan(&batch)
	}, `SELECT batch FROM outbox_batch WHERE held = 0 ORDER BY rowid`)
}

// claim takes rows by their ids, and returns them in the order of sending.
func (db *DB) claim(ctx context.Context, tx *sql.Tx, now time.Time, ids []int64, lease time.Duration) ([]outbox.Job, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE outbox SET state = 'claimed', lease = ?, updated = ?
		WHERE id IN (SELECT value FROM json_each(?))`, unix(now.Add(lease)), unix(now), string(list))
	if err != nil {
		return nil, err
	}
	return queryAll(ctx, tx, db.scanJob, `
		SELECT ref, idem, kind, subject, batch, sequence, priority, due, expires, attempts, row_key, secret
		FROM outbox
		WHERE id IN (SELECT value FROM json_each(?))
		ORDER BY next_try, id`, string(list))
}

func (db *DB) scanJob(rows *sql.Rows) (j outbox.Job, err error) {
	var (
		due, expires   int64
		rowKey, secret []byte
	)
	err = rows.Scan(&j.ID, &j.Key, &j.Kind, &j.Subject, &j.Batch, &j.Sequence, &j.Priority,
		&due, &expires, &j.Attempts, &rowKey, &secret)
	if err != nil {
		return outbox.Job{}, err
	}
	j.Due = fromUnix(due)
	if expires != 0 {
		j.Expires = fromUnix(expires)
	}
	j.Secret, err = db.openSecret(j.ID, rowKey, secret)
	return j, err
}

func (db *DB) openSecret(ref string, rowKey, sealed []byte) (string, error) {
	if sealed == nil {
		return "", nil
	}
	row, err := db.ring.OpenRow("outbox", ref, rowKey)
	if err != nil {
		return "", err
	}
	return row.Open("secret", sealed)
}

// BeginData implements [outbox.Store].
func (db *DB) BeginData(ctx context.Context, now time.Time, id string, done []outbox.Done, durable bool) error {
	write, state := db.write, error(nil)
	if !durable {
		write = db.writeSoft
	}
	err := write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := db.settleRows(ctx, tx, now, done); err != nil {
			return err
		}
		var err error
		state, err = begin(ctx, tx, now, id)
		return err
	})
	if err = errors.Join(err, state); err != nil {
		return fmt.Errorf("begin data: %w", err)
	}
	return nil
}

// begin puts a row in in-data. state says why it could not: it has ended, or its
// batch is held.
func begin(ctx context.Context, tx *sql.Tx, now time.Time, id string) (state, err error) {
	n, err := execCount(ctx, tx, `
		UPDATE outbox SET state = 'in-data', updated = ?
		WHERE ref = ? AND state = 'claimed'
			AND NOT EXISTS (SELECT 1 FROM outbox_batch WHERE outbox_batch.batch = outbox.batch AND held = 1)`, unix(now), id)
	if err != nil || n > 0 {
		return nil, err
	}
	var claimed bool
	err = tx.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM outbox WHERE ref = ? AND state = 'claimed')`, id).Scan(&claimed)
	if claimed {
		return outbox.ErrHeld, err
	}
	return fault.New(fault.NotFound, ""), err
}

// SettleOutbox records what became of a claimed row, and in the same transaction
// what follows for its subscriber, its issue and the owner.
func (db *DB) SettleOutbox(ctx context.Context, now time.Time, id string, r outbox.Result) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return db.settleLast(ctx, tx, now, []outbox.Done{{ID: id, Result: r}})
	})
	if err != nil {
		return fmt.Errorf("settle message: %w", err)
	}
	return nil
}

// SettleAll implements [outbox.Store].
func (db *DB) SettleAll(ctx context.Context, now time.Time, done []outbox.Done) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error { return db.settleLast(ctx, tx, now, done) })
	if err != nil {
		return fmt.Errorf("settle messages: %w", err)
	}
	return nil
}

// settleLast settles rows after which none is at hand: an issue may have come to its
// end.
func (db *DB) settleLast(ctx context.Context, tx *sql.Tx, now time.Time, done []outbox.Done) error {
	if err := db.settleRows(ctx, tx, now, done); err != nil || len(done) == 0 {
		return err
	}
	return db.finishIssues(ctx, tx, now)
}

func (db *DB) settleRows(ctx context.Context, tx *sql.Tx, now time.Time, done []outbox.Done) error {
	for _, d := range done {
		if err := db.settleRow(ctx, tx, now, d.ID, d.Result); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) settleRow(ctx context.Context, tx *sql.Tx, now time.Time, id string, r outbox.Result) error {
	m, calm, err := settle(ctx, tx, now, id, r)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // ended meanwhile, by erasing or by unsubscribing
	}
	if err != nil || calm && r.State == outbox.Accepted {
		return err
	}
	return db.followUp(ctx, tx, now, m, r)
}

// settle writes a result and returns whose it is, or sql.ErrNoRows. calm means that
// nothing follows from its being accepted: nothing was counted against its reader or its
// issue. It asks before it writes: RETURNING builds a table of its own for each
// statement, which costs more than the write.
func settle(ctx context.Context, tx *sql.Tx, now time.Time, ref string, r outbox.Result) (m outbox.Message, calm bool, err error) {
	var id int64
	err = tx.QueryRowContext(ctx, `
		SELECT id, ref, kind, subject, batch,
			NOT EXISTS (SELECT 1 FROM subscriber WHERE subscriber.id = outbox.subject AND soft <> 0)
			AND NOT EXISTS (SELECT 1 FROM issue WHERE issue.id = outbox.batch AND refused_run <> 0)
		FROM outbox WHERE ref = ? AND state IN ('claimed', 'in-data')`, ref).
		Scan(&id, &m.ID, &m.Kind, &m.Subject, &m.Batch, &calm)
	if err != nil {
		return m, calm, err
	}
	charge := 0
	if r.Charged {
		charge = 1
	}
	keep := r.State.Waiting() || r.State == outbox.Unknown
	_, err = tx.ExecContext(ctx, `
		UPDATE outbox
		SET state = ?1, attempts = attempts + ?2, lease = 0, updated = ?3,
			next_try = CASE WHEN ?4 > 0 THEN ?4 ELSE next_try END,
			code = ?5, enhanced = ?6, reason = ?7,
			row_key = CASE WHEN ?8 THEN row_key END,
			secret = CASE WHEN ?8 THEN secret END
		WHERE id = ?9`,
		string(r.State), charge, unix(now), nextTry(r), r.Outcome.Code, r.Outcome.Enhanced, r.Reason, keep, id)
	return m, calm, err
}

func nextTry(r outbox.Result) int64 {
	if r.Next.IsZero() {
		return 0
	}
	return unix(r.Next)
}

// NextDue tells when the next row that is not held becomes due.
func (db *DB) NextDue(ctx context.Context) (due time.Time, found bool, err error) {
	var next sql.NullInt64
	err = db.read.QueryRowContext(ctx, `
		SELECT min(next_try) FROM (
			SELECT min(next_try) AS next_try FROM outbox
			WHERE batch = '' AND state IN ('queued', 'retry')
			UNION ALL
			SELECT (
				SELECT min(o.next_try) FROM outbox AS o
				WHERE o.batch = b.batch AND o.batch <> '' AND o.state IN ('queued', 'retry')
			)
			FROM outbox_batch AS b WHERE b.held = 0
		)`).Scan(&next)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("find next message: %w", err)
	}
	return fromUnix(next.Int64), next.Valid, nil
}
