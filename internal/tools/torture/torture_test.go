//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program builds the program for all tests of this package.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the program, and starts and kills it many times")
	}
	path, err := buildProgram(t.Context(), programDir)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var programDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "torture-test")
	if err != nil {
		panic(err)
	}
	programDir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// begin is a run in a folder of its own, with a mail server that loses an answer in
// fifty and does nothing else for which the program waits by the clock.
func begin(t *testing.T) killing {
	t.Helper()
	p, err := startPeer(1, faults{Silent: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	at := place{program: program(t), dir: t.TempDir(), smtp: p.url()}
	if err := at.prepare(); err != nil {
		t.Fatal(err)
	}
	return killing{place: at, peer: p, seed: 1, actors: 4, out: &bytes.Buffer{}}
}

func check(t *testing.T, k *killing, err error) {
	t.Helper()
	if err == nil {
		err = k.fault()
	}
	if err != nil {
		t.Error(err)
	}
	t.Log(k.out)
}

// The short form of make torture: the same code, with smaller numbers.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Run("REL-R3 REL-R1 REL-R15 REL-R17 REL-R23", func(t *testing.T) {
		k := begin(t)
		k.rounds, k.every = 12, 6
		err := k.run(t.Context())
		k.report()
		check(t, &k, err)
		if k.Ledger.Kills < 5 || k.Stops == 0 || k.Tally.Booked == 0 {
			t.Error("the rounds were too short to tell anything")
		}
	})
}

func TestEveryPointOfABooking(t *testing.T) {
	for _, tt := range []struct {
		name string
		mode mode
		deed deed
	}{
		{"REL-R4 torn", tornAt, deeds[0]},
		{"REL-R6 once", failOnce, deeds[0]},
		{"REL-R7 full", fullFrom, deeds[2]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := points{killing: begin(t)}
			err := p.all(t.Context(), []mode{tt.mode}, []deed{tt.deed})
			check(t, &p.killing, err)
			if p.met == 0 {
				t.Error("nothing was met")
			}
		})
	}
}

func TestTheFirstStartEndedAtEachSync(t *testing.T) {
	t.Run("REL-R4 REL-R19", func(t *testing.T) {
		if err := canTrace(t.Context()); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
		k := begin(t)
		tr := tracing{place: k.place, seed: 1, out: k.out}
		check(t, &k, tr.start(t.Context()))
		if tr.met == 0 {
			t.Error("nothing was met")
		}
	})
}

func TestMemoryStaysFlat(t *testing.T) {
	t.Run("REL-R21", func(t *testing.T) {
		k := begin(t)
		s := soaking{k.place, 1, 20_000, k.out}
		check(t, &k, s.run(t.Context()))
	})
}

