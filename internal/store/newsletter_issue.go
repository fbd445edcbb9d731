package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
)

// StartIssue freezes an issue's words and begins to send it. If it was begun
// before, nothing changes, and the owner is told when the words have changed since.
func (db *DB) StartIssue(ctx context.Context, now time.Time, i newsletter.Issue) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		id := seal.NewID()
		n, err := execCount(ctx, tx, `
			INSERT INTO issue (id, slug, state, hash, subject, discreet, preheader, html, text, started)
			VALUES (?, ?, 'sending', ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (slug) DO UPDATE SET
				id = excluded.id, state = excluded.state, hash = excluded.hash, subject = excluded.subject, discreet = excluded.discreet,
				preheader = excluded.preheader, html = excluded.html, text = excluded.text, started = excluded.started
			WHERE state = 'scheduled'`,
			id, i.Slug, i.Hash(), i.Subject, i.Discreet, i.Preheader, i.HTML, i.Text, unix(now))
		if err != nil {
			return err
		}
		if n == 0 {
			return db.startedBefore(ctx, tx, now, i)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO outbox_batch (batch) VALUES (?)`, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("start issue: %w", err)
	}
	return nil
}

func (db *DB) startedBefore(ctx context.Context, tx *sql.Tx, now time.Time, i newsletter.Issue) error {
	var hash []byte
	var state newsletter.IssueState
	err := tx.QueryRowContext(ctx, `SELECT hash, state FROM issue WHERE slug = ?`, i.Slug).Scan(&hash, &state)
	if err != nil || state == newsletter.Sent || bytes.Equal(hash, i.Hash()) {
		return err
	}
	return db.notice(ctx, tx, now, outbox.NoticeEdited)
}

// fillChunk is how many rows one transaction adds: few enough that a booking
// hardly waits.
const fillChunk = 25

// FillIssue adds one more chunk of the issue's rows, for those who were active
// when it began, and reports whether all are there. It may be interrupted and
// called again, by any process: a row is there once. What a power cut takes away is
// filled again; nothing of it was sent, because a claim forces all of it to the disk.
func (db *DB) FillIssue(ctx context.Context, now time.Time, slug string) (done bool, err error) {
	err = db.writeSoft(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var id, reached string
		var started int64
		err := tx.QueryRowContext(ctx, `SELECT id, reached, started, filled FROM issue WHERE slug = ?`, slug).
			Scan(&id, &reached, &started, &done)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "")
		}
		if err != nil || done {
			return err
		}
		last, n, err := fillRows(ctx, tx, now, id, reached, started)
		if err != nil {
			return err
		}
		done = n < fillChunk
		_, err = tx.ExecContext(ctx, `UPDATE issue SET reached = ?, filled = ? WHERE id = ?`, last, done, id)
		if err != nil || !done {
			return err
		}
		return db.finishIssue(ctx, tx, now, id)
	})
	if err != nil {
		return false, fmt.Errorf("fill issue: %w", err)
	}
	db.wakeOutbox()
	return done, nil
}

func fillRows(ctx context.Context, tx *sql.Tx, now time.Time, issue, reached string, started int64) (last string, n int, err error) {
	ids, err := queryAll(ctx, tx, func(rows *sql.Rows) (id string, err error) {
		return id, rows.Scan(&id)
	}, `
		SELECT id FROM subscriber
		WHERE state = 'active' AND id > ?1 AND since <= ?2 AND paused_until <= ?3
		ORDER BY id LIMIT ?4`, reached, started, unix(now), fillChunk)
	if err != nil || len(ids) == 0 {
		return reached, 0, err
	}
	insert, err := tx.PrepareContext(ctx, `
		INSERT INTO outbox (ref, idem, kind, subject, batch, due, next_try, created, updated)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?6)
		ON CONFLICT (idem) DO NOTHING`)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = insert.Close() }() // the transaction's end closes it anyway
	for _, id := range ids {
		_, err := insert.ExecContext(ctx, seal.NewID(), "issue:"+issue+":"+id, newsletter.KindIssue, id, issue, unix(now))
		if err != nil {
			return "", 0, err
		}
	}
	return ids[len(ids)-1], len(ids), nil
}

// finishIssue marks an issue as sent once no row of it waits or is unknown.
func (db *DB) finishIssue(ctx context.Context, tx *sql.Tx, now time.Time, id string) error {
	n, err := execCount(ctx, tx, `
		UPDATE issue SET state = 'sent', finished = ?2
		WHERE id = ?1 AND filled = 1 AND state = 'sending'
			AND NOT EXISTS (SELECT 1 FROM outbox WHERE batch = ?1 AND batch <> '' AND state IN ('queued', 'retry'))
			AND NOT EXISTS (SELECT 1 FROM outbox WHERE batch = ?1 AND state IN ('claimed', 'in-data'))
			AND NOT EXISTS (SELECT 1 FROM outbox WHERE batch = ?1 AND state = 'unknown')`, id, unix(now))
	if err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM outbox_batch WHERE batch = ?`, id); err != nil {
		return err
	}
	return db.notice(ctx, tx, now, outbox.NoticeComplete)
}

