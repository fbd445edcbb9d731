// Command counted reads texts as a page of the site and leaves the counters of the
// statements that this took. TestGrowth builds it with `go build -cover`.
//
// Its arguments are folders, each with a text in the file "in". It writes the counters
// beside it, and prints a line for each: the sizes of the text and of its page in bytes,
// and the number of faults.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime/coverage"

	"github.com/steadier/steadier/internal/markdown"
)

func main() {
	for _, dir := range os.Args[1:] {
		if err := count(dir); err != nil {
			log.Fatal(err)
		}
	}
}

func count(dir string) error {
	in, err := os.ReadFile(filepath.Join(dir, "in"))
	if err != nil {
		return err
	}
	text := string(in)
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	doc, findings := markdown.NewPage(markdown.Options{}).Parse(markdown.Source{Path: "x.md", Text: text, Line: 1})
	page := doc.HTML()
	if err := coverage.WriteCountersDir(dir); err != nil {
		return err
	}
	fmt.Println(len(text), len(page), findings.Errors())
	return coverage.WriteMetaDir(dir)
}
