package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/steadier/steadier/internal/seal"
)

// leastPassphrase is how short a passphrase may be, in bytes: a file that anybody may
// try at leisure needs more than a sign-in.
const leastPassphrase = 12

// lock is who will be able to open what a command encrypts: the recipient of the
// environment, or a passphrase that is asked for.
func (e Env) lock(c config) (seal.Lock, error) {
	if c.recipient != "" {
		return seal.Lock{Recipient: c.recipient}, nil
	}
	passphrase, err := e.askTwice()
	if err != nil {
		return seal.Lock{}, err
	}
	if len(passphrase) < leastPassphrase {
		return seal.Lock{}, fmt.Errorf("the passphrase is too short: %d characters at least, five words that nobody would guess are good", leastPassphrase)
	}
	return seal.Lock{Passphrase: passphrase}, nil
}

// key is what opens a file: an identity file, or a passphrase that is asked for.
func (e Env) key(identity string) (seal.Key, error) {
	if identity != "" {
		text, err := os.ReadFile(identity)
		if err != nil {
			return seal.Key{}, fmt.Errorf("read identity: %w", err)
		}
		return seal.Key{Identity: string(text)}, nil
	}
	passphrase, err := e.ask("Passphrase: ")
	return seal.Key{Passphrase: passphrase}, err
}

// asks reports whether there is a person at the other end of standard input.
func (e Env) asks() bool {
	f, ok := e.Stdin.(stoppable)
	return ok && isTerminal(f.File)
}

func (e Env) askTwice() (string, error) {
	first, err := e.ask("New passphrase: ")
	if err != nil || !e.asks() {
		return first, err
	}
	second, err := e.ask("Once more: ")
	if err == nil && first != second {
		err = errors.New("the two are not the same")
	}
	return first, err
}

// ask reads a passphrase without showing it; where there is no terminal, the first line
// of standard input is it.
func (e Env) ask(prompt string) (string, error) {
	if e.asks() {
		fmt.Fprint(e.Stderr, prompt)
		text, err := term.ReadPassword(int(e.Stdin.(stoppable).Fd()))
		fmt.Fprintln(e.Stderr)
		return string(text), err
	}
	if e.Stdin == nil {
		return "", errors.New("a passphrase is needed on standard input")
	}
	line, err := bufio.NewReader(e.Stdin).ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", errors.New("a passphrase is needed: type it, or give it as the first line of standard input")
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read passphrase: %w", err)
	}
	return line, nil
}
