//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// power is the run of R5: the calls of SQLite are written down while one visitor after
// another does something, and then the power is cut on paper, at any call: what was synced
// is there, and of what was not, any part. The program has to open each of these, and hold
// everything that was acknowledged before that call.
type power struct {
	place  place
	seed   uint64
	states int
	deeds  int
	out    io.Writer
}

// entry is one call: a write, a truncation or a sync of the database or of its log.
type entry struct {
	kind byte // w, t, s
	wal  bool
	at   int64
	data []byte
	end  int64 // where the entry ends in the record
}

// told is what was acknowledged when the record had a length.
type told struct {
	length int64
	calls  []call
}

const sector = 512

func (p *power) run(ctx context.Context) error {
	s, err := buildShim(ctx, p.place.dir)
	if err != nil {
		return err
	}
	defer s.close()
	record := filepath.Join(p.place.dir, "record")
	base, story, err := p.live(ctx, s, record)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(record)
	if err != nil {
		return err
	}
	entries, err := readRecord(text)
	if err != nil {
		return err
	}
	dice := rand.New(rand.NewPCG(p.seed, 5))
	for n := range p.states {
		if err := p.cut(ctx, dice, base, entries, story, false); err != nil {
			return fmt.Errorf("R5 state %d: %w", n, err)
		}
		progress(p.out, "power: %d of %d states", n+1, p.states)
	}
	lost := 0
	control := max(p.states/10, 20)
	for range control {
		if err := p.cut(ctx, dice, base, entries, story, true); err != nil {
			lost++
		}
	}
	say(p.out, "power: %d deeds, %d calls written down, %d states opened and whole; without the syncs of the log %d of %d lose something", len(story)-1, len(entries), p.states, lost, control)
	if lost == 0 {
		return errors.New("R5: nothing is lost without syncs either, so this run proves nothing")
	}
	return nil
}

// live does the deeds, and notes after each how long the record was.
func (p *power) live(ctx context.Context, s *shim, record string) (base map[bool][]byte, story []told, err error) {
	first, err := p.place.start(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	if err := first.stop(); err != nil {
		return nil, nil, err
	}
	base = make(map[bool][]byte)
	if base[false], err = os.ReadFile(filepath.Join(p.place.data(), "steadier.db")); err != nil {
		return nil, nil, err
	}
	site, err := p.place.start(ctx, nil, s.recording(record)...)
	if err != nil {
		return nil, nil, err
	}
	defer site.kill()
	a := &actor{rand: rand.New(rand.NewPCG(p.seed, 4)), site: newVisitor(site.base)}
	defer a.site.leave()
	story = []told{{}}
	for n := range p.deeds {
		if err := a.step(ctx, n); err != nil {
			return nil, nil, err
		}
		info, err := os.Stat(record)
		if err != nil {
			return nil, nil, err
		}
		now := told{length: info.Size()}
		for _, c := range a.calls {
			now.calls = append(now.calls, *c)
		}
		story = append(story, now)
	}
	return base, story, nil
}

func readRecord(text []byte) (entries []entry, err error) {
	const head = 24
	for at := int64(0); at+head <= int64(len(text)); {
		e := entry{kind: text[at], wal: text[at+1] == 1, at: int64(binary.NativeEndian.Uint64(text[at+8:]))}
		n := int64(binary.NativeEndian.Uint64(text[at+16:]))
		if at += head; n < 0 || at+n > int64(len(text)) || !strings.ContainsRune("wts", rune(e.kind)) {
			return nil, fmt.Errorf("the record is broken at %d", at)
		}
		e.data = text[at : at+n]
		at += n
		e.end = at
		entries = append(entries, e)
	}
	return entries, nil
}

// cut builds what the disk may hold after a power cut at a random call, and opens it. If
// deaf, the syncs of the log count for nothing.
func (p *power) cut(ctx context.Context, dice *rand.Rand, base map[bool][]byte, entries []entry, story []told, deaf bool) error {
	at := 1 + dice.IntN(len(entries))
	files := image(dice, base, entries[:at], deaf)
	there := p.place
	there.dir = filepath.Join(p.place.dir, "cut")
	if err := errors.Join(os.RemoveAll(there.dir), there.prepare(), os.CopyFS(there.data(), os.DirFS(p.place.data()))); err != nil {
		return err
	}
	for wal, name := range map[bool]string{false: "steadier.db", true: "steadier.db-wal"} {
		if err := os.WriteFile(filepath.Join(there.data(), name), files[wal], 0o600); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(there.data(), "steadier.db-shm")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	text, err := there.run(ctx, "", "calls", "-days", "40")
	if err != nil {
		return err
	}
	length := entries[at-1].end
	now, next := told{}, told{calls: story[len(story)-1].calls}
	for i, t := range story {
		if t.length > length {
			next = t
			break
		}
		now = t
		next = story[min(i+1, len(story)-1)]
	}
	if wrong := between(now, next).settle(readCards(text)); len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	return nil
}

// between is what must be there when one deed was acknowledged and the next was perhaps
// done already.
func between(now, next told) *ledger {
	l := &ledger{}
	before := make(map[string]call)
	for _, c := range now.calls {
		before[c.Name] = c
	}
	for _, c := range next.calls {
		was, known := before[c.Name]
		c.Pending = ""
		switch {
		case !known:
			c.State = asked
		case was.State == held && c.State == gone:
			c = was
			c.Pending = "cancel"
		case !was.Slot.Equal(c.Slot):
			to := c.Slot
			c = was
			c.Pending, c.To = "move", to
		}
		l.Calls = append(l.Calls, &c)
	}
	return l
}

// image is what the disk may hold: everything that was synced, and of the rest each write
// as a whole, in part, or not at all.
func image(dice *rand.Rand, base map[bool][]byte, entries []entry, deaf bool) map[bool][]byte {
	synced := map[bool]int{} // entries before it are safe
	for i, e := range entries {
		if e.kind == 's' && (!deaf || !e.wal) {
			synced[e.wal] = i
		}
	}
	files := map[bool][]byte{false: bytes.Clone(base[false]), true: bytes.Clone(base[true])}
	for i, e := range entries {
		data := e.data
		if i >= synced[e.wal] {
			switch dice.IntN(3) {
			case 0:
				continue
			case 1:
				data = data[:dice.IntN(len(data)/sector+1)*sector]
			}
		}
		file := files[e.wal]
		switch end := e.at + int64(len(data)); e.kind {
		case 'w':
			if int64(len(file)) < end {
				file = append(file, make([]byte, end-int64(len(file)))...)
			}
			copy(file[e.at:], data)
		case 't':
			file = append(file, make([]byte, max(0, e.at-int64(len(file))))...)[:e.at]
		}
		files[e.wal] = file
	}
	return files
}
