package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/consult"
)

// EraseCalls removes everything that bookings hold about a person: contacts,
// private pages, and messages that wait. A call that was still to come is cancelled,
// because there is nobody left to call, and the owner is told as for any other
// cancellation; the visitor gets nothing. Then the write-ahead log is emptied.
func (db *DB) EraseCalls(ctx context.Context, now time.Time, p consult.Person) (done consult.Erased, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		ids, err := db.callsOf(ctx, tx, p)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := db.eraseCall(ctx, tx, now, id, &done); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return consult.Erased{}, fmt.Errorf("erase calls: %w", err)
	}
	return done, db.forgetPages(ctx)
}

// callsOf returns the bookings with a person's number or address.
func (db *DB) callsOf(ctx context.Context, tx *sql.Tx, p consult.Person) ([]string, error) {
	query, blind := `SELECT booking FROM booking_contact WHERE phone_blind = ?`, db.ring.Blind("phone", p.Phone)
	if p.Phone == "" {
		query, blind = `SELECT booking FROM booking_contact WHERE email_blind = ?`, db.ring.Blind("email", p.Address.Key)
	}
	return queryAll(ctx, tx, func(rows *sql.Rows) (id string, err error) {
		err = rows.Scan(&id)
		return id, err
	}, query, blind)
}

// eraseCall erases one booking's person, and counts it in done.
func (db *DB) eraseCall(ctx context.Context, tx *sql.Tx, now time.Time, id string, done *consult.Erased) error {
	b, err := db.call(ctx, tx, id)
	if err != nil {
		return err
	}
	done.Contacts++
	if b.Contact != nil && b.Contact.Email != "" {
		done.Addresses = append(done.Addresses, b.Contact.Email)
	}
	if b.Open(now) {
		done.Cancelled++
		b.Contact = nil // nobody but the owner is told
		if err := db.cancelCall(ctx, tx, now, consult.CancelOf(b, now, consult.ByOwner), b.Cancel(now, consult.ByOwner)); err != nil {
			return err
		}
	}
	if err := skipMessages(ctx, tx, now, id, consult.VisitorKinds(), "erased"); err != nil {
		return err
	}
	for _, query := range []string{
		`DELETE FROM booking_contact WHERE booking = ?`,
		`DELETE FROM manage_token WHERE booking = ?`,
	} {
		if _, err := tx.ExecContext(ctx, query, id); err != nil {
			return err
		}
	}
	return note(ctx, tx, now, string(consult.ByOwner), "person erased", id)
}
