package consult_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

// Clients book, move, cancel and list side by side. Porcupine then looks for an
// order, one thing after the other, that explains every answer. Each history has a
// day of its own with a few times.

const (
	linearTimes   = 4
	linearClients = 8
	linearOps     = 60 // of all clients together
)

type linearKind int

const (
	opBook linearKind = iota
	opMove
	opCancel
	opList
)

type linearOp struct {
	kind    linearKind
	booking int // number of the booking, from 0
	time    int // which of the day's times
}

// linearOut is the answer: whether it was done, or which times are free.
type linearOut struct {
	done bool
	free [linearTimes]bool
}

// linearState is what a sequential diary would know.
type linearState struct {
	taken [linearTimes]bool
	at    [linearOps]int8 // of each booking: 0 none yet, 1… its time, -1 cancelled
}

func linearModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return linearState{} },
		Step: func(state, input, output any) (bool, any) {
			return state.(linearState).step(input.(linearOp), output.(linearOut))
		},
	}
}

func (s linearState) step(op linearOp, out linearOut) (bool, any) {
	at := s.at[op.booking]
	switch op.kind {
	case opList:
		for i, taken := range s.taken {
			if out.free[i] == taken {
				return false, s
			}
		}
		return true, s
	case opCancel:
		if at > 0 {
			s.taken[at-1] = false
		}
		s.at[op.booking] = -1
		return out.done, s
	case opBook:
		if at != 0 { // the same form again
			return out.done, s
		}
	case opMove:
		if at < 0 {
			return !out.done, s
		}
		if int(at-1) == op.time {
			return out.done, s
		}
	}
	if s.taken[op.time] {
		return !out.done, s
	}
	if at > 0 {
		s.taken[at-1] = false
	}
	s.taken[op.time], s.at[op.booking] = true, int8(op.time+1)
	return out.done, s
}

// linearWorld is a practice that is open every day. Each history has its own today.
type linearWorld struct {
	service *consult.Service
	now     time.Time
}

func newLinearWorld(t *testing.T, db *store.DB, wrap func(consult.Store) consult.Store) linearWorld {
	t.Helper()
	hours := slots.Availability{
		Zone: time.UTC, Length: 15 * time.Minute, Step: 30 * time.Minute, Horizon: 1, Dates: map[slots.Date][]slots.Window{},
	}
	for day := range hours.Week {
		hours.Week[day] = []slots.Window{{From: 540, To: 540 + 30*linearTimes}}
	}
	return linearWorld{
		now: timeOf(t, "2026-06-01T00:00:00Z"),
		service: consult.New(wrap(db), consult.Config{
			Hours: func() slots.Availability { return hours }, Practice: func() consult.Practice { return consult.Practice{} },
		}),
	}
}

// history runs one day of it.
func (w linearWorld) history(t *testing.T, day int) []porcupine.Operation {
	t.Helper()
	var (
		mu      sync.Mutex
		history []porcupine.Operation
		wg      sync.WaitGroup
		start   = time.Now()
	)
	for client := range linearClients {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(day), uint64(client)))
			c := linearClient{linearWorld: linearWorld{w.service, w.now.AddDate(0, 0, 3*day)}, day: day, client: client, r: r, made: map[int]consult.Booking{}}
			for i := range linearOps / linearClients {
				op := c.choose(i)
				call := time.Since(start)
				out, err := c.do(op)
				back := time.Since(start)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				history = append(history, porcupine.Operation{
					ClientId: client, Input: op, Output: out, Call: int64(call), Return: int64(back),
				})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return history
}

type linearClient struct {
	linearWorld

	day, client int
	r           *rand.Rand
	made        map[int]consult.Booking
	last        linearOp
}

// choose makes up the next step; a client changes its own bookings alone.
func (c *linearClient) choose(i int) linearOp {
	op := linearOp{kind: linearKind(c.r.IntN(4)), time: c.r.IntN(linearTimes), booking: c.client*(linearOps/linearClients) + i}
	if op.kind == opMove || op.kind == opCancel {
		for n := range c.made { // any of its own
			op.booking = n
			return op
		}
		op.kind = opBook
	}
	if op.kind == opBook && c.last.kind == opBook && c.r.IntN(4) == 0 && i > 0 {
		return c.last // a double tap
	}
	c.last = op
	return op
}

func (c *linearClient) start(n int) time.Time {
	return c.now.Add(9*time.Hour + time.Duration(n)*30*time.Minute)
}

