package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/outbox"
)

// notice tells the owner of something, in the transaction in which it happened:
// a row for the admin, and one mail a day for each kind.
func (db *DB) notice(ctx context.Context, tx *sql.Tx, now time.Time, kind outbox.NoticeKind) error {
	day := now.UTC().Format(time.DateOnly)
	_, err := tx.ExecContext(ctx, `
		INSERT INTO owner_notice (kind, day, sentence, first, last) VALUES (?1, ?2, ?3, ?4, ?4)
		ON CONFLICT (kind, day) DO UPDATE SET times = times + 1, last = excluded.last`,
		string(kind), day, kind.Sentence(), unix(now))
	if err != nil {
		return fmt.Errorf("note for the owner: %w", err)
	}
	return db.enqueue(ctx, tx, now, outbox.Message{
		Key:     "notice:" + string(kind) + ":" + day,
		Kind:    outbox.KindNotice,
		Subject: string(kind),
		Expires: now.Add(24 * time.Hour),
	})
}

// Notify tells the owner of something that belongs to no other change.
func (db *DB) Notify(ctx context.Context, now time.Time, kind outbox.NoticeKind) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return db.notice(ctx, tx, now, kind)
	})
}

// Notices returns what the owner was told since a time, newest first.
func (db *DB) Notices(ctx context.Context, since time.Time) ([]outbox.Notice, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (n outbox.Notice, err error) {
		var first, last int64
		err = rows.Scan(&n.Kind, &n.Sentence, &n.Times, &first, &last)
		n.First, n.Last = fromUnix(first), fromUnix(last)
		return n, err
	}, `
		SELECT kind, sentence, times, first, last FROM owner_notice
		WHERE last >= ?
		ORDER BY last DESC, id DESC`, unix(since))
	if err != nil {
		return nil, fmt.Errorf("read notices: %w", err)
	}
	return out, nil
}
