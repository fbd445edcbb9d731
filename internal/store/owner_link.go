package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

// linkToken is the purpose of the token in a one-time link.
const linkToken = "owner link"

// OwnerLinkLife is how long a one-time link is good for.
const OwnerLinkLife = time.Hour

// OwnerLink is what a one-time link is for.
type OwnerLink struct {
	Ref       string // of the owner that there will be, or is
	Name      string // as it was given when the link was made; may be empty
	Returning bool   // the owner is there already, and gets new ways in
}

// FirstOwnerLink makes the link with which the first owner claims the site, and makes
// the one before it dead. While there is an owner it is fault.Taken. The token is told
// once: the database keeps its hash.
func (db *DB) FirstOwnerLink(ctx context.Context, now time.Time) (token string, err error) {
	token = seal.NewToken()
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var has bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM owner)`).Scan(&has); err != nil {
			return fmt.Errorf("look for an owner: %w", err)
		}
		if has {
			return fault.New(fault.Taken, "")
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM owner_link WHERE first = 1 OR expires <= ?`, unix(now)); err != nil {
			return fmt.Errorf("end old links: %w", err)
		}
		return addLink(ctx, tx, now, token, linkRow{ref: seal.NewID(), first: true})
	})
	return token, err
}

// AddOwnerLink makes a link with which an owner of that name sets up how they sign in.
// If they are one already, they are signed out everywhere, since whoever asks for a new
// way in has lost the old one; the old ways end when the link is used. Both at once are
// only for whoever sits at the machine. Links of before for that name are dead.
func (db *DB) AddOwnerLink(ctx context.Context, now time.Time, name OwnerName) (token string, err error) {
	token = seal.NewToken()
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		owner, err := db.findOwner(ctx, tx, `SELECT `+ownerColumns+` FROM owner WHERE name_blind = ?`, db.ring.Blind(ownerKind, name.Key))
		if fault.Is(err, fault.NotFound) {
			owner, err = Owner{Ref: seal.NewID()}, nil
		}
		if err != nil {
			return err
		}
		if owner.ID != 0 {
			if err := endAll(ctx, tx, owner.ID); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM owner_link WHERE ref = ? OR expires <= ?`, owner.Ref, unix(now)); err != nil {
			return fmt.Errorf("end old links: %w", err)
		}
		row, err := db.ring.NewRow("owner_link", owner.Ref)
		if err != nil {
			return err
		}
		if err := addLink(ctx, tx, now, token, linkRow{ref: owner.Ref, rowKey: row.Wrapped(), name: row.Seal("name", name.Written)}); err != nil {
			return err
		}
		return noteOwner(ctx, tx, now, "owner link made", owner.Ref)
	})
	return token, err
}

type linkRow struct {
	ref          string
	first        bool
	rowKey, name []byte
}

func addLink(ctx context.Context, tx *sql.Tx, now time.Time, token string, l linkRow) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO owner_link (hash, ref, first, row_key, name, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		seal.HashToken(linkToken, token), l.ref, l.first, l.rowKey, l.name, unix(now), unix(now.Add(OwnerLinkLife)))
	if err != nil {
		return fmt.Errorf("add link: %w", err)
	}
	return nil
}

// FindOwnerLink returns what a link is for, or fault.NotFound if it is unknown, used,
// over, or the first one of a site that has an owner.
func (db *DB) FindOwnerLink(ctx context.Context, now time.Time, token string) (OwnerLink, error) {
	return db.findLink(ctx, db.read, now, token)
}

func (db *DB) findLink(ctx context.Context, q querier, now time.Time, token string) (OwnerLink, error) {
	var l linkRow
	var o OwnerLink
	err := q.QueryRowContext(ctx, `
		SELECT ref, row_key, name, EXISTS (SELECT 1 FROM owner WHERE owner.ref = owner_link.ref)
		FROM owner_link
		WHERE hash = ? AND expires > ? AND NOT (first = 1 AND EXISTS (SELECT 1 FROM owner))`,
		seal.HashToken(linkToken, token), unix(now)).Scan(&o.Ref, &l.rowKey, &l.name, &o.Returning)
	if errors.Is(err, sql.ErrNoRows) {
		return OwnerLink{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return OwnerLink{}, fmt.Errorf("find link: %w", err)
	}
	if l.name == nil {
		return o, nil
	}
	row, err := db.ring.OpenRow("owner_link", o.Ref, l.rowKey)
	if err != nil {
		return OwnerLink{}, err
	}
	o.Name, err = row.Open("name", l.name)
	return o, err
}

// Claim is what somebody sets up with a one-time link: at least one way in.
type Claim struct {
	Name     OwnerName
	Passkey  *NewPasskey
	Password *NewPassword
	Codes    []string // recovery codes, in the form in which they are compared
	Words    string   // of the device
}

// ClaimOwner uses a link up: it makes the owner, or replaces every way in of one who is
// there, and signs them in, all of it or nothing. Of two at once one gets
// fault.NotFound, as for every link that is not good. A name that another owner has is
// fault.Taken, and the link stays good.
func (db *DB) ClaimOwner(ctx context.Context, now time.Time, token string, c Claim) (e Entry, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		link, err := db.findLink(ctx, tx, now, token)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM owner_link WHERE hash = ?1 OR ref = ?2`, seal.HashToken(linkToken, token), link.Ref); err != nil {
			return fmt.Errorf("use link: %w", err)
		}
		id, err := db.putOwner(ctx, tx, now, link, c)
		if err != nil {
			return err
		}
		if err := db.putWays(ctx, tx, now, id, c); err != nil {
			return err
		}
		if err := db.noteAccess(ctx, tx, now, "owner link used", link.Ref); err != nil {
			return err
		}
		e, err = enter(ctx, tx, now, id, c.Words)
		return err
	})
	return e, err
}

