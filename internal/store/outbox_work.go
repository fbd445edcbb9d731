package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
)

// RecoverOutbox puts right what a crash left. Call it only while holding the
// lock of the outbox: a row claimed by a living worker would be sent twice.
func (db *DB) RecoverOutbox(ctx context.Context, now time.Time) (outbox.Recovered, error) {
	var out outbox.Recovered
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var err error
		out.Requeued, err = execCount(ctx, tx, `
			UPDATE outbox SET state = CASE WHEN attempts = 0 THEN 'queued' ELSE 'retry' END, lease = 0, updated = ?
			WHERE state = 'claimed'`, unix(now))
		if err != nil {
			return err
		}
		out.Unknown, err = execCount(ctx, tx, `
			UPDATE outbox SET state = 'unknown', reason = 'stopped while sending', lease = 0, updated = ?
			WHERE state = 'in-data'`, unix(now))
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

func execCount(ctx context.Context, tx *sql.Tx, query string, args ...any) (int, error) {
	res, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	return int(n), err
}

// AdvanceOutbox records what became of the last row, if done is not nil, and takes
// the next due one, in one transaction: single messages first, then the batches that
// are not held, in the order in which they were started.
func (db *DB) AdvanceOutbox(ctx context.Context, now time.Time, lease time.Duration, done *outbox.Done) (job outbox.Job, found bool, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if done != nil {
			if err := db.settleRow(ctx, tx, now, done.ID, done.Result); err != nil {
				return err
			}
		}
		id, err := nextRow(ctx, tx, now)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		job, err = db.claim(ctx, tx, now, id, lease)
		return err
	})
	if err != nil {
		return outbox.Job{}, false, fmt.Errorf("advance outbox: %w", err)
	}
	return job, found, nil
}

// ClaimOutbox takes the next due row, and records nothing.
func (db *DB) ClaimOutbox(ctx context.Context, now time.Time, lease time.Duration) (job outbox.Job, found bool, err error) {
	return db.AdvanceOutbox(ctx, now, lease, nil)
}

func nextRow(ctx context.Context, tx *sql.Tx, now time.Time) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `
		SELECT id FROM outbox
		WHERE batch = '' AND state IN ('queued', 'retry') AND next_try <= ?
		ORDER BY priority DESC, due, id
		LIMIT 1`, unix(now)).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	batches, err := openBatches(ctx, tx)
	if err != nil {
		return 0, err
	}
	for _, batch := range batches {
		err = tx.QueryRowContext(ctx, `
			SELECT id FROM outbox
			WHERE batch = ? AND batch <> '' AND state IN ('queued', 'retry') AND next_try <= ?
			ORDER BY next_try, id
			LIMIT 1`, batch, unix(now)).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	return 0, sql.ErrNoRows
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func openBatches(ctx context.Context, q querier) ([]string, error) {
	return queryAll(ctx, q, func(rows *sql.Rows) (batch string, err error) {
		return batch, rows.Scan(&batch)
	}, `SELECT batch FROM outbox_batch WHERE held = 0 ORDER BY rowid`)
}

// queryAll collects all rows of a query, read by scan.
func queryAll[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells of trouble
	var out []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return out, rows.Err()
}

func (db *DB) claim(ctx context.Context, tx *sql.Tx, now time.Time, id int64, lease time.Duration) (outbox.Job, error) {
	var (
		j              outbox.Job
		due, expires   int64
		rowKey, secret []byte
	)
	err := tx.QueryRowContext(ctx, `
		UPDATE outbox SET state = 'claimed', lease = ?, updated = ?
		WHERE id = ? AND state IN ('queued', 'retry')
		RETURNING ref, idem, kind, subject, batch, sequence, priority, due, expires, attempts, row_key, secret`,
		unix(now.Add(lease)), unix(now), id).
		Scan(&j.ID, &j.Key, &j.Kind, &j.Subject, &j.Batch, &j.Sequence, &j.Priority,
			&due, &expires, &j.Attempts, &rowKey, &secret)
	if err != nil {
		return outbox.Job{}, err
	}
	j.Due = fromUnix(due)
	if expires != 0 {
		j.Expires = fromUnix(expires)
	}
	if j.Secret, err = db.openSecret(j.ID, rowKey, secret); err != nil {
		return outbox.Job{}, err
	}
	return j, nil
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

// BeginData records that the message is about to be handed to the server.
func (db *DB) BeginData(ctx context.Context, now time.Time, id string) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := execCount(ctx, tx, `
			UPDATE outbox SET state = 'in-data', updated = ? WHERE ref = ? AND state = 'claimed'`, unix(now), id)
		if err == nil && n == 0 {
			return fault.New(fault.NotFound, "")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("begin data: %w", err)
	}
	return nil
}

// SettleOutbox records what became of a claimed row, and in the same transaction
// what follows for its subscriber, its issue and the owner.
func (db *DB) SettleOutbox(ctx context.Context, now time.Time, id string, r outbox.Result) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return db.settleRow(ctx, tx, now, id, r)
	})
	if err != nil {
		return fmt.Errorf("settle message: %w", err)
	}
	return nil
}

func (db *DB) settleRow(ctx context.Context, tx *sql.Tx, now time.Time, id string, r outbox.Result) error {
	m, err := settle(ctx, tx, now, id, r)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // ended meanwhile, by erasing or by unsubscribing
	}
	if err != nil {
		return err
	}
	return db.followUp(ctx, tx, now, m, r)
}

func settle(ctx context.Context, tx *sql.Tx, now time.Time, id string, r outbox.Result) (m outbox.Message, err error) {
	charge := 0
	if r.Charged {
		charge = 1
	}
	keep := r.State.Waiting() || r.State == outbox.Unknown
	err = tx.QueryRowContext(ctx, `
		UPDATE outbox
		SET state = ?1, attempts = attempts + ?2, lease = 0, updated = ?3,
			next_try = CASE WHEN ?4 > 0 THEN ?4 ELSE next_try END,
			code = ?5, enhanced = ?6, reason = ?7,
			row_key = CASE WHEN ?8 THEN row_key END,
			secret = CASE WHEN ?8 THEN secret END
		WHERE ref = ?9 AND state IN ('claimed', 'in-data')
		RETURNING ref, kind, subject, batch`,
		string(r.State), charge, unix(now), nextTry(r), r.Outcome.Code, r.Outcome.Enhanced, r.Reason, keep, id).
		Scan(&m.ID, &m.Kind, &m.Subject, &m.Batch)
	return m, err
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
