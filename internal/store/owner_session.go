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

// The purposes of the tokens in an owner's cookies.
const (
	sessionToken = "owner session"
	deviceToken  = "owner device"
)

// sessionsAtOnce is how many sessions one owner has; one more ends the one that was
// idle longest.
const sessionsAtOnce = 5

// How long, and how many, devices of one owner are known.
const (
	DeviceLife    = 180 * 24 * time.Hour // since it was last signed in on
	devicesAtOnce = 20
)

// Session is one device on which an owner is signed in.
type Session struct {
	Ref        string // its name in the list
	Owner      int64
	OwnerName  string // with FindSession
	Words      string // of the device: "Firefox on Linux"
	Created    time.Time
	Seen       time.Time
	SteppedUp  time.Time // when they last proved who they are
	ownerSeals sealedOwner
}

const sessionColumns = `owner_session.ref, owner_session.owner, owner_session.words,
	owner_session.created, owner_session.seen, owner_session.stepped_up_at`

// alive holds for sessions that have not ended at the time ?1: half an hour after the
// last request, twelve hours after signing in.
const alive = `owner_session.seen > ?1 - 1800 AND owner_session.created > ?1 - 43200`

func scanSession(scan func(...any) error, s *Session, more ...any) error {
	var created, seen, steppedUp int64
	err := scan(append([]any{&s.Ref, &s.Owner, &s.Words, &created, &seen, &steppedUp}, more...)...)
	s.Created, s.Seen, s.SteppedUp = fromUnix(created), fromUnix(seen), fromUnix(steppedUp)
	return err
}

// FindSession returns the session of a cookie's token with the name of its owner, or
// fault.NotFound if there is none or it has ended.
func (db *DB) FindSession(ctx context.Context, now time.Time, token string) (s Session, err error) {
	row := db.read.QueryRowContext(ctx, `
		SELECT `+sessionColumns+`, `+ownerColumns+`
		FROM owner_session JOIN owner ON owner.id = owner_session.owner
		WHERE `+alive+` AND owner_session.hash = ?2`, unix(now), seal.HashToken(sessionToken, token))
	err = scanSession(row.Scan, &s, s.ownerSeals.into()...)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, fault.New(fault.NotFound, "")
	}
	if err != nil {
		return Session{}, fmt.Errorf("find session: %w", err)
	}
	owner, err := s.ownerSeals.open(db.ring)
	s.OwnerName, s.ownerSeals = owner.Name, sealedOwner{}
	return s, err
}

// SeeSession notes that a session is in use.
func (db *DB) SeeSession(ctx context.Context, now time.Time, ref string) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE owner_session SET seen = ? WHERE ref = ?`, unix(now), ref); err != nil {
			return fmt.Errorf("see session: %w", err)
		}
		return nil
	})
}

// Sessions returns where an owner is signed in, the last seen first.
func (db *DB) Sessions(ctx context.Context, now time.Time, owner int64) ([]Session, error) {
	all, err := queryAll(ctx, db.read, func(rows *sql.Rows) (s Session, err error) {
		return s, scanSession(rows.Scan, &s)
	}, `
		SELECT `+sessionColumns+` FROM owner_session
		WHERE `+alive+` AND owner = ?2
		ORDER BY seen DESC, ref`, unix(now), owner)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return all, nil
}

// EndSession signs an owner out in one place. It is no error if they were not signed in there.
func (db *DB) EndSession(ctx context.Context, now time.Time, owner int64, ref string) error {
	return db.endSessions(ctx, now, "signed out", `DELETE FROM owner_session WHERE owner = ? AND ref = ?`, owner, ref)
}

// EndToken ends the session of a cookie's token, of which there may be none.
func (db *DB) EndToken(ctx context.Context, now time.Time, token string) error {
	return db.endSessions(ctx, now, "session replaced", `DELETE FROM owner_session WHERE hash = ?`, seal.HashToken(sessionToken, token))
}

// EndSessions signs an owner out everywhere, and makes all of their devices unknown.
func (db *DB) EndSessions(ctx context.Context, now time.Time, owner int64) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if err := endAll(ctx, tx, owner); err != nil {
			return err
		}
		return noteOwner(ctx, tx, now, "signed out everywhere", "")
	})
}

func (db *DB) endSessions(ctx context.Context, now time.Time, what, query string, args ...any) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		ended, err := exec(ctx, tx, query, args...)
		if err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
		if ended == 0 {
			return nil
		}
		return noteOwner(ctx, tx, now, what, "")
	})
}

// endAll ends every session of an owner and forgets their devices.
func endAll(ctx context.Context, tx *sql.Tx, owner int64) error {
	for _, query := range []string{`DELETE FROM owner_session WHERE owner = ?`, `DELETE FROM owner_device WHERE owner = ?`} {
		if _, err := tx.ExecContext(ctx, query, owner); err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
	}
	return nil
}

// Entry is what a browser is given when somebody has signed in. The database keeps
// hashes alone.
type Entry struct {
	Session string // for the cookie of the session
	Device  string // for the cookie of a device that is known
}

// enter begins a session, with an id of its own, and makes the device known.
func enter(ctx context.Context, tx *sql.Tx, now time.Time, owner int64, words string) (Entry, error) {
	e := Entry{Session: seal.NewToken(), Device: seal.NewToken()}
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`DELETE FROM owner_session WHERE NOT (` + alive + `)`, []any{unix(now)}},
		{`DELETE FROM owner_device WHERE seen <= ?`, []any{unix(now.Add(-DeviceLife))}},
		{
			`INSERT INTO owner_session (ref, hash, owner, words, created, seen, stepped_up_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5)`,
			[]any{seal.NewID(), seal.HashToken(sessionToken, e.Session), owner, words, unix(now)},
		},
		{
			`INSERT INTO owner_device (hash, owner, seen) VALUES (?, ?, ?)`,
			[]any{seal.HashToken(deviceToken, e.Device), owner, unix(now)},
		},
		{
			`DELETE FROM owner_session WHERE owner = ?1 AND hash <> ?2 AND ref NOT IN (
				SELECT ref FROM owner_session WHERE owner = ?1 AND hash <> ?2 ORDER BY seen DESC, ref LIMIT ?3)`,
			[]any{owner, seal.HashToken(sessionToken, e.Session), sessionsAtOnce - 1},
		},
		{
			`DELETE FROM owner_device WHERE owner = ?1 AND hash NOT IN (
				SELECT hash FROM owner_device WHERE owner = ?1 ORDER BY seen DESC LIMIT ?2)`,
			[]any{owner, devicesAtOnce},
		},
	} {
		if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
			return Entry{}, fmt.Errorf("begin session: %w", err)
		}
	}
	return e, nil
}

// IsKnownDevice reports whether a cookie's token is that of a device on which this
// owner has signed in.
func (db *DB) IsKnownDevice(ctx context.Context, now time.Time, owner int64, token string) (known bool, err error) {
	err = db.read.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM owner_device WHERE hash = ? AND owner = ? AND seen > ?)`,
		seal.HashToken(deviceToken, token), owner, unix(now.Add(-DeviceLife))).Scan(&known)
	if err != nil {
		return false, fmt.Errorf("look for device: %w", err)
	}
	return known, nil
}
