package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/steadier/steadier/content"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/library/watch"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/internal/web"
)

// served is the content that is served now, and where it comes from.
type served struct {
	folder string // decided at the start; "": the copy inside the program
	good   atomic.Pointer[words]

	reading sync.Mutex
	faults  []string // those of the last reading, a line each

	dev      bool     // drafts are read too, and faults shown on the pages
	reloader *url.URL // the proxy that reloads the browser; nil: none
}

// words is a content folder, read in one go.
type words struct {
	lib   *library.Library
	hours slots.Availability
}

// library is the content that is served now.
func (s *served) library() *library.Library { return s.good.Load().lib }

// openHours are the weekly hours that hold now.
func (s *served) openHours() slots.Availability { return s.good.Load().hours }

// readContent reads the content folder, or the copy inside the program. Faults are
// all printed; the error counts them.
func (a *app) readContent() error {
	a.folder = a.contentDir()
	next, found, err := a.load()
	if err != nil {
		return err
	}
	faults := errorLines(found)
	if len(faults) == 0 {
		a.good.Store(next)
		return a.checkSender(next.lib)
	}
	for _, line := range faults {
		fmt.Fprintln(a.env.Stderr, line)
	}
	return fmt.Errorf("the content has %d to put right: see the lines above, or run steadier check", len(faults))
}

// errorLines are the findings that are errors, a line each.
func errorLines(found fault.Findings) (lines []string) {
	for _, f := range found {
		if f.Severity == fault.SeverityError {
			lines = append(lines, f.String())
		}
	}
	return lines
}

// readContentIfGood does the same, and goes on without what cannot be used.
func (a *app) readContentIfGood() error {
	a.folder = a.contentDir()
	next, found, err := a.load()
	if err != nil {
		a.env.errorf("warning: %v", err)
		next = &words{hours: slots.Closed()}
	}
	if n := found.Errors(); n > 0 {
		a.env.errorf("warning: the content has %s, and is not used: run steadier check", count(n, "fault"))
	}
	if next.lib == nil {
		next.lib = &library.Library{}
	}
	if next.hours.Zone == nil {
		next.hours = slots.Closed()
	}
	a.good.Store(next)
	return nil
}

// load reads the content. The paths of findings begin with the folder.
func (a *app) load() (*words, fault.Findings, error) {
	dir, fsys, err := contentFS(a.folder)
	if err != nil {
		return nil, nil, err
	}
	lib, hours, found := loadContent(fsys, library.Options{Now: a.env.Now(), Drafts: a.dev})
	for i := range found {
		found[i].Path = under(dir, found[i].Path)
	}
	return &words{lib, hours}, found, nil
}

// contentFS opens a content folder, or the copy inside the program for "". The first
// value is what paths in messages begin with.
func contentFS(dir string) (string, fs.FS, error) {
	if dir == "" {
		return "content", content.FS, nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, fmt.Errorf("there is no content folder %s: set STEADIER_CONTENT to one, or leave it unset to use the copy inside the program", dir)
	case err != nil:
		return "", nil, fmt.Errorf("the content folder %s cannot be read: let this account read it: %w", dir, err)
	case !info.IsDir():
		return "", nil, fmt.Errorf("the content folder %s is a file: set STEADIER_CONTENT to the folder around it", dir)
	}
	return dir, os.DirFS(dir), nil
}

// checkSender sees to it that mail has somebody to come from.
func (a *app) checkSender(lib *library.Library) error {
	if a.smtp == "" || a.mailOff() || a.mailFrom != "" || lib.Site.Sender.Address != "" { // "": nothing leaves this machine
		return nil
	}
	return errors.New("mail has no sender: set sender.address in content/site.yaml, or STEADIER_MAIL_FROM")
}

// followContent serves what is saved in the content folder, until ctx ends.
func (a *app) followContent(ctx context.Context, site *web.Site) {
	if a.folder == "" {
		return
	}
	refused := func(err error) {
		a.log.Warn("saved files are served after a restart only: the content folder can't be watched", "err", err)
	}
	changed := func() {
		a.reload(site)
		a.reloadBrowser(ctx)
	}
	if err := watch.Folder(ctx, a.folder, changed, refused); err != nil {
		refused(err)
	}
}

// reload reads the content again and serves it. With a fault in it, what was good
// before stays up, and one line in the log says why; the same faults are told once.
func (a *app) reload(site *web.Site) {
	a.reading.Lock()
	defer a.reading.Unlock()
	before := a.faults
	a.faults = a.serveAnew(site)
	site.ShowFaults(a.faults)
	switch {
	case slices.Equal(before, a.faults):
	case len(a.faults) == 0:
		a.log.Info("the content is in order again and served")
	default:
		a.log.Warn("the content has faults: what was served before stays", "errors", len(a.faults), "first", a.faults[0])
	}
}

// serveAnew reads the content and puts it up, or gives its faults.
func (a *app) serveAnew(site *web.Site) (faults []string) {
	defer func() {
		if p := recover(); p != nil { // a defect of ours; readers keep what they have
			a.log.Error("the content can't be read", "panic", p, "stack", string(debug.Stack()))
			faults = []string{fmt.Sprint(p)}
		}
	}()
	next, found, err := a.load()
	if err != nil {
		return []string{err.Error()}
	}
	if lines := errorLines(found); len(lines) > 0 {
		return lines
	}
	if err := a.checkSender(next.lib); err != nil {
		return []string{err.Error()}
	}
	before := a.good.Swap(next) // the pages are rendered with the new hours
	if err := site.Refresh(next.lib); err != nil {
		a.good.Store(before)
		return []string{err.Error()}
	}
	if !reflect.DeepEqual(before.hours, next.hours) {
		a.log.Info("the weekly hours have changed")
	}
	return nil
}
