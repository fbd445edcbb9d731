package watch

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// settled runs settle in a world where time passes only when nothing else happens,
// and counts its calls.
func settled(t *testing.T, drive func(pokes chan<- struct{}, calls *atomic.Int64)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int64
		pokes, done := make(chan struct{}), make(chan struct{})
		go func() {
			settle(ctx, pokes, func() { calls.Add(1) })
			close(done)
		}()
		drive(pokes, &calls)
		cancel()
		<-done
	})
}

func pass(d time.Duration) {
	time.Sleep(d) // the time of the bubble
	synctest.Wait()
}

func TestABurstIsToldOnceItIsQuiet(t *testing.T) {
	settled(t, func(pokes chan<- struct{}, calls *atomic.Int64) {
		pass(time.Hour)
		if n := calls.Load(); n != 0 {
			t.Fatalf("%d calls before anything happened", n)
		}
		for range 1000 {
			pokes <- struct{}{}
			pass(time.Millisecond)
		}
		pass(quiet - 2*time.Millisecond)
		if n := calls.Load(); n != 0 {
			t.Fatalf("%d calls before it was quiet", n)
		}
		pass(time.Millisecond)
		if n := calls.Load(); n != 1 {
			t.Fatalf("%d calls for a burst of 1,000 changes, want 1", n)
		}
		pokes <- struct{}{}
		pass(quiet)
		if n := calls.Load(); n != 2 {
			t.Fatalf("%d calls after one more change, want 2", n)
		}
	})
}

func TestABurstWithoutEndIsToldAllTheSame(t *testing.T) {
	settled(t, func(pokes chan<- struct{}, calls *atomic.Int64) {
		for range 100 {
			pokes <- struct{}{}
			pass(quiet / 2)
		}
		if n, want := calls.Load(), int64(100*(quiet/2)/patience); n != want {
			t.Errorf("%d calls for 100 changes without a pause, want %d", n, want)
		}
	})
}

func TestItEndsInTheMiddleOfABurst(t *testing.T) {
	settled(t, func(pokes chan<- struct{}, _ *atomic.Int64) { pokes <- struct{}{} })
}

// folder is a folder that is watched.
type folder struct {
	t    *testing.T
	dir  string
	told chan struct{}
}

func watched(t *testing.T) folder {
	t.Helper()
	f := folder{t, filepath.Join(t.TempDir(), "content"), make(chan struct{}, 1)}
	f.write("articles/a.md", "a")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- Folder(ctx, f.dir, func() {
			select {
			case f.told <- struct{}{}:
			default:
			}
		}, func(err error) { t.Error(err) })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-f.told // the watches stand
	return f
}

func (f folder) do(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) write(name, text string) {
	f.t.Helper()
	f.do(os.MkdirAll(filepath.Dir(f.at(name)), 0o700))
	f.do(os.WriteFile(f.at(name), []byte(text), 0o600))
}

func (f folder) at(name string) string { return filepath.Join(f.dir, name) }

// Each change is told, whatever the one before did to the folder: a test that is not
// told waits without end.
func TestWhatIsTold(t *testing.T) {
	f := watched(t)
	for i, change := range []func(){
		func() { f.write("articles/a.md", "b") },
		func() { f.write("articles/b.md", "b") },
		func() { f.do(os.Remove(f.at("articles/b.md"))) },
		func() { f.write("articles/a.md~", "c"); f.do(os.Rename(f.at("articles/a.md~"), f.at("articles/a.md"))) },
		func() { f.do(os.Chmod(f.at("articles/a.md"), 0o400)) },
		func() { f.do(os.MkdirAll(f.at("figures/deep/er"), 0o700)) },
		func() { f.write("figures/deep/er/a.svg", "a") },
		func() { f.do(os.Rename(f.at("articles"), f.at("old"))) },
		func() { f.write("articles/a.md", "d") },
		func() { f.write("articles/a.md", "e") },
		func() { f.do(os.Rename(f.dir, f.dir+".old")) },
		func() { f.write("articles/a.md", "f") },
		func() { f.write("articles/a.md", "g") },
		func() { f.do(os.RemoveAll(f.dir)) },
		func() { f.do(os.Rename(f.dir+".old", f.dir)) },
		func() { f.write("articles/a.md", "h") },
	} {
		t.Log(i)
		change()
		<-f.told
	}
}

// Releases are often links that are set to the next folder in one step.
func TestALinkThatLeadsElsewhereIsFollowed(t *testing.T) {
	f := watched(t)
	f.do(os.Rename(f.dir, f.dir+"-1"))
	<-f.told
	f.do(os.CopyFS(f.dir+"-2", os.DirFS(f.dir+"-1")))
	for i := range 4 {
		next := f.dir + "-" + strconv.Itoa(1+i%2)
		f.do(os.Symlink(next, f.dir+".new"))
		f.do(os.Rename(f.dir+".new", f.dir))
		<-f.told
		f.do(os.WriteFile(filepath.Join(next, "articles/a.md"), []byte("n"), 0o600))
		<-f.told
	}
	f.do(os.Symlink(f.dir, f.at("loop")))
	<-f.told
	f.write("articles/a.md", "z")
	<-f.told
}

func TestWhatConcernsAFolder(t *testing.T) {
	for path, want := range map[string]bool{
		"/site/content": true, "/site/content/site.yaml": true, "/site/content/articles/_a.md": true, "/site/content/..data": true,
		"/site/content2": false, "/site/data": false, "/site": false, "/site/content/.git": false,
		"/site/content/articles/.a.md.swp": false, "/site/content/articles/a.md~": false,
	} {
		if got := concerns("/site/content", path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
