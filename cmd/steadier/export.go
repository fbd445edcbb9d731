package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/steadier/steadier/internal/store"
)

const exportHelp = `usage: steadier export DIR

Writes the reading part of the site as plain files, for any server of files or CDN:
pages, assets, feed and sitemap, each with its compressed forms beside it, and the
headers to send in DIR/_headers. The page /x is the file x.html. Pages with forms stay
where STEADIER_BASE_URL says; the links lead there. It can be run again into the same
folder, and is done when _headers is there.
`

// headersName is written last: with it, an export is whole.
const headersName = "_headers"

// export writes the reading part of the site as files.
func export(ctx context.Context, env Env, args []string) int {
	dir, code := oneFile(env, "export", exportHelp, args)
	if dir == "" {
		return code
	}
	if env.Getenv("STEADIER_BASE_URL") == "" {
		env.errorf("export: STEADIER_BASE_URL is not set: want the public origin, such as https://example.org, where the pages with forms are")
		return exitFault
	}
	a, err := openApp(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	n, err := a.export(ctx, dir)
	if err != nil {
		env.errorf("export: %v", err)
		return exitFault
	}
	fmt.Fprintf(env.Stdout, "%s holds %d files.\n", dir, n)
	return exitOK
}

func (a *app) export(ctx context.Context, dir string) (n int, err error) {
	if err := mayExport(dir); err != nil {
		return 0, err
	}
	a.log = slog.New(slog.DiscardHandler) // nobody asked for these pages
	site, err := a.site()
	if err != nil {
		return 0, err
	}
	if err := os.Remove(filepath.Join(dir, headersName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	err = site.Export(ctx, func(name string, body []byte) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		n++
		a.env.count(n, "files")
		err := store.WriteWhole(path, func(w io.Writer) error { _, err := w.Write(body); return err })
		return errors.Join(err, os.Chmod(path, 0o644))
	})
	a.env.countDone()
	return n, err
}

// mayExport refuses a folder with something else in it.
func mayExport(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range []string{headersName, "index.html"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil // an earlier export, whole or interrupted
		}
	}
	return fmt.Errorf("%s holds other files: name an empty folder", dir)
}

// count shows on a terminal how far something is.
func (e Env) count(n int, what string) {
	if isTerminal(e.Stderr) {
		fmt.Fprintf(e.Stderr, "\r%d %s ", n, what)
	}
}

func (e Env) countDone() {
	if isTerminal(e.Stderr) {
		fmt.Fprintln(e.Stderr)
	}
}
