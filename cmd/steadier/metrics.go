package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/web"
)

// startMetrics serves counts in the text format of Prometheus at /metrics of
// STEADIER_METRICS, if it is set, until the function that it returns is called.
func (a *app) startMetrics(site *web.Site) (stop func(), err error) {
	if a.metrics == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", a.metrics)
	if err != nil {
		return nil, fmt.Errorf("STEADIER_METRICS %s cannot be listened on: stop what uses it, or set another address: %w", a.metrics, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		text, err := a.metricsText(r.Context(), site)
		if err != nil {
			a.log.Error("metrics are not told", "err", err)
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write(text) // the client may have gone; there is nobody to tell
	})
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: quietLog(a.log),
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("metrics are not told", "err", err)
		}
	}()
	return func() { _ = server.Close() }, nil
}

func (a *app) metricsText(ctx context.Context, site *web.Site) ([]byte, error) {
	var b bytes.Buffer
	if err := site.WriteMetrics(&b); err != nil {
		return nil, err
	}
	mails, err := a.db.MailCounts(ctx)
	if err != nil {
		return nil, err
	}
	b.WriteString("# HELP steadier_mail Messages in the outbox by state.\n# TYPE steadier_mail gauge\n")
	for _, m := range mails {
		fmt.Fprintf(&b, "steadier_mail{state=%q} %d\n", m.State, m.N)
	}
	last, err := a.db.LastBackup(ctx)
	if err != nil {
		return nil, err
	}
	if !last.IsZero() {
		gauge(&b, "steadier_last_backup_seconds", "When a backup was made last, in seconds of Unix time.", last.Unix())
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	gauge(&b, "steadier_heap_bytes", "Memory in use on the heap.", memory.HeapAlloc)
	gauge(&b, "steadier_goroutines", "Goroutines.", runtime.NumGoroutine())
	fmt.Fprintf(&b, "# HELP steadier_build_info What is running.\n# TYPE steadier_build_info gauge\nsteadier_build_info{commit=%q,go=%q,sqlite=%q} 1\n",
		commit, runtime.Version(), store.SQLiteVersion())
	return b.Bytes(), nil
}

func gauge(b *bytes.Buffer, name, help string, value any) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n%s %d\n", name, help, name, name, value)
}
