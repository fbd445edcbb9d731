//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// killing is the run of R1, R3, R17 and R23: visitors, a mail server with its moods, and
// a process that is ended at random moments.
type killing struct {
	place  place
	peer   *peer
	seed   uint64
	rounds int
	actors int
	every  int // rounds from one backup and its check to the next
	out    io.Writer

	// What is kept from one sitting to the next.
	Round  int
	Ledger ledger
	Tally  tally
	Stops  int // processes that were asked to end, and did

	wrong []string
}

// saved is the file of a run that can be gone on with.
type saved struct {
	Seed  uint64
	Run   *killing
	Taken map[string]received
	Lost  int
}

const stateName = "torture.json"

// patience is how long a round lives at most, in milliseconds.
const patience = 250

// run goes through the rounds, then lets the mail go out and compares everything.
func (k *killing) run(ctx context.Context) error {
	for ; k.Round < k.rounds && ctx.Err() == nil && len(k.wrong) == 0; k.Round++ {
		if err := k.round(ctx); err != nil {
			k.wrong = append(k.wrong, fmt.Sprintf("round %d: %v", k.Round, err))
			break
		}
		if k.every > 0 && k.Round%k.every == k.every-1 {
			if err := k.backup(ctx); err != nil {
				k.wrong = append(k.wrong, fmt.Sprintf("R15 round %d: %v", k.Round, err))
			}
		}
		if err := k.save(); err != nil {
			return err
		}
		taken, _, _ := k.peer.count()
		progress(k.out, "kill: round %d of %d, %d kills, %d calls booked, %d messages", k.Round+1, k.rounds, k.Ledger.Kills, k.Tally.Booked, taken)
	}
	if len(k.wrong) == 0 && ctx.Err() == nil {
		if err := k.end(ctx); err != nil {
			k.wrong = append(k.wrong, err.Error())
		}
	}
	return nil
}

// round starts the program, checks what is there, lets the visitors at it, and ends it.
func (k *killing) round(ctx context.Context) error {
	dice := rand.New(rand.NewPCG(k.seed, uint64(k.Round)+2))
	s, err := k.place.start(ctx, nil)
	if err != nil {
		return fmt.Errorf("R3: %w", err)
	}
	defer s.kill()
	if err := k.compare(ctx, s); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wait sync.WaitGroup
	actors := make([]*actor, k.actors)
	for n := range actors {
		a := &actor{n: n, round: k.Round, rand: rand.New(rand.NewPCG(dice.Uint64(), uint64(n))), site: newVisitor(s.base)}
		for _, c := range k.Ledger.Calls {
			if c.Client == n {
				a.calls = append(a.calls, c)
			}
		}
		actors[n] = a
		wait.Go(func() { a.act(ctx) })
	}
	time.Sleep(time.Duration(5+dice.IntN(patience)) * time.Millisecond)
	if dice.IntN(5) == 0 {
		err = s.stop()
		k.Stops++
	} else {
		s.kill()
		k.Ledger.Kills++
	}
	wait.Wait()
	for _, a := range actors {
		k.Ledger.Calls, k.Ledger.Asked = append(k.Ledger.Calls, a.new...), append(k.Ledger.Asked, a.asked...)
		k.Tally.add(a.count)
		k.wrong = append(k.wrong, a.wrong...)
	}
	return err
}

// compare holds what the visitors know against the practice's list, and posts again
// each form that had no answer: it has one effect, and this time it says which.
func (k *killing) compare(ctx context.Context, s *site) error {
	if err := k.settle(ctx); err != nil {
		return err
	}
	a := &actor{site: newVisitor(s.base)}
	defer a.site.leave()
	defer func() { k.Tally.add(a.count) }()
	again := false
	for _, c := range k.Ledger.Calls {
		if c.State != asked {
			continue
		}
		again = true
		if err := a.post(ctx, c); err != nil {
			return fmt.Errorf("R3: the form of %s again: %w", c.Name, err)
		}
	}
	if again {
		return k.settle(ctx)
	}
	return nil
}

func (k *killing) settle(ctx context.Context) error {
	text, err := k.place.run(ctx, "", "calls", "-days", "40")
	if err != nil {
		return err
	}
	if wrong := k.Ledger.settle(readCards(text)); len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	return nil
}

const passphrase = "nobody needs to guess this one\n"

// backup copies the database while nothing serves it, and has the copy checked whole.
func (k *killing) backup(ctx context.Context) error {
	file := filepath.Join(k.place.dir, "backup.age")
	if _, err := k.place.run(ctx, passphrase, "backup", file); err != nil {
		return err
	}
	_, err := k.place.run(ctx, passphrase, "restore", "-check", file)
	return err
}

// end lets everything go out, and compares the mail with what was acknowledged.
func (k *killing) end(ctx context.Context) error {
	k.peer.calm()
	s, err := k.place.start(ctx, nil)
	if err != nil {
		return fmt.Errorf("R3: %w", err)
	}
	defer s.kill()
	if err := k.compare(ctx, s); err != nil {
		return err
	}
	states, err := k.drain(ctx, s)
	if err != nil {
		return err
	}
	k.wrong = append(k.wrong, k.judge(states)...)
	if err := k.tokens(ctx, s); err != nil {
		return err
	}
	if err := s.stop(); err != nil {
		return err
	}
	return k.backup(ctx)
}

