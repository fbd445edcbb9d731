package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// REL-R22: whichever page of the database is damaged, a command either says so in one line
// that names the way back, or shows what was there before, and never something else.
func TestADamagedPageIsNoticed(t *testing.T) {
	d := newPractice(t)
	want := d.do("", "calls")
	d.do(passphrase, "backup", d.path("b.age")) // what it opens and closes leaves no log behind
	path := d.path("data/steadier.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		t.Fatalf("%d bytes are in the log, so the database is not all there", info.Size())
	}
	const page = 4096
	dice := rand.New(rand.NewPCG(22, 0))
	noticed := 0
	for at := 0; at < len(whole); at += page {
		for _, size := range []int{page, 64, 1} {
			spoiled := append([]byte(nil), whole...)
			from := at + dice.IntN(page-size+1)
			for i := from; i < from+size; i++ {
				spoiled[i] ^= byte(1 + dice.IntN(255))
			}
			for _, end := range []string{"-wal", "-shm"} {
				_ = os.Remove(path + end) // the last command may have left none
			}
			if err := os.WriteFile(path, spoiled, 0o600); err != nil {
				t.Fatal(err)
			}
			code, out, log := d.run("", "calls")
			lines := strings.Count(strings.TrimSpace(log), "\n") + 1
			switch {
			case code == exitOK && out == want:
			case code == exitFault && lines == 1 && strings.HasPrefix(log, "steadier: "):
				noticed++
			default:
				t.Errorf("REL-R22 page %d, %d bytes at %d: exit status %d\n%s%s", at/page+1, size, from-at, code, out, log)
			}
		}
	}
	t.Logf("%d pages, damaged in 3 ways each: noticed %d times", len(whole)/page, noticed)
}
