package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// The one writer. SQLite lets one transaction write at a time, and what a commit costs
// is nearly all the wait for the disk. So whoever comes while a commit is under way
// waits beside the others, and the next commit is that of all of them: each change in a
// savepoint of its own, so that one that fails takes no other with it, and nobody is
// answered before the commit is on the disk ("group commit": DeWitt et al., 1984,
// Implementation techniques for main memory database systems, §5).
//
// There is no thread of its own: who finds the writer free writes at once, and hands on
// to whoever waits. So a change that comes alone costs what a transaction costs.

// maxTogether bounds the changes of one commit, and so the wait of its first.
const maxTogether = 256

// change is one call of [DB.write], from its coming to its answer.
type change struct {
	ctx  context.Context
	fn   func(ctx context.Context, tx *sql.Tx) error
	soft bool // need not survive a power cut, see writeSoft

	turn  chan struct{} // closed when it was done by another, or is to lead
	leads []*change     // what it is to commit, itself first; nil: it was done
	err   error
	panic any // what fn panicked with
}

// writer hands the writing on from one change to the next.
type writer struct {
	mu      sync.Mutex
	busy    bool
	waiting []*change
	firm    bool // the connection forces commits to the disk
}

// do commits c, with others or alone, and returns when that is done.
func (w *writer) do(pool *sql.DB, c *change) {
	together := w.enter(c)
	if together == nil {
		return // done by another
	}
	defer w.leave()
	w.commit(pool, together)
}

// enter returns the changes that c is to commit, or nil once another has done so.
func (w *writer) enter(c *change) []*change {
	w.mu.Lock()
	if !w.busy {
		w.busy = true
		w.mu.Unlock()
		return []*change{c}
	}
	c.turn = make(chan struct{})
	w.waiting = append(w.waiting, c)
	w.mu.Unlock()
	<-c.turn
	return c.leads
}

// leave hands on to those who came meanwhile.
func (w *writer) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.waiting), maxTogether)
	if n == 0 {
		w.busy = false
		return
	}
	next := w.waiting[:n:n]
	w.waiting = w.waiting[n:]
	next[0].leads = next
	close(next[0].turn)
}

// commit makes all changes in one transaction. The first of them is the caller's own;
// the others are told when theirs is done.
func (w *writer) commit(pool *sql.DB, together []*change) {
	defer func() {
		for _, c := range together[1:] {
			close(c.turn)
		}
	}()
	if err := w.try(pool, together); err != nil {
		for _, c := range together { // whatever they wrote is gone
			if c.err == nil && c.panic == nil {
				c.err = err
			}
		}
	}
}

func (w *writer) try(pool *sql.DB, together []*change) error {
	if err := w.force(pool, together); err != nil {
		return err
	}
	ctx := context.WithoutCancel(together[0].ctx)
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if len(together) == 1 {
		return alone(tx, together[0])
	}
	for _, c := range together {
		if err := apart(ctx, tx, c); err != nil {
			return errors.Join(err, rollback(tx))
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// force sets whether commits wait for the disk: they do, unless no change asks for it.
// The pragma takes effect outside of a transaction alone.
func (w *writer) force(pool *sql.DB, together []*change) error {
	firm := false
	for _, c := range together {
		firm = firm || !c.soft
	}
	if firm == w.firm {
		return nil
	}
	pragma := `PRAGMA synchronous = NORMAL`
	if firm {
		pragma = `PRAGMA synchronous = FULL`
	}
	if _, err := pool.Exec(pragma); err != nil {
		return fmt.Errorf("set how commits are kept: %w", err)
	}
	w.firm = firm
	return nil
}

// alone makes a change that has the transaction to itself.
func alone(tx *sql.Tx, c *change) error {
	c.run(tx)
	if c.err != nil || c.panic != nil {
		c.err = errors.Join(c.err, rollback(tx))
		return nil
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// apart makes a change in a savepoint. An error is that of the whole transaction: SQLite
// itself rolls one back when the disk is full or fails.
func apart(ctx context.Context, tx *sql.Tx, c *change) error {
	if _, err := tx.ExecContext(ctx, `SAVEPOINT one`); err != nil {
		return fmt.Errorf("set savepoint: %w", err)
	}
	c.run(tx)
	if c.err != nil || c.panic != nil {
		if _, err := tx.ExecContext(ctx, `ROLLBACK TO one`); err != nil {
			return fmt.Errorf("roll back: %w", err)
		}
	}
	if _, err := tx.ExecContext(ctx, `RELEASE one`); err != nil {
		return fmt.Errorf("release savepoint: %w", err)
	}
	return nil
}

// run calls fn, and keeps what it panics with for its own caller.
func (c *change) run(tx *sql.Tx) {
	defer func() { c.panic = recover() }()
	c.err = c.fn(context.WithoutCancel(c.ctx), tx)
}

func rollback(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}
