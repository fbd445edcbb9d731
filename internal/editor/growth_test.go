package editor

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shapes are texts that give the rules much to do.
var shapes = map[string]string{
	"plain words":            "The evening was long and nothing came of it. ",
	"one sentence":           "the evening was long and ",
	"loaded words":           "It is toxic. ",
	"half a phrase":          "you no you no ",
	"numbers":                "10 20 thirty ",
	"claims":                 "In 75 women it fell. ",
	"claims with citations":  "In 75 women it fell [@dutton1993]. ",
	"marks of quotes":        "“ ‘ \" a’ ",
	"links":                  "[here](/about). ",
	"links to other sites":   "[here](https://a.example/), ",
	"pronouns":               "she ",
	"paragraphs of one word": "A.\n\n",
	"items":                  "- Toxic research [here](/about).\n",
	"words never met":        "",
}

// text is a shape, repeated to some size in bytes, in lines; in one paragraph if it holds
// no marks, of which a paragraph may have a few only.
func text(shape string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		if shape == "" {
			fmt.Fprintf(&b, "w%s ", strings.Repeat("o", i%50))
		}
		b.WriteString(shape)
		if i%20 == 19 {
			b.WriteString("\n")
		}
		if i%200 == 199 && strings.Contains(shape, "[") {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// REL-R9: twice as long a text takes at most a little more than twice the work, and so do
// twice as many articles. Work is counted in statements: the counters of `go build -cover`
// measure the same on every machine, however busy it is.
func TestGrowth(t *testing.T) {
	root := t.TempDir()
	program := filepath.Join(root, "counted")
	run(t, nil, "go", "build", "-o", program, "-cover", "-covermode=atomic", "-coverpkg=.,./testdata/counted", "./testdata/counted")
	const size = 24 << 10
	for name, shape := range shapes {
		one := counted(t, program, []string{text(shape, size)})
		two := counted(t, program, []string{text(shape, 2*size)})
		t.Logf("%s: %d statements, then %d", name, one, two)
		if one == 0 || two > 5*one/2 {
			t.Errorf("REL-R9 %s: %d statements for %d bytes, %d for twice as many", name, one, size, two)
		}
	}
	article := text(shapes["claims with citations"], 8<<10)
	few, many := make([]string, 20), make([]string, 40)
	for i := range many {
		many[i], few[i%20] = article, article
	}
	if one, two := counted(t, program, few), counted(t, program, many); two > 9*one/4 {
		t.Errorf("REL-R9 articles: %d statements for 20, %d for 40", one, two)
	}
}

// counted counts the statements that articles of the given texts take.
func counted(t *testing.T, program string, texts []string) (sum int) {
	t.Helper()
	dir, counters := t.TempDir(), t.TempDir()
	write(t, dir, "site.yaml", site)
	write(t, dir, "references.yaml", works)
	write(t, dir, "style.yaml", manners)
	write(t, dir, "pages/about.md", "---\ntitle: About\ndescription: Us.\n---\nWe are.\n")
	for i, text := range texts {
		write(t, dir, fmt.Sprintf("articles/a-%d.md", i), head+"---\n"+text+"\n")
	}
	run(t, []string{"GOCOVERDIR=" + counters}, program, dir)
	profile := filepath.Join(counters, "profile")
	run(t, nil, "go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile)
	data, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var place string // file:from,to
		var n, times int
		if _, err := fmt.Sscan(line, &place, &n, &times); err == nil {
			sum += n * times
		}
	}
	return sum
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Env = append(os.Environ(), env...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}
