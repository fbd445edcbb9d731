package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
)

// OutboxWake returns the channel that gets a value after each commit: a row may have
// been enqueued. A worker that is woken for nothing finds nothing, which is harmless.
func (db *DB) OutboxWake() <-chan struct{} { return db.wake }

func (db *DB) wakeOutbox() {
	select {
	case db.wake <- struct{}{}:
	default: // one wake-up is waiting already
	}
}

// Enqueue adds messages that belong to no other change. A message whose key is
// there already is dropped without an error.
func (db *DB) Enqueue(ctx context.Context, now time.Time, msgs ...outbox.Message) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return db.enqueue(ctx, tx, now, msgs...)
	})
}

// How long rows are kept that have come to their end: single ones, those of an
// issue (after it was sent), and what the owner was told.
const (
	keepSingle  = 30 * 24 * time.Hour
	keepLetters = 90 * 24 * time.Hour
	keepNotices = 90 * 24 * time.Hour
)

// SweepOutbox forgets rows that are of no use any more. An issue keeps its counts,
// without who was written to.
func (db *DB) SweepOutbox(ctx context.Context, now time.Time) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, step := range []struct {
			query  string
			before time.Time
		}{
			{`DELETE FROM outbox WHERE batch = '' AND state IN ('accepted', 'failed', 'skipped') AND updated < ?`, now.Add(-keepSingle)},
			{`UPDATE issue SET
				accepted = accepted + (SELECT count(*) FROM outbox WHERE batch = issue.id AND batch <> '' AND state = 'accepted'),
				failed = failed + (SELECT count(*) FROM outbox WHERE batch = issue.id AND batch <> '' AND state = 'failed'),
				skipped = skipped + (SELECT count(*) FROM outbox WHERE batch = issue.id AND batch <> '' AND state = 'skipped')
				WHERE state = 'sent' AND finished < ?`, now.Add(-keepLetters)},
			{`DELETE FROM outbox WHERE batch IN (SELECT id FROM issue WHERE state = 'sent' AND finished < ?) AND batch <> ''`, now.Add(-keepLetters)},
			{`DELETE FROM owner_notice WHERE last < ?`, now.Add(-keepNotices)},
		} {
			if _, err := tx.ExecContext(ctx, step.query, unix(step.before)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("sweep outbox: %w", err)
	}
	return nil
}

// OutboxState tells how far the message of a key is and why, or fault.NotFound.
func (db *DB) OutboxState(ctx context.Context, key string) (state outbox.State, reason string, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT state, reason FROM outbox WHERE idem = ?`, key).Scan(&state, &reason)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", fault.New(fault.NotFound, "")
	}
	if err != nil {
		return "", "", fmt.Errorf("find message: %w", err)
	}
	return state, reason, nil
}

// OutboxCount is how many rows of a batch ("" for single messages) are in a state.
type OutboxCount struct {
	State outbox.State
	Rows  int
}

// CountOutbox counts the rows of a batch by state, in alphabetical order.
func (db *DB) CountOutbox(ctx context.Context, batch string) ([]OutboxCount, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (c OutboxCount, err error) {
		return c, rows.Scan(&c.State, &c.Rows)
	}, `SELECT state, count(*) FROM outbox WHERE batch = ? GROUP BY state ORDER BY state`, batch)
	if err != nil {
		return nil, fmt.Errorf("count messages: %w", err)
	}
	return out, nil
}

// enqueue adds messages to the outbox within the transaction of what they tell
// of. A message whose key is there already is dropped without an error.
func (db *DB) enqueue(ctx context.Context, tx *sql.Tx, now time.Time, msgs ...outbox.Message) error {
	for _, m := range msgs {
		if err := db.enqueueOne(ctx, tx, now, m); err != nil {
			return fmt.Errorf("enqueue %s: %w", m.Kind, err)
		}
	}
	return nil
}

func (db *DB) enqueueOne(ctx context.Context, tx *sql.Tx, now time.Time, m outbox.Message) error {
	if m.Key == "" || m.Kind == "" {
		return errors.New("a message needs a key and a kind")
	}
	ref := seal.NewID()
	rowKey, secret, err := db.sealSecret(ref, m.Secret)
	if err != nil {
		return err
	}
	due, expires := now, int64(0)
	if m.Due.After(now) {
		due = m.Due
	}
	if !m.Expires.IsZero() {
		expires = unix(m.Expires)
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO outbox (
			ref, idem, kind, subject, batch, sequence, priority,
			due, expires, next_try, row_key, secret, created, updated
		) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (idem) DO NOTHING`,
		ref, m.Key, m.Kind, m.Subject, m.Batch, m.Sequence, m.Priority,
		unix(due), expires, unix(due), rowKey, secret, unix(now), unix(now))
	return err
}

func (db *DB) sealSecret(ref, secret string) (rowKey, sealed []byte, err error) {
	if secret == "" {
		return nil, nil, nil
	}
	row, err := db.ring.NewRow("outbox", ref)
	if err != nil {
		return nil, nil, err
	}
	return row.Wrapped(), row.Seal("secret", secret), nil
}

// skipMessages ends the messages about a subject that have not left yet. With no
// kinds it ends all of them. A message in the middle of DATA is left to its end.
func skipMessages(ctx context.Context, tx *sql.Tx, now time.Time, subject string, kinds []string, reason string) error {
	query := `
		UPDATE outbox
		SET state = 'skipped', reason = ?, updated = ?, lease = 0, row_key = NULL, secret = NULL
		WHERE subject = ? AND state IN ('queued', 'retry', 'claimed')`
	args := []any{reason, unix(now), subject}
	if len(kinds) > 0 {
		query += ` AND kind IN (?` + strings.Repeat(`, ?`, len(kinds)-1) + `)`
		for _, kind := range kinds {
			args = append(args, kind)
		}
	}
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("skip messages: %w", err)
	}
	return nil
}

// MailCount is how many messages of the outbox are in a state.
type MailCount struct {
	State string
	N     int
}

// MailCounts counts the messages by state.
func (db *DB) MailCounts(ctx context.Context) ([]MailCount, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (c MailCount, err error) {
		return c, rows.Scan(&c.State, &c.N)
	}, `SELECT state, count(*) FROM outbox GROUP BY state ORDER BY state`)
	if err != nil {
		return nil, fmt.Errorf("count messages: %w", err)
	}
	return out, nil
}
