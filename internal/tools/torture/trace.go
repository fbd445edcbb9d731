//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tracing is the run of R4 and R19 with strace, which sees the calls of Go too: the first
// start of the program, which makes keys and database, and its commands, each ended at
// its k-th sync, rename or truncation in turn.
type tracing struct {
	place place
	seed  uint64
	out   io.Writer
	met   int
}

// canTrace tells why strace cannot be used here, if it cannot.
func canTrace(ctx context.Context) error {
	tool, err := exec.LookPath("strace")
	if err != nil {
		return errors.New("there is no strace here (apt-get install strace)")
	}
	out, err := exec.CommandContext(ctx, tool, "-f", "-o", "/dev/null", "-e", "trace=fsync", "true").CombinedOutput()
	if err != nil {
		return fmt.Errorf("strace may not trace here: %s", bytes.TrimSpace(out))
	}
	return nil
}

// traced are the calls at which a process is ended. strace counts those of each thread by
// itself, so a number can stand for more than one moment; a run ends when none is left.
const traced = "fsync,fdatasync,ftruncate,renameat,renameat2,rename,unlinkat,linkat"

func tracer(k int) []string {
	return []string{
		"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + traced,
		"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", traced, k),
	}
}

// start ends the first start of the program, and the first booking, at each point.
func (t *tracing) start(ctx context.Context) error {
	for k := 1; k < farthest; k++ {
		p := t.place
		p.dir = filepath.Join(t.place.dir, "start")
		if err := errors.Join(os.RemoveAll(p.dir), p.prepare()); err != nil {
			return err
		}
		ended, err := t.first(ctx, p, k)
		if err != nil {
			return fmt.Errorf("R4 first start, ended at point %d: %w", k, err)
		}
		if !ended {
			say(t.out, "strace: first start and booking: through after %d points", k-1)
			return nil
		}
		t.met++
		progress(t.out, "strace: first start: point %d", k)
	}
	return errors.New("R4 first start: no end")
}

// first starts and books with a point to meet, and then again without.
func (t *tracing) first(ctx context.Context, p place, k int) (ended bool, err error) {
	run := killing{place: p, seed: t.seed, out: t.out}
	s, err := p.start(ctx, tracer(k))
	if err == nil {
		a := &actor{round: k, rand: rand.New(rand.NewPCG(t.seed, uint64(k))), site: newVisitor(s.base)}
		err = a.book(ctx, 1)
		a.site.leave()
		run.Ledger.Calls = a.new
		if errors.Is(err, errAnswer) {
			s.kill()
			return false, err
		}
		s.kill()
	}
	ended = err != nil
	again, err := p.start(ctx, nil)
	if err != nil {
		return ended, err
	}
	defer again.kill()
	return ended, run.compare(ctx, again)
}

// command ends one command at each point. before makes what it needs, and after looks at
// what is left once it was run again to its end.
func (t *tracing) command(ctx context.Context, name string, before func() error, after func() error, args ...string) error {
	for k := 1; k < farthest; k++ {
		if err := before(); err != nil {
			return fmt.Errorf("R4 %s: %w", name, err)
		}
		line := append(append(tracer(k), t.place.program), args...)
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		cmd.Env, cmd.Stdin = t.place.env(), strings.NewReader(passphrase)
		ended := cmd.Run() != nil
		if _, err := t.place.run(ctx, passphrase, args...); err != nil {
			return fmt.Errorf("R4 %s, again after it was ended at point %d: %w", name, k, err)
		}
		if err := after(); err != nil {
			return fmt.Errorf("R4 %s, after it was ended at point %d: %w", name, k, err)
		}
		if !ended {
			say(t.out, "strace: %s: through after %d points", name, k-1)
			return nil
		}
		t.met++
		progress(t.out, "strace: %s: point %d", name, k)
	}
	return fmt.Errorf("R4 %s: no end", name)
}

// commands takes backup, key export and restore through all of their points, on the data
// that the rounds have left.
func (t *tracing) commands(ctx context.Context) error {
	file, keys := filepath.Join(t.place.dir, "traced.age"), filepath.Join(t.place.dir, "keys.age")
	whole := func() error { _, err := t.place.run(ctx, passphrase, "restore", "-check", file); return err }
	nothing := func() error { return nil }
	if err := t.command(ctx, "backup", nothing, whole, "backup", file); err != nil {
		return err
	}
	if err := t.command(ctx, "keys export", nothing, nothing, "keys", "export", keys); err != nil {
		return err
	}
	other := *t
	other.place.dir = filepath.Join(t.place.dir, "back")
	empty := func() error {
		if err := errors.Join(os.RemoveAll(other.place.dir), other.place.prepare()); err != nil {
			return err
		}
		_, err := other.place.run(ctx, passphrase, "keys", "import", keys)
		return err
	}
	same := func() error {
		want, err := t.place.run(ctx, "", "calls", "-days", "40")
		if err != nil {
			return err
		}
		got, err := other.place.run(ctx, "", "calls", "-days", "40")
		if err == nil && got != want {
			err = errors.New("the calls that came back are not those that were there")
		}
		return err
	}
	err := other.restore(ctx, file, empty, same)
	t.met = other.met
	return err
}

// restore is command for the one that refuses to be run again once it is done.
func (t *tracing) restore(ctx context.Context, file string, before, after func() error) error {
	for k := 1; k < farthest; k++ {
		if err := before(); err != nil {
			return fmt.Errorf("R4 restore: %w", err)
		}
		line := append(tracer(k), t.place.program, "restore", file)
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		cmd.Env, cmd.Stdin = t.place.env(), strings.NewReader(passphrase)
		ended := cmd.Run() != nil
		_, err := os.Stat(filepath.Join(t.place.data(), "steadier.db"))
		if err != nil { // ended before it had its name: it can be run again
			if _, err := t.place.run(ctx, passphrase, "restore", file); err != nil {
				return fmt.Errorf("R4 restore, again after it was ended at point %d: %w", k, err)
			}
		}
		if err := after(); err != nil {
			return fmt.Errorf("R4 restore, after it was ended at point %d: %w", k, err)
		}
		if !ended {
			say(t.out, "strace: restore: through after %d points", k-1)
			return nil
		}
		t.met++
		progress(t.out, "strace: restore: point %d", k)
	}
	return errors.New("R4 restore: no end")
}
