package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"syscall"
)

// ErrDisk means that the disk has too little room left to write to.
var ErrDisk = errors.New("disk is full")

// minFree and minShare are the room that must be left, whichever is smaller, so that
// a transaction can still be rolled back and a checkpoint written.
const (
	minFree  = 16 << 20
	minShare = 20 // a twentieth of the file system
)

// Ready returns nil when the database answers, can be written to, and the disk has
// room: [ErrDisk], or what the database said.
func (db *DB) Ready(ctx context.Context) error {
	var one int
	if err := db.read.QueryRowContext(ctx, `SELECT count(*) FROM meta`).Scan(&one); err != nil {
		return fmt.Errorf("read database: %w", err)
	}
	if err := db.canWrite(ctx); err != nil {
		return fmt.Errorf("write database: %w", err)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(db.path), &fs); err != nil {
		return fmt.Errorf("look at the disk: %w", err)
	}
	size := uint64(fs.Bsize) // another type on other systems
	if fs.Bavail*size < min(minFree, fs.Blocks*size/minShare) {
		return ErrDisk
	}
	return nil
}

// canWrite begins what a write begins, and takes it back. It has a connection of its
// own, which does not wait for long: another program may hold the database.
func (db *DB) canWrite(ctx context.Context) (err error) {
	own, err := pool(db.path, url.Values{"_busy_timeout": {"250"}, "_txlock": {"immediate"}}, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	tx, err := own.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return tx.Rollback()
}
