package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/outbox"
)

// MailRow is a message of the outbox as the owner sees it: nothing of whom it is for.
type MailRow struct {
	ID       string // local part of its Message-ID
	Kind     string
	State    outbox.State
	Attempts int
	Next     time.Time // next try; of no meaning for a message that has ended
	Code     int       // last answer of the server; 0: none
	Reason   string
	Updated  time.Time
	Letter   bool // one of an issue
}

// OpenMail returns single messages that wait or need a look, and letters that may have
// been delivered, the longest unchanged first.
func (db *DB) OpenMail(ctx context.Context, most int) ([]MailRow, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (m MailRow, err error) {
		var next, updated int64
		err = rows.Scan(&m.ID, &m.Kind, &m.State, &m.Attempts, &next, &m.Code, &m.Reason, &updated, &m.Letter)
		m.Next, m.Updated = fromUnix(next), fromUnix(updated)
		return m, err
	}, `
		SELECT ref, kind, state, attempts, next_try, code, reason, updated, batch <> '' FROM outbox
		WHERE state IN ('unknown', 'failed') OR batch = '' AND state IN ('queued', 'claimed', 'in-data', 'retry')
		ORDER BY updated, id
		LIMIT ?`, most)
	if err != nil {
		return nil, fmt.Errorf("read open messages: %w", err)
	}
	return out, nil
}

// ResolveMail settles, as the owner decided, one message that may have been delivered:
// counted as sent, or sent again with the same Message-ID. One that is settled already
// stays as it is.
func (db *DB) ResolveMail(ctx context.Context, now time.Time, ref string, again bool) error {
	state := outbox.Accepted
	if again {
		state = outbox.Queued
	}
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE outbox SET state = ?1, next_try = ?2, updated = ?2, reason = 'as the owner decided'
			WHERE ref = ?3 AND state = 'unknown'`, string(state), unix(now), ref)
		if err != nil {
			return err
		}
		return db.finishIssues(ctx, tx, now)
	})
	if err != nil {
		return fmt.Errorf("settle a message: %w", err)
	}
	return nil
}
