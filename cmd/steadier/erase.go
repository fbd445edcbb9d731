package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/steadier/steadier/internal/consult"
)

const eraseHelp = `usage: steadier erase - | ADDRESS-OR-PHONE

Removes everything held about one person, found by their e-mail address or phone
number: contacts of calls (a call still to come is cancelled), the newsletter, messages
that wait, captured mail. With - it is read from standard input: advised, since it
then leaves no trace in the shell's history. It says how many of what was removed.
Backups made before keep what they hold until they end.
`

// longestPerson is more than an address or a number can have, in bytes.
const longestPerson = 1024

// erase removes everything held about one person.
func erase(ctx context.Context, env Env, args []string) int {
	if len(args) == 1 && isHelp(args[0]) {
		fmt.Fprint(env.Stdout, eraseHelp)
		return exitOK
	}
	if len(args) != 1 {
		env.errorf("erase: want steadier erase -, with the address or number on standard input")
		return exitUsage
	}
	typed, err := readPerson(env.Stdin, args[0])
	if err != nil {
		env.errorf("erase: %v", err)
		return exitFault
	}
	a, err := openData(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	person, err := consult.ReadPerson(typed, a.library().Site.Country)
	if err != nil {
		env.errorf("erase: %v", err)
		return exitUsage
	}
	if err := a.erase(ctx, person, typed); err != nil {
		env.errorf("erase: %v", err)
		return exitFault
	}
	return exitOK
}

func readPerson(in io.Reader, arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	text, err := io.ReadAll(io.LimitReader(in, longestPerson))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

func (a *app) erase(ctx context.Context, person consult.Person, typed string) error {
	now := a.env.Now()
	calls, err := a.db.EraseCalls(ctx, now, person)
	if err != nil {
		return err
	}
	letters, texts := 0, calls.Addresses
	if person.Phone == "" {
		if letters, err = a.db.EraseAddress(ctx, now, person.Address); err != nil {
			return err
		}
		texts = append(texts, person.Address.Wire(), typed)
	}
	files, err := eraseFiles(filepath.Join(a.data, "mail"), texts...)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.env.Stdout, "Removed: contacts of calls %d (of these calls, cancelled now: %d), newsletter %d, captured mails %d.\n",
		calls.Contacts, calls.Cancelled, letters, files)
	return err
}

// eraseFiles removes the captured mails in dir that hold one of the texts.
func eraseFiles(dir string, texts ...string) (removed int, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		data, readErr := os.ReadFile(file)
		if readErr != nil {
			err = errors.Join(err, readErr)
			continue
		}
		for _, text := range texts {
			if text != "" && bytes.Contains(data, []byte(text)) {
				err = errors.Join(err, os.Remove(file))
				removed++
				break
			}
		}
	}
	return removed, err
}
