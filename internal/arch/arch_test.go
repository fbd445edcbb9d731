package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/steadier/steadier/"

// floors is where each package stands; a package below another's folder stands with it.
var floors = map[string]int{
	"cmd/steadier": 4,
	"internal/web": 3, "internal/admin": 3,
	"internal/store": 2, "templates": 2, "internal/respond": 2,
	"internal/library": 1, "internal/slots": 1, "internal/consult": 1,
	"internal/newsletter": 1, "internal/assess": 1, "internal/outbox": 1, "internal/editor": 1,
	"internal/fault": 0, "internal/mail": 0, "internal/ical": 0,
	"internal/cite": 0, "internal/seal": 0, "internal/markdown": 0,
}

// embedded are folders of files with no code to speak of: any floor above 1 may use them.
var embedded = []string{"content", "static", "migrations"}

// sideways are the imports between packages of one floor that are meant.
var sideways = map[string][]string{
	"internal/consult":    {"internal/slots", "internal/outbox"},
	"internal/newsletter": {"internal/outbox"},
	"internal/editor":     {"internal/library"},
	"internal/markdown":   {"internal/cite"},
}

// everywhere may be used by any package: the names of failures know nothing at all.
const everywhere = "internal/fault"

// homes are the packages that may import a library, by the longest prefix that fits.
var homes = map[string][]string{
	"github.com/go-chi/chi":           {"internal/web", "internal/admin", "cmd/steadier"},
	"github.com/go-chi/httprate":      {"internal/web", "internal/admin", "cmd/steadier"},
	"github.com/yuin/goldmark":        {"internal/markdown"},
	"github.com/goccy/go-yaml":        {"internal/library", "internal/slots", "internal/cite"},
	"github.com/wneessen/go-mail":     {"internal/mail"},
	"github.com/emersion/go-smtp":     {"internal/mail"},
	"github.com/emersion/go-sasl":     {"internal/mail"},
	"github.com/emersion/go-msgauth":  {"internal/mail"},
	"golang.org/x/net/idna":           {"internal/mail"},
	"golang.org/x/net/html":           {"internal/markdown"},
	"golang.org/x/net/netutil":        {"cmd/steadier"},
	"golang.org/x/term":               {"cmd/steadier"},
	"golang.org/x/text":               {"internal/consult", "internal/library", "internal/markdown", "internal/admin"},
	"github.com/alexedwards/argon2id": {"internal/admin"},
	"github.com/go-webauthn/webauthn": {"internal/admin"},
	"github.com/andybalholm/brotli":   {"internal/respond"},
	"github.com/fsnotify/fsnotify":    {"internal/library"},
	"github.com/nyaruka/phonenumbers": {"internal/consult"},
	"github.com/mattn/go-sqlite3":     {"internal/store"},
	"database/sql":                    {"internal/store"},
	"github.com/pressly/goose":        {"internal/store"},
	"github.com/a-h/templ":            {"templates", "internal/respond", "internal/web", "internal/admin"},
	"github.com/arran4/golang-ical":   {"internal/ical"},
	"crypto/aes":                      {"internal/seal"},
	"filippo.io/age":                  {"internal/seal"},
	"crypto/hkdf":                     {"internal/seal"},
	"net/http":                        {"internal/web", "internal/admin", "internal/respond", "cmd/steadier"},
}

func TestImportsPointDownAndLibrariesStayAtHome(t *testing.T) {
	for file, imports := range sources(t) {
		from := place(path.Dir(file))
		if _, known := floors[from]; !known && !isEmbedded(from) && from != "internal/arch" {
			t.Errorf("%s: package %s has no floor: give it one in internal/arch", file, from)
			continue
		}
		for _, imp := range imports {
			if to, ours := strings.CutPrefix(imp, module); ours {
				checkOurs(t, file, from, place(to))
			} else {
				checkLibrary(t, file, from, imp)
			}
		}
	}
}

func checkOurs(t *testing.T, file, from, to string) {
	t.Helper()
	switch {
	case to == from || to == everywhere || slices.Contains(sideways[from], to):
	case isEmbedded(to):
		if floors[from] < 2 {
			t.Errorf("%s: %s takes files from %s: let it take an fs.FS", file, from, to)
		}
	case isEmbedded(from):
		t.Errorf("%s: %s only embeds files, yet it imports %s", file, from, to)
	case floors[to] >= floors[from]:
		t.Errorf("%s: %s (floor %d) imports %s (floor %d): imports point down", file, from, floors[from], to, floors[to])
	}
}

func checkLibrary(t *testing.T, file, from, imp string) {
	t.Helper()
	home := ""
	for prefix := range homes {
		if (imp == prefix || strings.HasPrefix(imp, prefix+"/")) && len(prefix) > len(home) {
			home = prefix
		}
	}
	switch {
	case home != "" && !slices.Contains(homes[home], from):
		t.Errorf("%s: %s lives in %s, not in %s", file, imp, strings.Join(homes[home], " and "), from)
	case home == "" && strings.Contains(strings.Split(imp, "/")[0], "."):
		t.Errorf("%s: library %s has no home: give it one in internal/arch, and an ADR", file, imp)
	}
}

// place is the package of the picture to which a folder belongs.
func place(dir string) string {
	best := dir
	for known := range floors {
		if strings.HasPrefix(dir, known+"/") {
			best = known
		}
	}
	return best
}

func isEmbedded(pkg string) bool { return slices.Contains(embedded, pkg) }

// tools are programs of their own beside the site's: they stand on no floor, and the
// site cannot import them.
const tools = "internal/tools"

// sources returns the imports of every file that goes into the program.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && file != "." || d.Name() == "node_modules" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() && file == tools {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || isTestHelper(file) {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", file), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			found[file] = append(found[file], imp)
		}
		return nil
	})
	if err != nil || len(found) < 10 {
		t.Fatalf("read sources: %v, found %d files", err, len(found))
	}
	return found
}

// isTestHelper reports packages that only tests import: storetest, mailtest.
func isTestHelper(file string) bool {
	return strings.HasSuffix(path.Base(path.Dir(file)), "test")
}

// testing, net/http/httptest and the like must not get into the program.
func TestNothingOfTestingIsShipped(t *testing.T) {
	for file, imports := range sources(t) {
		for _, imp := range imports {
			if imp == "testing" || strings.HasSuffix(imp, "test") && strings.HasPrefix(imp, module) || imp == "net/http/httptest" {
				t.Errorf("%s imports %s", file, imp)
			}
		}
	}
}
