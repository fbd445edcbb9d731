package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/steadier/steadier/internal/fault"
)

// retryWrite is what a visitor is told to wait when nothing can be written.
const retryWrite = 60 * time.Second

// write runs fn in an immediate transaction, see [writer]: all of it is kept, or
// nothing. It does not stop when the caller's context ends, because a write that is
// cancelled in the middle rolls back inside SQLite while its later statements commit
// alone (mattn/go-sqlite3 issue 769). An error of fn is returned as it is, unless the
// disk or the database failed: then it is fault.Unavailable.
func (db *DB) write(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	if err := db.change(&change{ctx: ctx, fn: fn}); err != nil {
		return err
	}
	db.wakeOutbox()
	return nil
}

// writeSoft is write for marks that must survive a kill but need not survive a power
// cut: the commit is not forced to the disk, which is most of what a commit costs
// (https://www.sqlite.org/pragma.html#pragma_synchronous). The next ordinary write
// forces it too. The database is whole in any case.
func (db *DB) writeSoft(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	return db.change(&change{ctx: ctx, fn: fn, soft: true})
}

func (db *DB) change(c *change) error {
	db.writes.do(db.writer, c)
	if c.panic != nil {
		panic(c.panic)
	}
	return unavailable(c.err)
}

// unavailable marks the failures that are the disk's or the lock's, not the
// caller's, so that a visitor hears that nothing was written and may try again.
func unavailable(err error) error {
	var failure sqlite3.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Code {
	case sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrBusy, sqlite3.ErrLocked,
		sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrNomem:
		return &fault.Error{Kind: fault.Unavailable, RetryAfter: retryWrite, Err: err}
	}
	return err
}

// isUnique reports whether err is a violated UNIQUE index or primary key.
func isUnique(err error) bool {
	var failure sqlite3.Error
	return errors.As(err, &failure) &&
		(failure.ExtendedCode == sqlite3.ErrConstraintUnique || failure.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}

// isTrigger reports whether err is RAISE(ABORT, name) of a trigger.
func isTrigger(err error, name string) bool {
	var failure sqlite3.Error
	return errors.As(err, &failure) &&
		failure.ExtendedCode == sqlite3.ErrConstraintTrigger && strings.Contains(failure.Error(), name)
}
