package web

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// reads counts how often each article was asked for since the counts were last taken. A
// number is all there is: no time, no address, no order.
type reads struct {
	mu   sync.Mutex
	each map[string]*atomic.Int64 // by slug, those of articles that are gone included
}

// articlePath is the path of an article before its slug.
const articlePath = "/articles/"

// follow returns the count of each article among the pages, by path.
func (r *reads) follow(pages []string) map[string]*atomic.Int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.each == nil {
		r.each = map[string]*atomic.Int64{}
	}
	byPath := map[string]*atomic.Int64{}
	for _, path := range pages {
		slug, ok := strings.CutPrefix(path, articlePath)
		if !ok {
			continue
		}
		if r.each[slug] == nil {
			r.each[slug] = new(atomic.Int64)
		}
		byPath[path] = r.each[slug]
	}
	return byPath
}

// take returns the counts that are not zero, and begins anew.
func (r *reads) take() map[string]int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := map[string]int64{}
	for slug, n := range r.each {
		if n := n.Swap(0); n > 0 {
			taken[slug] = n
		}
	}
	return taken
}

// back puts counts back that could not be kept.
func (r *reads) back(counts map[string]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for slug, n := range counts {
		if r.each[slug] != nil {
			r.each[slug].Add(n)
		}
	}
}

// KeepReads gives keep the reads of each article, by slug, since the last call. What it
// can't keep is given to it again.
func (s *Site) KeepReads(keep func(map[string]int64) error) error {
	counts := s.reads.take()
	if len(counts) == 0 {
		return nil
	}
	if err := keep(counts); err != nil {
		s.reads.back(counts)
		return err
	}
	return nil
}

// noteRead counts a page that was asked for to be read.
func noteRead(r *http.Request, n *atomic.Int64) {
	if n != nil && r.Method == http.MethodGet {
		n.Add(1)
	}
}
