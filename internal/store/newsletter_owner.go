package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
)

// ReaderCount is how many readers of the newsletter are in a state, and why.
type ReaderCount struct {
	State, Reason string
	N             int
}

// ReaderCounts counts the readers by state and reason; those who asked and have not
// confirmed are "asked", and those who were erased "forgotten".
func (db *DB) ReaderCounts(ctx context.Context) ([]ReaderCount, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (c ReaderCount, err error) {
		return c, rows.Scan(&c.State, &c.Reason, &c.N)
	}, `
		SELECT state, reason, count(*) FROM subscriber GROUP BY state, reason
		UNION ALL SELECT 'asked', '', count(*) FROM signup WHERE purpose = 'confirm' AND used = 0
		UNION ALL SELECT 'forgotten', '', count(*) FROM suppression
		ORDER BY 1, 2`)
	if err != nil {
		return nil, fmt.Errorf("count readers: %w", err)
	}
	return out, nil
}

// MonthCount is how many readers began in a month, UTC.
type MonthCount struct {
	Month string // "2026-12"
	N     int
}

// ReadersByMonth tells how many of today's readers began in each of the last months
// that have any, oldest first.
func (db *DB) ReadersByMonth(ctx context.Context, most int) ([]MonthCount, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (c MonthCount, err error) {
		return c, rows.Scan(&c.Month, &c.N)
	}, `
		SELECT * FROM (
			SELECT strftime('%Y-%m', created, 'unixepoch') AS month, count(*)
			FROM subscriber WHERE state = 'active'
			GROUP BY month ORDER BY month DESC LIMIT ?
		) ORDER BY month`, most)
	if err != nil {
		return nil, fmt.Errorf("count readers by month: %w", err)
	}
	return out, nil
}

// ReaderAt returns what is held about an address, or fault.NotFound.
func (db *DB) ReaderAt(ctx context.Context, a mail.Address) (newsletter.Held, error) {
	var id string
	err := db.read.QueryRowContext(ctx, `SELECT id FROM subscriber WHERE lookup = ?`, db.lookup(a)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return newsletter.Held{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return newsletter.Held{}, fmt.Errorf("find reader: %w", err)
	}
	return db.HeldAbout(ctx, id)
}
