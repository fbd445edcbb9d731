// Package static holds what pages load: one stylesheet, one script, the icon, and the
// picture for previews; and what the owner's pages load besides.
//
// The stylesheet and the script are put together from small files in a fixed order,
// without their comments and their indentation, when the program starts. Each file is
// served at an address that holds a hash of its content, so that browsers may keep it
// for ever: /static/site.0123456789ab.css. An article loads three of them at most.
//
// The script begins with what leaves the site. Each part stands in a try block of its
// own, so that one that fails stops none of the others (rule E16).
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed css/*.css js/*.js img/icon.svg img/preview.png
var files embed.FS

// File is one asset as it is served.
type File struct {
	Name string // "site.css"
	URL  string // "/static/site.0123456789ab.css"
	Type string // for Content-Type
	Body []byte // not to be changed
}

// The parts, in the order in which they are put together. The layers of the
// stylesheet are named in the first; the script that leaves is the first.
var (
	styles  = []string{"tokens", "base", "sheet", "furniture", "text", "forms", "pages", "modes", "print"}
	scripts = []string{"exit", "places", "notes", "zone"}
)

var embedded = sync.OnceValue(func() []File {
	all, err := Assemble(files)
	if err != nil {
		panic(err) // the files are part of the program: its tests would have failed
	}
	return all
})

// Files returns all assets, by name.
func Files() []File { return embedded() }

// URL returns the address of an asset by its name, as in URL("site.css"). It panics
// for a name that is not there, which no page of ours asks for.
func URL(name string) string {
	for _, f := range embedded() {
		if f.Name == name {
			return f.URL
		}
	}
	panic("static: no asset named " + name)
}

// Assemble puts the assets together from a folder that is laid out as this one. The
// same files give the same assets, byte for byte. Errors: a file that is missing.
func Assemble(fsys fs.FS) ([]File, error) {
	css, err := join(fsys, "css/", styles, ".css", minifyCSS)
	if err != nil {
		return nil, err
	}
	js, err := join(fsys, "js/", scripts, ".js", func(s string) string {
		return "try{\n" + minifyJS(s) + "}catch(e){reportError(e)}\n"
	})
	if err != nil {
		return nil, err
	}
	adminCSS, err := join(fsys, "css/", []string{"admin"}, ".css", minifyCSS)
	if err != nil {
		return nil, err
	}
	passkey, err := join(fsys, "js/", []string{"passkey"}, ".js", minifyJS) // for the owner's way in alone
	if err != nil {
		return nil, err
	}
	icon, err := fs.ReadFile(fsys, "img/icon.svg")
	if err != nil {
		return nil, fmt.Errorf("read icon: %w", err)
	}
	preview, err := fs.ReadFile(fsys, "img/preview.png")
	if err != nil {
		return nil, fmt.Errorf("read preview: %w", err)
	}
	return []File{
		asset("icon.svg", "image/svg+xml", icon),
		asset("passkey.js", "text/javascript; charset=utf-8", []byte(passkey)),
		asset("preview.png", "image/png", preview),
		asset("admin.css", "text/css; charset=utf-8", []byte(adminCSS)),
		asset("site.css", "text/css; charset=utf-8", []byte(css)),
		asset("site.js", "text/javascript; charset=utf-8", []byte(js)),
	}, nil
}

func join(fsys fs.FS, dir string, names []string, ext string, minify func(string) string) (string, error) {
	var all strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(fsys, dir+name+ext)
		if err != nil {
			return "", fmt.Errorf("assemble %s: %w", ext, err)
		}
		all.WriteString(minify(string(text)))
	}
	return all.String(), nil
}

func asset(name, kind string, body []byte) File {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	return File{
		Name: name,
		URL:  "/static/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext,
		Type: kind,
		Body: body,
	}
}
