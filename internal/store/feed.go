package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

// feedToken is the purpose of the token in a feed's address.
const feedToken = "calendar feed"

// AddFeed makes the secret part of a new address of the owner's calendar feed. It
// is told once: the database keeps its hash alone.
func (db *DB) AddFeed(ctx context.Context, now time.Time) (token string, err error) {
	token = seal.NewToken()
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO feed_token (hash, created) VALUES (?, ?)`,
			seal.HashToken(feedToken, token), unix(now))
		if err != nil {
			return fmt.Errorf("add feed: %w", err)
		}
		return note(ctx, tx, now, string(consult.ByOwner), "feed added", "")
	})
	return token, err
}

// RevokeFeeds makes all addresses of the feed dead and returns how many there were.
func (db *DB) RevokeFeeds(ctx context.Context, now time.Time) (revoked int, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if revoked, err = exec(ctx, tx, `UPDATE feed_token SET revoked = ? WHERE revoked IS NULL`, unix(now)); err != nil {
			return fmt.Errorf("revoke feeds: %w", err)
		}
		return note(ctx, tx, now, string(consult.ByOwner), "feeds revoked", "")
	})
	return revoked, err
}

// CheckFeed returns fault.NotFound unless token is that of a feed in force.
func (db *DB) CheckFeed(ctx context.Context, token string) error {
	var one int
	err := db.read.QueryRowContext(ctx, `SELECT 1 FROM feed_token WHERE hash = ? AND revoked IS NULL`,
		seal.HashToken(feedToken, token)).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return fault.New(fault.NotFound, "")
	}
	if err != nil {
		return fmt.Errorf("find feed: %w", err)
	}
	return nil
}

// FeedCalls returns the calls that a feed shows: those from one time to another,
// but the cancelled ones only if that happened after a third time. It opens no
// contact: a feed names nobody.
func (db *DB) FeedCalls(ctx context.Context, from, to, cancelledAfter time.Time) ([]consult.Booking, error) {
	calls, err := queryAll(ctx, db.read, func(rows *sql.Rows) (consult.Booking, error) {
		return scanBooking(rows)
	}, `
		SELECT `+bookingColumns+` FROM booking
		WHERE starts >= ? AND starts < ? AND (cancelled IS NULL OR cancelled > ?)
		ORDER BY starts, id`, unix(from), unix(to), unix(cancelledAfter))
	if err != nil {
		return nil, fmt.Errorf("read calls of the feed: %w", err)
	}
	return calls, nil
}