// What is planted has to be found, or a green run would tell nothing.
func TestTheLedgerFindsWhatIsPlanted(t *testing.T) {
	slot := time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC)
	when, later := slot.Format(cardTime), slot.Add(time.Hour)
	for name, tt := range map[string]struct {
		call  call
		cards []card
		want  string // "": nothing is wrong
	}{
		"there":                {call{Name: "A", Slot: slot, State: held}, []card{{"A", when}}, ""},
		"lost":                 {call{Name: "A", Slot: slot, State: held}, nil, "not there"},
		"twice":                {call{Name: "A", Slot: slot, State: held}, []card{{"A", when}, {"A", later.Format(cardTime)}}, "2 times"},
		"sold twice":           {call{Name: "A", Slot: slot, State: held}, []card{{"A", when}, {"B", when}}, "sold twice"},
		"from nowhere":         {call{Name: "A", Slot: slot, State: held}, []card{{"A", when}, {"B", later.Format(cardTime)}}, "nobody asked"},
		"elsewhere":            {call{Name: "A", Slot: slot, State: held}, []card{{"A", later.Format(cardTime)}}, "stands at"},
		"cancelled":            {call{Name: "A", Slot: slot, State: gone}, nil, ""},
		"back again":           {call{Name: "A", Slot: slot, State: gone}, []card{{"A", when}}, "stands at"},
		"unanswered, there":    {call{Name: "A", Slot: slot, State: asked}, []card{{"A", when}}, ""},
		"unanswered, not":      {call{Name: "A", Slot: slot, State: asked}, nil, ""},
		"half moved":           {call{Name: "A", Slot: slot, State: held, Pending: "move", To: later}, nil, "not there"},
		"moved, or not":        {call{Name: "A", Slot: slot, State: held, Pending: "move", To: later}, []card{{"A", later.Format(cardTime)}}, ""},
		"cancelled, or not":    {call{Name: "A", Slot: slot, State: held, Pending: "cancel"}, nil, ""},
		"cancelled, elsewhere": {call{Name: "A", Slot: slot, State: held, Pending: "cancel"}, []card{{"A", later.Format(cardTime)}}, "stands at"},
	} {
		l := ledger{Calls: []*call{&tt.call}}
		got := strings.Join(l.settle(tt.cards), "; ")
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestTheMailIsJudged(t *testing.T) {
	for name, tt := range map[string]struct {
		taken  map[string]received
		twice  []string
		states map[string]int
		kills  int
		want   string
	}{
		"one each":            {map[string]received{"1": {To: "a"}, "2": {To: "b"}}, nil, map[string]int{"accepted": 2}, 0, ""},
		"sent twice":          {map[string]received{"1": {To: "a"}, "2": {To: "b"}}, []string{"1"}, map[string]int{"accepted": 2}, 0, "sent twice"},
		"lost":                {map[string]received{"1": {To: "a"}}, nil, map[string]int{"accepted": 1}, 9, "no message"},
		"lost, and noted":     {map[string]received{"1": {To: "a"}}, nil, map[string]int{"accepted": 2}, 9, "took 1"},
		"unknown":             {map[string]received{"1": {To: "a"}}, nil, map[string]int{"accepted": 1, "unknown": 1}, 1, ""},
		"unknown without why": {map[string]received{"1": {To: "a"}}, nil, map[string]int{"accepted": 1, "unknown": 1}, 0, "are unknown"},
		"another key":         {map[string]received{"1": {To: "a"}, "2": {To: "b"}, "3": {To: "b"}}, nil, map[string]int{"accepted": 3}, 0, "instead of one"},
		"given up":            {map[string]received{"1": {To: "a"}, "2": {To: "b"}}, nil, map[string]int{"accepted": 2, "failed": 1}, 0, "given up"},
	} {
		k := killing{peer: &peer{taken: tt.taken, twice: tt.twice}, out: &bytes.Buffer{}}
		k.Ledger = ledger{Kills: tt.kills, Asked: []string{"a", "b"}}
		got := strings.Join(k.judge(tt.states), "; ")
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A sitting that was interrupted is gone on with.
func TestRoundsAreGoneOnWith(t *testing.T) {
	k := begin(t)
	k.rounds = 2
	for ; k.Round < 2; k.Round++ {
		if err := k.round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	k.Round--
	if err := k.save(); err != nil {
		t.Fatal(err)
	}
	next := k
	next.Ledger, next.Round, next.rounds, next.seed = ledger{}, 0, 3, 99
	on, err := next.load()
	if err != nil || !on || next.Round != 2 || next.seed != k.seed || len(next.Ledger.Calls) != len(k.Ledger.Calls) {
		t.Fatalf("%v %v: round %d, seed %d, %d calls", on, err, next.Round, next.seed, len(next.Ledger.Calls))
	}
	check(t, &next, next.run(t.Context()))
	if next.Round != 3 {
		t.Errorf("it stopped at round %d", next.Round)
	}
}

// Where strace is not, the run says so and goes on.
func TestWithoutStraceItSaysSo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out bytes.Buffer
	err := options{seed: 1}.trace(context.Background(), killing{out: &out})
	if err != nil || !strings.Contains(out.String(), "SKIPPED strace") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// The layer hits the call that it was told to, and nothing after it is over.
func TestTheShimHits(t *testing.T) {
	dir := t.TempDir()
	s, err := buildShim(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	sync := func() error {
		cmd := exec.Command("sync", filepath.Join(dir, "shim.c")) // fsync of one file
		cmd.Env = append(os.Environ(), s.env()...)
		return cmd.Run()
	}
	s.arm(failOnce, 1)
	failed := sync()
	seen, hit := s.disarm()
	if failed == nil || seen != 1 || hit != 1 {
		t.Errorf("armed: %v, %d seen, %d hit", failed, seen, hit)
	}
	if err := sync(); err != nil {
		t.Errorf("disarmed: %v", err)
	}
}

func TestThePowerIsCut(t *testing.T) {
	t.Run("REL-R5", func(t *testing.T) {
		k := begin(t)
		check(t, &k, (&power{k.place, 1, 100, 40, k.out}).run(t.Context()))
	})
}

func TestSlowClients(t *testing.T) {
	t.Run("REL-R11 REL-R14", func(t *testing.T) {
		k := begin(t)
		w := slow{place: k.place, seed: 1, heads: 300, bodies: 100, deaf: 100, readers: 20_000, written: 300, out: k.out}
		check(t, &k, w.run(t.Context()))
	})
}
