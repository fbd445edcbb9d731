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
	kind, blind := erasedPhone, db.ring.Blind("phone", p.Phone)
	if p.Phone == "" {
		kind, blind = erasedEmail, db.ring.Blind("email", p.Address.Key)
	}
	if err := db.remember(now, kind, blind); err != nil {
		return consult.Erased{}, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		done, err = db.eraseCallsOf(ctx, tx, now, kind, blind)
		return err
	})
	if err != nil {
		return consult.Erased{}, fmt.Errorf("erase calls: %w", err)
	}
	return done, db.forgetPages(ctx)
}

// eraseCallsOf erases the person of the bookings with a number or an address.
func (db *DB) eraseCallsOf(ctx context.Context, tx *sql.Tx, now time.Time, kind string, blind []byte) (done consult.Erased, err error) {
	query := `SELECT booking FROM booking_contact WHERE phone_blind = ?`
	if kind == erasedEmail {
		query = `SELECT booking FROM booking_contact WHERE email_blind = ?`
	}
	ids, err := queryAll(ctx, tx, func(rows *sql.Rows) (id string, err error) {
		err = rows.Scan(&id)
		return id, err
	}, query, blind)
	if err != nil {
		return done, err
	}
	for _, id := range ids {
		if err := db.eraseCall(ctx, tx, now, id, &done); err != nil {
			return done, err
		}
	}
	return done, nil
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
