package outbox_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store/storetest"
)

func TestNewsH19ThePasswordIsInNoFile(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, mailtest.Config{User: "us", Password: "right"})
	b.db = storetest.OpenAt(t, dir, seal.NewRing())
	wrong := b.peer.Server()
	wrong.Password = "canary-password"
	b.start(wrong)
	b.enqueue("a@x.example")
	b.drain()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("canary")) {
			t.Errorf("%s holds the password", filepath.Base(name))
		}
	}
}
