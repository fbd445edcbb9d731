package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
)

// Owner is somebody who may sign in.
type Owner struct {
	ID       int64
	Ref      string // 32 random hex digits; what a passkey knows them by
	Name     string
	Password string // argon2id in the PHC form; empty: they have none
	Secret   string // of their code app; empty with Password
}

// OwnerName is a name as it was written, and as it is compared.
type OwnerName struct{ Written, Key string }

// ownerKind is the blind index over the names of owners.
const ownerKind = "owner"

const ownerColumns = `owner.id, owner.ref, owner.row_key, owner.name, owner.password, owner.secret`

// HasOwner reports whether there is anybody who may sign in.
func (db *DB) HasOwner(ctx context.Context) (bool, error) {
	var has bool
	if err := db.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM owner)`).Scan(&has); err != nil {
		return false, fmt.Errorf("look for an owner: %w", err)
	}
	return has, nil
}

// OwnerNamed returns the owner of a name as it is compared, or fault.NotFound.
func (db *DB) OwnerNamed(ctx context.Context, key string) (Owner, error) {
	return db.findOwner(ctx, db.read, `SELECT `+ownerColumns+` FROM owner WHERE name_blind = ?`, db.ring.Blind(ownerKind, key))
}

// OwnerByRef returns an owner by what a passkey knows them by, or fault.NotFound.
func (db *DB) OwnerByRef(ctx context.Context, ref string) (Owner, error) {
	return db.findOwner(ctx, db.read, `SELECT `+ownerColumns+` FROM owner WHERE ref = ?`, ref)
}

// OwnerByID returns an owner, or fault.NotFound.
func (db *DB) OwnerByID(ctx context.Context, id int64) (Owner, error) {
	return db.findOwner(ctx, db.read, `SELECT `+ownerColumns+` FROM owner WHERE id = ?`, id)
}

func (db *DB) findOwner(ctx context.Context, q querier, query string, args ...any) (Owner, error) {
	var s sealedOwner
	err := q.QueryRowContext(ctx, query, args...).Scan(s.into()...)
	if errors.Is(err, sql.ErrNoRows) {
		return Owner{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return Owner{}, fmt.Errorf("find owner: %w", err)
	}
	return s.open(db.ring)
}

// sealedOwner is a row as it is stored.
type sealedOwner struct {
	Owner
	rowKey, name, secret []byte
}

// into is where ownerColumns are read to.
func (s *sealedOwner) into() []any {
	return []any{&s.ID, &s.Ref, &s.rowKey, &s.name, &s.Password, &s.secret}
}

func (s *sealedOwner) open(ring *seal.Ring) (o Owner, err error) {
	row, err := ring.OpenRow("owner", s.Ref, s.rowKey)
	if err != nil {
		return Owner{}, err
	}
	o = s.Owner
	if o.Name, err = row.Open("name", s.name); err != nil {
		return Owner{}, err
	}
	if s.secret != nil {
		o.Secret, err = row.Open("secret", s.secret)
	}
	return o, err
}

// noteOwner notes what an owner, or whoever sits at the machine, has done.
func noteOwner(ctx context.Context, tx *sql.Tx, now time.Time, what, ref string) error {
	return note(ctx, tx, now, "owner", what, ref)
}

// noteAccess notes a change of how somebody signs in, and tells the owner by mail too:
// if it was not them, they learn of it.
func (db *DB) noteAccess(ctx context.Context, tx *sql.Tx, now time.Time, what, ref string) error {
	if err := noteOwner(ctx, tx, now, what, ref); err != nil {
		return err
	}
	return db.notice(ctx, tx, now, outbox.NoticeAccess)
}
