package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// desk is the world of one start of the program: a content and a data folder.
type desk struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir()}
	d.write("content/site.yaml", "name: Steadier\ntagline: t\nexit: https://exit.example\nnotify: owner@site.example\nsender:\n  name: Post\n  address: post@site.example\n")
	d.env = map[string]string{
		"STEADIER_ADDR": "127.0.0.1:0", "STEADIER_CONTENT": d.path("content"), "STEADIER_DATA": d.path("data"),
	}
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name) }

func (d *desk) write(name, text string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.path(name)), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(d.path(name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// lockedBuffer collects what several goroutines write.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed at the next write; nil: nobody waits
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.more != nil {
		close(b.more)
		b.more = nil
	}
	return b.text.Write(p)
}

// next is closed once something is written after what is there now.
func (b *lockedBuffer) next() (now string, next <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.more == nil {
		b.more = make(chan struct{})
	}
	return b.text.String(), b.more
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// start serves until the returned function is called, which gives the exit status.
func (d *desk) start() (address string, log *lockedBuffer, stop func() int) {
	d.t.Helper()
	return d.startAs("serve")
}

// startAs is start with a command line of its own.
func (d *desk) startAs(args ...string) (address string, log *lockedBuffer, stop func() int) {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	log = &lockedBuffer{}
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, Env{Stdout: in, Stderr: log, Getenv: d.getenv, Now: time.Now}, args)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cancel()
		d.t.Fatalf("no address: %v\n%s", err, log)
	}
	var once sync.Once
	var code int
	stop = func() int { once.Do(func() { cancel(); code = <-done }); return code }
	d.t.Cleanup(func() { stop() })
	return strings.TrimSpace(line), log, stop
}

func (d *desk) getenv(name string) string { return d.env[name] }

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestServe(t *testing.T) {
	d := newDesk(t)
	address, _, stop := d.start()
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("the first line is %q, want the address", address)
	}
	for path, want := range map[string]int{"/": 200, "/consult": 200, "/newsletter": 200, "/readyz": 200, "/none": 404} {
		if code, body := get(t, address+path); code != want {
			t.Errorf("%s: %d, want %d\n%s", path, code, want, body)
		}
	}
	if code := stop(); code != exitOK {
		t.Errorf("exit status %d after a stop", code)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still answers after the stop")
	}
	if address, _, stop := d.start(); address == "" || stop() != exitOK {
		t.Error("it does not start again on what it left")
	}
}

func TestTheLeastContentIsServed(t *testing.T) {
	d := newDesk(t)
	d.write("content/site.yaml", "name: S\nexit: https://exit.example\n")
	address, _, _ := d.start()
	for _, path := range []string{"/", "/articles", "/support", "/sources", "/search", "/consult", "/consult/find", "/newsletter", "/feed.xml"} {
		code, body := get(t, address+path)
		if code != http.StatusOK {
			t.Errorf("%s: %d", path, code)
		}
		for _, gone := range []string{`href="/safety"`, `href="/about"`, `href="/privacy"`, `href="/paths"`, `href="/glossary"`} {
			if strings.Contains(body, gone) {
				t.Errorf("%s leads to what is not there: %s", path, gone)
			}
		}
	}
}

func TestWithoutMailThereAreNoLetters(t *testing.T) {
	d := newDesk(t)
	d.env["STEADIER_SMTP"] = "off"
	address, _, _ := d.start()
	if code, _ := get(t, address+"/newsletter"); code != http.StatusNotFound {
		t.Errorf("/newsletter: %d", code)
	}
	if _, body := get(t, address+"/consult"); strings.Contains(body, `name="email"`) {
		t.Error("the form asks for an address that nothing can be sent to")
	}
}

// What stands in the way of a start is one line that says what to do.
func TestWhatStopsAStart(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, tt := range map[string]struct {
		spoil func(d *desk)
		want  []string
	}{
		"no content": {
			func(d *desk) { d.env["STEADIER_CONTENT"] = d.path("none") },
			[]string{"none", "STEADIER_CONTENT"},
		},
		"content is a file": {
			func(d *desk) { d.env["STEADIER_CONTENT"] = d.path("content/site.yaml") },
			[]string{"is a file"},
		},
		"a fault in the content": {
			func(d *desk) { d.write("content/articles/x.md", "---\ntitle: X\n---\n") },
			[]string{"x.md:2: error: ", "put right"},
		},
		"a fault in the hours": {
			func(d *desk) { d.write("content/availability.yaml", "zone: Local\n") },
			[]string{"availability.yaml:1: error: "},
		},
		"data is a file": {
			func(d *desk) { d.write("data", "x") },
			[]string{"data", "STEADIER_DATA"},
		},
		"port is taken": {
			func(d *desk) { d.env["STEADIER_ADDR"] = taken.Addr().String() },
			[]string{taken.Addr().String(), "address already in use"},
		},
		"keys are gone": {
			func(d *desk) { d.runOnce(t); os.RemoveAll(d.path("data/keys")) },
			[]string{"keys", "STEADIER_KEY_FILE"},
		},
		"keys are spoiled": {
			func(d *desk) { d.runOnce(t); d.write("data/keys/ring", "x") },
			[]string{"ring"},
		},
		"no sender": {
			func(d *desk) {
				d.write("content/site.yaml", "name: S\ntagline: t\nexit: https://exit.example\n")
				d.env["STEADIER_SMTP"] = "smtp://127.0.0.1:9?tls=none"
			},
			[]string{"sender.address", "STEADIER_MAIL_FROM"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			tt.spoil(d)
			var out, log bytes.Buffer
			code := run(t.Context(), Env{Stdout: &out, Stderr: &log, Getenv: d.getenv, Now: time.Now}, []string{"serve"})
			if code != exitFault {
				t.Fatalf("exit status %d, want %d\n%s", code, exitFault, &log)
			}
			lines := strings.Split(strings.TrimSpace(log.String()), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "steadier: ") || strings.Contains(log.String(), "goroutine") {
				t.Errorf("last line %q", last)
			}
			for _, want := range tt.want {
				if !strings.Contains(log.String(), want) {
					t.Errorf("no %q in:\n%s", want, &log)
				}
			}
		})
	}
}

// runOnce starts and stops once, so that there is something to come back to.
func (d *desk) runOnce(t *testing.T) {
	t.Helper()
	if _, log, stop := d.start(); stop() != exitOK {
		t.Fatal(log)
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	for _, c := range commands() {
		for _, args := range [][]string{{c.name, "-h"}, {c.name, "--help"}, {c.name, "whatever", "-h"}} {
			var out, log bytes.Buffer
			code := run(t.Context(), Env{Stdout: &out, Stderr: &log, Getenv: func(string) string { return "" }, Now: time.Now}, args)
			if code != exitOK || log.Len() > 0 || !strings.HasPrefix(out.String(), "usage: steadier "+c.name) {
				t.Errorf("%v: %d\n%s%s", args, code, &out, &log)
			}
		}
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		out  string
	}{
		{nil, exitOK, "serve"},
		{[]string{"-h"}, exitOK, "STEADIER_ADDR"},
		{[]string{"serve", "-h"}, exitOK, "usage: steadier serve"},
		{[]string{"version"}, exitOK, "sqlite"},
		{[]string{"nonsense"}, exitUsage, ""},
		{[]string{"serve", "x"}, exitUsage, ""},
		{[]string{"serve", "-dev", "x"}, exitUsage, ""},
		{[]string{"serve", "-draft"}, exitUsage, ""},
	} {
		var out, log bytes.Buffer
		code := run(t.Context(), Env{Stdout: &out, Stderr: &log, Getenv: func(string) string { return "" }, Now: time.Now}, tt.args)
		if code != tt.code || !strings.Contains(out.String(), tt.out) || (tt.code == exitUsage) != (strings.Count(log.String(), "\n") == 1) {
			t.Errorf("%v: %d\n%s%s", tt.args, code, &out, &log)
		}
	}
}

func TestMetrics(t *testing.T) {
	d := newDesk(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d.env["STEADIER_METRICS"] = free.Addr().String()
	free.Close()
	address, _, stop := d.start()
	get(t, address+"/articles")
	code, body := get(t, "http://"+d.env["STEADIER_METRICS"]+"/metrics")
	for _, want := range []string{
		`steadier_requests_total{route="/articles",method="GET",status="200"} 1`, "# TYPE steadier_mail gauge", "steadier_build_info{",
	} {
		if code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%d, no %q in\n%s", code, want, body)
		}
	}
	if code, _ := get(t, address+"/metrics"); code != http.StatusNotFound {
		t.Errorf("the site tells its metrics: %d", code)
	}
	if stop() != exitOK {
		t.Error("it does not stop")
	}
}

func TestTheFirstLineIsWhereItListens(t *testing.T) {
	d := newDesk(t)
	d.env["STEADIER_BASE_URL"], d.env["STEADIER_SMTP"] = "https://site.example", "off"
	address, _, _ := d.start()
	if code, _ := get(t, address+"/healthz"); code != http.StatusOK {
		t.Errorf("%s: %d", address, code)
	}
}
