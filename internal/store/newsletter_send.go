package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
)

// SignupAddress implements [newsletter.Sender].
func (db *DB) SignupAddress(ctx context.Context, now time.Time, id string) (string, error) {
	var rowKey, address []byte
	err := db.read.QueryRowContext(ctx, `
		SELECT row_key, address FROM signup WHERE id = ? AND used = 0 AND expires > ?`, id, unix(now)).
		Scan(&rowKey, &address)
	if errors.Is(err, sql.ErrNoRows) {
		return "", outbox.Skip("no longer asked for")
	}
	if err != nil {
		return "", fmt.Errorf("find sign-up: %w", err)
	}
	row, err := db.ring.OpenRow("signup", id, rowKey)
	if err != nil {
		return "", err
	}
	return row.Open("address", address)
}

// SubscriberAddress implements [newsletter.Sender].
func (db *DB) SubscriberAddress(ctx context.Context, id string) (string, error) {
	s, err := db.recipient(ctx, id)
	if err != nil {
		return "", err
	}
	return db.openAddress(s)
}

func (db *DB) recipient(ctx context.Context, id string) (subscriberRow, error) {
	s, err := findSubscriber(ctx, db.read, id)
	switch {
	case fault.Is(err, fault.NotFound):
		return s, outbox.Skip("erased")
	case err == nil && s.State != newsletter.Active:
		return s, outbox.Skip(string(s.State))
	}
	return s, err
}

// LetterFor implements [newsletter.Sender]. Whether the issue is paused is asked when its
// row is put in-data, and not here.
func (db *DB) LetterFor(ctx context.Context, now time.Time, issue, subscriber string) (l newsletter.Letter, err error) {
	if l.Issue, err = db.frozenIssue(ctx, issue); err != nil {
		return newsletter.Letter{}, err
	}
	s, err := db.recipient(ctx, subscriber)
	if err != nil {
		return newsletter.Letter{}, err
	}
	if s.PausedUntil.After(now) {
		return newsletter.Letter{}, outbox.Skip("paused")
	}
	l.Subscriber, l.Epoch, l.Plain = s.ID, s.Epoch, s.Plain
	l.To, err = db.openAddress(s)
	return l, err
}

// frozen is the last issue that was asked for. Its words never change under its id, so
// a letter need not read them again for each reader.
type frozen struct {
	id    string
	issue newsletter.Issue
}

func (db *DB) frozenIssue(ctx context.Context, id string) (newsletter.Issue, error) {
	if last := db.frozen.Load(); last != nil && last.id == id {
		return last.issue, nil
	}
	f := frozen{id: id}
	err := db.read.QueryRowContext(ctx, `
		SELECT slug, subject, discreet, preheader, html, text FROM issue WHERE id = ?`, id).
		Scan(&f.issue.Slug, &f.issue.Subject, &f.issue.Discreet, &f.issue.Preheader, &f.issue.HTML, &f.issue.Text)
	if err != nil {
		return newsletter.Issue{}, fmt.Errorf("find issue: %w", err)
	}
	db.frozen.Store(&f)
	return f.issue, nil
}

// followIssue draws the conclusions of one letter's result for its subscriber and
// its issue.
func (db *DB) followIssue(ctx context.Context, tx *sql.Tx, now time.Time, m outbox.Message, r outbox.Result) error {
	if err := db.followSubscriber(ctx, tx, now, m.Subject, r); err != nil {
		return err
	}
	return db.followRefusals(ctx, tx, now, m.Batch, r)
}

// followSubscriber counts for and against an address, and gives it up when it
// does not exist or was out of reach for several issues in a row.
func (db *DB) followSubscriber(ctx context.Context, tx *sql.Tx, now time.Time, id string, r outbox.Result) error {
	switch r.Fate() {
	case outbox.Reached:
		_, err := tx.ExecContext(ctx, `UPDATE subscriber SET soft = 0 WHERE id = ? AND soft <> 0`, id)
		return err
	case outbox.Bounced:
		return db.suppress(ctx, tx, now, id, "hard-bounce")
	case outbox.OutOfReach:
		var soft int
		err := tx.QueryRowContext(ctx, `UPDATE subscriber SET soft = soft + 1 WHERE id = ? RETURNING soft`, id).Scan(&soft)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil || soft < newsletter.SoftMost {
			return err
		}
		return db.suppress(ctx, tx, now, id, "soft-bounce")
	}
	return nil
}

func (db *DB) suppress(ctx context.Context, tx *sql.Tx, now time.Time, id, reason string) error {
	s, err := findSubscriber(ctx, tx, id)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil || s.State != newsletter.Active {
		return err
	}
	return db.end(ctx, tx, now, s, newsletter.Suppressed, reason)
}

// followRefusals holds an issue when servers refuse it for what it is.
func (db *DB) followRefusals(ctx context.Context, tx *sql.Tx, now time.Time, issue string, r outbox.Result) error {
	switch r.Fate() {
	case outbox.Reached:
		_, err := tx.ExecContext(ctx, `UPDATE issue SET refused_run = 0 WHERE id = ? AND refused_run <> 0`, issue)
		return err
	case outbox.TurnedAway:
	default:
		return nil
	}
	var run, refused, tried int
	err := tx.QueryRowContext(ctx, `
		UPDATE issue SET refused_run = refused_run + 1, refused = refused + 1 WHERE id = ?1
		RETURNING refused_run, refused,
			(SELECT count(*) FROM outbox WHERE batch = ?1 AND batch <> '' AND state IN ('accepted', 'failed'))`, issue).
		Scan(&run, &refused, &tried)
	if err != nil {
		return err
	}
	many := refused >= newsletter.RefusedRun && refused*100 >= tried*newsletter.RefusedPercent
	if run < newsletter.RefusedRun && !many {
		return nil
	}
	n, err := execCount(ctx, tx, `UPDATE issue SET state = 'held' WHERE id = ? AND state = 'sending'`, issue)
	if err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE outbox_batch SET held = 1 WHERE batch = ?`, issue); err != nil {
		return err
	}
	return db.notice(ctx, tx, now, outbox.NoticeRefused)
}

// ResolveUnknown settles, as the owner decided, the letters of an issue that may
// have been delivered: counted as sent, or sent again with the same Message-ID.
// It returns how many there were.
func (db *DB) ResolveUnknown(ctx context.Context, now time.Time, slug string, again bool) (n int, err error) {
	state := outbox.Accepted
	if again {
		state = outbox.Queued
	}
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var id string
		err := tx.QueryRowContext(ctx, `SELECT id FROM issue WHERE slug = ?`, slug).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "")
		}
		if err != nil {
			return err
		}
		n, err = execCount(ctx, tx, `
			UPDATE outbox SET state = ?, next_try = ?, updated = ?, reason = 'as the owner decided'
			WHERE batch = ? AND batch <> '' AND state = 'unknown'`, string(state), unix(now), unix(now), id)
		if err != nil {
			return err
		}
		return db.finishIssue(ctx, tx, now, id)
	})
	if err != nil {
		return 0, fmt.Errorf("settle unknown letters: %w", err)
	}
	return n, nil
}
