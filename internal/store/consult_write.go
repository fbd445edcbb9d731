package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/seal"
)

// BookCall implements [consult.Store].
func (db *DB) BookCall(ctx context.Context, now time.Time, d consult.Draft) (made consult.Booking, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		id, used, err := usedKey(ctx, tx, d.Key)
		if err != nil {
			return err
		}
		if used {
			made, err = db.call(ctx, tx, id)
			return err
		}
		made = d.Booking
		if err := db.mayBook(ctx, tx, now, d); err != nil {
			return err
		}
		return db.insertCall(ctx, tx, now, d)
	})
	return made, err
}

// gone turns what the unique index and the triggers say into the word for it.
func gone(err error) error {
	if isTrigger(err, "slot_taken") || isUnique(err) {
		return fmt.Errorf("%w: %w", consult.ErrGone, err)
	}
	return err
}

// mayBook applies the rules and budgets to what stands in the database now.
func (db *DB) mayBook(ctx context.Context, tx *sql.Tx, now time.Time, d consult.Draft) error {
	taken, err := diary(ctx, tx, d.From, d.To, "")
	if err != nil {
		return err
	}
	if err := d.Allow(taken); err != nil {
		return err
	}
	return db.withinBudget(ctx, tx, now, d)
}

func (db *DB) withinBudget(ctx context.Context, tx *sql.Tx, now time.Time, d consult.Draft) error {
	if most := d.Budget.PerPerson; most > 0 {
		var phone, email int
		err := tx.QueryRowContext(ctx, `
			SELECT count(*) FILTER (WHERE c.phone_blind = ?1), count(*) FILTER (WHERE c.email_blind = ?2)
			FROM booking_contact AS c
			JOIN booking AS b ON b.id = c.booking
			WHERE (c.phone_blind = ?1 OR c.email_blind = ?2) AND b.status = 'confirmed' AND b.starts > ?3`,
			db.blindPhone(d.Booking.Contact), db.blindEmail(d.Booking.Contact), unix(now)).Scan(&phone, &email)
		if err != nil {
			return fmt.Errorf("count open calls: %w", err)
		}
		if max(phone, email) >= most {
			return consult.ErrBudget
		}
	}
	if most := d.Budget.PerDay; most > 0 {
		var made int
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM booking WHERE created > ?`, unix(now.Add(-24*time.Hour))).Scan(&made)
		if err != nil {
			return fmt.Errorf("count bookings: %w", err)
		}
		if made >= most {
			return consult.ErrBrake
		}
	}
	return nil
}

func (db *DB) insertCall(ctx context.Context, tx *sql.Tx, now time.Time, d consult.Draft) error {
	b := d.Booking
	_, err := tx.ExecContext(ctx, `
		INSERT INTO booking (
			id, uid, starts, ends, gap, status, sequence, created, contact_ends, contact_early, row_ends
		) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		b.ID, b.UID, unix(b.Start), unix(b.End), int64(d.Gap/time.Second), b.Status, b.Sequence, unix(b.Created),
		unix(d.Ends.Contact), d.Ends.Early, unix(d.Ends.Row))
	if err != nil {
		return fmt.Errorf("write booking: %w", gone(err))
	}
	if err := db.insertContact(ctx, tx, b.ID, b.Contact); err != nil {
		return fmt.Errorf("write contact: %w", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO manage_token (hash, booking, expires) VALUES (?, ?, ?)`,
		seal.HashToken(pageToken, b.Contact.Token), b.ID, unix(d.Ends.Page))
	if err != nil {
		return fmt.Errorf("write token: %w", err)
	}
	if err := useKey(ctx, tx, now, d.Key, b.ID); err != nil {
		return err
	}
	if err := note(ctx, tx, now, string(consult.ByVisitor), "booked", b.ID); err != nil {
		return err
	}
	return db.enqueue(ctx, tx, now, d.Messages...)
}

// MoveCall implements [consult.Store].
func (db *DB) MoveCall(ctx context.Context, now time.Time, m consult.Move) (moved consult.Booking, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		b, err := db.call(ctx, tx, m.ID)
		if err != nil {
			return err
		}
		moved = b
		if _, used, err := usedKey(ctx, tx, m.Key); used || err != nil {
			return err
		}
		if err := b.Closed(now); err != nil {
			return err
		}
		taken, err := diary(ctx, tx, m.From, m.To, m.ID)
		if err != nil {
			return err
		}
		if err := m.Allow(taken); err != nil {
			return err
		}
		moved.Start, moved.End, moved.Sequence = m.Start, m.End, b.Sequence+1
		return db.moveCall(ctx, tx, now, m, moved)
	})
	return moved, err
}

func (db *DB) moveCall(ctx context.Context, tx *sql.Tx, now time.Time, m consult.Move, moved consult.Booking) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE booking
		SET gap = ?, starts = ?, ends = ?, sequence = ?, contact_ends = ?, contact_early = ?, row_ends = ?
		WHERE id = ?`,
		int64(m.Gap/time.Second), unix(moved.Start), unix(moved.End), moved.Sequence,
		unix(m.Ends.Contact), m.Ends.Early, unix(m.Ends.Row), m.ID)
	if err != nil {
		return fmt.Errorf("move booking: %w", gone(err))
	}
	if moved.Contact != nil && m.Zone != "" && m.Zone != moved.Contact.Zone {
		moved.Contact.Zone = m.Zone
		if err := db.resealContact(ctx, tx, m.ID, moved.Contact, "zone"); err != nil {
			return err
		}
	}
	if err := setPageEnd(ctx, tx, m.ID, m.Ends.Page); err != nil {
		return err
	}
	if err := useKey(ctx, tx, now, m.Key, m.ID); err != nil {
		return err
	}
	if err := note(ctx, tx, now, string(consult.ByVisitor), "moved", m.ID); err != nil {
		return err
	}
	if err := skipMessages(ctx, tx, now, m.ID, consult.AllKinds(), "moved"); err != nil {
		return err
	}
	return db.enqueue(ctx, tx, now, m.Messages(moved)...)
}

// CancelCall implements [consult.Store].
func (db *DB) CancelCall(ctx context.Context, now time.Time, c consult.Cancel) (b consult.Booking, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if b, err = db.call(ctx, tx, c.ID); err != nil {
			return err
		}
		if b.Status == consult.Cancelled {
			return nil
		}
		if err := b.Closed(now); err != nil {
			return err
		}
		b = b.Cancel(now, c.By)
		return db.cancelCall(ctx, tx, now, c, b)
	})
	return b, err
}

