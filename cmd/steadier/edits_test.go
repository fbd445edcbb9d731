package main

import (
	"flag"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/web"
)

var (
	edits    = flag.Int("edits", 200, "random edits of the content folder")
	editSeed = flag.Uint64("edit-seed", 0, "seed of the random edits; 0: another each time")
)

// Whatever an edit does to the folder, what is served is the last content without a
// fault, whole, and no page fails. `go test ./cmd/steadier -run RandomEdits -edits 10000`
// is the long form.
func TestRandomEdits(t *testing.T) {
	t.Run("REL-R20", func(t *testing.T) {
		seed := *editSeed
		if seed == 0 {
			seed = rand.Uint64()
		}
		t.Logf("-edit-seed %d", seed)
		e := newAuthor(t, rand.New(rand.NewPCG(seed, 0)))
		good := 0
		for i := range *edits {
			what := e.edit()
			before := e.app.library()
			e.app.reload(e.site)
			_, _, found := loadContent(os.DirFS(e.path("content")), library.Options{Now: time.Now()})
			if fresh := e.app.library() != before; fresh != (found.Errors() == 0) {
				t.Fatalf("edit %d (%s): served anew: %v, though the findings are\n%v", i, what, fresh, found)
			} else if fresh {
				good++
			}
			e.read(what)
		}
		if good == 0 || good == *edits {
			t.Errorf("%d of %d edits were good: the test shows nothing", good, *edits)
		}
	})
}

// author spoils and mends the files of a site.
type author struct {
	*desk
	rand *rand.Rand
	app  *app
	site *web.Site
	http http.Handler
	kept map[string]string
}

func newAuthor(t *testing.T, r *rand.Rand) *author {
	t.Helper()
	d := newDesk(t)
	d.env["STEADIER_BASE_URL"], d.env["STEADIER_MAIL_FROM"] = "http://127.0.0.1:8080", "post@site.example"
	site, _ := os.ReadFile(d.path("content/site.yaml"))
	e := &author{desk: d, rand: r, kept: map[string]string{
		"site.yaml":           string(site),
		"availability.yaml":   hours("15m"),
		"articles/a.md":       text("The first. [On](/articles/b)"),
		"articles/b.md":       text("> [!TIP]\n> ## Try\n> 1. One\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
		"pages/about.md":      "---\ntitle: About\ndescription: D.\n---\n\nWho.\n",
		"newsletter/first.md": "---\nsubject: S\ndiscreet_subject: Post\npreheader: P\ndate: 2026-12-01\n---\n\nWords.\n",
		"glossary.yaml":       "terms:\n- id: bond\n  term: bond\n  definition: What holds.\n",
	}}
	for name, file := range e.kept {
		e.write("content/"+name, file)
	}
	var err error
	var log lockedBuffer
	if e.app, err = openApp(t.Context(), Env{Stderr: &log, Getenv: d.getenv, Now: time.Now}); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	t.Cleanup(e.app.close)
	if e.site, err = e.app.site(); err != nil {
		t.Fatal(err)
	}
	e.http = e.site.Handler()
	return e
}

// edit does one thing to one file, and says what.
func (e *author) edit() string {
	names := slices.Sorted(maps.Keys(e.kept))
	name := names[e.rand.IntN(len(names))]
	at, file := e.path("content/"+name), e.kept[name]
	cut := e.rand.IntN(len(file))
	switch kind := e.rand.IntN(8); kind {
	case 0:
		_ = os.Remove(at) // it may be gone already
		return "remove " + name
	case 1:
		e.write("content/"+name, file[:cut])
		return "half of " + name
	case 2:
		e.write("content/"+name, file[:cut]+string(rune(e.rand.IntN(0x100)))+file[cut:])
		return "a character in " + name
	case 3:
		e.write("content/"+name, file+strings.Repeat("word ", 1<<20/5))
		return "a line of a megabyte in " + name
	case 4:
		lines := strings.SplitAfter(file, "\n")
		i := e.rand.IntN(len(lines))
		e.write("content/"+name, strings.Join(slices.Delete(lines, i, i+1), ""))
		return "a line less in " + name
	default: // mend them all
		for name, file := range e.kept {
			e.write("content/"+name, file)
		}
		e.write("content/articles/a.md", text("Edited "+strconv.Itoa(e.rand.Int())+"."))
		return "mend"
	}
}

// read looks at every page.
func (e *author) read(after string) {
	for _, path := range []string{"/", "/articles", "/articles/a", "/articles/b", "/about", "/glossary", "/consult", "/newsletter", "/feed.xml", "/none"} {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080"+path, nil)
		w := httptest.NewRecorder()
		e.http.ServeHTTP(w, r)
		if w.Code != http.StatusOK && w.Code != http.StatusNotFound {
			e.t.Fatalf("%s after %s: %d", path, after, w.Code)
		}
	}
}
