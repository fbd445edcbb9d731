// Package store keeps what the site must not lose in one SQLite database, and
// holds all of its SQL.
//
// The database is opened in WAL mode with synchronous=FULL, so that a commit
// survives a power cut (https://www.sqlite.org/pragma.html#pragma_synchronous).
// There are two pools: one connection writes, in transactions that begin
// immediate, and a few read and can do nothing else. Every exported method that
// writes is one transaction; nothing in it waits for the network, and a caller
// that hangs up does not cut it in half.
//
// Times are INTEGER columns of unix seconds, UTC. Tables are STRICT. Fields that
// name a person are sealed by internal/seal before they get here.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3" // the database driver, registered as "sqlite3"

	"github.com/steadier/steadier/internal/seal"
)

// FileName is the database's name in the data folder.
const FileName = "steadier.db"

// oldestSQLite is the first version without the WAL-reset fault
// (https://www.sqlite.org/wal.html#walresetbug).
const oldestSQLite = 3_051_003

// SQLiteVersion is that of the SQLite in this program.
func SQLiteVersion() string {
	version, _, _ := sqlite3.Version()
	return version
}

// DB is the open database. It is safe for concurrent use.
type DB struct {
	path   string
	writer *sql.DB
	writes writer // who writes next
	read   *sql.DB
	ring   *seal.Ring
	log    *slog.Logger
	wake   chan struct{} // see OutboxWake
	frozen atomic.Pointer[frozen]
	probe  probe // see Ready
}

// Open opens the database in dir, making folder and file if need be, checks it,
// and brings its schema up to date. The error is one line that says what to do.
func Open(ctx context.Context, dir string, ring *seal.Ring, log *slog.Logger) (*DB, error) {
	if _, n, _ := sqlite3.Version(); n < oldestSQLite {
		return nil, fmt.Errorf("SQLite is too old (%d): build with one that is 3.51.3 or newer", n)
	}
	path, err := filepath.Abs(filepath.Join(dir, FileName))
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	db := &DB{path: path, ring: ring, log: log, wake: make(chan struct{}, 1), writes: writer{firm: true}}
	if err := db.open(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func (db *DB) open(ctx context.Context) (err error) {
	if db.writer, err = pool(db.path, writeOptions, 1); err != nil {
		return err
	}
	if err := db.check(ctx); err != nil {
		return err
	}
	if err := migrate(ctx, db.writer); err != nil {
		return err
	}
	if err := db.checkKeys(ctx); err != nil {
		return err
	}
	db.read, err = pool(db.path, readOptions, readers)
	return err
}

// Close closes both pools. What was committed is on disk already.
func (db *DB) Close() error {
	var errs []error
	for _, pool := range []*sql.DB{db.read, db.writer} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}

// readers is how many requests read at once; more wait their turn.
const readers = 4

var (
	writeOptions = url.Values{
		"_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_txlock": {"immediate"},
		"_busy_timeout": {"5000"}, "_foreign_keys": {"on"}, "_secure_delete": {"on"},
		"_stmt_cache_size": {"64"},
	}
	readOptions = url.Values{
		"mode": {"ro"}, "_query_only": {"on"}, "_busy_timeout": {"5000"}, "_foreign_keys": {"on"},
		"_stmt_cache_size": {"64"},
	}
)

// pool opens path with pragmas in the DSN: set by a statement they would hold in
// one connection of the pool and not in the next.
func pool(path string, options url.Values, size int) (*sql.DB, error) {
	dsn := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite3", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, nil
}

// makePrivate makes folder and file such that no other account of the machine can
// read them.
func makePrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make data folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

func unix(t time.Time) int64 { return t.Unix() }

func fromUnix(n int64) time.Time { return time.Unix(n, 0).UTC() }
