package web

import (
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Between net/http and the bytes of a page nothing is made for a request but the one
// wrapper around its answer, whatever stands in the chain. What a header costs, every
// handler pays.
func TestAPageFromTheShelfMakesNothingButItsWrapper(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	b.site.Log = slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelWarn}))
	b.site.shelf.Load().pages["/articles/first"].Brotli()
	r := httptest.NewRequest(http.MethodGet, "/articles/first", nil)
	r.Host = readingHost
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	serve := func(h http.Handler) (w plainWriter) {
		w.header = http.Header{}
		h.ServeHTTP(&w, r)
		return w
	}
	whole := serve(b.http)
	if whole.status != http.StatusOK || whole.header.Get("Content-Encoding") != "br" {
		t.Fatalf("the page is answered with %d and %v", whole.status, whole.header)
	}
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), whole.header)
		_, _ = w.Write(whole.body)
	})
	const runs = 200
	site := testing.AllocsPerRun(runs, func() { serve(b.http) })
	least := testing.AllocsPerRun(runs, func() { serve(bare) })
	if site > least+1 {
		t.Errorf("a page makes %v allocations, a bare handler %v", site, least)
	}
}

// plainWriter keeps what it is given, and makes nothing.
type plainWriter struct {
	header http.Header
	status int
	body   []byte
}

func (w *plainWriter) Header() http.Header    { return w.header }
func (w *plainWriter) WriteHeader(status int) { w.status = status }

func (w *plainWriter) Write(p []byte) (int, error) {
	w.body = p
	return len(p), nil
}
