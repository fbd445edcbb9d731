// Package watch tells when the files of a folder have changed.
//
// A folder is watched with the folders below it, those that come later included.
// Editors save in bursts: a file is written beside the old one, renamed over it, its
// mode is set. So a change is told once nothing more has happened for 100 ms, or 2 s
// after the first of a burst that does not end.
//
// Watches hold on to what a path led to when they were set. They are set anew after
// each burst, before it is told: a folder that was renamed over, or a link that leads
// elsewhere now, is followed, and what happens meanwhile is seen by the old or by the
// new ones. For the same reason the parent of the folder is watched too, for the
// folder's own name.
//
// Hidden files and folders (.git, .a.md.swp) and backups (a.md~) are left alone.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	quiet    = 100 * time.Millisecond // nothing more happened for so long
	patience = 2 * time.Second        // after the first change of a burst
	depth    = 8                      // folders in one another: a link may lead back to its own
)

// Folder calls changed after each burst of changes in dir, one call at a time, until
// ctx ends. The first call comes once the watches stand, whatever happened: what was
// read before may have changed since. The error is that the system refuses watches,
// and changed was then not called; later refusals go to failed, and leave the watches
// as they are.
func Folder(ctx context.Context, dir string, changed func(), failed func(error)) error {
	pokes := make(chan struct{}, 1)
	now, err := set(dir, pokes)
	if err != nil {
		return err
	}
	defer func() { now.Close() }()
	changed()
	settle(ctx, pokes, func() {
		next, err := set(dir, pokes)
		if err != nil {
			failed(err)
		} else {
			now.Close()
			now = next
		}
		changed()
	})
	return nil
}

// settle calls fn once it is quiet after pokes, until ctx ends.
func settle(ctx context.Context, pokes <-chan struct{}, fn func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-pokes:
		}
		if !wait(ctx, pokes) {
			return
		}
		fn()
	}
}

// wait returns once it is quiet, or false when ctx ends.
func wait(ctx context.Context, pokes <-chan struct{}) bool {
	enough := time.NewTimer(patience)
	defer enough.Stop()
	still := time.NewTimer(quiet)
	defer still.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-pokes:
			still.Reset(quiet)
		case <-still.C:
			return true
		case <-enough.C:
			return true
		}
	}
}

// set watches dir, what is below it, and its name in its parent. Whatever happens
// there pokes.
func set(dir string, pokes chan<- struct{}) (*fsnotify.Watcher, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	go listen(w, dir, pokes) // the watcher stands still while nobody does
	if err := addAll(w, dir); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func addAll(w *fsnotify.Watcher, dir string) error {
	if err := add(w, filepath.Dir(dir)); err != nil {
		return err
	}
	return addBelow(w, dir, depth)
}

// addBelow watches a folder, and then the folders that it holds: one that is made in
// between is seen by the first watch.
func addBelow(w *fsnotify.Watcher, dir string, deep int) error {
	if err := add(w, dir); err != nil || deep == 0 {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // it is gone, or whoever reads it will say why
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), ".") || !isFolder(at, e) {
			continue
		}
		if err := addBelow(w, at, deep-1); err != nil {
			return err
		}
	}
	return nil
}

// add watches one folder. One that is gone, or may not be read, is not watched: its
// parent tells when that changes.
func add(w *fsnotify.Watcher, dir string) error {
	err := w.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return fmt.Errorf("watch %s: %w", dir, err)
}

func isFolder(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// concerns reports whether what happened to the file at path has to do with dir, and
// is not an editor's own book-keeping. A name that begins with two dots is a link of
// Kubernetes, through which all others go.
func concerns(dir, path string) bool {
	if path == dir {
		return true
	}
	inside, below := strings.CutPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
	name := filepath.Base(inside)
	hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "..")
	return below && !hidden && !strings.HasSuffix(name, "~")
}

// listen pokes at what happens, until the watcher is closed.
func listen(w *fsnotify.Watcher, dir string, pokes chan<- struct{}) {
	for {
		select {
		case event, ok := <-w.Events:
			if !ok {
				return
			}
			if !concerns(dir, event.Name) {
				continue
			}
		case _, ok := <-w.Errors: // too much happened to be told
			if !ok {
				return
			}
		}
		select {
		case pokes <- struct{}{}:
		default: // one is waiting
		}
	}
}
