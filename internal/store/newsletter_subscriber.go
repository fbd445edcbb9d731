package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
)

type subscriberRow struct {
	newsletter.Subscriber

	lookup          []byte
	rowKey, address []byte
	reason          string
	since           int64
}

// findSubscriber returns a row by its id, or fault.NotFound.
func findSubscriber(ctx context.Context, q querier, id string) (s subscriberRow, err error) {
	var paused int64
	err = q.QueryRowContext(ctx, `
		SELECT id, state, epoch, plain, paused_until, lookup, row_key, address, reason, since
		FROM subscriber WHERE id = ?`, id).
		Scan(&s.ID, &s.State, &s.Epoch, &s.Plain, &paused, &s.lookup, &s.rowKey, &s.address, &s.reason, &s.since)
	if errors.Is(err, sql.ErrNoRows) {
		return subscriberRow{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return subscriberRow{}, fmt.Errorf("find subscriber: %w", err)
	}
	if paused != 0 {
		s.PausedUntil = fromUnix(paused)
	}
	return s, nil
}

func (db *DB) openAddress(s subscriberRow) (string, error) {
	if s.address == nil {
		return "", nil
	}
	row, err := db.ring.OpenRow("subscriber", s.ID, s.rowKey)
	if err != nil {
		return "", err
	}
	return row.Open("address", s.address)
}

// FindSubscriber implements [newsletter.Store].
func (db *DB) FindSubscriber(ctx context.Context, l newsletter.Link) (newsletter.Subscriber, error) {
	s, err := findSubscriber(ctx, db.read, l.Subscriber)
	if err == nil && s.Epoch != l.Epoch {
		err = fault.New(fault.NotFound, "")
	}
	return s.Subscriber, err
}

// LeaveNewsletter implements [newsletter.Store].
func (db *DB) LeaveNewsletter(ctx context.Context, now time.Time, l newsletter.Link) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		s, err := findSubscriber(ctx, tx, l.Subscriber)
		if fault.Is(err, fault.NotFound) {
			return nil // erased: there is nobody left to leave
		}
		if err != nil {
			return err
		}
		if s.Epoch != l.Epoch {
			return fault.New(fault.NotFound, "")
		}
		if s.State == newsletter.Unsubscribed {
			return nil
		}
		if err := db.remember(now, erasedReader, s.lookup); err != nil {
			return err
		}
		return db.end(ctx, tx, now, s, newsletter.Unsubscribed, "")
	})
}

// end takes a subscriber's address away and stops what is under way to it.
func (db *DB) end(ctx context.Context, tx *sql.Tx, now time.Time, s subscriberRow, state newsletter.State, reason string) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE subscriber
		SET state = ?, reason = ?, since = ?, row_key = NULL, address = NULL, paused_until = 0, soft = 0
		WHERE id = ?`, string(state), reason, unix(now), s.ID)
	if err != nil {
		return fmt.Errorf("end subscription: %w", err)
	}
	if err := skipMessages(ctx, tx, now, s.ID, nil, string(state)); err != nil {
		return err
	}
	if err := voidSignups(ctx, tx, now, s.lookup, string(state)); err != nil {
		return err
	}
	return db.finishIssues(ctx, tx, now)
}

// SetSettings implements [newsletter.Store].
func (db *DB) SetSettings(ctx context.Context, _ time.Time, subscriber string, s newsletter.Settings) error {
	paused := int64(0)
	if !s.PausedUntil.IsZero() {
		paused = unix(s.PausedUntil)
	}
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := execCount(ctx, tx, `
			UPDATE subscriber SET plain = ?, paused_until = ? WHERE id = ?`, s.Plain, paused, subscriber)
		if err == nil && n == 0 {
			err = fault.New(fault.NotFound, "")
		}
		return err
	})
}

// AskFresh implements [newsletter.Store].
func (db *DB) AskFresh(ctx context.Context, now time.Time, subscriber, token string, hash []byte) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		s, err := findSubscriber(ctx, tx, subscriber)
		if err != nil {
			return err
		}
		ok, err := mayAsk(ctx, tx, now, s.lookup, "fresh")
		if err != nil || !ok || s.State != newsletter.Active {
			return err
		}
		id, expires := seal.NewID(), now.Add(newsletter.FreshFor)
		_, err = tx.ExecContext(ctx, `
			INSERT INTO signup (id, purpose, lookup, token, subscriber, created, expires)
			VALUES (?, 'fresh', ?, ?, ?, ?, ?)`, id, s.lookup, hash, s.ID, unix(now), unix(expires))
		if err != nil {
			return fmt.Errorf("keep link: %w", err)
		}
		return db.enqueue(ctx, tx, now, outbox.Message{
			Key: "fresh:" + id, Kind: newsletter.KindFresh, Subject: s.ID, Secret: token, Expires: expires,
		})
	})
}

// FindFresh implements [newsletter.Store].
func (db *DB) FindFresh(ctx context.Context, now time.Time, hash []byte) (newsletter.Subscriber, error) {
	link, err := findSignup(ctx, db.read, now, hash, "fresh")
	if err != nil {
		return newsletter.Subscriber{}, err
	}
	s, err := findSubscriber(ctx, db.read, link.subscriber)
	return s.Subscriber, err
}

// HeldAbout implements [newsletter.Store].
func (db *DB) HeldAbout(ctx context.Context, subscriber string) (newsletter.Held, error) {
	s, err := findSubscriber(ctx, db.read, subscriber)
	if err != nil {
		return newsletter.Held{}, err
	}
	held := newsletter.Held{State: s.State, Since: fromUnix(s.since), Settings: s.Settings}
	if held.Address, err = db.openAddress(s); err != nil {
		return newsletter.Held{}, err
	}
	held.Consents, err = queryAll(ctx, db.read, func(rows *sql.Rows) (c newsletter.Consent, err error) {
		var given int64
		err = rows.Scan(&given, &c.Wording)
		c.Given = fromUnix(given)
		return c, err
	}, `SELECT given, wording FROM consent WHERE subscriber = ? ORDER BY id`, subscriber)
	if err != nil {
		return newsletter.Held{}, fmt.Errorf("read consents: %w", err)
	}
	err = db.read.QueryRowContext(ctx, `
		SELECT count(*) FROM outbox WHERE subject = ? AND state = 'accepted'`, subscriber).Scan(&held.Letters)
	if err != nil {
		return newsletter.Held{}, fmt.Errorf("count letters: %w", err)
	}
	return held, nil
}

// EraseFresh implements [newsletter.Store]. The link itself stays until it ends,
// without anybody in it, so that a second press has the same outcome.
func (db *DB) EraseFresh(ctx context.Context, now time.Time, hash []byte) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		link, err := findSignup(ctx, tx, now, hash, "fresh")
		if err != nil || link.used {
			return err
		}
		s, err := findSubscriber(ctx, tx, link.subscriber)
		if err != nil {
			return err
		}
		if err := db.remember(now, erasedReader, s.lookup); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE signup SET used = ?, subscriber = '', lookup = x'' WHERE id = ?`, unix(now), link.id)
		if err != nil {
			return err
		}
		if err := eraseSubscriber(ctx, tx, now, s); err != nil {
			return err
		}
		return db.finishIssues(ctx, tx, now)
	})
	if err != nil {
		return fmt.Errorf("erase: %w", err)
	}
	return db.forgetPages(ctx)
}

// EraseAddress removes everything that the newsletter holds about an address, and
// returns of how many things: the subscription, and the sign-ups that wait.
func (db *DB) EraseAddress(ctx context.Context, now time.Time, a mail.Address) (n int, err error) {
	lookup := db.lookup(a)
	if err := db.remember(now, erasedReader, lookup); err != nil {
		return 0, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		n, err = db.eraseReader(ctx, tx, now, lookup)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("erase address: %w", err)
	}
	return n, db.forgetPages(ctx)
}

func (db *DB) eraseReader(ctx context.Context, tx *sql.Tx, now time.Time, lookup []byte) (n int, err error) {
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM signup WHERE lookup = ?`, lookup).Scan(&n); err != nil {
		return 0, err
	}
	var id string
	err = tx.QueryRowContext(ctx, `SELECT id FROM subscriber WHERE lookup = ?`, lookup).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		if err := voidSignups(ctx, tx, now, lookup, "erased"); err != nil {
			return 0, err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM signup WHERE lookup = ?`, lookup)
		return n, err
	}
	if err != nil {
		return 0, err
	}
	s, err := findSubscriber(ctx, tx, id)
	if err != nil {
		return 0, err
	}
	if err := eraseSubscriber(ctx, tx, now, s); err != nil {
		return 0, err
	}
	return n + 1, db.finishIssues(ctx, tx, now)
}

// eraseSubscriber removes a subscriber with all that belongs to it, and leaves a
// keyed hash so that an import cannot bring the address back (news-H38).
func eraseSubscriber(ctx context.Context, tx *sql.Tx, now time.Time, s subscriberRow) error {
	if err := skipMessages(ctx, tx, now, s.ID, nil, "erased"); err != nil {
		return err
	}
	if err := voidSignups(ctx, tx, now, s.lookup, "erased"); err != nil {
		return err
	}
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`UPDATE outbox SET subject = '', idem = ref WHERE subject = ?`, []any{s.ID}},
		{`DELETE FROM signup WHERE lookup = ?`, []any{s.lookup}},
		{`DELETE FROM subscriber WHERE id = ?`, []any{s.ID}},
		{`INSERT INTO suppression (lookup, reason, since) VALUES (?1, 'erased', ?2)
			ON CONFLICT (lookup) DO UPDATE SET since = ?2`, []any{s.lookup, unix(now)}},
	} {
		if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
			return err
		}
	}
	return nil
}

// forgetPages empties the write-ahead log, which keeps erased rows until then
// . A reader in the middle of something makes it wait for the
// next time: the row's key is gone already.
func (db *DB) forgetPages(ctx context.Context) error {
	var busy, frames, moved int
	err := db.writer.QueryRowContext(context.WithoutCancel(ctx), `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
	if err != nil {
		return unavailable(fmt.Errorf("empty the log: %w", err))
	}
	return nil
}
