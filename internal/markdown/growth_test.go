package markdown

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What a text costs is counted in statements of the parser and of this package that were
// carried out: the counters of `go build -cover` measure the same on every machine,
// however busy it is.

// hostile are shapes of the kind that made goldmark or its like slow (reliability.md,
// 3.6).
var hostile = []string{
	"|a", "|-", "# a {a={", "- ", "* ", "- - x\n", "> ", ">", "[](", "**_* ", "a <!--a\n", "`a``b```", "![[", "[^1] ",
	"[@dutton1993; @", "a\n: b\n", "&amp;&", "<b", "[a]: /b\n", "[a][b]", "> [!NOTE]\n", "\\*", "a*b_c", "<a@b.c>",
	"1. a\n   - b\n", "## a {#b}\n", "-\n", "==\n", "a  \n", "[^a]: b\n",
}

// forms are what a shape is made into, each of about n bytes. Those of tables and
// depth take every so many shapes only: each text costs the test a program to start.
var forms = []struct {
	name  string
	every int
	text  func(shape string, n int) string
}{
	{"as it is", 1, func(shape string, n int) string {
		return strings.Repeat(shape, n/len(shape)) + "x\n"
	}},
	{"in lines within the bounds", 1, func(shape string, n int) string {
		line := strings.Repeat(shape, min(maxLine/2/len(shape), 500)) + "\n\n"
		return strings.Repeat(line, n/len(line)+1)
	}},
	{"in tables within the bounds", 3, func(shape string, n int) string {
		part := table(maxColumns) + strings.Repeat(strings.TrimSuffix(shape, "\n")+"|\n", maxCells/maxColumns-2) + "\n"
		return strings.Repeat(part, n/len(part)+1)
	}},
	{"as deep as it may be", 3, func(shape string, n int) string {
		part := strings.Repeat("> ", maxNesting) + strings.TrimSuffix(shape, "\n") + "\n\n"
		return strings.Repeat(part, n/len(part)+1)
	}},
	{"under many columns", 10, func(shape string, n int) string {
		return table(n/8) + strings.Repeat(shape+"|\n", n/2/(len(shape)+2))
	}},
}

func table(columns int) string {
	return strings.Repeat("|a", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n"
}

// cost is what one text took.
type cost struct{ in, page, faults, statements int }

// REL-R9: twice as much of a hostile text takes at most three times the work, and its
// page is at most 64 times as large; or it is refused, for no more than one look at it.
func TestGrowth(t *testing.T) {
	root := t.TempDir()
	var names, dirs []string
	for _, form := range forms {
		for i := 0; i < len(hostile); i += form.every {
			for _, n := range []int{16 << 10, 32 << 10} {
				dir := filepath.Join(root, strconv.Itoa(len(dirs)))
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "in"), []byte(form.text(hostile[i], n)), 0o600); err != nil {
					t.Fatal(err)
				}
				dirs = append(dirs, dir)
			}
			names = append(names, fmt.Sprintf("REL-R9 %q, %s", hostile[i], form.name))
		}
	}
	costs := counted(t, root, dirs)
	for i, name := range names {
		one, two := costs[2*i], costs[2*i+1]
		t.Logf("%s: %+v, then %+v", name, one, two)
		if one.statements == 0 || two.statements > 3*one.statements {
			t.Errorf("%s: %d statements for %d bytes, %d for %d", name, one.statements, one.in, two.statements, two.in)
		}
		if two.page > 64*two.in {
			t.Errorf("%s: %d bytes become %d", name, two.in, two.page)
		}
	}
}

// counted reads the texts in dirs and gives what each took.
func counted(t *testing.T, root string, dirs []string) []cost {
	t.Helper()
	program := filepath.Join(root, "counted")
	run(t, "go", "build", "-o", program, "-cover", "-covermode=atomic",
		"-coverpkg=.,../cite/...,./testdata/counted,github.com/yuin/goldmark/...", "./testdata/counted")
	reader := strings.TrimSpace(run(t, "go", "tool", "-n", "covdata")) // going through go each time takes longer than all else
	costs := make([]cost, len(dirs))
	lines := strings.Split(run(t, program, dirs...), "\n")
	for i, dir := range dirs {
		c := &costs[i]
		if _, err := fmt.Sscan(lines[i], &c.in, &c.page, &c.faults); err != nil {
			t.Fatalf("%q: %v", lines[i], err)
		}
		c.statements = statements(t, reader, dir)
	}
	return costs
}

// statements sums the counters in a folder.
func statements(t *testing.T, reader, dir string) (sum int) {
	t.Helper()
	text := filepath.Join(dir, "text")
	run(t, reader, "textfmt", "-i="+dir, "-o="+text)
	for line := range strings.Lines(read(t, text)) {
		var place string // file:from,to
		var n, times int
		if _, err := fmt.Sscan(line, &place, &n, &times); err == nil {
			sum += n * times
		}
	}
	return sum
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	var faults strings.Builder
	command.Stderr = &faults
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, &faults)
	}
	return string(out)
}
