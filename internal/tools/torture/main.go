//go:build linux

// Torture is the long form of the promises about reliability: it builds the program, runs
// it as it is delivered, and does to it what machines, mail servers and visitors do.
//
//	kill    visitors book, move, cancel and sign up as a seeded schedule says; the process
//	        is ended by SIGKILL, now and then by SIGTERM, at random moments and started
//	        again. Every acknowledged booking is there exactly once, no time is sold twice,
//	        a form posted again has one effect, the database is whole, and of the mail
//	        nothing is lost or sent twice, with one unknown message a kill at most
//	points  one deed after the other is done with the first, the second, the third write or
//	        sync of SQLite failing, until it gets through: ended, torn, EIO, disk full
//	strace  the same for the first start and for backup, keys export and restore, at every
//	        sync and rename, those of Go included
//	power   the power is cut on paper: every write and sync is recorded, and what the disk
//	        may hold after a cut at any call is opened. Everything acknowledged is there
//	litestream  where it is installed: the database is copied while visitors write, both are
//	        ended, and the copy is put back. Only the last five seconds may be missing
//	slow    thousands who send and read slowly or not at all, while others read and write
//	soak    one process and very many requests: memory, goroutines and files stay flat
//
// The seed is printed and can be given; it fixes what is done and when the process ends,
// not how the machine schedules it. With -dir, rounds that were interrupted are gone on
// with. It stands in no relation to the program but that it builds and runs it.
//
// The exit status is 1 if a promise was broken, with what was seen. The folder is kept then.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// options is a command line.
type options struct {
	program  string
	dir      string
	only     string
	seed     uint64
	rounds   int
	actors   int
	requests int
}

func main() {
	var o options
	flag.StringVar(&o.program, "program", "", "the program; built if none is named")
	flag.StringVar(&o.dir, "dir", "", "folder on a real disk for data and state; a temporary one if none is named, removed when all is well")
	flag.StringVar(&o.only, "only", "kill,points,strace,power,litestream,slow,soak", "what to do")
	flag.Uint64Var(&o.seed, "seed", 0, "a number that was printed; 0: a new one")
	flag.IntVar(&o.rounds, "rounds", 1000, "starts and ends of the process")
	flag.IntVar(&o.actors, "visitors", 6, "visitors at once")
	flag.IntVar(&o.requests, "requests", 1_000_000, "requests of the soak")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		stop()
		os.Exit(1)
	}
}

// run does everything that was asked for, and says what was seen.
func (o options) run(ctx context.Context, out io.Writer) (err error) {
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000_000) + 1
	}
	kept := o.dir != ""
	if !kept {
		if o.dir, err = os.MkdirTemp("", "torture"); err != nil {
			return err
		}
	} else if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return err
	}
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return err
	}
	if o.program == "" {
		if o.program, err = buildProgram(ctx, o.dir); err != nil {
			return err
		}
	}
	if o.program, err = filepath.Abs(o.program); err != nil {
		return err
	}
	say(out, "seed %d, folder %s", o.seed, o.dir)
	for name := range strings.SplitSeq(o.only, ",") {
		if err := o.phase(ctx, name, out); err != nil {
			return fmt.Errorf("%s: %w (seed %d, folder %s)", name, err, o.seed, o.dir)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("stopped; with -dir %s the rounds go on where they were", o.dir)
		}
	}
	say(out, "all promises were kept")
	if !kept {
		return os.RemoveAll(o.dir)
	}
	return nil
}

func buildProgram(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "steadier")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/steadier/steadier/cmd/steadier")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return path, nil
}

func (o options) phase(ctx context.Context, name string, out io.Writer) error {
	moods := faults{Later: 0.01, Drop: 0.01, Silent: 0.01}
	if name != "kill" {
		moods = faults{}
	}
	p, err := startPeer(o.seed, moods)
	if err != nil {
		return err
	}
	defer p.close()
	at := place{program: o.program, dir: filepath.Join(o.dir, name), smtp: p.url()}
	if err := at.prepare(); err != nil {
		return err
	}
	run := killing{place: at, peer: p, seed: o.seed, rounds: o.rounds, actors: o.actors, every: 25, out: out}
	switch name {
	case "kill":
		return run.whole(ctx)
	case "points":
		return (&points{killing: run}).all(ctx, []mode{killAt, tornAt, failOnce, fullFrom, failFrom}, deeds)
	case "strace":
		return o.trace(ctx, run)
	case "power":
		return (&power{at, o.seed, 2000, 120, out}).run(ctx)
	case "litestream":
		return o.copy(ctx, run, out)
	case "slow":
		return (&slow{at, o.seed, 5000, 1000, 1000, o.requests / 10, 5000, out}).run(ctx)
	case "soak":
		return (&soaking{at, o.seed, o.requests, out}).run(ctx)
	}
	return fmt.Errorf("there is no %q: kill, points, strace, power, litestream, slow, soak", name)
}

// whole is run with a report, from where an earlier sitting stopped.
func (k *killing) whole(ctx context.Context) error {
	switch on, err := k.load(); {
	case err != nil:
		return err
	case on:
		say(k.out, "kill: goes on at round %d with seed %d", k.Round+1, k.seed)
	}
	err := k.run(ctx)
	k.report()
	return errors.Join(err, k.fault())
}

// fault is the first of what was wrong, and how much more there is.
func (k *killing) fault() error {
	if len(k.wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s (and %d more)", k.wrong[0], len(k.wrong)-1)
}

// all takes each deed through each mode.
func (p *points) all(ctx context.Context, modes []mode, deeds []deed) (err error) {
	if p.shim, err = buildShim(ctx, p.place.dir); err != nil {
		return err
	}
	defer p.shim.close()
	for _, m := range modes {
		for _, d := range deeds {
			if err := p.through(ctx, m, d); err != nil {
				return err
			}
		}
	}
	say(p.out, "points: %d points met, %d times able to store again by itself", p.met, p.ready)
	return p.backup(ctx)
}

// trace is the run with strace, or says why there is none.
func (o options) trace(ctx context.Context, run killing) error {
	if err := canTrace(ctx); err != nil {
		say(run.out, "SKIPPED strace: %v. Ends at the syncs of Go, in the first start and in commands, were NOT tried", err)
		return nil
	}
	t := &tracing{place: run.place, seed: o.seed, out: run.out}
	if err := t.start(ctx); err != nil {
		return err
	}
	run.rounds, run.peer.faults = 3, faults{}
	if err := run.whole(ctx); err != nil {
		return err
	}
	err := t.commands(ctx)
	say(run.out, "strace: ended at %d points", t.met)
	return err
}

var line struct {
	sync.Mutex
	open bool
	last time.Time
}

// seldom is how often a line of progress goes where it cannot be overwritten.
const seldom = 30 * time.Second

// progress overwrites the line of progress on a terminal. Into a file it writes one now
// and then.
func progress(out io.Writer, format string, args ...any) {
	f, ok := out.(*os.File)
	if !ok {
		return
	}
	line.Lock()
	defer line.Unlock()
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		line.open = true
		fmt.Fprintf(out, "\r\x1b[K"+format, args...)
	} else if time.Since(line.last) > seldom {
		line.last = time.Now()
		fmt.Fprintf(out, format+"\n", args...)
	}
}

// say writes a line that stays.
func say(out io.Writer, format string, args ...any) {
	line.Lock()
	defer line.Unlock()
	if line.open {
		fmt.Fprint(out, "\r\x1b[K")
		line.open = false
	}
	fmt.Fprintf(out, format+"\n", args...)
}
