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
	"slices"
	"strconv"
	"strings"
	"time"
)

// server is a process that serves the article.
type server struct {
	name, addr string
	cmd        *exec.Cmd
	request    []byte
	size, body int // of an answer in bytes: the whole of it, and without its head
}

// startAll starts the program, the bare handler, and nginx where it is installed.
// With an error it returns those that run.
func startAll(ctx context.Context, program, dir string, out io.Writer) (servers []*server, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	site, err := start("steadier", exec.CommandContext(ctx, program, "serve"),
		"STEADIER_ADDR=127.0.0.1:0", "STEADIER_DATA="+filepath.Join(dir, "data"), "STEADIER_LOG=quiet")
	if err != nil {
		return nil, err
	}
	servers = append(servers, site)
	raw, err := site.settle(ctx)
	if err != nil {
		return servers, err
	}
	file := filepath.Join(dir, "answer")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		return servers, err
	}
	bare, err := start("bare", exec.CommandContext(ctx, self, "-bare", file))
	if err != nil {
		return servers, err
	}
	servers = append(servers, bare)
	if err := bare.sameAs(ctx, raw); err != nil {
		return servers, err
	}
	nginx, err := startNginx(ctx, raw, dir, out)
	if nginx != nil {
		servers = append(servers, nginx)
	}
	return servers, err
}

// start starts a server that prints its address first.
func start(name string, cmd *exec.Cmd, env ...string) (*server, error) {
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := begin(cmd); err != nil {
		return nil, fmt.Errorf("%s cannot be started (make build): %w", name, err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	s := newServer(name, strings.TrimPrefix(strings.TrimSpace(line), "http://"), cmd)
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("%s printed no address: %w", name, err)
	}
	return s, nil
}

// begin starts cmd so that it is asked to stop, and not killed, when its context ends.
func begin(cmd *exec.Cmd) error {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd.Start()
}

func newServer(name, addr string, cmd *exec.Cmd) *server {
	request := "GET " + article + " HTTP/1.1\r\nHost: " + addr + "\r\nAccept-Encoding: gzip, br\r\n\r\n"
	return &server{name: name, addr: addr, cmd: cmd, request: []byte(request)}
}

// stop ends the process, for which a second signal is no news.
func (s *server) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	_ = s.cmd.Wait() // how it ends is its own affair
}

// settle asks until the smallest form is there, and returns the whole answer.
func (s *server) settle(ctx context.Context) ([]byte, error) {
	for {
		raw, res, err := s.ask(ctx)
		if err != nil {
			return nil, err
		}
		if res.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s answers %s for %s", s.name, res.Status, article)
		}
		if res.Header.Get("Content-Encoding") == "br" {
			s.size, s.body = len(raw), int(res.ContentLength)
			return raw, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// sameAs settles, and makes sure that the answer is the other's but for its date.
func (s *server) sameAs(ctx context.Context, other []byte) error {
	raw, err := s.settle(ctx)
	if err != nil {
		return err
	}
	lines := func(raw []byte) []string {
		head, body, _ := strings.Cut(string(raw), "\r\n\r\n")
		list := strings.Split(head, "\r\n")
		list = slices.DeleteFunc(list, func(line string) bool { return strings.HasPrefix(line, "Date: ") })
		slices.Sort(list)
		return append(list, body)
	}
	if a, b := lines(raw), lines(other); !slices.Equal(a, b) {
		return fmt.Errorf("%s answers otherwise than the program:\n%.2000q\n%.2000q", s.name, a, b)
	}
	return nil
}

// ask opens a connection for one answer.
func (s *server) ask(ctx context.Context) (raw []byte, res *http.Response, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.addr)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	if _, err := conn.Write(s.request); err != nil {
		return nil, nil, err
	}
	var buf bytes.Buffer
	res, err = http.ReadResponse(bufio.NewReader(io.TeeReader(conn, &buf)), nil)
	if err != nil {
		return nil, nil, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return buf.Bytes(), res, err
}

// cpu is the processor time that the process and its children have used (Linux:
// proc(5)). On a machine without /proc it is 0.
func (s *server) cpu() (time.Duration, error) {
	pids := []string{strconv.Itoa(s.cmd.Process.Pid)}
	children, _ := os.ReadFile("/proc/" + pids[0] + "/task/" + pids[0] + "/children") // most have none
	var total time.Duration
	for _, pid := range append(pids, strings.Fields(string(children))...) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		for _, f := range fields[11:13] { // of this process, by itself and in the kernel
			ticks, err := strconv.Atoi(f)
			if err != nil {
				return 0, err
			}
			total += time.Duration(ticks) * time.Second / 100
		}
	}
	return total, nil
}
