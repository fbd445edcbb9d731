package store

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/steadier/steadier/internal/seal"
)

// REL-R13: a database that is written to all the time is ready, however many ask at once,
// and those who ask do not stand in the way of the writer.
func TestABusyDatabaseIsReady(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, dir, seal.NewRing())
	other, err := pool(filepath.Join(dir, FileName), writeOptions, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Exec(`INSERT INTO meta (name, value) VALUES ('busy', x'00')`); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	var writer, askers sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
			}
			if _, err := other.Exec(`UPDATE meta SET value = randomblob(64) WHERE name = 'busy'`); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 32 {
		askers.Go(func() {
			for range 4 {
				if err := db.Ready(ctx); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	askers.Wait()
	close(over)
	writer.Wait()
}
