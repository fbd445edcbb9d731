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
	"github.com/steadier/steadier/internal/slots"
)

var _ consult.Store = (*DB)(nil)

// pageToken is the purpose of the token of a visitor's page.
const pageToken = "visitor page"

// Diary implements [consult.Store].
func (db *DB) Diary(ctx context.Context, from, to time.Time, without string) (consult.Diary, error) {
	return diary(ctx, db.read, from, to, without)
}

// diary reads what is taken. Calls that were held count too: a day's cap is about
// the day, not about what is left of it.
func diary(ctx context.Context, q querier, from, to time.Time, without string) (d consult.Diary, err error) {
	d.Booked, err = queryAll(ctx, q, scanSpan, `
		SELECT starts, ends FROM booking
		WHERE status <> 'cancelled' AND starts >= ? AND starts < ? AND id <> ?
		ORDER BY starts`, unix(from), unix(to), without)
	if err != nil {
		return d, fmt.Errorf("read calls: %w", err)
	}
	d.Busy, err = queryAll(ctx, q, scanSpan, `
		SELECT starts, ends FROM busy_block
		WHERE ends > ? AND starts < ?
		ORDER BY starts`, unix(from), unix(to))
	if err != nil {
		return d, fmt.Errorf("read busy times: %w", err)
	}
	return d, nil
}

func scanSpan(rows *sql.Rows) (s slots.Span, err error) {
	var from, to int64
	err = rows.Scan(&from, &to)
	return slots.Span{From: fromUnix(from), To: fromUnix(to)}, err
}

const bookingColumns = `id, uid, starts, ends, status, sequence, created, cancelled, cancelled_by`

// Call implements [consult.Store]. A booking whose contact is erased has none.
func (db *DB) Call(ctx context.Context, id string) (consult.Booking, error) {
	return db.call(ctx, db.read, id)
}

func (db *DB) call(ctx context.Context, q querier, id string) (consult.Booking, error) {
	b, err := scanBooking(q.QueryRowContext(ctx, `SELECT `+bookingColumns+` FROM booking WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return b, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return b, fmt.Errorf("read booking: %w", err)
	}
	b.Contact, err = db.contact(ctx, q, id)
	return b, err
}

func scanBooking(row interface{ Scan(...any) error }) (b consult.Booking, err error) {
	var (
		starts, ends, created int64
		cancelled             sql.NullInt64
		by                    sql.NullString
	)
	err = row.Scan(&b.ID, &b.UID, &starts, &ends, &b.Status, &b.Sequence, &created, &cancelled, &by)
	b.Start, b.End, b.Created = fromUnix(starts), fromUnix(ends), fromUnix(created)
	if cancelled.Valid {
		b.Cancelled, b.CancelledBy = fromUnix(cancelled.Int64), consult.Who(by.String)
	}
	return b, err
}

// CallByToken implements [consult.Store].
func (db *DB) CallByToken(ctx context.Context, now time.Time, token string) (consult.Booking, error) {
	var id string
	err := db.read.QueryRowContext(ctx, `
		SELECT booking FROM manage_token
		WHERE hash = ? AND expires > ?`, seal.HashToken(pageToken, token), unix(now)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return consult.Booking{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return consult.Booking{}, fmt.Errorf("find booking: %w", err)
	}
	return db.call(ctx, db.read, id)
}

// CallByCode implements [consult.Store].
func (db *DB) CallByCode(ctx context.Context, now time.Time, code string) (consult.Booking, error) {
	var id string
	err := db.read.QueryRowContext(ctx, `
		SELECT c.booking FROM booking_contact AS c
		JOIN manage_token AS t ON t.booking = c.booking
		WHERE c.code_blind = ? AND t.expires > ?`, db.ring.Blind("code", code), unix(now)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return consult.Booking{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return consult.Booking{}, fmt.Errorf("find booking: %w", err)
	}
	return db.call(ctx, db.read, id)
}

// ComingCalls implements [consult.Store].
func (db *DB) ComingCalls(ctx context.Context, from, to time.Time) ([]consult.Booking, error) {
	calls, err := queryAll(ctx, db.read, func(rows *sql.Rows) (consult.Booking, error) {
		return scanBooking(rows)
	}, `
		SELECT `+bookingColumns+` FROM booking
		WHERE status = 'confirmed' AND ends > ? AND starts < ?
		ORDER BY starts`, unix(from), unix(to))
	if err != nil {
		return nil, fmt.Errorf("read coming calls: %w", err)
	}
	for i := range calls {
		if calls[i].Contact, err = db.contact(ctx, db.read, calls[i].ID); err != nil {
			return nil, err
		}
	}
	return calls, nil
}
