package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// keepReads is how long the counts of a day are kept.
const keepReads = 400 * 24 * time.Hour

// AddReads adds to the counts of the day of now, UTC, by article, and forgets the oldest.
func (db *DB) AddReads(ctx context.Context, now time.Time, counts map[string]int64) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		day := now.UTC().Format(time.DateOnly)
		for slug, n := range counts {
			_, err := tx.ExecContext(ctx, `
				INSERT INTO article_read (day, slug, times) VALUES (?, ?, ?)
				ON CONFLICT (day, slug) DO UPDATE SET times = times + excluded.times`, day, slug, n)
			if err != nil {
				return fmt.Errorf("count reads: %w", err)
			}
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM article_read WHERE day < ?`, now.UTC().Add(-keepReads).Format(time.DateOnly))
		return err
	})
}

// Reads is how often an article was read in a week that ends on a day.
type Reads struct {
	Slug string
	Week int // 0: the seven days that end today, UTC; 1: those before; …
	N    int64
}

// ReadsByWeek returns the reads of each article in the last weeks, counted back from the
// day of now, UTC.
func (db *DB) ReadsByWeek(ctx context.Context, now time.Time, weeks int) ([]Reads, error) {
	today := now.UTC().Format(time.DateOnly)
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (r Reads, err error) {
		return r, rows.Scan(&r.Slug, &r.Week, &r.N)
	}, `
		SELECT slug, CAST(julianday(?1) - julianday(day) AS INTEGER) / 7 AS week, sum(times)
		FROM article_read
		WHERE day <= ?1 AND julianday(?1) - julianday(day) < 7 * ?2
		GROUP BY slug, week
		ORDER BY slug, week`, today, weeks)
	if err != nil {
		return nil, fmt.Errorf("read the counts of reads: %w", err)
	}
	return out, nil
}
