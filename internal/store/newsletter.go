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

// emailLookup is the kind of the blind index of addresses.
const emailLookup = "email"

func (db *DB) lookup(a mail.Address) []byte { return db.ring.Blind(emailLookup, a.Key) }

// AskNewsletter implements [newsletter.Store]. Every address costs the same
// statements until the budget of that address is asked; nothing reads what is
// known of it (news-H11, SEC-H23).
func (db *DB) AskNewsletter(ctx context.Context, now time.Time, a newsletter.Ask) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		lookup := db.lookup(a.Address)
		ok, err := mayAsk(ctx, tx, now, lookup, "confirm")
		if err != nil || !ok {
			return err
		}
		due, err := db.siteDue(ctx, tx, now, a.SiteCap)
		if err != nil || due.IsZero() {
			return err
		}
		return db.addSignup(ctx, tx, now, due, lookup, a)
	})
	if err != nil {
		return fmt.Errorf("ask for the newsletter: %w", err)
	}
	return nil
}

// mayAsk reports whether an address may be sent one more mail that somebody asked for.
func mayAsk(ctx context.Context, tx *sql.Tx, now time.Time, lookup []byte, purpose string) (bool, error) {
	var recent, day int
	err := tx.QueryRowContext(ctx, `
		SELECT count(*) FILTER (WHERE created > ?), count(*) FROM signup
		WHERE lookup = ? AND purpose = ? AND created > ?`,
		unix(now.Add(-newsletter.AddressPause)), lookup, purpose, unix(now.Add(-24*time.Hour))).
		Scan(&recent, &day)
	return recent == 0 && day < newsletter.AddressDaily, err
}

// siteDue returns when one more confirmation mail may go, so that no window holds
// more than most; the zero time when it would have to wait too long. most = 0 is
// no limit. The owner is told when mails have to wait.
func (db *DB) siteDue(ctx context.Context, tx *sql.Tx, now time.Time, most int) (time.Time, error) {
	if most <= 0 {
		return now, nil
	}
	var last int64
	err := tx.QueryRowContext(ctx, `
		SELECT due FROM outbox WHERE kind = ? ORDER BY due DESC LIMIT 1 OFFSET ?`,
		newsletter.KindConfirm, most-1).Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		return now, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	due := fromUnix(last).Add(newsletter.SiteWindow)
	if !due.After(now) {
		return now, nil
	}
	if err := db.notice(ctx, tx, now, outbox.NoticeBudget); err != nil {
		return time.Time{}, err
	}
	if due.Sub(now) > newsletter.SiteBacklog {
		return time.Time{}, nil
	}
	return due, nil
}

func (db *DB) addSignup(ctx context.Context, tx *sql.Tx, now, due time.Time, lookup []byte, a newsletter.Ask) error {
	id := seal.NewID()
	row, err := db.ring.NewRow("signup", id)
	if err != nil {
		return err
	}
	expires := now.Add(newsletter.ConfirmFor)
	_, err = tx.ExecContext(ctx, `
		INSERT INTO signup (id, purpose, lookup, token, row_key, address, created, expires)
		VALUES (?, 'confirm', ?, ?, ?, ?, ?, ?)`,
		id, lookup, a.Hash, row.Wrapped(), row.Seal("address", a.Address.Wire()), unix(now), unix(expires))
	if err != nil {
		return err
	}
	return db.enqueue(ctx, tx, now, outbox.Message{
		Key: "confirm:" + id, Kind: newsletter.KindConfirm, Subject: id, Secret: a.Token,
		Due: due, Expires: expires,
	})
}

// FindSignup implements [newsletter.Store].
func (db *DB) FindSignup(ctx context.Context, now time.Time, hash []byte) error {
	_, err := findSignup(ctx, db.read, now, hash, "confirm")
	return err
}

type signup struct {
	id, subscriber  string
	lookup          []byte
	rowKey, address []byte
	used            bool
}

