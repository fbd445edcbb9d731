//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// points is the run of R4, R6 and R7: one deed is done again and again, and each time the
// next write or sync of SQLite fails, until one goes through without meeting it. So every
// point was met.
type points struct {
	killing
	shim  *shim
	site  *site
	met   int // points at which something was made to fail
	ready int // times that the site said again that it can store
}

// deed is something that a visitor does.
type deed struct {
	name string
	do   func(a *actor, ctx context.Context, c *call) error
	call bool // it is done to a call that is there
}

var deeds = []deed{
	{"book", func(a *actor, ctx context.Context, _ *call) error { return a.book(ctx, a.round) }, false},
	{"move", (*actor).moveFrom, true},
	{"cancel", (*actor).cancelFrom, true},
	{"sign up", func(a *actor, ctx context.Context, _ *call) error { return a.signUp(ctx, a.round) }, false},
}

func (a *actor) moveFrom(ctx context.Context, c *call) error   { return a.move(ctx, c) }
func (a *actor) cancelFrom(ctx context.Context, c *call) error { return a.cancel(ctx, c) }

// farthest is more than any deed writes: a loop that gets there has no end.
const farthest = 400

// through does a deed until the mode meets no point of it any more.
func (p *points) through(ctx context.Context, m mode, d deed) error {
	defer p.end()
	for k := 1; k < farthest; k++ {
		p.Round++
		hit, err := p.once(ctx, m, d, k)
		if err != nil {
			return fmt.Errorf("%s, %v at point %d: %w; its log ends with %s", d.name, m, k, err, p.logged())
		}
		if hit == 0 {
			say(p.out, "points: %s, %v: through after %d points", d.name, m, k-1)
			return p.clear(ctx)
		}
		p.met++
		progress(p.out, "points: %s, %v: point %d", d.name, m, k)
	}
	return fmt.Errorf("%s, %v: no end after %d points", d.name, m, farthest)
}

// once does a deed with the k-th point failing, and then compares.
func (p *points) once(ctx context.Context, m mode, d deed, k int) (hit int, err error) {
	if p.site == nil {
		if p.site, err = p.place.start(ctx, nil, p.shim.env()...); err != nil {
			return 0, err
		}
	}
	a := &actor{n: 0, round: p.Round, rand: rand.New(rand.NewPCG(p.seed, uint64(p.Round))), site: newVisitor(p.site.base)}
	defer a.site.leave()
	var c *call
	if d.call {
		if err := a.book(ctx, 1); err != nil {
			return 0, err
		}
		p.Ledger.Calls = append(p.Ledger.Calls, a.new...)
		if len(a.new) != 1 || a.new[0].State != held {
			return 0, errors.New("no call could be booked for it")
		}
		c, a.new = a.calls[0], nil
	}
	p.shim.arm(m, k)
	done := d.do(a, ctx, c)
	_, hit = p.shim.disarm()
	p.Ledger.Calls, p.Ledger.Asked = append(p.Ledger.Calls, a.new...), append(p.Ledger.Asked, a.asked...)
	if err := allowed(m, hit, done); err != nil {
		return hit, err
	}
	if m == killAt || m == tornAt {
		if hit > 0 {
			p.end()
			p.Ledger.Kills++
		}
	} else if err := p.recovered(ctx); err != nil {
		return hit, err
	}
	return hit, p.after(ctx)
}

// allowed says what may come of a deed: it is done, or it is refused for now with the
// typed words kept, or, where the process was ended, there is no answer.
func allowed(m mode, hit int, done error) error {
	var wrong *answerError
	switch {
	case done == nil:
		return nil
	case hit == 0:
		return fmt.Errorf("nothing failed, and yet: %w", done)
	case errors.As(done, &wrong) && wrong.status == http.StatusServiceUnavailable && m != killAt && m != tornAt:
		if wrong.what == "a booking" && !strings.Contains(wrong.body, "Visitor 0") {
			return errors.New("R6: the page of the refusal has lost the name that was typed")
		}
		return nil
	case errors.Is(done, errAnswer):
		return done
	case m == killAt || m == tornAt:
		return nil
	}
	return fmt.Errorf("no answer: %w", done)
}

// recovered waits until the site can store again by itself, now that nothing fails.
func (p *points) recovered(ctx context.Context) error {
	v := newVisitor(p.site.base)
	defer v.leave()
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		a, err := v.get(ctx, "/readyz")
		if err == nil && a.status == http.StatusOK {
			p.ready++
			return nil
		}
		if time.Since(start) > 30*time.Second {
			return fmt.Errorf("R6: it does not recover: %d %s %w", a.status, a.body, err)
		}
	}
}

// after starts the program again if it was ended, and compares.
func (p *points) after(ctx context.Context) (err error) {
	if p.site == nil {
		if p.site, err = p.place.start(ctx, nil, p.shim.env()...); err != nil {
			return err
		}
	}
	return p.compare(ctx, p.site)
}

// clear cancels every call, so that the next deed finds a free calendar.
func (p *points) clear(ctx context.Context) error {
	a := &actor{site: newVisitor(p.site.base)}
	defer a.site.leave()
	for _, c := range p.Ledger.Calls {
		if c.State == held {
			if err := a.cancel(ctx, c); err != nil {
				return err
			}
		}
	}
	return p.compare(ctx, p.site)
}

// logged is the end of what the program said, if it runs.
func (p *points) logged() string {
	if p.site == nil {
		return "nothing, it was ended"
	}
	return p.site.log.String()
}

func (p *points) end() {
	if p.site != nil {
		p.site.kill()
		p.site = nil
	}
}
