package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/steadier/steadier/internal/consult"
)

const passphrase = "five words nobody would guess\n"

// book books a call that the practice makes to a number, days from now.
func (d *desk) book(days int, name, phone string) {
	d.t.Helper()
	a := d.open()
	defer a.close()
	start := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, days).Add(10 * time.Hour)
	_, err := a.consultations().Book(d.t.Context(), time.Now(), consult.Key{ID: name, Issued: time.Now()}, consult.Request{
		Slot: start.Format(time.RFC3339), Name: name, Call: "me", Phone: phone,
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) open() *app {
	d.t.Helper()
	a, err := openApp(d.t.Context(), Env{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, Getenv: d.getenv, Now: time.Now})
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// run carries out a command line and gives what it said.
func (d *desk) run(stdin string, args ...string) (code int, out, log string) {
	var stdout, stderr bytes.Buffer
	env := Env{Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, Getenv: d.getenv, Now: time.Now}
	code = run(d.t.Context(), env, args)
	return code, stdout.String(), stderr.String()
}

func (d *desk) do(stdin string, args ...string) string {
	d.t.Helper()
	code, out, log := d.run(stdin, args...)
	if code != exitOK {
		d.t.Fatalf("%v: %d\n%s%s", args, code, out, log)
	}
	return out + log
}

// newPractice is a desk that takes calls every day, with two of them booked.
func newPractice(t *testing.T) *desk {
	d := newDesk(t)
	week := ""
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		week += "  " + day + ": [\"10:00-12:00\"]\n"
	}
	d.write("content/availability.yaml", "zone: UTC\nlength: 15m\nstep: 30m\nhorizon: 28\nweek:\n"+week)
	d.book(3, "Robin", "+442079460018")
	d.book(4, "Sam", "+442079460019")
	return d
}

// elsewhere is another data folder for the same content.
func (d *desk) elsewhere(name string) *desk {
	other := &desk{t: d.t, dir: d.dir, env: map[string]string{}}
	for key, value := range d.env {
		other.env[key] = value
	}
	other.env["STEADIER_DATA"] = d.path(name)
	return other
}

func TestTheWholeWayBack(t *testing.T) {
	d := newPractice(t)
	file, keys := d.path("backup.age"), d.path("keys.age")
	before := d.do("", "calls", "-days", "28")
	if !strings.Contains(before, "Robin") {
		t.Fatal(before)
	}
	if said := d.do(passphrase, "backup", file); !strings.Contains(said, "keys were not exported") {
		t.Errorf("no warning: %s", said)
	}
	d.do("+442079460019\n", "erase", "-") // Sam, after the backup
	d.do(passphrase, "keys", "export", keys)
	if said := d.do(passphrase, "backup", d.path("second.age")); strings.Contains(said, "not exported") {
		t.Errorf("a warning after the export: %s", said)
	}
	for _, path := range []string{file, keys} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, error %v: others can read it", path, info.Mode(), err)
		}
	}

	new := d.elsewhere("new")
	if code, _, log := new.run(passphrase, "restore", file); code != exitFault || !strings.Contains(log, "keys import") {
		t.Errorf("restored without the keys: %d %s", code, log)
	}
	new.do(passphrase, "keys", "import", keys)
	new.do(passphrase, "keys", "import", keys) // again: nothing changes
	if said := new.do(passphrase, "restore", "-check", file); !strings.Contains(said, "whole") {
		t.Error(said)
	}
	if said := new.do(passphrase, "restore", file); !strings.Contains(said, "Erased again: 1") {
		t.Errorf("REL-R8: %s", said)
	}
	after := new.do("", "calls", "-days", "28")
	if !strings.Contains(after, "Robin") || strings.Contains(after, "Sam") {
		t.Errorf("REL-R8: the calls that came back:\n%s", after)
	}
	if code, _, log := new.run(passphrase, "restore", file); code != exitFault || !strings.Contains(log, "holds a database already") {
		t.Errorf("restored over a database: %d %s", code, log)
	}
	if rest, _ := filepath.Glob(filepath.Join(d.dir, "*", "*.copy*")); len(rest) > 0 {
		t.Errorf("left behind: %v", rest)
	}
}

func TestABackupForARecipient(t *testing.T) {
	d := newPractice(t)
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	d.env["STEADIER_BACKUP_RECIPIENT"] = identity.Recipient().String()
	d.write("identity.txt", "# created: today\n"+identity.String()+"\n")
	d.do("", "backup", d.path("b.age"))
	if said := d.do("", "restore", "-check", "-identity", d.path("identity.txt"), d.path("b.age")); !strings.Contains(said, "whole") {
		t.Error(said)
	}
	if code, _, log := d.run(passphrase, "restore", "-check", d.path("b.age")); code != exitFault || strings.Count(log, "\n") != 1 {
		t.Errorf("%d %s", code, log)
	}
}