func (db *DB) cancelCall(ctx context.Context, tx *sql.Tx, now time.Time, c consult.Cancel, b consult.Booking) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE booking
		SET status = 'cancelled', sequence = ?, cancelled = ?, cancelled_by = ?,
			contact_ends = ?, contact_early = ?, row_ends = ?
		WHERE id = ?`,
		b.Sequence, unix(now), c.By, unix(c.Ends.Contact), c.Ends.Early, unix(c.Ends.Row), c.ID)
	if err != nil {
		return fmt.Errorf("cancel booking: %w", err)
	}
	if err := setPageEnd(ctx, tx, c.ID, c.Ends.Page); err != nil {
		return err
	}
	if err := note(ctx, tx, now, string(c.By), "cancelled", c.ID); err != nil {
		return err
	}
	if err := skipMessages(ctx, tx, now, c.ID, consult.AllKinds(), "cancelled"); err != nil {
		return err
	}
	if err := db.enqueue(ctx, tx, now, c.Messages(b)...); err != nil {
		return err
	}
	return forgetEarly(ctx, tx, c.ID)
}

// WithdrawEmail implements [consult.Store].
func (db *DB) WithdrawEmail(ctx context.Context, now time.Time, id string) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		c, err := db.contact(ctx, tx, id)
		if err != nil || c == nil || c.Email == "" {
			return err
		}
		c.Email, c.Remind = "", false
		if err := db.resealContact(ctx, tx, id, c, "email", "remind"); err != nil {
			return err
		}
		if err := note(ctx, tx, now, string(consult.ByVisitor), "address withdrawn", id); err != nil {
			return err
		}
		if err := skipMessages(ctx, tx, now, id, consult.VisitorKinds(), "withdrawn"); err != nil {
			return err
		}
		return forgetEarly(ctx, tx, id)
	})
}

func setPageEnd(ctx context.Context, tx *sql.Tx, id string, end time.Time) error {
	_, err := tx.ExecContext(ctx, `UPDATE manage_token SET expires = ? WHERE booking = ?`, unix(end), id)
	if err != nil {
		return fmt.Errorf("set end of page: %w", err)
	}
	return nil
}

// usedKey returns the booking that a form has made or changed before.
func usedKey(ctx context.Context, tx *sql.Tx, key string) (id string, used bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT booking FROM booking_key WHERE key = ?`, key).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("look up form key: %w", err)
	}
	return id, true, nil
}

func useKey(ctx context.Context, tx *sql.Tx, now time.Time, key, id string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO booking_key (key, booking, used) VALUES (?, ?, ?)`, key, id, unix(now))
	if err != nil {
		return fmt.Errorf("note form key: %w", err)
	}
	return nil
}

// note writes down who changed what, by row id alone.
func note(ctx context.Context, tx *sql.Tx, now time.Time, who, what, row string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO audit (at, who, what, row) VALUES (?, ?, ?, ?)`, unix(now), who, what, row)
	if err != nil {
		return fmt.Errorf("note change: %w", err)
	}
	return nil
}