// putOwner makes the owner, or clears the ways in and the sessions of one who is there.
// One who is there keeps their name.
func (db *DB) putOwner(ctx context.Context, tx *sql.Tx, now time.Time, link OwnerLink, c Claim) (id int64, err error) {
	if link.Returning {
		owner, err := db.findOwner(ctx, tx, `SELECT `+ownerColumns+` FROM owner WHERE ref = ?`, link.Ref)
		if err != nil {
			return 0, err
		}
		return owner.ID, clearWays(ctx, tx, owner.ID)
	}
	row, err := db.ring.NewRow("owner", link.Ref)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `
		INSERT INTO owner (ref, row_key, name, name_blind, created) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		link.Ref, row.Wrapped(), row.Seal("name", c.Name.Written), db.ring.Blind(ownerKind, c.Name.Key), unix(now)).Scan(&id)
	if isUnique(err) {
		return 0, fault.Wrap(fault.Taken, err)
	}
	if err != nil {
		return 0, fmt.Errorf("add owner: %w", err)
	}
	return id, nil
}

func clearWays(ctx context.Context, tx *sql.Tx, owner int64) error {
	for _, query := range []string{
		`DELETE FROM owner_passkey WHERE owner = ?`,
		`UPDATE owner SET password = '', secret = NULL, last_step = 0 WHERE id = ?`,
	} {
		if _, err := tx.ExecContext(ctx, query, owner); err != nil {
			return fmt.Errorf("clear ways in: %w", err)
		}
	}
	return endAll(ctx, tx, owner)
}

func (db *DB) putWays(ctx context.Context, tx *sql.Tx, now time.Time, owner int64, c Claim) error {
	if c.Passkey == nil && c.Password == nil {
		return errors.New("a claim without a way in")
	}
	if c.Passkey != nil {
		if err := putPasskey(ctx, tx, now, owner, *c.Passkey); err != nil {
			return err
		}
	}
	if c.Password != nil {
		if err := db.putPassword(ctx, tx, owner, *c.Password); err != nil {
			return err
		}
	}
	return putCodes(ctx, tx, owner, c.Codes)
}
