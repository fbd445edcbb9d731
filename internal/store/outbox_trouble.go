package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/outbox"
)

// Trouble returns why nothing is being sent; the zero value when all is well.
func (db *DB) Trouble(ctx context.Context) (t outbox.Trouble, err error) {
	var since, next int64
	err = db.read.QueryRowContext(ctx, `SELECT halted, sentence, since, next_try FROM outbox_trouble`).
		Scan(&t.Halted, &t.Sentence, &since, &next)
	if errors.Is(err, sql.ErrNoRows) {
		return outbox.Trouble{}, nil
	}
	if err != nil {
		return outbox.Trouble{}, fmt.Errorf("read trouble of the outbox: %w", err)
	}
	t.Since = fromUnix(since)
	if next != 0 {
		t.Next = fromUnix(next)
	}
	return t, nil
}

// SetTrouble keeps why nothing is being sent; the zero value clears it. The time
// of the first trouble stays as long as it lasts. A halt is told to the owner.
func (db *DB) SetTrouble(ctx context.Context, now time.Time, t outbox.Trouble) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if t == (outbox.Trouble{}) {
			_, err := tx.ExecContext(ctx, `DELETE FROM outbox_trouble`)
			return err
		}
		next := int64(0)
		if !t.Next.IsZero() {
			next = unix(t.Next)
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO outbox_trouble (id, halted, sentence, since, next_try) VALUES (1, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE
			SET halted = excluded.halted, sentence = excluded.sentence, next_try = excluded.next_try`,
			t.Halted, t.Sentence, unix(now), next)
		if err != nil || !t.Halted {
			return err
		}
		return db.notice(ctx, tx, now, outbox.NoticeHalted)
	})
	if err != nil {
		return fmt.Errorf("keep trouble of the outbox: %w", err)
	}
	return nil
}
