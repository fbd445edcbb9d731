//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// soaking is the run of R21: one process, very many requests of every kind, and a look at
// what it holds on to.
type soaking struct {
	place    place
	seed     uint64
	requests int
	out      io.Writer
}

// level is what the process held at its emptiest within a stretch of requests.
type level struct {
	heap       float64 // bytes, at its lowest: right after a collection
	goroutines float64
	files      int
	resident   int
}

// grown is how much more the heap may be at the end than after the first tenth.
const grown = 1.2

var soakPaths = []string{"/", "/articles", "/support", "/search", "/sources", "/feed.xml", "/none", "/consult", "/consult?zone=Europe/London", "/newsletter", "/readyz", "/robots.txt"}

// run asks the process, and compares its last tenth with its second one.
func (k *soaking) run(ctx context.Context) error {
	s, err := k.place.start(ctx, nil)
	if err != nil {
		return err
	}
	defer s.kill()
	base, err := s.level(ctx)
	if err != nil {
		return err
	}
	var levels []level
	for part := range 10 {
		low, err := k.part(ctx, s, part)
		if err != nil {
			return fmt.Errorf("R21: %w", err)
		}
		levels = append(levels, low)
		progress(k.out, "soak: %d of %d requests, heap %.1f MB, resident %d MB", (part+1)*k.requests/10, k.requests, low.heap/1e6, low.resident>>20)
	}
	first, last := levels[1], levels[9]
	rest, err := s.settled(ctx, base)
	say(k.out, "soak: %d requests; heap %.1f MB at the second tenth, %.1f at the last (%.2f ×), resident %d and %d MB; at rest %d files and %.0f goroutines, %d and %.0f before",
		k.requests, first.heap/1e6, last.heap/1e6, last.heap/first.heap, first.resident>>20, last.resident>>20, rest.files, rest.goroutines, base.files, base.goroutines)
	if err != nil {
		return fmt.Errorf("R21: %w", err)
	}
	if last.heap > grown*first.heap {
		return fmt.Errorf("R21: the heap has grown from %.0f to %.0f bytes", first.heap, last.heap)
	}
	return s.stop()
}

// part is a tenth of the requests, from eight visitors, with bookings among them.
func (k *soaking) part(ctx context.Context, s *site, part int) (level, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var left atomic.Int64
	left.Store(int64(k.requests / 10))
	var wait sync.WaitGroup
	errs := make(chan error, 8)
	for n := range cap(errs) {
		wait.Go(func() { errs <- k.visit(ctx, s, part, n, &left) })
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	low := level{heap: 1e18, goroutines: 1e9}
	var failed error
	for {
		now, err := s.level(ctx)
		failed = errors.Join(failed, err)
		low.heap, low.goroutines = min(low.heap, now.heap), min(low.goroutines, now.goroutines)
		low.files, low.resident = max(low.files, now.files), max(low.resident, now.resident)
		select {
		case <-done:
			for range cap(errs) {
				failed = errors.Join(failed, <-errs)
			}
			return low, failed
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (k *soaking) visit(ctx context.Context, s *site, part, n int, left *atomic.Int64) error {
	a := &actor{n: n, round: 1_000_000 + part, rand: rand.New(rand.NewPCG(k.seed, uint64(part*100+n))), site: newVisitor(s.base)}
	defer a.site.leave()
	for serial := 0; left.Add(-1) >= 0; serial++ {
		if serial%100 == 0 {
			if err := a.step(ctx, serial); err != nil {
				return err
			}
			continue
		}
		path := soakPaths[a.rand.IntN(len(soakPaths))]
		if path == "/consult" && serial%10 > 0 {
			path = "/articles" // a page of five hundred times is for some
		}
		res, err := a.site.get(ctx, path)
		if err != nil {
			return err
		}
		if res.status >= http.StatusInternalServerError {
			return fmt.Errorf("%s: %d, and its log ends with %s", path, res.status, s.log)
		}
	}
	for _, c := range a.calls {
		if c.State == held && c.Token != "" {
			if err := a.cancel(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *site) level(ctx context.Context) (level, error) {
	values, err := s.gauges(ctx)
	memory, files := s.resident()
	return level{values["steadier_heap_bytes"], values["steadier_goroutines"], files, memory}, err
}

// settled waits until connections and what worked for them are gone.
func (s *site) settled(ctx context.Context, base level) (level, error) {
	const slack = 16 // three files for each connection to the database, which come as they are needed
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		now, err := s.level(ctx)
		if err != nil || now.files <= base.files+slack && now.goroutines <= base.goroutines+slack {
			return now, err
		}
		if time.Since(start) > 30*time.Second {
			return now, errors.New("files or goroutines are not given back")
		}
	}
}
