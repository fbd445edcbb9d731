package web

import (
	"errors"
	"maps"
	"testing"
)

// The owner learns how often an article is read, and nothing else is counted.
func TestReadsOfArticlesAreCounted(t *testing.T) {
	b := newReadingBench(t, nil, plain)
	s := b.site
	for range 3 {
		b.get("/articles/first")
	}
	b.get("/")
	b.get("/articles/none")
	var kept map[string]int64
	keep := func(counts map[string]int64) error { kept = counts; return nil }
	no := errors.New("disk is full")
	if err := s.KeepReads(func(map[string]int64) error { return no }); !errors.Is(err, no) {
		t.Errorf("KeepReads = %v", err)
	}
	if err := s.Refresh(s.Library()); err != nil { // an edit loses none
		t.Fatal(err)
	}
	b.get("/articles/first")
	if err := s.KeepReads(keep); err != nil || !maps.Equal(kept, map[string]int64{"first": 4}) {
		t.Errorf("kept %v, %v; want 4 of first", kept, err)
	}
	kept = nil
	if err := s.KeepReads(keep); err != nil || kept != nil {
		t.Errorf("kept %v twice, %v", kept, err)
	}
}
