package library

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The bounds of reliability.md, 3.6: each is told with its file and line, before
// anything is parsed.
func TestBoundsOfFiles(t *testing.T) {
	wide := func(columns int) string {
		return strings.Repeat("|a", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n"
	}
	body := func(text string) map[string]string { return map[string]string{"articles/a.md": article("", text)} }
	checkFaults(t, []faulty{
		{"REL-R9 a file just over 256 KB", body(strings.Repeat("Words.\n", 256<<10/7)), []string{
			"articles/a.md:1: error: the file has 257 KB, at most 256; part it into two",
		}},
		{"REL-R9 a file that is not read at all", map[string]string{"references.yaml": strings.Repeat("# x\n", 1<<18) + "#", "articles/a.md": article("", strings.Repeat("Words.\n", 1<<18))}, []string{
			"articles/a.md:1: error: the file can't be read: it has 1793 KB, at most 1024; part it",
			"references.yaml:1: error: the file can't be read: it has 1025 KB, at most 1024; part it",
		}},
		{"REL-R9 a long line", body("Words.\n" + strings.Repeat("a ", 1001) + "\n"), []string{
			"articles/a.md:10: error: the line has 2,002 characters, at most 2,000; break it",
		}},
		{"REL-R9 a wide table", body(wide(13)), []string{
			"articles/a.md:10: error: the table has 13 columns, at most 12",
		}},
		{"REL-R9 a long table", body(wide(12) + strings.Repeat("|a\n", 200)), []string{
			"articles/a.md:176: error: the table has more than 2,000 cells; part it into two",
		}},
		{"REL-R9 quotes in quotes", body(strings.Repeat("> ", 11) + "x\n"), []string{
			"articles/a.md:9: error: lists and quotes stand in one another 11 deep, at most 10",
		}},
		{"REL-R9 attributes of a heading", body("## A {.big}\n"), []string{
			"articles/a.md:9: error: {.big} is not read after a heading; only an anchor of small letters, digits and hyphens is, as in {#a-name}",
		}},
	})
}

// A pipe in the folder never ends, and a device gives more than there is room for.
func TestOnlyPlainFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, folder(map[string]string{"figures/.keep": ""})); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "articles/pipe.md"), 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "figures/zero.svg")); err != nil {
		t.Fatal(err)
	}
	_, findings := Load(os.DirFS(dir), Options{Now: now})
	want := []string{
		"articles/pipe.md:1: error: the file can't be read: it is no plain file; put one in its place",
		"figures/zero.svg:1: error: the file can't be read: it is no plain file; put one in its place",
	}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Error(diff)
	}
}

// A defect that one file brings out is a finding of that file, and not the end of what
// is being served.
func TestADefectIsKeptToItsFile(t *testing.T) {
	l := &loader{}
	files := []file{{path: "articles/a.md", slug: "a"}, {path: "articles/b.md", slug: "b"}, {path: "articles/c.md", slug: "c"}}
	got := inParallel(l, files, func(f file) *string {
		if f.slug == "b" {
			panic("no such thing")
		}
		return &f.slug
	})
	if len(got) != 2 || *got[0] != "a" || *got[1] != "c" {
		t.Errorf("read %d of the files", len(got))
	}
	if got := lines(l.findings); len(got) != 1 || !strings.HasPrefix(got[0], "articles/b.md:1: error: this file can't be read because of a defect in the program (no such thing)") {
		t.Errorf("%q", got)
	}
}