// A backup that was cut or changed anywhere is refused, and nothing of it is left.
func TestADamagedBackupIsRefused(t *testing.T) {
	d := newPractice(t)
	identity, err := age.GenerateX25519Identity() // no passphrase: this asks many times
	if err != nil {
		t.Fatal(err)
	}
	d.env["STEADIER_BACKUP_RECIPIENT"] = identity.Recipient().String()
	d.write("identity.txt", identity.String()+"\n")
	d.do("", "backup", d.path("b.age"))
	whole, err := os.ReadFile(d.path("b.age"))
	if err != nil {
		t.Fatal(err)
	}
	new := d.elsewhere("new")
	d.do(passphrase[:len(passphrase)-1]+"\n", "keys", "rotate")
	if err := os.CopyFS(d.path("new/keys"), os.DirFS(d.path("data/keys"))); err != nil {
		t.Fatal(err)
	}
	for i := range 24 {
		at := len(whole) * i / 24
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1
		for name, damaged := range map[string][]byte{"cut": whole[:at], "flipped": flipped} {
			d.write("bad.age", string(damaged))
			code, _, log := new.run("", "restore", "-identity", d.path("identity.txt"), d.path("bad.age"))
			if code != exitFault || strings.Count(log, "\n") != 1 {
				t.Errorf("%s at %d of %d: %d %s", name, at, len(whole), code, log)
			}
			if left, _ := filepath.Glob(d.path("new/steadier*")); len(left) > 0 {
				t.Fatalf("%s at %d: left behind %v", name, at, left)
			}
		}
	}
	new.do("", "restore", "-identity", d.path("identity.txt"), d.path("b.age"))
}

// Who asks to be erased does not wait for a typo in an article.
func TestAFaultInTheContentStopsNothingThatIsAboutData(t *testing.T) {
	d := newPractice(t)
	for name, text := range map[string]string{"availability.yaml": "zon: UTC\n", "articles/x.md": "x"} {
		d.write("content/"+name, text)
		for _, args := range [][]string{{"calls"}, {"erase", "-"}, {"feed", "add"}, {"backup", d.path("b.age")}, {"subscribers", "export", d.path("s.csv")}} {
			code, out, log := d.run(map[bool]string{true: "+442079460018\n", false: passphrase}[args[0] == "erase"], args...)
			if code != exitOK || !strings.Contains(log, "warning: the content has") {
				t.Errorf("%s, %v: %d\n%s%s", name, args, code, out, log)
			}
		}
		if code, _, _ := d.run("", "serve"); code != exitFault {
			t.Error("it is served")
		}
	}
}

// A name that was mistyped must not cost the database or the keys.
func TestNothingElseIsReplaced(t *testing.T) {
	d := newPractice(t)
	for _, file := range []string{"data/steadier.db", "data/keys/ring", "content/site.yaml"} {
		before, err := os.ReadFile(d.path(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"backup"}, {"keys", "export"}, {"subscribers", "export"}} {
			code, _, log := d.run(passphrase, append(args, d.path(file))...)
			after, err := os.ReadFile(d.path(file))
			if code != exitFault || !strings.Contains(log, "name another file") || err != nil || !bytes.Equal(before, after) {
				t.Errorf("%v %s: %d %s", args, file, code, log)
			}
		}
	}
	d.do(passphrase, "backup", d.path("b.age"))
	d.do(passphrase, "backup", d.path("b.age")) // an older backup is replaced
	d.do("", "subscribers", "export", d.path("s.csv"))
	d.do("", "subscribers", "export", d.path("s.csv"))
}

func TestKeysAreNeverReplaced(t *testing.T) {
	d := newPractice(t)
	d.do(passphrase, "keys", "export", d.path("keys.age"))
	other := d.elsewhere("other")
	other.run("", "calls") // makes keys of its own
	if code, _, log := other.run(passphrase, "keys", "import", d.path("keys.age")); code != exitFault || !strings.Contains(log, "not replaced") {
		t.Errorf("%d %s", code, log)
	}
	if said := d.do("", "keys", "rotate"); !strings.Contains(said, "export") {
		t.Error(said)
	}
	if said := d.do("", "calls", "-days", "28"); !strings.Contains(said, "Robin") {
		t.Errorf("what the old key sealed does not open: %s", said)
	}
	if said := d.do(passphrase, "backup", d.path("b.age")); !strings.Contains(said, "not exported") {
		t.Errorf("no warning after the rotation: %s", said)
	}
	for _, args := range []string{"backup", "backup a b", "restore", "keys turn", "keys export", "keys rotate x"} {
		if code, _, log := d.run("", strings.Fields(args)...); code != exitUsage || strings.Count(log, "\n") != 1 {
			t.Errorf("%s: %d %s", args, code, log)
		}
	}
	if code, _, log := d.run("short\n", "backup", d.path("c.age")); code != exitFault || !strings.Contains(log, "too short") {
		t.Errorf("%d %s", code, log)
	}
}
