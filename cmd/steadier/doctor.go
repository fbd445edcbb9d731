package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

const doctorHelp = `usage: steadier doctor

Looks at what a running site depends on, and says of each thing "ok", "look" or "wrong"
and what to do: settings, content, exit address, folder, keys, database, disk, clock,
mail, backups. It changes nothing. Exit status: 1 if anything is wrong.
`

// oldBackup is how long ago the last backup may be.
const oldBackup = 36 * time.Hour

// finding is the verdict on one thing.
type finding struct {
	verdict string // ok, look or wrong
	what    string
	words   string
}

func fine(what, words string) finding { return finding{"ok", what, words} }
func look(what, words string) finding { return finding{"look", what, words} }
func wrong(what string, err error) finding {
	return finding{"wrong", what, err.Error()}
}

// doctor looks at everything at once, also where the first thing is wrong.
func doctor(ctx context.Context, env Env, args []string) int {
	if len(args) == 1 && isHelp(args[0]) {
		fmt.Fprint(env.Stdout, doctorHelp)
		return exitOK
	}
	if len(args) > 0 {
		env.errorf("doctor takes no arguments: run steadier doctor -h")
		return exitUsage
	}
	code := exitOK
	for _, f := range examine(ctx, env) {
		fmt.Fprintf(env.Stdout, "%-5s  %-9s %s\n", f.verdict, f.what, f.words)
		if f.verdict == "wrong" {
			code = exitFault
		}
	}
	return code
}

func examine(ctx context.Context, env Env) []finding {
	c, err := readConfig(env.Getenv)
	if err != nil {
		return []finding{wrong("settings", err)}
	}
	found := []finding{fine("settings", "every variable has a good value")}
	lib, seen := examineContent(env, c)
	found = append(found, seen...)
	if lib != nil {
		found = append(found, examineExit(ctx, lib.Site.Exit), examineMail(ctx, c, lib.Site.Sender.Address))
	}
	return append(append(found, examineClock(env.Now())), examineData(ctx, env, c)...)
}

func examineContent(env Env, c config) (*library.Library, []finding) {
	dir, fsys, err := contentFS(c.contentDir())
	if err != nil {
		return nil, []finding{wrong("content", err)}
	}
	lib, _, findings := loadContent(fsys, library.Options{Now: env.Now()})
	errs := findings.Errors()
	if errs > 0 {
		return nil, []finding{wrong("content", fmt.Errorf("%s in %s: run steadier check", count(errs, "error"), dir))}
	}
	words := fmt.Sprintf("%s in %s", count(len(lib.Articles), "article"), dir)
	if warnings := len(findings) - errs; warnings > 0 {
		return lib, []finding{look("content", words+", "+count(warnings, "warning")+": run steadier check")}
	}
	seen := []finding{fine("content", words)}
	if n := unreviewed(lib); n > 0 {
		seen = append(seen, look("review", count(n, "article")+" not reviewed by a clinician, and they say so"))
	}
	return lib, seen
}

func unreviewed(lib *library.Library) (n int) {
	for _, a := range lib.Articles {
		if a.Reviewed == nil {
			n++
		}
	}
	return n
}

// examineExit asks the page that "Leave this site" leads to, as a reader's browser would.
func examineExit(ctx context.Context, address string) finding {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return wrong("exit", err)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err
		}
		return look("exit", fmt.Sprintf("%s does not answer from here (%v): a reader who leaves would wait; try it in a browser", address, err))
	}
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
	if err = errors.Join(err, res.Body.Close()); err != nil || res.StatusCode != http.StatusOK {
		return wrong("exit", fmt.Errorf("%s answers with %s: set exit in site.yaml to a page that loads at once, without leading on", address, res.Status))
	}
	return fine("exit", address+" answers")
}

func examineMail(ctx context.Context, c config, sender string) finding {
	switch c.smtp {
	case "off":
		return look("mail", "off: no newsletter, no messages about calls")
	case "":
		return look("mail", "no server: messages become files in "+filepath.Join(c.data, "mail"))
	}
	if c.mailFrom != "" {
		sender = c.mailFrom
	}
	if sender == "" {
		return wrong("mail", errors.New("no sender: set sender.address in site.yaml, or STEADIER_MAIL_FROM"))
	}
	server, err := mail.ParseURL(c.smtp)
	if err != nil {
		return wrong("mail", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := mail.NewSMTP(server, mail.DomainOf(sender), nil, mail.DefaultLimits()).Probe(ctx); err != nil {
		return wrong("mail", err)
	}
	return fine("mail", "the server takes the sign-in")
}

// examineClock knows no other clock than the machine's: it can only tell one that was
// never set.
func examineClock(now time.Time) finding {
	if now.Year() < 2026 {
		return wrong("clock", fmt.Errorf("it is %s here: set the clock, calls and links depend on it", utcWords(now)))
	}
	return fine("clock", utcWords(now))
}

func examineData(ctx context.Context, env Env, c config) []finding {
	info, err := os.Stat(c.data)
	if errors.Is(err, fs.ErrNotExist) {
		return []finding{look("data", c.data+" is not there yet: the first start makes it")}
	}
	if err != nil {
		return []finding{wrong("data", err)}
	}
	found := []finding{fine("data", c.data)}
	if info.Mode().Perm()&0o077 != 0 {
		found[0] = look("data", c.data+" can be entered by others: chmod 700")
	}
	ring, err := ringOf(c)
	if err != nil {
		return append(found, wrong("keys", err))
	}
	if _, err := os.Stat(filepath.Join(c.data, store.FileName)); errors.Is(err, fs.ErrNotExist) {
		return append(found, look("database", "not there yet: the first start makes it"))
	}
	return append(found, examineDatabase(ctx, env, c, ring)...)
}

func examineDatabase(ctx context.Context, env Env, c config, ring *seal.Ring) (found []finding) {
	db, err := store.Open(ctx, c.data, ring, newLogger(io.Discard, c.log))
	if err != nil {
		return []finding{wrong("database", err)}
	}
	defer func() {
		if err := db.Close(); err != nil {
			found = append(found, wrong("database", err))
		}
	}()
	if err := db.Check(ctx); err != nil {
		return []finding{wrong("database", err)}
	}
	found = append(found, fine("database", "whole"))
	if err := db.Ready(ctx); err != nil {
		found = append(found, wrong("disk", err))
	} else {
		found = append(found, fine("disk", "has room"))
	}
	return append(found, examineBackups(ctx, env.Now(), db)...)
}

func examineBackups(ctx context.Context, now time.Time, db *store.DB) []finding {
	last, err := db.LastBackup(ctx)
	exported, err2 := db.KeysAreExported(ctx)
	if err := errors.Join(err, err2); err != nil {
		return []finding{wrong("backup", err)}
	}
	found := []finding{fine("backup", "the last one was made on "+utcWords(last))}
	switch {
	case last.IsZero():
		found[0] = look("backup", "none was ever made: run steadier backup FILE")
	case now.Sub(last) > oldBackup:
		found[0] = look("backup", "the last one was made on "+utcWords(last)+": run steadier backup FILE")
	}
	if !exported {
		return append(found, look("keys", "not exported since they were last changed: run steadier keys export FILE"))
	}
	return append(found, fine("keys", "exported"))
}
