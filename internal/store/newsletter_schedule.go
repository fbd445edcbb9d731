package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/seal"
)

// ScheduleIssue notes that an issue is to go out at a time; one that was scheduled
// before gets the new time. Its words are frozen only then. It returns fault.Taken if
// the issue was started already.
func (db *DB) ScheduleIssue(ctx context.Context, i newsletter.Issue, at time.Time) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := execCount(ctx, tx, `
			INSERT INTO issue (id, slug, state, hash, subject, discreet, preheader, html, text, started)
			VALUES (?, ?, 'scheduled', ?, '', '', '', '', '', ?)
			ON CONFLICT (slug) DO UPDATE SET started = excluded.started WHERE state = 'scheduled'`,
			seal.NewID(), i.Slug, i.Hash(), unix(at))
		if err == nil && n == 0 {
			err = fault.New(fault.Taken, "")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("schedule issue: %w", err)
	}
	return nil
}

// UnscheduleIssue takes back what [DB.ScheduleIssue] noted, or returns fault.NotFound.
func (db *DB) UnscheduleIssue(ctx context.Context, slug string) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := execCount(ctx, tx, `DELETE FROM issue WHERE slug = ? AND state = 'scheduled'`, slug)
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, "")
		}
		return err
	})
}

// DueIssues names the scheduled issues whose time has come, the oldest first.
func (db *DB) DueIssues(ctx context.Context, now time.Time) ([]string, error) {
	slugs, err := queryAll(ctx, db.read, func(rows *sql.Rows) (slug string, err error) {
		return slug, rows.Scan(&slug)
	}, `SELECT slug FROM issue WHERE state = 'scheduled' AND started <= ? ORDER BY started, slug`, unix(now))
	if err != nil {
		return nil, fmt.Errorf("find due issues: %w", err)
	}
	return slugs, nil
}
