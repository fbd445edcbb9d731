package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
