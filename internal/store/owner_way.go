package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

// codeToken is the purpose of recovery codes.
const codeToken = "owner recovery code"

// NewPasskey is a passkey that an authenticator has just made.
type NewPasskey struct {
	Credential []byte // its id, as the authenticator gave it
	Record     []byte // what checks it, as JSON
	Uses       uint32 // the authenticator's counter; 0: it has none
	Label      string
}

// Passkey is one of an owner's.
type Passkey struct {
	NewPasskey

	ID      string
	Created time.Time
	Used    time.Time // zero: never
}

// NewPassword is a password with the code app that goes with it.
type NewPassword struct {
	Hash   string // argon2id in the PHC form
	Secret string // of the app
	Step   int64  // of the code that showed that the app works
}

// Ways are the ways in that an owner has.
type Ways struct {
	Passkeys []Passkey
	Password bool
	Codes    int // recovery codes that were not used yet
}

// OwnerWays returns the ways in of an owner, the oldest passkey first.
func (db *DB) OwnerWays(ctx context.Context, owner int64) (w Ways, err error) {
	err = db.read.QueryRowContext(ctx, `
		SELECT password <> '', (SELECT count(*) FROM owner_code WHERE owner = ?1) FROM owner WHERE id = ?1`, owner).
		Scan(&w.Password, &w.Codes)
	if err != nil {
		return Ways{}, fmt.Errorf("read ways in: %w", err)
	}
	w.Passkeys, err = queryAll(ctx, db.read, scanPasskey, `
		SELECT id, credential, record, uses, label, created, used FROM owner_passkey
		WHERE owner = ? ORDER BY created, id`, owner)
	if err != nil {
		return Ways{}, fmt.Errorf("read passkeys: %w", err)
	}
	return w, nil
}

func scanPasskey(rows *sql.Rows) (p Passkey, err error) {
	var created, used int64
	err = rows.Scan(&p.ID, &p.Credential, &p.Record, &p.Uses, &p.Label, &created, &used)
	p.Created = fromUnix(created)
	if used != 0 {
		p.Used = fromUnix(used)
	}
	return p, err
}

// AddPasskey gives an owner one more passkey.
func (db *DB) AddPasskey(ctx context.Context, now time.Time, s Session, p NewPasskey) (Entry, error) {
	return db.changeWays(ctx, now, s, "passkey added", func(ctx context.Context, tx *sql.Tx) error {
		return putPasskey(ctx, tx, now, s.Owner, p)
	})
}

// RemovePasskey takes one away. The last way in is not taken: that is fault.Taken.
func (db *DB) RemovePasskey(ctx context.Context, now time.Time, s Session, id string) (Entry, error) {
	return db.changeWays(ctx, now, s, "passkey removed", func(ctx context.Context, tx *sql.Tx) error {
		removed, err := exec(ctx, tx, `DELETE FROM owner_passkey WHERE owner = ? AND id = ?`, s.Owner, id)
		if err != nil {
			return fmt.Errorf("remove passkey: %w", err)
		}
		if removed == 0 {
			return fault.New(fault.NotFound, "")
		}
		return keepOne(ctx, tx, s.Owner)
	})
}

// SetPassword gives an owner another password, with another secret in their app.
func (db *DB) SetPassword(ctx context.Context, now time.Time, s Session, p NewPassword) (Entry, error) {
	return db.changeWays(ctx, now, s, "password set", func(ctx context.Context, tx *sql.Tx) error {
		return db.putPassword(ctx, tx, s.Owner, p)
	})
}

