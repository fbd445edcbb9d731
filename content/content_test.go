package content

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A file that is not named in the list of content.go would be missed by whoever runs
// the program without a content folder.
func TestTheProgramHoldsTheWholeFolder(t *testing.T) {
	shipped := func(name string) bool {
		return !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".go")
	}
	if diff := cmp.Diff(files(t, os.DirFS("."), shipped), files(t, FS, shipped)); diff != "" {
		t.Errorf("on disk, but not in the program (-), or the other way round (+):\n%s", diff)
	}
	if all := files(t, FS, func(name string) bool { return !shipped(name) }); len(all) > 0 {
		t.Errorf("drafts or code in the program: %v", all)
	}
}

func files(t *testing.T, from fs.FS, want func(name string) bool) (found []string) {
	t.Helper()
	err := fs.WalkDir(from, ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && want(e.Name()) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