// drain waits until nothing is left to be sent, and returns how many messages are in
// each state.
func (k *killing) drain(ctx context.Context, s *site) (map[string]int, error) {
	for since, before := time.Now(), -1; ; {
		values, err := s.gauges(ctx)
		if err != nil {
			return nil, err
		}
		states := make(map[string]int)
		for _, name := range []string{"queued", "claimed", "in-data", "accepted", "retry", "failed", "unknown", "skipped"} {
			states[name] = int(values[fmt.Sprintf("steadier_mail{state=%q}", name)])
		}
		left := states["queued"] + states["claimed"] + states["in-data"] + states["retry"]
		if left == 0 {
			return states, nil
		}
		if left != before {
			since, before = time.Now(), left
			progress(k.out, "kill: %d messages are still to go out", left)
		}
		if time.Since(since) > 3*time.Minute {
			return nil, fmt.Errorf("R23: %d messages do not go out: %v", left, states)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// judge compares the mail with the rows and with what the visitors were told.
func (k *killing) judge(states map[string]int) (wrong []string) {
	taken, lost, twice := k.peer.count()
	for _, id := range twice {
		wrong = append(wrong, "R23: sent twice: "+id)
	}
	unknown, accepted := states["unknown"], states["accepted"]
	if unknown > k.Ledger.Kills+lost {
		wrong = append(wrong, fmt.Sprintf("R23: %d messages are unknown after %d kills and %d lost answers", unknown, k.Ledger.Kills, lost))
	}
	if states["failed"] > 0 {
		wrong = append(wrong, fmt.Sprintf("R23: %d messages were given up", states["failed"]))
	}
	if accepted > taken || taken > accepted+unknown {
		wrong = append(wrong, fmt.Sprintf("R23: the mail server took %d messages; %d are noted as accepted and %d as unknown", taken, accepted, unknown))
	}
	to, missing := k.peer.to(), 0
	for _, address := range k.Ledger.untouched() {
		switch n := to[address]; {
		case n > 1:
			wrong = append(wrong, fmt.Sprintf("R23: %d messages instead of one to %s", n, address))
		case n == 0:
			missing++
		}
	}
	if missing > unknown {
		wrong = append(wrong, fmt.Sprintf("R23: %d addresses have no message, and only %d are unknown", missing, unknown))
	}
	say(k.out, "mail: %d taken, %d accepted, %d unknown (%d kills, %d answers lost on purpose), %d no longer wanted, %d of %d due messages missing",
		taken, accepted, unknown, k.Ledger.Kills, lost, states["skipped"], missing, len(k.Ledger.untouched()))
	return wrong
}

// tokens opens the page of every call that is held.
func (k *killing) tokens(ctx context.Context, s *site) error {
	v := newVisitor(s.base)
	defer v.leave()
	for _, c := range k.Ledger.Calls {
		if c.State != held {
			continue
		}
		if a, err := v.get(ctx, "/consult/"+c.Token); err != nil || a.status != http.StatusOK {
			return fmt.Errorf("R3: the page of %s: %d %w", c.Name, a.status, err)
		}
	}
	return nil
}

// save writes down where the run is, whole or not at all.
func (k *killing) save() error {
	k.peer.mu.Lock()
	file := saved{Seed: k.seed, Run: k, Taken: maps.Clone(k.peer.taken), Lost: k.peer.lost}
	k.peer.mu.Unlock()
	next := *k
	next.Round++
	file.Run = &next
	text, err := json.Marshal(file)
	if err != nil {
		return err
	}
	path := filepath.Join(k.place.dir, stateName)
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// load goes on where an earlier sitting stopped, if there was one.
func (k *killing) load() (bool, error) {
	text, err := os.ReadFile(filepath.Join(k.place.dir, stateName))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	file := saved{Run: &killing{}}
	if err := json.Unmarshal(text, &file); err != nil {
		return false, fmt.Errorf("%s: %w", stateName, err)
	}
	k.seed, k.Round, k.Ledger, k.Tally, k.Stops = file.Seed, file.Run.Round, file.Run.Ledger, file.Run.Tally, file.Run.Stops
	k.peer.taken, k.peer.lost = file.Taken, file.Lost
	return true, nil
}

// report says in one line what the rounds were.
func (k *killing) report() {
	live := len(slices.DeleteFunc(slices.Clone(k.Ledger.Calls), func(c *call) bool { return c.State != held }))
	t := k.Tally
	say(k.out, "kill: %d rounds, %d × SIGKILL, %d × SIGTERM; %d booked, %d moved, %d cancelled, %d times taken by another, %d sign-ups, %d forms without an answer; %d calls held at the end",
		k.Round, k.Ledger.Kills, k.Stops, t.Booked, t.Moved, t.Cancelled, t.Taken, t.SignedUp, t.Unanswered, live)
}
