package respond

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// wire stands between the server and the network: it counts what is written to it, and
// can fail in the middle.
type wire struct {
	net.Listener
	mu     sync.Mutex
	writes int
	room   int // bytes until it fails; 0 = it does not
}

type wireConn struct {
	net.Conn
	wire *wire
}

func (l *wire) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return wireConn{conn, l}, nil
}

func (c wireConn) Write(p []byte) (int, error) {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	c.wire.writes++
	if c.wire.room > 0 && len(p) > c.wire.room {
		n, _ := c.Conn.Write(p[:c.wire.room])
		return n, io.ErrShortWrite // as a write that came to its deadline
	}
	return c.Conn.Write(p)
}

func (l *wire) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.writes
}

func serveWhole(t *testing.T, copies map[string]*Copy, room int) (*wire, string) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		copies[r.URL.Path].Serve(w, r, Reading)
	}))
	l := &wire{Listener: s.Listener, room: room}
	s.Listener = WholeListener(l)
	s.Config.ConnContext = WholeContext
	s.Start()
	t.Cleanup(s.Close)
	return l, strings.TrimPrefix(s.URL, "http://")
}

// Each answer is the same, byte for byte, whatever its size, and takes one write unless
// it is very large; so do answers that were asked for all at once.
func TestAnAnswerLeavesInOnePiece(t *testing.T) {
	sizes := []int{0, 1, wholeFrom - 1, wholeFrom, 3900, 4096, 5000, 8192, 9000, wholeTo, wholeTo + 1, 300_000}
	copies, bodies := map[string]*Copy{}, map[string][]byte{}
	for _, n := range sizes {
		path := fmt.Sprintf("/%d", n)
		bodies[path] = bytes.Repeat([]byte("x0123456789"), n/11+1)[:n]
		copies[path] = NewCopy("image/png", bodies[path])
	}
	l, addr := serveWhole(t, copies, 0)
	for _, ask := range []string{"GET %s HTTP/1.1\r\nHost: x\r\n\r\n", "HEAD %s HTTP/1.1\r\nHost: x\r\n\r\n", "GET %s HTTP/1.0\r\n\r\n"} {
		for _, n := range sizes {
			path := fmt.Sprintf("/%d", n)
			before := l.count()
			const times = 3
			got := exchange(t, addr, strings.Repeat(fmt.Sprintf(ask, path), times))
			want := times
			if strings.Contains(ask, "1.0") {
				want = 1 // the connection ends there
			}
			for _, res := range readAnswers(t, ask[:4], got, want) {
				body := bodies[path]
				if ask[:4] == "HEAD" {
					body = nil
				}
				if !bytes.Equal(res, body) {
					t.Errorf("%q: %d bytes, want %d as they are", fmt.Sprintf(ask, path), len(res), len(body))
				}
			}
			if writes := l.count() - before; n <= wholeTo && writes != want {
				t.Errorf("%q: %d answers took %d writes", fmt.Sprintf(ask, path), want, writes)
			}
		}
	}
}

// A client that is too slow gets half an answer and then the end: were the next answer
// to follow, whoever shares the connection would take one for the other.
func TestNothingFollowsHalfAnAnswer(t *testing.T) {
	copies := map[string]*Copy{"/": NewCopy("image/png", bytes.Repeat([]byte("x"), 9000))}
	const room = 5000
	_, addr := serveWhole(t, copies, room)
	got := exchange(t, addr, strings.Repeat("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 3))
	if len(got) != room {
		t.Errorf("%d bytes came, want the first %d", len(got), room)
	}
}

// exchange sends requests, and returns all that comes until the server hangs up.
func exchange(t *testing.T, addr, requests string) []byte {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, requests); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(conn) // a reset is an end too
	return got
}

func readAnswers(t *testing.T, method string, raw []byte, n int) (bodies [][]byte) {
	t.Helper()
	r := bufio.NewReader(bytes.NewReader(raw))
	for range n {
		res, err := http.ReadResponse(r, &http.Request{Method: strings.TrimSpace(method)})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	if left := r.Buffered(); left > 0 {
		t.Errorf("%d bytes follow the last answer", left)
	}
	return bodies
}
