package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/steadier/steadier/internal/seal"
)

// ErrNotEmpty means that a folder holds a database already.
var ErrNotEmpty = errors.New("the data folder holds a database already: restore into an empty one")

// ErrOtherKeys means that a backup was sealed with other keys than those at hand.
var ErrOtherKeys = errors.New("these are not the keys that sealed the backup: import the right ones first, with steadier keys import")

// Restored is what came back.
type Restored struct {
	Made   time.Time // when the backup was made, UTC
	Erased int       // persons who had been erased since, and were again
}

// VerifyBackup reads a whole backup and returns an error if it could not be restored
// with these keys. It leaves nothing behind; dir is where the copy is looked at.
func VerifyBackup(ctx context.Context, backup io.Reader, key seal.Key, ring *seal.Ring, dir string) (time.Time, error) {
	path, note, err := unpack(ctx, backup, key, ring, dir)
	return note.Made, errors.Join(err, removeDatabase(path))
}

// Restore puts a backup into a data folder without a database. The backup is read and
// checked whole before anything gets its name, so that what is left of an interrupted
// call is nothing, or the database. Who was erased since is erased again, as far as
// the folder holds the list of them.
func Restore(ctx context.Context, now time.Time, backup io.Reader, key seal.Key, ring *seal.Ring, dir string, log *slog.Logger) (Restored, error) {
	target := filepath.Join(dir, FileName)
	if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
		return Restored{}, errors.Join(ErrNotEmpty, err)
	}
	path, note, err := unpack(ctx, backup, key, ring, dir)
	if err != nil {
		return Restored{}, errors.Join(err, removeDatabase(path))
	}
	if err := errors.Join(os.Rename(path, target), syncDir(dir)); err != nil {
		return Restored{}, fmt.Errorf("put database: %w", err)
	}
	db, err := Open(ctx, dir, ring, log)
	if err != nil {
		return Restored{}, err
	}
	n, err := db.eraseAgain(ctx, now, note.Made)
	return Restored{Made: note.Made, Erased: n}, errors.Join(err, db.Close())
}

// unpack decrypts a backup into a file in dir, and checks it. The path is there with an
// error too, for whoever cleans up.
func unpack(ctx context.Context, backup io.Reader, key seal.Key, ring *seal.Ring, dir string) (path string, note backupNote, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", note, fmt.Errorf("make data folder: %w", err)
	}
	path = filepath.Join(dir, FileName+".restore")
	if err := removeDatabase(path); err != nil {
		return path, note, err
	}
	plain, err := key.Decrypt(backup)
	if err != nil {
		return path, note, err
	}
	inner := bufio.NewReaderSize(plain, 1<<16)
	if note, err = readNote(inner); err != nil {
		return path, note, err
	}
	if note.Keys != hex.EncodeToString(ring.Fingerprint()) {
		return path, note, ErrOtherKeys
	}
	if err := unpackInto(path, inner, note); err != nil {
		return path, note, err
	}
	if err := checkFile(ctx, path); err != nil {
		return path, note, fmt.Errorf("the database in the backup is damaged: %w", err)
	}
	return path, note, nil
}

func readNote(r *bufio.Reader) (note backupNote, err error) {
	format, err := r.ReadString('\n')
	if err != nil || format != backupFormat+"\n" {
		if err != nil {
			return note, damagedFile(err)
		}
		return note, errors.New("this is no backup that this program can read")
	}
	line, err := r.ReadBytes('\n')
	if err != nil {
		return note, damagedFile(err)
	}
	if err := json.Unmarshal(line, &note); err != nil {
		return note, fmt.Errorf("read what the backup says of itself: %w", err)
	}
	return note, nil
}

// damagedFile says what an end in the middle means.
func damagedFile(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the backup is damaged or cut off: take another one: %w", err)
}

func unpackInto(path string, r io.Reader, note backupNote) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, h), r)
	if err := errors.Join(damagedFile(err), f.Sync(), f.Close()); err != nil {
		return err
	}
	if n != note.Size || hex.EncodeToString(h.Sum(nil)) != note.Sum {
		return damagedFile(fmt.Errorf("%d bytes, want %d with another sum", n, note.Size))
	}
	return nil
}
