package main

import (
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// load is a number of connections to one server, each with somebody who asks for the
// article again as soon as they have it.
type load struct {
	server *server
	conns  []net.Conn
}

// result is what came of one turn.
type result struct {
	answers   int
	took, cpu time.Duration // cpu is what the server used
}

// rate is in answers a second.
func (r result) rate() float64 { return float64(r.answers) / r.took.Seconds() }

// cost is the server's processor time an answer, in microseconds.
func (r result) cost() float64 { return r.cpu.Seconds() * 1e6 / float64(r.answers) }

func sum(results []result) (s result) {
	for _, r := range results {
		s.answers, s.took, s.cpu = s.answers+r.answers, s.took+r.took, s.cpu+r.cpu
	}
	return s
}

// dial opens n connections.
func dial(ctx context.Context, s *server, n int) (*load, error) {
	l := &load{server: s}
	for range n {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.addr)
		if err != nil {
			l.close()
			return nil, err
		}
		l.conns = append(l.conns, conn)
	}
	return l, nil
}

func (l *load) close() {
	for _, conn := range l.conns {
		_ = conn.Close() // nothing is left to say on it
	}
}

// run asks over all connections at once for a while.
func (l *load) run(ctx context.Context, turn time.Duration) (r result, err error) {
	before, err := l.server.cpu()
	if err != nil {
		return r, err
	}
	var (
		over    atomic.Bool
		answers atomic.Int64
		failed  atomic.Pointer[error]
		wait    sync.WaitGroup
	)
	start := time.Now()
	for _, conn := range l.conns {
		wait.Go(func() {
			n, err := l.server.askAgainAndAgain(conn, &over)
			answers.Add(int64(n))
			if err != nil {
				failed.Store(&err)
			}
		})
	}
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(turn):
	}
	over.Store(true)
	wait.Wait()
	r.took, r.answers = time.Since(start), int(answers.Load())
	if p := failed.Load(); p != nil {
		return r, *p
	}
	if err != nil {
		return r, err
	}
	after, err := l.server.cpu()
	r.cpu = after - before
	return r, err
}

// askAgainAndAgain reads no more of an answer than its length, which is always the
// same: whatever the reader spends would hide what the servers differ in.
func (s *server) askAgainAndAgain(conn net.Conn, over *atomic.Bool) (n int, err error) {
	answer := make([]byte, s.size)
	for !over.Load() {
		if _, err := conn.Write(s.request); err != nil {
			return n, err
		}
		if _, err := io.ReadFull(conn, answer); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
