package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

// app is what a command that works with content and data has at hand.
type app struct {
	config
	env    Env
	log    *slog.Logger
	served // the content
	ring   *seal.Ring
	db     *store.DB

	transport mail.Transport // nil: no mail
	soon      chan struct{}  // a value: tend to what is due at once
}

// openApp reads the environment, the content, the keys and the database, in this
// order, so that the cheap faults are found before anything is touched. The error is
// one line that says what to do.
func openApp(ctx context.Context, env Env) (*app, error) {
	return openWith(ctx, env, (*app).readContent)
}

// openData is openApp for commands that are about data: a fault in the content is told,
// and does not stop them. Who asks to be erased does not wait for a typo.
func openData(ctx context.Context, env Env) (*app, error) {
	return openWith(ctx, env, (*app).readContentIfGood)
}

func openWith(ctx context.Context, env Env, read func(*app) error) (*app, error) {
	c, err := readConfig(env.Getenv)
	if err != nil {
		return nil, err
	}
	a := &app{config: c, env: env, log: newLogger(env.Stderr, c.log), soon: make(chan struct{}, 1)}
	if err := read(a); err != nil {
		return nil, err
	}
	if a.ring, err = openKeys(c); err != nil {
		return nil, err
	}
	if a.db, err = store.Open(ctx, c.data, a.ring, a.log); err != nil {
		return nil, say(err)
	}
	if a.transport, err = a.openMail(env, a.from().Address); err != nil {
		a.close()
		return nil, say(err)
	}
	return a, nil
}

// openKeys reads the sealing keys. They are made at the first start, and only then:
// fresh keys beside a database that others sealed would lock its rows for good.
func openKeys(c config) (*seal.Ring, error) {
	path, chosen := c.keyPath()
	_, err := os.Stat(filepath.Join(c.data, store.FileName))
	first := errors.Is(err, fs.ErrNotExist)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !first {
		return nil, fmt.Errorf("the sealing keys %s are gone: put the file back, or set STEADIER_KEY_FILE to it", path)
	}
	if chosen && !first {
		ring, err := seal.Load(path)
		return ring, sayKeys(err, path)
	}
	ring, err := seal.OpenOrCreate(path)
	return ring, sayKeys(err, path)
}

// say adds what to do to the errors of files and folders.
func say(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w: a file stands where a folder should be: set STEADIER_DATA to a folder", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: let this account read and write it, or set STEADIER_DATA to another folder", err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: set STEADIER_DATA to a folder that this account can make and write", err)
	}
	return err
}

// sayKeys adds what to do to the errors of the key file.
func sayKeys(err error, path string) error {
	if err == nil || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrNotExist) {
		return say(err)
	}
	return fmt.Errorf("%w: put the right file back at %s, or set STEADIER_KEY_FILE to it", err, path)
}

// newLogger writes structured lines: text for a person at a terminal, else JSON.
func newLogger(w io.Writer, format string) *slog.Logger {
	if format == "" {
		format = "json"
		if isTerminal(w) {
			format = "text"
		}
	}
	if format == "text" {
		return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: utc}))
	}
	level := slog.LevelInfo
	if format == "quiet" {
		level = slog.LevelWarn
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: utc, Level: level}))
}

// utc writes the time of a line in UTC, whatever the zone of the machine.
func utc(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		a.Value = slog.StringValue(a.Value.Time().UTC().Format(time.RFC3339Nano))
	}
	return a
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
