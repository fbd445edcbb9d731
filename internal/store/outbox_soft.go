package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// writeSoft is write for marks that must survive a kill but need not survive a power
// cut: the commit is not forced to the disk, which is most of what a commit costs
// (https://www.sqlite.org/pragma.html#pragma_synchronous). The next ordinary write
// forces it too. The database is whole in any case.
func (db *DB) writeSoft(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) (err error) {
	ctx = context.WithoutCancel(ctx)
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return unavailable(fmt.Errorf("take writer: %w", err))
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, `PRAGMA synchronous = NORMAL`); err != nil {
		return unavailable(fmt.Errorf("write softly: %w", err))
	}
	defer func() {
		if _, back := conn.ExecContext(ctx, `PRAGMA synchronous = FULL`); back != nil {
			err = errors.Join(err, fmt.Errorf("write firmly again: %w", back))
		}
	}()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return unavailable(fmt.Errorf("begin: %w", err))
	}
	if err := fn(ctx, tx); err != nil {
		return unavailable(errors.Join(err, tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return unavailable(fmt.Errorf("commit: %w", err))
	}
	return nil
}
