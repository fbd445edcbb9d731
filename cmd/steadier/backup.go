package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

const backupHelp = `usage: steadier backup FILE

Writes a consistent copy of the database to FILE, encrypted with age: to the recipient
of STEADIER_BACKUP_RECIPIENT, or with a passphrase (typed, or the first line of standard
input). It works while steadier serve runs. FILE gets its name when the copy is whole and
checked; an older one of that name is replaced then.

A backup is of no use without the sealing keys: export them too, and keep them elsewhere.
Keep a backup for 30 days at most: who was erased is in the older ones.
`

// backup writes an encrypted copy of the database.
func backup(ctx context.Context, env Env, args []string) int {
	path, code := oneFile(env, "backup", backupHelp, args)
	if path == "" {
		return code
	}
	a, err := openData(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	if err := a.backup(ctx, path); err != nil {
		env.errorf("backup: %v", err)
		return exitFault
	}
	return exitOK
}

func (a *app) backup(ctx context.Context, path string) error {
	if err := store.MayReplace(path, encryptedFile); err != nil {
		return err
	}
	lock, err := a.env.lock(a.config)
	if err != nil {
		return err
	}
	a.env.progress("copying, checking, encrypting …")
	size, err := a.db.Backup(ctx, a.env.Now(), path, lock)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "%s: %d KB of database, whole.\n", path, size>>10)
	exported, err := a.db.KeysAreExported(ctx)
	if err == nil && !exported {
		a.env.errorf("warning: the sealing keys were not exported since they were last changed: run steadier keys export, or this backup opens and tells nothing")
	}
	return err
}

// encryptedFile is how a file of age begins.
const encryptedFile = "age-encryption.org/"

// progress says on a terminal what takes a while.
func (e Env) progress(what string) {
	if isTerminal(e.Stderr) {
		fmt.Fprintln(e.Stderr, what)
	}
}

// oneFile reads a command line of one file name. An empty name comes with the status.
func oneFile(env Env, name, help string, args []string) (path string, code int) {
	switch {
	case len(args) == 1 && isHelp(args[0]):
		fmt.Fprint(env.Stdout, help)
		return "", exitOK
	case len(args) != 1 || args[0] == "" || args[0][0] == '-':
		env.errorf("%s: want one file name: run steadier %s -h", name, name)
		return "", exitUsage
	}
	return args[0], exitOK
}

const restoreHelp = `usage: steadier restore [-check] [-identity FILE] FILE

Puts a backup into a data folder without a database. It is read and verified whole
before anything is written; what was interrupted can be run again. The keys that sealed
it have to be there first: see steadier keys import. Who was erased since the backup is
erased again, as far as the data folder or the exported keys hold the list of them.

  -check          only verifies: the data folder may be in use
  -identity FILE  the age identity that opens it; without one, a passphrase is asked for
`

// restoreLine is a command line of restore, read.
type restoreLine struct {
	check          bool
	identity, path string
}

// restore puts a backup back, or verifies it.
func restore(ctx context.Context, env Env, args []string) int {
	line, err := readRestoreLine(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(env.Stdout, restoreHelp)
		return exitOK
	}
	if err != nil {
		env.errorf("restore: %v", err)
		return exitUsage
	}
	if err := line.run(ctx, env); err != nil {
		env.errorf("restore: %v", err)
		return exitFault
	}
	return exitOK
}

func readRestoreLine(args []string) (line restoreLine, err error) {
	flags := flag.NewFlagSet("restore", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&line.check, "check", false, "")
	flags.StringVar(&line.identity, "identity", "", "")
	if err := flags.Parse(args); err != nil {
		return line, err
	}
	if flags.NArg() != 1 {
		return line, errors.New("want one file name: run steadier restore -h")
	}
	line.path = flags.Arg(0)
	return line, nil
}

func (l restoreLine) run(ctx context.Context, env Env) error {
	c, err := readConfig(env.Getenv)
	if err != nil {
		return err
	}
	ring, err := ringOf(c)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(c.data, store.FileName)); err == nil && !l.check {
		return store.ErrNotEmpty
	}
	f, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer f.Close()
	key, err := env.key(l.identity)
	if err != nil {
		return err
	}
	env.progress("reading and checking …")
	if l.check {
		made, err := store.VerifyBackup(ctx, f, key, ring, c.data)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.Stdout, "%s is whole and opens with these keys. It was made on %s.\n", l.path, utcWords(made))
		return nil
	}
	back, err := store.Restore(ctx, env.Now(), f, key, ring, c.data, newLogger(env.Stderr, c.log))
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "Restored what was there on %s. Erased again: %d.\n", utcWords(back.Made), back.Erased)
	return nil
}

// ringOf reads the keys that have to be there already.
func ringOf(c config) (*seal.Ring, error) {
	path, _ := c.keyPath()
	ring, err := seal.Load(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there are no sealing keys %s, and a backup tells nothing without them: run steadier keys import first, or set STEADIER_KEY_FILE", path)
	}
	return ring, say(err)
}

func utcWords(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }
