//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// place is where one run happens: the program, and the folders that it is given.
type place struct {
	program string
	dir     string
	smtp    string // of STEADIER_SMTP
}

// siteYAML and hours are a practice that is open day and night for ten days, so that
// there are times for everybody, and the same ones for many.
const (
	siteYAML = "name: Steadier\ntagline: t\nexit: https://exit.example\nnotify: owner@site.example\nsender:\n  name: Post\n  address: post@site.example\n"
	hours    = "zone: UTC\nlength: 15m\nstep: 30m\nafter: 0m\nnotice: 12h\nhorizon: 10\nper_day: 0\nweek:\n"
)

// prepare writes the content and returns what the program is told.
func (p place) prepare() error {
	week := hours
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		week += "  " + day + ": [\"00:00-24:00\"]\n"
	}
	dir := filepath.Join(p.dir, "content")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "site.yaml"), []byte(siteYAML), 0o600),
		os.WriteFile(filepath.Join(dir, "availability.yaml"), []byte(week), 0o600))
}

func (p place) data() string { return filepath.Join(p.dir, "data") }

func (p place) env(more ...string) []string {
	env := append(os.Environ(), "STEADIER_ADDR=127.0.0.1:0", "STEADIER_CONTENT="+filepath.Join(p.dir, "content"),
		"STEADIER_DATA="+p.data(), "STEADIER_RATE=0", "STEADIER_LOG=quiet", "STEADIER_SMTP="+p.smtp, "STEADIER_BASE_URL=", "STEADIER_METRICS=")
	return append(env, more...)
}

// run carries out a command of the program, and returns what it printed.
func (p place) run(ctx context.Context, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, p.program, args...)
	cmd.Env = p.env()
	cmd.Stdin = strings.NewReader(stdin)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("steadier %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(log.String()))
	}
	return out.String(), nil
}

// site is the program, serving.
type site struct {
	cmd     *exec.Cmd
	base    string
	metrics string
	log     *tail
	ended   chan struct{}
}

// start serves, and returns once it answers. With a wrapper, that starts the program.
func (p place) start(ctx context.Context, wrapper []string, more ...string) (*site, error) {
	args := append(append([]string{}, wrapper...), p.program, "serve")
	s := &site{cmd: exec.CommandContext(ctx, args[0], args[1:]...), log: &tail{}, ended: make(chan struct{})}
	if address, err := freeAddress(); err == nil {
		s.metrics = "http://" + address + "/metrics"
		more = append(more, "STEADIER_METRICS="+address)
	}
	s.cmd.Env = p.env(more...)
	s.cmd.Stderr = s.log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true} // a tracer and what it traces end together
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, out) // it says no more than its address
		_ = s.cmd.Wait()
		close(s.ended)
	}()
	if err != nil {
		<-s.ended
		return nil, fmt.Errorf("it did not start (%s): %s", s.cmd.ProcessState, s.log)
	}
	s.base = strings.TrimSpace(line)
	return s, nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// kill ends the process as a power switch would end it, but for what the system has in
// its cache.
func (s *site) kill() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // it may have ended already
	<-s.ended
}

// stop asks it to end, and returns an error if that did not end well.
func (s *site) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.kill()
		return errors.New("it did not stop within 30 seconds of SIGTERM")
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("it ended with %s after SIGTERM: %s", s.cmd.ProcessState, s.log)
	}
	return nil
}

// gauges reads the metrics.
func (s *site) gauges(ctx context.Context) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.metrics, nil)
	if err != nil {
		return nil, err
	}
	res, err := (&http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	values := make(map[string]float64)
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if n, err := strconv.ParseFloat(value, 64); ok && err == nil {
			values[name] = n
		}
	}
	return values, lines.Err()
}

// resident is the memory of the process in bytes, and files how many it has open
// (Linux: proc(5)).
func (s *site) resident() (memory, files int) {
	proc := fmt.Sprintf("/proc/%d/", s.cmd.Process.Pid)
	if text, err := os.ReadFile(proc + "statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, _ := strconv.Atoi(fields[1])
			memory = pages * os.Getpagesize()
		}
	}
	entries, _ := os.ReadDir(proc + "fd")
	return memory, len(entries)
}

// tail keeps the end of what was written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if len(t.text) > 4000 {
		t.text = t.text[len(t.text)-4000:]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
