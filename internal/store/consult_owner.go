package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
)

// FinishCall implements [consult.Store].
func (db *DB) FinishCall(ctx context.Context, now time.Time, id string, as consult.Status) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := execCount(ctx, tx, `
			UPDATE booking SET status = ?, sequence = sequence + 1
			WHERE id = ? AND status <> 'cancelled' AND status <> ?`, as, id, as)
		if err != nil {
			return fmt.Errorf("finish call: %w", err)
		}
		if n > 0 {
			return note(ctx, tx, now, string(consult.ByOwner), string(as), id)
		}
		b, err := db.call(ctx, tx, id)
		if err == nil && b.Status == consult.Cancelled {
			return fault.New(fault.Taken, "This call was cancelled.")
		}
		return err // it stands so already
	})
}

// CallsBetween returns all calls that begin from one time to another, whatever became
// of them, by time. Those whose contact is erased have none.
func (db *DB) CallsBetween(ctx context.Context, from, to time.Time) ([]consult.Booking, error) {
	calls, err := queryAll(ctx, db.read, func(rows *sql.Rows) (consult.Booking, error) {
		return scanBooking(rows)
	}, `
		SELECT `+bookingColumns+` FROM booking
		WHERE starts >= ? AND starts < ?
		ORDER BY starts, id`, unix(from), unix(to))
	if err != nil {
		return nil, fmt.Errorf("read calls: %w", err)
	}
	return calls, nil
}

// Busy is a time without calls, with the id by which it is taken back.
type Busy struct {
	ID   string
	Span slots.Span
}

// BusyTimes returns the times that the owner has blocked and that end after from, by time.
func (db *DB) BusyTimes(ctx context.Context, from time.Time) ([]Busy, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (b Busy, err error) {
		var starts, ends int64
		err = rows.Scan(&b.ID, &starts, &ends)
		b.Span = slots.Span{From: fromUnix(starts), To: fromUnix(ends)}
		return b, err
	}, `SELECT id, starts, ends FROM busy_block WHERE source = 'manual' AND ends > ? ORDER BY starts, id`, unix(from))
	if err != nil {
		return nil, fmt.Errorf("read busy times: %w", err)
	}
	return out, nil
}

// AddBusy implements [consult.Store].
func (db *DB) AddBusy(ctx context.Context, now time.Time, span slots.Span) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		id := seal.NewID()
		_, err := tx.ExecContext(ctx, `INSERT INTO busy_block (id, starts, ends, source) VALUES (?, ?, ?, 'manual')`,
			id, unix(span.From), unix(span.To))
		if err != nil {
			return fmt.Errorf("block a time: %w", err)
		}
		return note(ctx, tx, now, string(consult.ByOwner), "blocked", id)
	})
}

// RemoveBusy opens a blocked time again. One that is open already is no error.
func (db *DB) RemoveBusy(ctx context.Context, now time.Time, id string) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := execCount(ctx, tx, `DELETE FROM busy_block WHERE id = ? AND source = 'manual'`, id)
		if err != nil || n == 0 {
			return err
		}
		return note(ctx, tx, now, string(consult.ByOwner), "opened", id)
	})
}

// Deed is one line of the audit list: who did what to which row, and nothing personal.
type Deed struct {
	At             time.Time
	Who, What, Row string
}

// Deeds returns the last deeds, newest first.
func (db *DB) Deeds(ctx context.Context, most int) ([]Deed, error) {
	out, err := queryAll(ctx, db.read, func(rows *sql.Rows) (d Deed, err error) {
		var at int64
		err = rows.Scan(&at, &d.Who, &d.What, &d.Row)
		d.At = fromUnix(at)
		return d, err
	}, `SELECT at, who, what, row FROM audit ORDER BY id DESC LIMIT ?`, most)
	if err != nil {
		return nil, fmt.Errorf("read the audit list: %w", err)
	}
	return out, nil
}
