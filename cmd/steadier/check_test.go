package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/library"
)

// runCheck runs check in an empty folder of its own, with the given files in it.
func runCheck(t *testing.T, files map[string]string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	env := Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" },
		Now: func() time.Time { return time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC) },
	}
	status = check(t.Context(), env, args)
	return status, out.String(), errs.String()
}

const (
	rightSite = "name: Steadier\nexit: https://www.wikipedia.org/\n"
	oldLine   = "countries:\n- iso: GB\n  name: UK\n  services:\n  - name: The Line\n    kind: crisis\n    phone: '1'\n    checked-on: '2026-06-04'\n"
	oldCheck  = "helplines.yaml:8: warning: The Line (UK) was last checked 181 days ago, on 2026-06-04; confirm it on the service's own page and set checked-on\n"
)

func TestCheck(t *testing.T) {
	right := map[string]string{"content/site.yaml": rightSite}
	wrong := map[string]string{"my pages/site.yaml": "name: A\n", "my pages/availability.yaml": "zone: Europe/Nowhere\nlength: 15m\nstep: 30m\n", "my pages/pages/a.md": "x"}
	warned := map[string]string{"content/site.yaml": rightSite, "content/helplines.yaml": oldLine}
	tests := []struct {
		name   string
		files  map[string]string
		args   []string
		status int
		stdout string // what it begins with
		stderr string // what it holds
	}{
		{"nothing is wrong", right, nil, 0, "", "content: 0 errors, 0 warnings"},
		{"a folder by name, with faults", wrong, []string{"-content", "./my pages"}, 1, "./my pages/availability.yaml:1: error: ", "errors"},
		{"a folder with a slash at its end", wrong, []string{"-content", "my pages/"}, 1, "my pages/availability.yaml:1: error: ", "errors"},
		{"a warning is no error", warned, []string{"-now", "2026-12-02"}, 0, "content/" + oldCheck, "0 errors, 1 warning"},
		{"strict: it is", warned, []string{"-strict", "-now", "2026-12-02"}, 1, "content/" + oldCheck, "0 errors, 1 warning"},
		{"strict, the day before", warned, []string{"-strict", "-now", "2026-12-01"}, 0, "", "0 errors, 0 warnings"},
		{"help", nil, []string{"-h"}, 0, "usage: steadier check", ""},
		{"no such folder", nil, []string{"-content", "nowhere"}, 1, "", "there is no content folder nowhere: name one with -content"},
		{"a day that is none", right, []string{"-now", "2026-02-30"}, 2, "", "want a day of the calendar"},
		{"an unknown flag", right, []string{"-quiet"}, 2, "", "-quiet"},
		{"an argument too many", right, []string{"content"}, 2, "", "name the folder with -content"},
		{"an empty folder name", right, []string{"-content", ""}, 2, "", "-content is empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := runCheck(t, tt.files, tt.args...)
			if status != tt.status || !strings.HasPrefix(stdout, tt.stdout) || (tt.stdout == "") != (stdout == "") || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("status %d, want %d\nstdout:\n%s\nstderr:\n%s", status, tt.status, stdout, stderr)
			}
			if tt.status == 2 && strings.Count(stderr, "\n") != 1 {
				t.Errorf("wrong usage is told in %q, want one line", stderr)
			}
		})
	}
}

// Every finding of a folder is printed at once, sorted, each on its line.
func TestCheckPrintsEveryFinding(t *testing.T) {
	_, stdout, _ := runCheck(t, map[string]string{
		"content/site.yaml":     rightSite + "nmae: x\n",
		"content/articles/a.md": "---\ntitle: A\n---\n[x](/articles/b)\n",
		"content/articles/b.md": "---\n---\nText\n",
	})
	var places []string
	for line := range strings.Lines(stdout) {
		place, _, _ := strings.Cut(line, " ")
		if len(places) == 0 || places[len(places)-1] != place {
			places = append(places, place)
		}
	}
	want := []string{"content/articles/a.md:2:", "content/articles/b.md:1:", "content/site.yaml:3:"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Error(diff)
	}
}

// The words are read as an editor reads them, in files with faults too; what an article
// allows itself is counted in the last line.
func TestCheckReadsTheWords(t *testing.T) {
	front := "---\ntitle: A\nquestion: Q?\ndescription: D.\npublished: 2026-11-01\nreviewed: none\nbrief: It has a name.\n"
	files := map[string]string{
		"content/site.yaml":       rightSite,
		"content/style.yaml":      "loaded:\n- {rule: hype, why: it promises, words: [{say: [toxic, proven], better: say what was found}]}\n",
		"content/articles/a.md":   front + "allow:\n- {rule: hype, text: toxic, why: It is a plant.}\n- {rule: hype, text: proven, why: It was.}\n---\nA toxic plant.\nIt is proven. Proven\nand proven.\n",
		"content/articles/b.md":   front + "---\nIt is\nproven. She said it [here](https://a.example/).\n",
		"content/articles/_c.md":  front + "---\nIt is proven.\n",
		"content/pages/broken.md": "---\ntitle: Broken\n---\nA toxic page.\n",
	}
	want := `content/articles/b.md:10: warning: hype: “proven”: it promises; say what was found
content/articles/b.md:10: warning: link: “here” does not say where it leads; let the words of the link name the page
content/articles/b.md:10: warning: pronoun: “She”: readers and partners are of every gender; write “they”, or name the person
content/pages/broken.md:2: error: description is missing; one sentence for search engines, in 160 characters at most
content/pages/broken.md:4: warning: hype: “toxic”: it promises; say what was found
`
	status, stdout, stderr := runCheck(t, files)
	if diff := cmp.Diff(want, stdout); diff != "" || status != 1 {
		t.Errorf("status %d\n%s", status, diff)
	}
	if want := "content: 1 error, 4 warnings, 2 allowances used\n"; stderr != want {
		t.Errorf("last line %q, want %q", stderr, want)
	}
	files["content/pages/broken.md"] = "---\ntitle: Mended\ndescription: D.\n---\nA page.\n"
	if status, _, _ := runCheck(t, files); status != 0 {
		t.Error("warnings are no errors")
	}
	if status, _, _ := runCheck(t, files, "-strict"); status != 1 {
		t.Error("strict: they are")
	}
}

// What we ship has nothing to put right, beyond what its articles allow and give a reason
// for.
func TestCheckOfWhatShips(t *testing.T) {
	found, allowed := checkContent(os.DirFS("../../content"), library.Options{Now: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)})
	if len(found) > 0 {
		t.Error(found)
	}
	if allowed == 0 || allowed > 12 {
		t.Errorf("%d allowances: improve the sentences", allowed)
	}
}