func (c *linearClient) do(op linearOp) (out linearOut, err error) {
	ctx := context.Background()
	key := consult.Key{ID: fmt.Sprint("day", c.day, "booking", op.booking), Issued: c.now}
	switch op.kind {
	case opList:
		return c.list(ctx)
	case opBook:
		q := consult.Request{Slot: consult.FormatSlot(c.start(op.time)), Name: "a", Call: "you"}
		var b consult.Booking
		if b, err = c.service.Book(ctx, c.now, key, q); err == nil {
			c.made[op.booking] = b
		}
	case opMove:
		key.ID += fmt.Sprint("move", c.r.Uint64())
		var b consult.Booking
		if b, err = c.service.Move(ctx, c.now, key, c.made[op.booking], consult.FormatSlot(c.start(op.time)), ""); err == nil {
			c.made[op.booking] = b
		}
	case opCancel:
		var b consult.Booking
		if b, err = c.service.Cancel(ctx, c.now, c.made[op.booking], consult.ByVisitor); err == nil {
			c.made[op.booking] = b
		}
	}
	out.done = err == nil
	if fault.Is(err, fault.Taken) {
		err = nil
	}
	return out, err
}

func (c *linearClient) list(ctx context.Context) (out linearOut, err error) {
	day := c.start(0)
	page, err := c.service.Times(ctx, c.now, consult.Ask{From: day.Format(time.DateOnly)})
	for _, d := range page.Days {
		for _, at := range d.Times {
			for n := range linearTimes {
				out.free[n] = out.free[n] || at.Value == consult.FormatSlot(c.start(n))
			}
		}
	}
	return out, err
}

func TestBookingIsLinearizable(t *testing.T) {
	histories := 200
	if testing.Short() {
		histories = 10
	}
	w := newLinearWorld(t, storetest.Open(t), func(s consult.Store) consult.Store { return s })
	for day := 1; day <= histories; day++ {
		if !porcupine.CheckOperations(linearModel(), w.history(t, day)) {
			t.Fatalf("REL-R2: day %d has no explanation", day)
		}
	}
}

// The check must be able to fail: each of these faults has to be found.
func TestPlantedFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		guards bool // keep the database's own
		wrap   func(consult.Store) consult.Store
	}{
		{"the check outside the transaction, no guards", false, func(s consult.Store) consult.Store { return earlyCheck{s} }},
		{"a cancellation that frees nothing", true, func(s consult.Store) consult.Store { return lazyCancel{s} }},
		{"a move in two transactions", true, func(s consult.Store) consult.Store { return twoStepMove{s} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			db := storetest.OpenAt(t, dir, seal.NewRing())
			if !c.guards {
				dropGuards(t, dir)
			}
			w := newLinearWorld(t, db, c.wrap)
			for day := 1; day <= 100; day++ {
				if !porcupine.CheckOperations(linearModel(), w.history(t, day)) {
					t.Logf("REL-R2: found on day %d", day)
					return
				}
			}
			t.Error("REL-R2: the fault was not found")
		})
	}
}

// dropGuards takes the unique index and the triggers away.
func dropGuards(t *testing.T, dir string) {
	t.Helper()
	raw, err := sql.Open("sqlite3", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, what := range []string{"INDEX booking_one_winner", "TRIGGER booking_insert_apart", "TRIGGER booking_update_apart"} {
		if _, err := raw.Exec("DROP " + what); err != nil {
			t.Fatal(err)
		}
	}
}

// earlyCheck applies the rules before the transaction begins.
type earlyCheck struct{ consult.Store }

func (s earlyCheck) BookCall(ctx context.Context, now time.Time, d consult.Draft) (consult.Booking, error) {
	diary, err := s.Diary(ctx, d.From, d.To, "")
	if err != nil {
		return consult.Booking{}, err
	}
	verdict := d.Allow(diary)
	for range 100 {
		runtime.Gosched() // let somebody else in between
	}
	d.Allow = func(consult.Diary) error { return verdict }
	return s.Store.BookCall(ctx, now, d)
}

// lazyCancel says that it cancelled.
type lazyCancel struct{ consult.Store }

func (s lazyCancel) CancelCall(ctx context.Context, now time.Time, c consult.Cancel) (consult.Booking, error) {
	b, err := s.Call(ctx, c.ID)
	return b.Cancel(now, c.By), err
}

// twoStepMove gives the old time up before it has the new one.
type twoStepMove struct{ consult.Store }

func (s twoStepMove) MoveCall(ctx context.Context, now time.Time, m consult.Move) (consult.Booking, error) {
	aside := m
	aside.Key += "aside"
	aside.Start, aside.End = farAway(m), farAway(m).Add(15*time.Minute)
	aside.Allow = func(consult.Diary) error { return nil }
	if b, err := s.Store.MoveCall(ctx, now, aside); err != nil {
		return b, err
	}
	return s.Store.MoveCall(ctx, now, m)
}

// farAway is a time that nobody asks for, of the booking's own.
func farAway(m consult.Move) time.Time {
	n := 0
	for i, c := range strings.ToLower(m.ID[:6]) {
		n += int(c) << (4 * i)
	}
	return m.Start.AddDate(5, 0, 0).Add(time.Duration(n) * time.Hour)
}
