// Servebench measures how fast the program serves an article: the built program and a
// bare net/http handler that holds the same bytes and headers, each in a process of its
// own and neither with a log of requests, asked in turn over 1, 32 and 256 kept
// connections. It stands in no relation to the program but that it starts it.
//
// What counts is the median ratio of the rates of each round, because the machine may
// do other things meanwhile. Beside it stand the quartiles, and the processor time that
// each server took for an answer, which other work disturbs least. Where nginx with
// brotli_static is installed, it serves the same page from a file, with the same headers.
//
// The exit status is 1 if a ratio to the bare handler is below the bound.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

const (
	article = "/articles/what-a-trauma-bond-is"
	bound   = 0.9  // of the bare handler's rate: less is a fault
	aim     = 0.95 // and what is hoped for
)

var connections = []int{1, 32, 256}

var errBelow = fmt.Errorf("a ratio to the bare handler is below %v", bound)

func main() {
	program := flag.String("program", "bin/steadier", "the built `program`")
	rounds := flag.Int("rounds", 9, "rounds at each number of connections")
	turn := flag.Duration("turn", 400*time.Millisecond, "how long each server is asked in a round")
	bare := flag.String("bare", "", "serve the answer in this `file`, and do nothing else")
	flag.Parse()
	var err error
	if *bare != "" {
		err = serveBare(*bare)
	} else {
		b := bench{rounds: max(1, *rounds), turn: *turn, out: os.Stdout, progress: terminal(os.Stderr)}
		err = b.untilStopped(*program)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "servebench:", err)
		os.Exit(1)
	}
}

// terminal is f if somebody watches it.
func terminal(f *os.File) io.Writer {
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return f
	}
	return io.Discard
}

type bench struct {
	rounds        int
	turn          time.Duration
	out, progress io.Writer
}

// untilStopped runs until it is done or told to stop.
func (b bench) untilStopped(program string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := b.run(ctx, program)
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// run starts the servers, lets them take turns, and prints a line a comparison.
func (b bench) run(ctx context.Context, program string) (err error) {
	dir, err := os.MkdirTemp("", "servebench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	servers, err := startAll(ctx, program, dir, b.out)
	defer func() {
		for _, s := range servers {
			s.stop()
		}
	}()
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%s, %d bytes; median of %d rounds of %v\n", article, servers[0].body, b.rounds, b.turn)
	fmt.Fprintln(b.out, "connections  beside  ratio  quartiles  answers/s         µs of processor an answer")
	below := false
	for _, n := range connections {
		results, err := b.compare(ctx, servers, n)
		if err != nil {
			return err
		}
		for i, other := range servers[1:] {
			ratio := b.report(n, other.name, results[0], results[i+1])
			below = below || other.name == "bare" && ratio < bound
		}
	}
	if below {
		return errBelow
	}
	return nil
}

// compare lets the servers take turns over n connections each. Who is first in a round
// is last in the next, so that a machine that slows down favours nobody.
func (b bench) compare(ctx context.Context, servers []*server, n int) ([][]result, error) {
	results := make([][]result, len(servers))
	loads := make([]*load, len(servers))
	for i, s := range servers {
		l, err := dial(ctx, s, n)
		if err != nil {
			return nil, err
		}
		defer l.close()
		loads[i] = l
	}
	for round := range b.rounds {
		fmt.Fprintf(b.progress, "\r%d connections, round %d of %d \r", n, round+1, b.rounds)
		for k := range loads {
			i := k
			if round%2 == 1 {
				i = len(loads) - 1 - k
			}
			r, err := loads[i].run(ctx, b.turn)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", servers[i].name, err)
			}
			results[i] = append(results[i], r)
		}
	}
	fmt.Fprintf(b.progress, "\r%40s\r", "")
	return results, nil
}

// report prints a line, and returns the median ratio of the rates.
func (b bench) report(n int, name string, site, other []result) float64 {
	ratios := make([]float64, len(site))
	for i := range site {
		ratios[i] = site[i].rate() / other[i].rate()
	}
	slices.Sort(ratios)
	low, median, high := ratios[len(ratios)/4], ratios[len(ratios)/2], ratios[len(ratios)*3/4]
	a, c := sum(site), sum(other)
	note := ""
	switch {
	case name != "bare":
	case median < bound:
		note = fmt.Sprintf("  below the bound of %v", bound)
	case median < aim:
		note = fmt.Sprintf("  below the aim of %v", aim)
	}
	fmt.Fprintf(b.out, "%11d  %-6s  %5.2f  %.2f–%.2f  %6.0f to %6.0f  %5.1f to %5.1f%s\n",
		n, name, median, low, high, a.rate(), c.rate(), a.cost(), c.cost(), note)
	return median
}
