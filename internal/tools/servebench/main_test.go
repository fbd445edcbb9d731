package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The middle round counts, whatever the others were, and it alone is held to the bound.
func TestReport(t *testing.T) {
	rounds := func(answers ...int) (list []result) {
		for _, n := range answers {
			list = append(list, result{answers: n, took: time.Second, cpu: time.Millisecond * time.Duration(n)})
		}
		return list
	}
	even := rounds(100, 100, 100, 100, 100)
	for _, tt := range []struct {
		beside string
		site   []result
		median float64
		note   string
	}{
		{"bare", rounds(10, 97, 98, 99, 900), 0.98, "\n"},
		{"bare", rounds(92, 92, 92, 200, 200), 0.92, "  below the aim of 0.95\n"},
		{"bare", rounds(10, 10, 89, 200, 200), 0.89, "  below the bound of 0.9\n"},
		{"nginx", rounds(40, 40, 40, 40, 40), 0.40, "\n"},
	} {
		var out bytes.Buffer
		got := bench{out: &out}.report(32, tt.beside, tt.site, even)
		if got != tt.median || !strings.HasSuffix(out.String(), "1000.0 to 1000.0"+tt.note) {
			t.Errorf("%s beside %v: median %v, want %v, and the line %q", tt.beside, tt.site, got, tt.median, out.String())
		}
	}
}

// A server takes part only if it answers as the program does; and one that stops
// answering ends the benchmark instead of counting.
func TestServersTakePartAsTheyAnswer(t *testing.T) {
	body := "page"
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		_, _ = io.WriteString(w, body)
	}))
	defer h.Close()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	s := newServer("bare", strings.TrimPrefix(h.URL, "http://"), &exec.Cmd{Process: self})
	raw, err := s.settle(t.Context())
	if err != nil || s.body != len(body) || s.size != len(raw) {
		t.Fatalf("settle: %v, %d bytes of %d", err, s.body, s.size)
	}
	if err := s.sameAs(t.Context(), raw); err != nil {
		t.Error(err)
	}
	l, err := dial(t.Context(), s, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if r, err := l.run(t.Context(), time.Millisecond); err != nil || r.answers < 3 {
		t.Errorf("a turn: %d answers, %v", r.answers, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := l.run(ended, time.Hour); err == nil {
		t.Error("a turn went on after it was told to stop")
	}
	body = "more"
	if err := s.sameAs(t.Context(), raw); err == nil {
		t.Error("another answer passed for the same")
	}
	h.CloseClientConnections()
	if _, err := l.run(t.Context(), time.Millisecond); err == nil {
		t.Error("a turn without answers counts")
	}
}
