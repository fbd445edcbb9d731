// Command counted reads the content folder that its argument names as an editor does.
// TestGrowth builds it with `go build -cover`, and reads the counters of the statements
// that this took.
package main

import (
	"fmt"
	"log"
	"os"
	"runtime/coverage"

	"github.com/steadier/steadier/internal/editor"
	"github.com/steadier/steadier/internal/library"
)

func main() {
	fsys := os.DirFS(os.Args[1])
	_, words, found := library.Read(fsys, library.Options{})
	if found.Errors() > 0 {
		log.Fatal(found)
	}
	if err := coverage.ClearCounters(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(editor.Check(fsys, words).Findings))
}
