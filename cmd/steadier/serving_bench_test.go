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
	"sync"
	"testing"
	"time"
)

// The benchmark of serving: one shipped article from the program as it is built, and
// the same bytes under the same headers from a bare net/http handler, each in a process
// of its own, without a log of requests. They take turns, so that whatever else the
// machine does hits both. What is reported is the median ratio of their rates.
const (
	benchArticle = "/articles/what-a-trauma-bond-is"
	benchRounds  = 9
	benchTurn    = 400 * time.Millisecond
	bareAnswer   = "STEADIER_BENCH_ANSWER" // file with the answer: this process is the bare one
)

var benchConnections = []int{1, 32, 256}

func TestMain(m *testing.M) {
	if path := os.Getenv(bareAnswer); path != "" {
		serveBare(path)
		return
	}
	os.Exit(m.Run())
}

// serveBare serves what the file holds, whatever is asked for.
func serveBare(path string) {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(f), nil)
	if err != nil {
		panic(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		panic(err)
	}
	res.Header.Del("Date") // net/http adds its own, as it does for the program
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		for name, values := range res.Header {
			h[name] = values
		}
		_, _ = w.Write(body)
	}), ReadHeaderTimeout: 5 * time.Second}
	panic(server.Serve(listener))
}

func BenchmarkServing(b *testing.B) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "steadier"))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		b.Skip("bin/steadier is not there: run make bench")
	}
	site := startServer(b, exec.CommandContext(b.Context(), program, "serve"),
		"STEADIER_ADDR=127.0.0.1:0", "STEADIER_DATA="+b.TempDir(), "STEADIER_LOG=quiet")
	answer := untilBrotli(b, site)
	file := filepath.Join(b.TempDir(), "answer")
	if err := os.WriteFile(file, answer, 0o600); err != nil {
		b.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	bare := startServer(b, exec.CommandContext(b.Context(), self), bareAnswer+"="+file)
	site.size, bare.size = len(answer), len(answer)
	if got := untilBrotli(b, bare); len(got) != len(answer) {
		b.Fatalf("the bare one answers %d bytes, want %d:\n%.1200s", len(got), len(answer), got)
	}
	nginx := startNginx(b, site)
	for b.Loop() {
		for _, n := range benchConnections {
			compare(b, site, bare, n, "bare")
			if nginx != nil {
				compare(b, site, nginx, n, "nginx")
			}
		}
	}
}

// compare lets both take turns over n connections, and reports the median ratio.
func compare(b *testing.B, site, other *benchServer, n int, name string) {
	var ratios, costs []float64
	for range benchRounds {
		a, c := site.turn(b, n), other.turn(b, n)
		ratios = append(ratios, a.rate/c.rate)
		costs = append(costs, a.cpu/c.cpu)
	}
	slices.Sort(ratios)
	slices.Sort(costs)
	b.ReportMetric(ratios[benchRounds/2], fmt.Sprintf("of_%s/%d", name, n))
	if name == "bare" { // nginx works in a process of its own, which is not the one started
		b.ReportMetric(costs[benchRounds/2], fmt.Sprintf("cpu_of_%s/%d", name, n))
	}
}

