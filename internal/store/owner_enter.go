package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

// Proof is what shows who somebody is, and is used up by it: exactly one of its fields.
type Proof struct {
	Step    int64       // of the app's code, whose secret and password were checked
	Code    string      // a recovery code, which is checked here; with a password that was checked
	Passkey *PasskeyUse // whose signature was checked
}

// PasskeyUse is one use of a passkey.
type PasskeyUse struct {
	ID     string
	Record []byte // as it is from now on
	Uses   uint32 // the authenticator's counter, after this use
}

// SignIn signs an owner in, with an id of its own for the session. The proof is used up
// in the same transaction: one that was used before is fault.Forbidden, and nothing is
// changed. A recovery code ends every other session, since something was lost.
func (db *DB) SignIn(ctx context.Context, now time.Time, owner int64, p Proof, words string) (e Entry, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := use(ctx, tx, now, owner, p); err != nil {
			return err
		}
		if p.Code != "" {
			if err := endAll(ctx, tx, owner); err != nil {
				return err
			}
			if err := db.noteAccess(ctx, tx, now, "recovery code used", ""); err != nil {
				return err
			}
		}
		if err := noteOwner(ctx, tx, now, "signed in", ""); err != nil {
			return err
		}
		e, err = enter(ctx, tx, now, owner, words)
		return err
	})
	return e, err
}

// StepUp notes that the owner of a session proved once more who they are, and returns
// another token for the session: that of before is dead.
func (db *DB) StepUp(ctx context.Context, now time.Time, s Session, p Proof) (token string, err error) {
	token = seal.NewToken()
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := use(ctx, tx, now, s.Owner, p); err != nil {
			return err
		}
		if p.Code != "" {
			if err := endOthers(ctx, tx, s); err != nil {
				return err
			}
			if err := db.noteAccess(ctx, tx, now, "recovery code used", ""); err != nil {
				return err
			}
		}
		renewed, err := exec(ctx, tx, `
			UPDATE owner_session SET hash = ?2, seen = ?1, stepped_up_at = ?1
			WHERE `+alive+` AND ref = ?3 AND owner = ?4`,
			unix(now), seal.HashToken(sessionToken, token), s.Ref, s.Owner)
		if err != nil {
			return fmt.Errorf("step up: %w", err)
		}
		if renewed == 0 {
			return fault.New(fault.Forbidden, "")
		}
		return nil
	})
	return token, err
}

func endOthers(ctx context.Context, tx *sql.Tx, s Session) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM owner_session WHERE owner = ? AND ref <> ?`, s.Owner, s.Ref); err != nil {
		return fmt.Errorf("end other sessions: %w", err)
	}
	return nil
}

// use uses a proof up, or returns fault.Forbidden if it was used before.
func use(ctx context.Context, tx *sql.Tx, now time.Time, owner int64, p Proof) error {
	query, args := `UPDATE owner SET last_step = ?1 WHERE id = ?2 AND last_step < ?1 AND password <> ''`, []any{p.Step, owner}
	switch {
	case p.Code != "":
		query, args = `DELETE FROM owner_code WHERE hash = ? AND owner = ?`, []any{seal.HashToken(codeToken, p.Code), owner}
	case p.Passkey != nil:
		// A counter that does not grow is that of a copy; some have none, and stay at 0.
		query = `
			UPDATE owner_passkey SET record = ?1, uses = ?2, used = ?3
			WHERE id = ?4 AND owner = ?5 AND (uses < ?2 OR uses = 0 AND ?2 = 0)`
		args = []any{p.Passkey.Record, p.Passkey.Uses, unix(now), p.Passkey.ID, owner}
	}
	used, err := exec(ctx, tx, query, args...)
	if err != nil {
		return fmt.Errorf("use proof: %w", err)
	}
	if used != 1 {
		return fault.New(fault.Forbidden, "")
	}
	return nil
}