// finishIssues does so for every issue that is being sent, after rows ended in
// another way than by being settled.
func (db *DB) finishIssues(ctx context.Context, tx *sql.Tx, now time.Time) error {
	batches, err := openBatches(ctx, tx)
	if err != nil {
		return err
	}
	for _, batch := range batches {
		if err := db.finishIssue(ctx, tx, now, batch); err != nil {
			return err
		}
	}
	return nil
}

// PauseIssue stops sending an issue, at the next message.
func (db *DB) PauseIssue(ctx context.Context, slug string) error {
	return db.turnIssue(ctx, slug, "sending", newsletter.Paused, true)
}

// ResumeIssue goes on where an issue was paused or held.
func (db *DB) ResumeIssue(ctx context.Context, now time.Time, slug string) error {
	if err := db.turnIssue(ctx, slug, "paused", newsletter.Sending, false); !fault.Is(err, fault.NotFound) {
		return err
	}
	return db.turnIssue(ctx, slug, "held", newsletter.Sending, false)
}

func (db *DB) turnIssue(ctx context.Context, slug, from string, to newsletter.IssueState, held bool) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var id string
		err := tx.QueryRowContext(ctx, `
			UPDATE issue SET state = ?, refused_run = 0, refused = 0
			WHERE slug = ? AND state = ?
			RETURNING id`, string(to), slug, from).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "")
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE outbox_batch SET held = ? WHERE batch = ?`, held, id)
		return err
	})
	return err
}

// IssueProgress tells how far an issue is, or fault.NotFound if it was never started.
func (db *DB) IssueProgress(ctx context.Context, slug string) (newsletter.Progress, error) {
	all, err := db.issues(ctx, `WHERE slug = ?`, slug)
	if err != nil {
		return newsletter.Progress{}, err
	}
	if len(all) == 0 {
		return newsletter.Progress{}, fault.New(fault.NotFound, "")
	}
	return all[0], nil
}

// Issues tells how far each issue is that was started, newest first.
func (db *DB) Issues(ctx context.Context) ([]newsletter.Progress, error) {
	return db.issues(ctx, ``)
}

func (db *DB) issues(ctx context.Context, where string, args ...any) ([]newsletter.Progress, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (p newsletter.Progress, err error) {
		var started, finished int64
		err = rows.Scan(&p.ID, &p.Slug, &p.State, &p.Hash, &started, &finished, &p.Filled,
			&p.Accepted, &p.Failed, &p.Unknown, &p.Skipped, &p.Waiting, &p.Later)
		p.Started = fromUnix(started)
		if finished != 0 {
			p.Finished = fromUnix(finished)
		}
		return p, err
	}, `
		SELECT i.id, i.slug, i.state, i.hash, i.started, i.finished, i.filled,
			i.accepted + count(*) FILTER (WHERE o.state = 'accepted'),
			i.failed + count(*) FILTER (WHERE o.state = 'failed'),
			count(*) FILTER (WHERE o.state = 'unknown'),
			i.skipped + count(*) FILTER (WHERE o.state = 'skipped'),
			count(*) FILTER (WHERE o.state IN ('queued', 'claimed', 'in-data', 'retry')),
			count(*) FILTER (WHERE o.state = 'retry')
		FROM issue AS i LEFT JOIN outbox AS o ON o.batch = i.id AND o.batch <> ''
		`+where+`
		GROUP BY i.id
		ORDER BY i.started DESC, i.slug`, args...)
	if err != nil {
		return nil, fmt.Errorf("read issues: %w", err)
	}
	return out, nil
}

// StartedIssues implements [newsletter.Store].
func (db *DB) StartedIssues(ctx context.Context) (map[string]bool, error) {
	slugs, err := queryAll(ctx, db.read, func(rows *sql.Rows) (slug string, err error) {
		return slug, rows.Scan(&slug)
	}, `SELECT slug FROM issue WHERE state NOT IN ('scheduled', 'cancelled')`)
	if err != nil {
		return nil, fmt.Errorf("read issues: %w", err)
	}
	out := make(map[string]bool, len(slugs))
	for _, slug := range slugs {
		out[slug] = true
	}
	return out, nil
}