// startNginx serves the same page from files by nginx with brotli_static, where both
// are installed; nil elsewhere.
func startNginx(b *testing.B, site *benchServer) *benchServer {
	b.Helper()
	const module = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so"
	program, err := exec.LookPath("nginx")
	if _, missing := os.Stat(module); err != nil || missing != nil {
		b.Log("SKIPPED: nginx with brotli_static is not installed")
		return nil
	}
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(ask(b, site))), nil)
	if err != nil {
		b.Fatal(err)
	}
	page, err := io.ReadAll(res.Body)
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	addr := listener.Addr().String()
	if err := listener.Close(); err != nil {
		b.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "steadier-nginx-") // its workers run as another account
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	config := "load_module " + module + ";\nworker_processes auto;\ndaemon off;\npid " + dir + "/pid;\nerror_log /dev/null crit;\n" +
		"events { worker_connections 1024; }\nhttp { access_log off; keepalive_requests 1000000000; default_type text/html; brotli_static on;\n" +
		"server { listen " + addr + "; root " + dir + "; } }\n"
	for name, text := range map[string][]byte{"nginx.conf": []byte(config), benchArticle: {}, benchArticle + ".br": page} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644), os.Chmod(dir, 0o755)); err != nil {
			b.Fatal(err)
		}
	}
	cmd := exec.CommandContext(b.Context(), program, "-c", filepath.Join(dir, "nginx.conf"))
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() })
	s := &benchServer{addr: addr, pid: cmd.Process.Pid}
	for b.Context().Err() == nil {
		if conn, err := net.Dial("tcp", addr); err == nil {
			_ = conn.Close()
			break
		}
	}
	s.size = len(untilBrotli(b, s))
	return s
}

type benchServer struct {
	addr string
	pid  int
	size int // of an answer
}

// startServer starts a server that prints its address first.
func startServer(b *testing.B, cmd *exec.Cmd, env ...string) *benchServer {
	b.Helper()
	cmd.Env = append(os.Environ(), env...)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return &benchServer{addr: strings.TrimPrefix(strings.TrimSpace(line), "http://"), pid: cmd.Process.Pid}
}

func (s *benchServer) request() []byte {
	return []byte("GET " + benchArticle + " HTTP/1.1\r\nHost: " + s.addr + "\r\nAccept-Encoding: gzip, br\r\n\r\n")
}

// untilBrotli asks until the smallest form is there, and returns the whole answer.
func untilBrotli(b *testing.B, s *benchServer) []byte {
	b.Helper()
	for b.Context().Err() == nil {
		answer := ask(b, s)
		if bytes.Contains(answer, []byte("Content-Encoding: br\r\n")) {
			return answer
		}
	}
	b.Fatal("no brotli")
	return nil
}

func ask(b *testing.B, s *benchServer) []byte {
	b.Helper()
	conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", s.addr)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(s.request()); err != nil {
		b.Fatal(err)
	}
	var raw bytes.Buffer
	res, err := http.ReadResponse(bufio.NewReader(io.TeeReader(conn, &raw)), nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		b.Fatal(err)
	}
	return raw.Bytes()
}

type benchTurnResult struct {
	rate float64 // answers a second
	cpu  float64 // seconds of the server's processor an answer
}

// turn asks over n connections for a while. Every answer has the same size.
func (s *benchServer) turn(b *testing.B, n int) benchTurnResult {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), benchTurn)
	defer cancel()
	counts := make([]int, n)
	before, start := cpuOf(b, s.pid), time.Now()
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { counts[i] = s.askAgainAndAgain(ctx, b) })
	}
	wait.Wait()
	took, used := time.Since(start), cpuOf(b, s.pid)-before
	total := 0
	for _, c := range counts {
		total += c
	}
	return benchTurnResult{rate: float64(total) / took.Seconds(), cpu: used / float64(total)}
}

func (s *benchServer) askAgainAndAgain(ctx context.Context, b *testing.B) (n int) {
	conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", s.addr)
	if err != nil {
		b.Error(err)
		return 0
	}
	defer conn.Close()
	request, answer := s.request(), make([]byte, s.size)
	for ctx.Err() == nil {
		if _, err := conn.Write(request); err != nil {
			b.Error(err)
			return n
		}
		if _, err := io.ReadFull(conn, answer); err != nil {
			b.Error(err)
			return n
		}
		n++
	}
	return n
}

// cpuOf is how much processor time a process has used, in seconds (Linux: proc(5)).
func cpuOf(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		b.Skip("no /proc: the processor time cannot be read")
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks float64
	for _, f := range fields[11:13] { // utime and stime
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return ticks / 100
}
