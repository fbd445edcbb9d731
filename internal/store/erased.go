package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErasedName is the name, in the data folder, of the list of those who were erased:
// a day and a keyed hash a line, which tells nothing without the keys. It is kept apart
// from the database, so that a restored backup does not bring anybody back.
const ErasedName = "erased"

// erasedLife is for how long the list remembers: longer than a backup may live.
const erasedLife = 40 * 24 * time.Hour

// The kinds of keyed hashes in the list.
const (
	erasedPhone  = "phone"
	erasedEmail  = "email"  // of a call
	erasedReader = "reader" // of the newsletter
)

func (db *DB) erasedPath() string { return filepath.Join(filepath.Dir(db.path), ErasedName) }

// remember adds to the list, and is on the disk when it returns. It is called before
// the erasure commits: an entry too many erases somebody who asked for it anyway.
func (db *DB) remember(now time.Time, kind string, blind []byte) error {
	f, err := os.OpenFile(db.erasedPath(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("remember an erasure: %w", err)
	}
	_, err = fmt.Fprintf(f, "%d %s %s\n", unix(now), kind, hex.EncodeToString(blind))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("remember an erasure: %w", err)
	}
	return nil
}

// erasedLine is one entry of the list.
type erasedLine struct {
	at    time.Time
	kind  string
	blind []byte
}

func readErased(r io.Reader) (lines []erasedLine, err error) {
	in := bufio.NewScanner(r)
	for in.Scan() {
		parts := strings.Fields(in.Text())
		if len(parts) != 3 {
			continue // the last line of a write that was cut
		}
		seconds, err1 := strconv.ParseInt(parts[0], 10, 64)
		blind, err2 := hex.DecodeString(parts[2])
		if err1 == nil && err2 == nil {
			lines = append(lines, erasedLine{fromUnix(seconds), parts[1], blind})
		}
	}
	return lines, in.Err()
}

// Erased is the list as it stands, without what is over; empty if there is none.
func Erased(dir string, now time.Time) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, ErasedName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	lines, err := readErased(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, l := range lines {
		if now.Sub(l.at) < erasedLife {
			fmt.Fprintf(&out, "%d %s %s\n", unix(l.at), l.kind, hex.EncodeToString(l.blind))
		}
	}
	return out.Bytes(), nil
}

// AddErased adds entries to the list of a data folder.
func AddErased(dir string, now time.Time, entries []byte) error {
	have, err := Erased(dir, now)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(entries) {
		if !bytes.Contains(have, line) {
			have = append(have, line...)
		}
	}
	return WriteWhole(filepath.Join(dir, ErasedName), func(w io.Writer) error { _, err := w.Write(have); return err })
}

// forgetErased drops what the list need not remember any more.
func (db *DB) forgetErased(now time.Time) error {
	dir := filepath.Dir(db.path)
	old, err := os.ReadFile(db.erasedPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if kept, err := Erased(dir, now); err != nil || len(kept) == len(old) {
		return err
	}
	return AddErased(dir, now, nil)
}

// eraseAgain erases everybody who was erased after a time, when a backup was made, and
// returns how many had come back. Who was erased before may be here again by their own
// wish.
func (db *DB) eraseAgain(ctx context.Context, now, after time.Time) (n int, err error) {
	f, err := os.Open(db.erasedPath())
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines, err := readErased(f)
	if err != nil {
		return 0, err
	}
	for _, l := range lines {
		if l.at.Before(after.Truncate(time.Second)) {
			continue
		}
		found, err := db.eraseBlind(ctx, now, l)
		if err != nil {
			return n, err
		}
		n += found
	}
	return n, db.forgetPages(ctx)
}

func (db *DB) eraseBlind(ctx context.Context, now time.Time, l erasedLine) (found int, err error) {
	err = db.write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		switch l.kind {
		case erasedPhone, erasedEmail:
			done, err := db.eraseCallsOf(ctx, tx, now, l.kind, l.blind)
			found = done.Contacts
			return err
		case erasedReader:
			found, err = db.eraseReader(ctx, tx, now, l.blind)
			return err
		}
		return nil
	})
	return found, err
}
