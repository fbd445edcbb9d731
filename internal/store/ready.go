package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/mattn/go-sqlite3"
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
// own, which does not wait for long: another program may hold the database. Whoever asks
// while one looks gets what that one finds, or else many who ask would keep each other,
// and the writer, from the lock.
func (db *DB) canWrite(ctx context.Context) error {
	return db.probe.share(func() error { return db.tryWrite(context.WithoutCancel(ctx)) })
}

func (db *DB) tryWrite(ctx context.Context) (err error) {
	own, err := pool(db.path, url.Values{"_busy_timeout": {"250"}, "_txlock": {"immediate"}}, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.Close()) }()
	before, err := dataVersion(ctx, own)
	if err != nil {
		return err
	}
	tx, err := own.BeginTx(ctx, nil)
	if failure, ok := errors.AsType[sqlite3.Error](err); ok && failure.Code == sqlite3.ErrBusy {
		after, lost := dataVersion(ctx, own)
		if lost == nil && after != before {
			return nil // busy because others write, and what they write is kept
		}
	}
	if err != nil {
		return err
	}
	return tx.Rollback()
}

// dataVersion changes whenever another connection has committed
// (https://www.sqlite.org/pragma.html#pragma_data_version).
func dataVersion(ctx context.Context, db *sql.DB) (n int64, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA data_version").Scan(&n)
	return n, err
}

// probe lets many who ask at once share one look.
type probe struct {
	mu  sync.Mutex
	now *look // nil: nobody looks
}

type look struct {
	done chan struct{}
	err  error
}

func (p *probe) share(fn func() error) error {
	p.mu.Lock()
	if running := p.now; running != nil {
		p.mu.Unlock()
		<-running.done
		return running.err
	}
	own := &look{done: make(chan struct{}), err: errors.New("looking at the database panicked")}
	p.now = own
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.now = nil
		p.mu.Unlock()
		close(own.done)
	}()
	own.err = fn()
	return own.err
}
