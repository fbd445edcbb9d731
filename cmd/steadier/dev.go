package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/steadier/steadier/content"
	"github.com/steadier/steadier/internal/library"
)

// openForDev is openApp for who writes.
func openForDev(ctx context.Context, env Env) (*app, error) {
	return openWith(ctx, env, (*app).readForDev)
}

// readForDev is readContent for who writes. Drafts are read too. With faults at the
// start, when there is no good version yet, the copy inside the program stands in until
// they are put right.
func (a *app) readForDev() error {
	if host, _, _ := net.SplitHostPort(a.addr); !isLoopback(host) || a.base != nil && !isLoopback(a.base.Hostname()) {
		return errors.New("-dev shows drafts to whoever can reach the site: leave it out, or set STEADIER_ADDR and STEADIER_BASE_URL to loopback addresses")
	}
	a.dev, a.reloader = true, a.base
	a.folder = a.contentDir()
	next, found, err := a.load()
	if err != nil {
		return err
	}
	if a.faults = errorLines(found); len(a.faults) > 0 {
		a.log.Warn("the content has faults: the copy inside the program stands in", "errors", len(a.faults), "first", a.faults[0])
		lib, hours, found := loadContent(content.FS, library.Options{Now: a.env.Now()})
		if found.Errors() > 0 {
			return errors.New("the content inside the program has faults: build it again")
		}
		next = &words{lib, hours}
	}
	a.good.Store(next)
	return a.checkSender(next.lib)
}

// reloadBrowser has the browser load its page again: it tells the proxy of
// `templ generate -watch`, which stands at the base URL. Where there is no proxy,
// nothing happens.
func (a *app) reloadBrowser(ctx context.Context) {
	if a.reloader == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.reloader.JoinPath("_templ/reload/events").String(), nil)
	if err != nil {
		return
	}
	if res, err := http.DefaultClient.Do(r); err == nil {
		_ = res.Body.Close()
	}
}