// RemovePassword takes the password and the code app away. The last way in is not
// taken: that is fault.Taken.
func (db *DB) RemovePassword(ctx context.Context, now time.Time, s Session) (Entry, error) {
	return db.changeWays(ctx, now, s, "password removed", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE owner SET password = '', secret = NULL WHERE id = ?`, s.Owner); err != nil {
			return fmt.Errorf("remove password: %w", err)
		}
		return keepOne(ctx, tx, s.Owner)
	})
}

// SetCodes gives an owner other recovery codes: those of before are dead.
func (db *DB) SetCodes(ctx context.Context, now time.Time, s Session, codes []string) (Entry, error) {
	return db.changeWays(ctx, now, s, "recovery codes made", func(ctx context.Context, tx *sql.Tx) error {
		return putCodes(ctx, tx, s.Owner, codes)
	})
}

// changeWays changes the ways in of an owner, and ends every session and device of
// theirs but the one in which they did it; that one gets another id.
func (db *DB) changeWays(ctx context.Context, now time.Time, s Session, what string, change func(context.Context, *sql.Tx) error) (e Entry, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := change(ctx, tx); err != nil {
			return err
		}
		if e, err = renew(ctx, tx, now, s); err != nil {
			return err
		}
		return db.noteAccess(ctx, tx, now, what, "")
	})
	return e, err
}

// renew ends all of an owner's sessions but one, which goes on under another id. The
// twelve hours still count from when they signed in.
func renew(ctx context.Context, tx *sql.Tx, now time.Time, s Session) (Entry, error) {
	var still bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM owner_session WHERE `+alive+` AND ref = ?2 AND owner = ?3)`,
		unix(now), s.Ref, s.Owner).Scan(&still)
	if err != nil {
		return Entry{}, fmt.Errorf("find session: %w", err)
	}
	if !still {
		return Entry{}, fault.New(fault.Forbidden, "") // it was ended meanwhile
	}
	if err := endAll(ctx, tx, s.Owner); err != nil {
		return Entry{}, err
	}
	e, err := enter(ctx, tx, now, s.Owner, s.Words)
	if err != nil {
		return Entry{}, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE owner_session SET created = ?, stepped_up_at = ? WHERE owner = ?`,
		unix(s.Created), unix(s.SteppedUp), s.Owner)
	if err != nil {
		return Entry{}, fmt.Errorf("renew session: %w", err)
	}
	return e, nil
}

// keepOne is fault.Taken if an owner has no way in any more.
func keepOne(ctx context.Context, tx *sql.Tx, owner int64) error {
	var left bool
	err := tx.QueryRowContext(ctx, `
		SELECT password <> '' OR EXISTS (SELECT 1 FROM owner_passkey WHERE owner = ?1) FROM owner WHERE id = ?1`, owner).Scan(&left)
	if err != nil {
		return fmt.Errorf("count ways in: %w", err)
	}
	if !left {
		return fault.New(fault.Taken, "This is your last way in. Add another one first.")
	}
	return nil
}

func putPasskey(ctx context.Context, tx *sql.Tx, now time.Time, owner int64, p NewPasskey) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO owner_passkey (id, owner, credential, record, uses, label, created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		seal.NewID(), owner, p.Credential, p.Record, p.Uses, p.Label, unix(now))
	if isUnique(err) {
		return &fault.Error{Kind: fault.Taken, Public: "This passkey is already in use here.", Err: err}
	}
	if err != nil {
		return fmt.Errorf("add passkey: %w", err)
	}
	return nil
}

func (db *DB) putPassword(ctx context.Context, tx *sql.Tx, owner int64, p NewPassword) error {
	var ref string
	var wrapped []byte
	if err := tx.QueryRowContext(ctx, `SELECT ref, row_key FROM owner WHERE id = ?`, owner).Scan(&ref, &wrapped); err != nil {
		return fmt.Errorf("find owner: %w", err)
	}
	row, err := db.ring.OpenRow("owner", ref, wrapped)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE owner SET password = ?, secret = ?, last_step = ? WHERE id = ?`,
		p.Hash, row.Seal("secret", p.Secret), p.Step, owner)
	if err != nil {
		return fmt.Errorf("set password: %w", err)
	}
	return nil
}

func putCodes(ctx context.Context, tx *sql.Tx, owner int64, codes []string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM owner_code WHERE owner = ?`, owner); err != nil {
		return fmt.Errorf("end recovery codes: %w", err)
	}
	for _, code := range codes {
		_, err := tx.ExecContext(ctx, `INSERT INTO owner_code (hash, owner) VALUES (?, ?)`, seal.HashToken(codeToken, code), owner)
		if err != nil {
			return fmt.Errorf("add recovery code: %w", err)
		}
	}
	return nil
}
