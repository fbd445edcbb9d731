//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// slow is the run of R11 and R14: clients that send their request byte by byte, clients
// that send half a form, and clients that never read the answer, while others read and
// write. Readers are all answered, the slow ones are closed by the site, the memory is
// given back, and the log of the database stays short.
type slow struct {
	place            place
	seed             uint64
	heads, bodies    int // who dribble the head, and the body, of a request
	deaf             int // who never read
	readers, written int // requests of the others: pages, and deeds that are stored
	out              io.Writer
}

// The log of the database, at its longest while everything goes on, and after.
const (
	mostLog = 64 << 20
	restLog = 5 << 20 // journal_size_limit and a page
)

func (w *slow) run(ctx context.Context) error {
	s, err := w.place.start(ctx, nil)
	if err != nil {
		return err
	}
	defer s.kill()
	k := soaking{w.place, w.seed, w.readers, w.out}
	if _, err := k.part(ctx, s, 0); err != nil {
		return err
	}
	before, err := s.level(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	crowd, err := w.crowd(ctx, s)
	if err != nil {
		return err
	}
	if _, err := k.part(ctx, s, 1); err != nil { // every reader is answered
		return fmt.Errorf("R11: while %d dribble: %w", w.heads+w.bodies+w.deaf, err)
	}
	longest, err := w.write(ctx, s)
	if err != nil {
		return err
	}
	if err := crowd.gone(ctx); err != nil {
		return fmt.Errorf("R11: %w", err)
	}
	after, err := s.settled(ctx, before)
	if err != nil {
		return fmt.Errorf("R11: %w", err)
	}
	if _, err := k.part(ctx, s, 2); err != nil {
		return err
	}
	rest := w.logSize()
	say(w.out, "slow: %d heads, %d bodies and %d that never read, all closed by the site; %d readers and %d deeds meanwhile; resident %d MB before and %d after; log of the database %.1f MB at most, %.1f at rest",
		w.heads, w.bodies, w.deaf, w.readers/10, w.written, before.resident>>20, after.resident>>20, float64(longest)/1e6, float64(rest)/1e6)
	if longest > mostLog || rest > restLog {
		return fmt.Errorf("R14: the log of the database had %d bytes, and has %d at rest", longest, rest)
	}
	return nil
}

func (w *slow) logSize() int64 {
	info, err := os.Stat(filepath.Join(w.place.data(), "steadier.db-wal"))
	if err != nil {
		return 0 // it is made at the first write
	}
	return info.Size()
}

// write does what is stored, again and again, and returns how long the log grew.
func (w *slow) write(ctx context.Context, s *site) (longest int64, err error) {
	a := &actor{round: 2_000_000, site: newVisitor(s.base)}
	defer a.site.leave()
	for n := range w.written {
		if err := a.signUp(ctx, n); err != nil {
			return longest, fmt.Errorf("R14: write %d: %w", n, err)
		}
		longest = max(longest, w.logSize())
	}
	return longest, nil
}

// crowd are the slow ones, of whom so many are left.
type crowd struct {
	left atomic.Int64
	of   int
}

func (w *slow) crowd(ctx context.Context, s *site) (*crowd, error) {
	c := &crowd{of: w.heads + w.bodies + w.deaf}
	c.left.Store(int64(c.of))
	host := strings.TrimPrefix(s.base, "http://")
	head := "GET / HTTP/1.1\r\nHost: " + host + "\r\nX-Slow: " + strings.Repeat("x", 500)
	body := "POST /consult HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 2000\r\n\r\n" + strings.Repeat("x", 500)
	for n := range c.of {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
		if err != nil {
			return nil, err
		}
		switch {
		case n < w.heads:
			go c.dribble(ctx, conn, head, 20)
		case n < w.heads+w.bodies:
			go c.dribble(ctx, conn, body, len(body)-480)
		default:
			go c.ignore(ctx, conn, host)
		}
	}
	return c, nil
}

// dribble sends what it has to say up to at once, then a byte a second, until the other
// side has had enough.
func (c *crowd) dribble(ctx context.Context, conn net.Conn, text string, at int) {
	defer c.left.Add(-1)
	defer conn.Close()
	closed := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, conn); close(closed) }()
	if _, err := io.WriteString(conn, text[:at]); err != nil {
		return
	}
	for ; at < len(text); at++ {
		select {
		case <-ctx.Done():
			return
		case <-closed:
			return
		case <-time.After(time.Second):
		}
		if _, err := io.WriteString(conn, text[at:at+1]); err != nil {
			return
		}
	}
}

// ignore asks for a long page many times and reads nothing.
func (c *crowd) ignore(ctx context.Context, conn net.Conn, host string) {
	defer c.left.Add(-1)
	defer conn.Close()
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4096) // the smaller, the sooner the site has to wait
	}
	ask := "GET /consult HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
	for ctx.Err() == nil {
		_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
		if _, err := io.WriteString(conn, strings.Repeat(ask, 10)); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return // closed by the other side
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// gone waits until the site has closed every one of them.
func (c *crowd) gone(ctx context.Context) error {
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		left := c.left.Load()
		if left == 0 {
			return nil
		}
		if time.Since(start) > 2*time.Minute || ctx.Err() != nil {
			return fmt.Errorf("%d of %d slow clients are still connected", left, c.of)
		}
	}
}
