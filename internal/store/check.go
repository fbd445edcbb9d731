package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"

	"github.com/steadier/steadier/migrations"
)

// wanted are the settings that the promises rest on. A misspelt name in the DSN
// is ignored in silence, so they are read back.
var wanted = map[string]string{
	"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "secure_delete": "1",
}

// check refuses a database that is damaged or does not obey.
func (db *DB) check(ctx context.Context) error {
	for _, pragma := range []string{
		"journal_size_limit = 4194304", "trusted_schema = off", "cell_size_check = on", "mmap_size = 0",
	} {
		if _, err := db.writer.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return db.damaged(err)
		}
	}
	for name, want := range wanted {
		var got string
		if err := db.writer.QueryRowContext(ctx, "PRAGMA "+name).Scan(&got); err != nil {
			return db.damaged(err)
		}
		if !strings.EqualFold(got, want) {
			return fmt.Errorf("open database: %s: %s is %s, need %s: put the data folder on a local disk", db.path, name, got, want)
		}
	}
	return db.Check(ctx)
}

// Check reads the whole database and returns an error if a page of it is damaged.
func (db *DB) Check(ctx context.Context) error {
	var verdict string
	err := db.writer.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = errors.New(verdict)
	}
	if err != nil {
		return db.damaged(err)
	}
	return nil
}

// damaged says what to do about a database that cannot be read as it should. An
// interrupted or busy one is not damaged, and needs no backup.
func (db *DB) damaged(err error) error {
	coded, ok := errors.AsType[sqlite3.Error](err)
	if ok && coded.Code != sqlite3.ErrCorrupt && coded.Code != sqlite3.ErrNotADB || errors.Is(err, context.Canceled) {
		return fmt.Errorf("open database %s: %w", db.path, err)
	}
	return fmt.Errorf("database %s is damaged: restore a backup into an empty data folder: %w", db.path, err)
}

// migrate brings the schema up to date. A database from a newer program is
// refused untouched.
func migrate(ctx context.Context, write *sql.DB) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, write, migrations.FS)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, newest, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if have > newest {
		return fmt.Errorf("the database is from a newer steadier (schema %d, this program knows %d): start that one", have, newest)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring the database up to date: %w", err)
	}
	return nil
}

// checkKeys compares the ring with the one that sealed this database; the first
// start notes it down. A start with other keys changes nothing.
func (db *DB) checkKeys(ctx context.Context) error {
	var have []byte
	err := db.writer.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'key fingerprint'`).Scan(&have)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = db.writer.ExecContext(ctx,
			`INSERT INTO meta (name, value) VALUES ('key fingerprint', ?)`, db.ring.Fingerprint())
	}
	if err != nil {
		return fmt.Errorf("read key fingerprint: %w", err)
	}
	if have != nil && !bytes.Equal(have, db.ring.Fingerprint()) {
		return errors.New("these are not the keys that sealed this database: put the right key file back, or set STEADIER_KEY_FILE to it")
	}
	return nil
}
