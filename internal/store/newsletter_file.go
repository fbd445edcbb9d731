package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
)

// errPreview rolls a transaction back whose result was only wanted to be seen.
var errPreview = errors.New("preview")

// ImportSubscribers adds addresses. Whoever is known stays as they are, and whoever
// asked to be forgotten is passed over. New ones with proof of consent become
// active; the others are asked to confirm. Without write nothing is kept, and the
// counts are those that a write would have.
func (db *DB) ImportSubscribers(ctx context.Context, now time.Time, rows []newsletter.ImportRow, write bool) (newsletter.Imported, error) {
	var out newsletter.Imported
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, row := range rows {
			if err := db.importRow(ctx, tx, now, row, &out); err != nil {
				return err
			}
		}
		if !write {
			return errPreview
		}
		return nil
	})
	if err != nil && !errors.Is(err, errPreview) {
		return newsletter.Imported{}, fmt.Errorf("import subscribers: %w", err)
	}
	return out, nil
}

func (db *DB) importRow(ctx context.Context, tx *sql.Tx, now time.Time, row newsletter.ImportRow, out *newsletter.Imported) error {
	lookup := db.lookup(row.Address)
	var forgotten, known bool
	err := tx.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM suppression WHERE lookup = ?1),
			EXISTS (SELECT 1 FROM subscriber WHERE lookup = ?1)
			OR EXISTS (SELECT 1 FROM signup WHERE lookup = ?1 AND used = 0 AND expires > ?2)`, lookup, unix(now)).
		Scan(&forgotten, &known)
	switch {
	case err != nil:
		return err
	case forgotten:
		out.Forgotten++
	case known:
		out.Kept++
	case row.Consent.Given.IsZero():
		out.Pending++
		return db.importPending(ctx, tx, now, lookup, row)
	default:
		out.Active++
		return db.importActive(ctx, tx, now, lookup, row)
	}
	return nil
}

func (db *DB) importPending(ctx context.Context, tx *sql.Tx, now time.Time, lookup []byte, row newsletter.ImportRow) error {
	a := newsletter.NewAsk(row.Address)
	due, err := nextConfirm(ctx, tx, now)
	if err != nil {
		return err
	}
	return db.addSignup(ctx, tx, now, due, lookup, a)
}

// nextConfirm spreads the confirmation mails of an import over as many hours as
// the site's budget asks for.
func nextConfirm(ctx context.Context, tx *sql.Tx, now time.Time) (time.Time, error) {
	var last int64
	err := tx.QueryRowContext(ctx, `
		SELECT due FROM outbox WHERE kind = ? ORDER BY due DESC LIMIT 1 OFFSET ?`,
		newsletter.KindConfirm, newsletter.SiteMost-1).Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		return now, nil
	}
	due := fromUnix(last).Add(newsletter.SiteWindow)
	if due.Before(now) {
		due = now
	}
	return due, err
}

// importActive keeps the consent as the file proves it: its time and its wording.
func (db *DB) importActive(ctx context.Context, tx *sql.Tx, now time.Time, lookup []byte, row newsletter.ImportRow) error {
	return db.subscribe(ctx, tx, now, lookup, row.Address.Wire(), row.Consent)
}

// ActiveSubscribers counts who gets the newsletter.
func (db *DB) ActiveSubscribers(ctx context.Context) (n int, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT count(*) FROM subscriber WHERE state = 'active'`).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count subscribers: %w", err)
	}
	return n, nil
}

// ExportSubscribers returns everybody who gets the newsletter, by address.
func (db *DB) ExportSubscribers(ctx context.Context) ([]newsletter.ExportRow, error) {
	subscribers, err := queryAll(ctx, db.read, scanExport, `
		SELECT s.id, s.state, s.plain, s.paused_until, s.row_key, s.address, s.since,
			coalesce(c.given, 0), coalesce(c.wording, '')
		FROM subscriber AS s
		LEFT JOIN consent AS c ON c.id = (SELECT max(id) FROM consent WHERE subscriber = s.id)
		WHERE s.state = 'active'`)
	if err != nil {
		return nil, fmt.Errorf("read subscribers: %w", err)
	}
	out := make([]newsletter.ExportRow, len(subscribers))
	for i, s := range subscribers {
		out[i] = s.out
		if out[i].Address, err = db.openAddress(s.row); err != nil {
			return nil, fmt.Errorf("read subscribers: %w", err)
		}
	}
	slices.SortFunc(out, func(a, b newsletter.ExportRow) int { return strings.Compare(a.Address, b.Address) })
	return out, nil
}

type exported struct {
	row subscriberRow
	out newsletter.ExportRow
}

func scanExport(rows *sql.Rows) (e exported, err error) {
	var paused, given int64
	err = rows.Scan(&e.row.ID, &e.out.State, &e.out.Plain, &paused, &e.row.rowKey, &e.row.address, &e.row.since, &given, &e.out.Consent.Wording)
	e.out.Since = fromUnix(e.row.since)
	if paused != 0 {
		e.out.PausedUntil = fromUnix(paused)
	}
	if given != 0 {
		e.out.Consent.Given = fromUnix(given)
	}
	return e, err
}

// Bounce draws the conclusion of a delivery status notification about a letter that
// we sent, named by its random id: hard, the address does not exist; else its
// mailbox is full. It returns false for an id that is not a letter's.
func (db *DB) Bounce(ctx context.Context, now time.Time, id string, hard bool) (known bool, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var subject string
		err := tx.QueryRowContext(ctx, `
			SELECT subject FROM outbox WHERE ref = ? AND kind = ? AND state IN ('accepted', 'unknown')`,
			id, newsletter.KindIssue).Scan(&subject)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		known = true
		n, err := execCount(ctx, tx, `
			UPDATE outbox SET state = 'failed', reason = 'bounced', updated = ? WHERE ref = ?`, unix(now), id)
		if err != nil || n == 0 {
			return err
		}
		return db.followSubscriber(ctx, tx, now, subject, outbox.BounceResult(hard))
	})
	if err != nil {
		return false, fmt.Errorf("note bounce: %w", err)
	}
	return known, nil
}
