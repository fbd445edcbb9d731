package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/steadier/steadier/internal/seal"
)

// A backup is, inside of its encryption: a line that names the format, a line of JSON
// (backupNote), and the bytes of a SQLite database. What is encrypted cannot be changed
// or cut without notice; the sum tells a fault of ours from one of the disk.
const backupFormat = "steadier-backup-1"

// backupNote is what a backup says of itself.
type backupNote struct {
	Made time.Time `json:"made"`
	Keys string    `json:"keys"` // fingerprint of the ring that sealed the rows
	Size int64     `json:"size"` // of the database
	Sum  string    `json:"sum"`  // its SHA-256
}

// Backup writes a consistent copy of the database to path, encrypted, while others read
// and write: everything that was acknowledged before the call is in it. The copy is
// checked before it is encrypted, and gets its name when all of it is on the disk; a
// file that had the name is replaced then and not before. It may be interrupted and
// called again. The size is that of the database.
func (db *DB) Backup(ctx context.Context, now time.Time, path string, lock seal.Lock) (size int64, err error) {
	copied, err := db.copyTo(ctx)
	if err != nil {
		return 0, fmt.Errorf("copy database: %w", err)
	}
	defer func() { err = errors.Join(err, removeDatabase(copied)) }()
	if err := checkFile(ctx, copied); err != nil {
		return 0, fmt.Errorf("check copy: %w", err)
	}
	note := backupNote{Made: now.UTC(), Keys: hex.EncodeToString(db.ring.Fingerprint())}
	if note.Size, note.Sum, err = sumOf(copied); err != nil {
		return 0, fmt.Errorf("read copy: %w", err)
	}
	err = WriteWhole(path, func(w io.Writer) error { return encrypt(w, note, copied, lock) })
	if err != nil {
		return 0, fmt.Errorf("write backup: %w", err)
	}
	return note.Size, db.setMeta(ctx, metaBackup, []byte(now.UTC().Format(time.RFC3339)))
}

// copyTo copies the database into a file beside it, readable by its owner alone. VACUUM
// INTO takes one snapshot (https://www.sqlite.org/lang_vacuum.html#vacuuminto). It has a
// connection of its own, so that nobody waits for it.
func (db *DB) copyTo(ctx context.Context) (string, error) {
	path := db.path + ".copy"
	if err := removeDatabase(path); err != nil { // of a call that was interrupted
		return "", err
	}
	source, err := pool(db.path, url.Values{"_busy_timeout": {"5000"}}, 1)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", errors.Join(err, source.Close())
	}
	_, err = source.ExecContext(ctx, `VACUUM INTO ?`, path)
	return path, errors.Join(err, f.Close(), source.Close())
}

// checkFile reads a whole database file and fails if any of it is damaged.
func checkFile(ctx context.Context, path string) error {
	file, err := pool(path, url.Values{"mode": {"ro"}, "immutable": {"1"}}, 1)
	if err != nil {
		return err
	}
	defer file.Close()
	var verdict string
	if err := file.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return errors.New(verdict)
	}
	var table string
	err = file.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	if err == nil {
		return fmt.Errorf("a row of %s belongs to none", table)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return nil
}

func sumOf(path string) (size int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return size, hex.EncodeToString(h.Sum(nil)), err
}

func encrypt(w io.Writer, note backupNote, path string, lock seal.Lock) error {
	inner, err := lock.Encrypt(w)
	if err != nil {
		return err
	}
	line, err := json.Marshal(note)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := fmt.Fprintf(inner, "%s\n%s\n", backupFormat, line); err != nil {
		return err
	}
	if _, err := io.Copy(inner, f); err != nil {
		return err
	}
	return inner.Close()
}

// removeDatabase removes a database file with what SQLite keeps beside it.
func removeDatabase(path string) error {
	var err error
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// ErrOther means that a file is something else than what would replace it.
var ErrOther = errors.New("it exists and holds something else: name another file")

// MayReplace reports, as [ErrOther], that path holds something other than what begins
// with one of these texts: the database, the keys, or whatever was not meant.
func MayReplace(path string, begins ...string) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 64)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	for _, begin := range begins {
		if n > 0 && bytes.HasPrefix(head[:n], []byte(begin)) {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", path, ErrOther)
}

// WriteWhole gives path what write writes: all of it and on the disk, or nothing. The
// file is readable by its owner alone.
func WriteWhole(path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err := write(buffered); err != nil {
		return err
	}
	if err := errors.Join(buffered.Flush(), f.Sync()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return errors.Join(f.Close(), syncDir(dir))
}

// syncDir makes a new name in a folder last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// The names of what the database knows of itself.
const (
	metaBackup = "last backup"   // RFC 3339
	metaExport = "keys exported" // the newest key of the export made last
)

func (db *DB) setMeta(ctx context.Context, name string, value []byte) error {
	return db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO meta (name, value) VALUES (?, ?)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
		return err
	})
}

func (db *DB) meta(ctx context.Context, name string) (value []byte, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = ?`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return value, err
}

// KeysExported notes that the keys were exported; [DB.KeysAreExported] tells.
func (db *DB) KeysExported(ctx context.Context) error {
	return db.setMeta(ctx, metaExport, db.ring.Newest())
}

// KeysAreExported reports whether the keys that seal now were ever exported: without
// them a backup opens and tells nothing.
func (db *DB) KeysAreExported(ctx context.Context) (bool, error) {
	value, err := db.meta(ctx, metaExport)
	return bytes.Equal(value, db.ring.Newest()), err
}

// LastBackup is when a backup was made last, in UTC; zero for never.
func (db *DB) LastBackup(ctx context.Context) (time.Time, error) {
	value, err := db.meta(ctx, metaBackup)
	if err != nil || value == nil {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339, string(value))
}
