package mail_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, entry := range entries {
		out = append(out, entry.Name())
	}
	return out
}

func TestCapturedMailIsWholeAndGoesAfterADay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mail")
	now := noon
	c, err := mail.NewCapture(dir, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	raw, err := mail.Build(letter())
	if err != nil {
		t.Fatal(err)
	}
	if out := c.Deliver(context.Background(), "a@x.example", "b@x.example", raw, func() error { return nil }); out.Verdict != mail.Taken {
		t.Fatalf("outcome = %v", out)
	}
	files := names(t, dir)
	if len(files) != 1 || filepath.Ext(files[0]) != ".eml" {
		t.Fatalf("files = %v, want one .eml", files)
	}
	got, err := os.ReadFile(filepath.Join(dir, files[0]))
	if diff := cmp.Diff(string(raw), string(got)); diff != "" || err != nil {
		t.Error(err, diff)
	}
	keep := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(keep, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		after time.Duration
		want  int
	}{{mail.CaptureKeep, 2}, {mail.CaptureKeep + time.Second, 1}} {
		now = noon.Add(test.after)
		if err := c.Sweep(); err != nil {
			t.Fatal(err)
		}
		if got := names(t, dir); len(got) != test.want {
			t.Errorf("after %v: %v", test.after, got)
		}
	}
}