func findSignup(ctx context.Context, q querier, now time.Time, hash []byte, purpose string) (s signup, err error) {
	err = q.QueryRowContext(ctx, `
		SELECT id, subscriber, lookup, row_key, address, used <> 0 FROM signup
		WHERE token = ? AND purpose = ? AND expires > ?`, hash, purpose, unix(now)).
		Scan(&s.id, &s.subscriber, &s.lookup, &s.rowKey, &s.address, &s.used)
	if errors.Is(err, sql.ErrNoRows) {
		return signup{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return signup{}, fmt.Errorf("find sign-up: %w", err)
	}
	return s, nil
}

// ConfirmNewsletter implements [newsletter.Store].
func (db *DB) ConfirmNewsletter(ctx context.Context, now time.Time, hash []byte, wording string) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		s, err := findSignup(ctx, tx, now, hash, "confirm")
		if err != nil || s.used {
			return err
		}
		row, err := db.ring.OpenRow("signup", s.id, s.rowKey)
		if err != nil {
			return err
		}
		address, err := row.Open("address", s.address)
		if err != nil {
			return err
		}
		consent := newsletter.Consent{Given: now, Wording: wording}
		if err := db.subscribe(ctx, tx, now, s.lookup, address, consent); err != nil {
			return fmt.Errorf("confirm: %w", err)
		}
		return voidSignups(ctx, tx, now, s.lookup, "confirmed")
	})
}

// subscribe makes an address active. Somebody who is active already stays as they
// are, with the spelling first confirmed (news-H22).
func (db *DB) subscribe(ctx context.Context, tx *sql.Tx, now time.Time, lookup []byte, address string, c newsletter.Consent) error {
	var id, state string
	err := tx.QueryRowContext(ctx, `SELECT id, state FROM subscriber WHERE lookup = ?`, lookup).Scan(&id, &state)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if state == string(newsletter.Active) {
		return nil
	}
	if id == "" {
		id = seal.NewID()
	}
	row, err := db.ring.NewRow("subscriber", id)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO subscriber (id, lookup, row_key, address, state, since, created)
		VALUES (?1, ?2, ?3, ?4, 'active', ?5, ?5)
		ON CONFLICT (lookup) DO UPDATE
		SET row_key = ?3, address = ?4, state = 'active', reason = '', since = ?5, paused_until = 0, soft = 0`,
		id, lookup, row.Wrapped(), row.Seal("address", address), unix(now))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM suppression WHERE lookup = ?`, lookup); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO consent (subscriber, given, wording) VALUES (?, ?, ?)`,
		id, unix(c.Given), c.Wording)
	return err
}

// voidSignups marks every open sign-up of an address as used, erases the address
// in it and stops its mail, so that no older link acts on its own later.
func voidSignups(ctx context.Context, tx *sql.Tx, now time.Time, lookup []byte, reason string) error {
	ids, err := queryAll(ctx, tx, func(rows *sql.Rows) (id string, err error) {
		return id, rows.Scan(&id)
	}, `SELECT id FROM signup WHERE lookup = ? AND purpose = 'confirm' AND used = 0`, lookup)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE signup SET used = ?, row_key = NULL, address = NULL
		WHERE lookup = ? AND purpose = 'confirm' AND used = 0`, unix(now), lookup)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := skipMessages(ctx, tx, now, id, nil, reason); err != nil {
			return err
		}
	}
	return nil
}

// SweepNewsletter erases the sign-ups whose links are over, and with them the
// addresses that nobody confirmed.
func (db *DB) SweepNewsletter(ctx context.Context, now time.Time) error {
	err := db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM signup WHERE expires <= ?`, unix(now))
		return err
	})
	if err != nil {
		return fmt.Errorf("sweep sign-ups: %w", err)
	}
	if err := db.forgetErased(now); err != nil {
		return fmt.Errorf("shorten the list of erasures: %w", err)
	}
	return db.SweepOutbox(ctx, now)
}

// UnfilledIssues returns the issues that were started and whose rows are not all there.
func (db *DB) UnfilledIssues(ctx context.Context) ([]string, error) {
	slugs, err := queryAll(ctx, db.read, func(rows *sql.Rows) (slug string, err error) {
		return slug, rows.Scan(&slug)
	}, `SELECT slug FROM issue WHERE filled = 0 AND state IN ('sending', 'paused', 'held')`)
	if err != nil {
		return nil, fmt.Errorf("find open issues: %w", err)
	}
	return slugs, nil
}
