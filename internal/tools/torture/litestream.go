//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// copying is the run of R16: Litestream copies the database while visitors write, both are
// ended without a word, and what was copied is put back elsewhere.
type copying struct {
	killing
	tool    string
	lateRow int // acknowledged within late of the end, and not in the copy
}

// late is how fresh a write may be and be missing from a copy.
const late = 5 * time.Second

func (c *copying) all(ctx context.Context) error {
	for ; c.Round < c.rounds && ctx.Err() == nil; c.Round++ {
		if err := c.once(ctx); err != nil {
			return fmt.Errorf("R16 round %d: %w", c.Round+1, err)
		}
		progress(c.out, "litestream: round %d of %d, %d late writes missing", c.Round+1, c.rounds, c.lateRow)
	}
	say(c.out, "litestream: %d rounds, every copy whole; %d calls booked in all, %d missing, each of the last %v", c.Round, len(c.Ledger.Calls), c.lateRow, late)
	return nil
}

// once copies, ends both, and compares what was copied.
func (c *copying) once(ctx context.Context) error {
	s, err := c.place.start(ctx, nil)
	if err != nil {
		return err
	}
	defer s.kill()
	copier, err := c.startCopier(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = copier.Process.Kill() }() // it was ended already, unless something went wrong
	if err := c.compare(ctx, s); err != nil {
		return err
	}
	settled := make(map[string]call)
	for _, k := range c.Ledger.Calls {
		settled[k.Name] = *k
	}
	time.Sleep(late) // what was known before the visitors came is old enough by now
	c.visit(ctx, s)
	_ = copier.Process.Kill()
	_ = copier.Wait()
	s.kill()
	c.Ledger.Kills++
	return c.restored(ctx, settled)
}

// visit lets the visitors write until the process is ended.
func (c *copying) visit(ctx context.Context, s *site) {
	dice := rand.New(rand.NewPCG(c.seed, uint64(c.Round)))
	ctx, cancel := context.WithTimeout(ctx, time.Duration(300+dice.IntN(1500))*time.Millisecond)
	defer cancel()
	var wait sync.WaitGroup
	actors := make([]*actor, 4)
	for n := range actors {
		a := &actor{n: n, round: c.Round, rand: rand.New(rand.NewPCG(dice.Uint64(), uint64(n))), site: newVisitor(s.base)}
		for _, k := range c.Ledger.Calls {
			if k.Client == n {
				a.calls = append(a.calls, k)
			}
		}
		actors[n] = a
		wait.Go(func() { a.act(ctx) })
	}
	wait.Wait()
	for _, a := range actors {
		c.Ledger.Calls = append(c.Ledger.Calls, a.new...)
	}
}

func (c *copying) replica() string { return filepath.Join(c.place.dir, "replica") }

func (c *copying) startCopier(ctx context.Context) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, c.tool, "replicate", filepath.Join(c.place.data(), "steadier.db"), "file://"+c.replica())
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd, cmd.Start()
}

// restored puts the copy back elsewhere, has it checked whole, and compares it with what
// was known before the last visitors came. Calls that they touched may stand either way.
func (c *copying) restored(ctx context.Context, settled map[string]call) error {
	there := c.place
	there.dir = filepath.Join(c.place.dir, "back")
	if err := errors.Join(os.RemoveAll(there.dir), there.prepare(), os.CopyFS(filepath.Join(there.data(), "keys"), os.DirFS(filepath.Join(c.place.data(), "keys")))); err != nil {
		return err
	}
	db := filepath.Join(there.data(), "steadier.db")
	if out, err := exec.CommandContext(ctx, c.tool, "restore", "-o", db, "file://"+c.replica()).CombinedOutput(); err != nil {
		return fmt.Errorf("litestream restore: %w: %s", err, out)
	}
	if err := (&killing{place: there}).backup(ctx); err != nil {
		return err
	}
	text, err := there.run(ctx, "", "calls", "-days", "40")
	if err != nil {
		return err
	}
	cards := readCards(text)
	l, fresh := &ledger{}, make(map[string]bool)
	for _, k := range c.Ledger.Calls {
		if was, known := settled[k.Name]; known && was == *k {
			l.Calls = append(l.Calls, &was)
			continue
		}
		fresh[k.Name] = true
		if k.State == held && !slices.ContainsFunc(cards, func(d card) bool { return d.name == k.Name }) {
			c.lateRow++
		}
	}
	old := slices.DeleteFunc(slices.Clone(cards), func(d card) bool { return fresh[d.name] })
	if wrong := l.settle(old); len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	taken := maps.Collect(func(yield func(string, bool) bool) {
		for _, d := range cards {
			if !yield(d.when, true) {
				return
			}
		}
	})
	if len(taken) != len(cards) {
		return errors.New("a time is sold twice in the copy")
	}
	return nil
}

// copy runs it where Litestream is, or says why not.
func (o options) copy(ctx context.Context, run killing, out io.Writer) error {
	tool, err := exec.LookPath("litestream")
	if err != nil {
		say(out, "SKIPPED litestream: there is none here (0.5.18 or later in the PATH). Copies by it were NOT tried")
		return nil
	}
	run.rounds = min(o.rounds, 50)
	return (&copying{killing: run, tool: tool}).all(ctx)
}
