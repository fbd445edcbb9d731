package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/consult"
)

// keyMemory is how long the key of a form is remembered after it had its effect:
// longer than a form may be posted.
const keyMemory = 48 * time.Hour

// auditMemory is how long it is known who changed what.
const auditMemory = 90 * 24 * time.Hour

// waiting is true for a booking with a message to its visitor that may still go.
const waiting = `
	EXISTS (
		SELECT 1 FROM outbox
		WHERE outbox.subject = booking.id AND outbox.state IN ('queued', 'claimed', 'in-data', 'retry')
			AND outbox.kind IN `

// visitorKinds is the list of kinds for an IN; they are constants, not input.
func visitorKinds() string {
	return "('" + strings.Join(consult.VisitorKinds(), "', '") + "')"
}

// forgetEarly erases the contact of a booking that is to be forgotten as soon as no
// message to its visitor waits, if that is so already.
func forgetEarly(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM booking_contact
		WHERE booking = ? AND booking IN (
			SELECT id FROM booking
			WHERE contact_early = 1 AND NOT `+waiting+visitorKinds()+`)
		)`, id)
	if err != nil {
		return fmt.Errorf("erase contact: %w", err)
	}
	return nil
}

// EraseDueCalls erases what has been kept long enough at now: contacts, private
// pages, then the times themselves. It returns how many contacts it erased. A
// checkpoint follows when anything was, so that the write-ahead log keeps nothing
// of it either.
func (db *DB) EraseDueCalls(ctx context.Context, now time.Time) (erased int, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		erased, err = exec(ctx, tx, `
			DELETE FROM booking_contact
			WHERE booking IN (
				SELECT id FROM booking
				WHERE contact_ends <= ? OR contact_early = 1 AND NOT `+waiting+visitorKinds()+`)
			)`, unix(now))
		if err != nil {
			return fmt.Errorf("erase contacts: %w", err)
		}
		for _, old := range []struct {
			query string
			at    time.Time
		}{
			{`DELETE FROM manage_token WHERE expires <= ?`, now},
			{`DELETE FROM booking WHERE row_ends <= ?`, now},
			{`DELETE FROM booking_key WHERE used <= ?`, now.Add(-keyMemory)},
			{`DELETE FROM audit WHERE at <= ?`, now.Add(-auditMemory)},
		} {
			if _, err := exec(ctx, tx, old.query, unix(old.at)); err != nil {
				return fmt.Errorf("erase what is over: %w", err)
			}
		}
		return nil
	})
	if err == nil && erased > 0 {
		err = db.forgetPages(ctx)
	}
	return erased, err
}

func exec(ctx context.Context, tx *sql.Tx, query string, args ...any) (rows int, err error) {
	result, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}
