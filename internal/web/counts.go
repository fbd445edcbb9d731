package web

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

// counts are the requests since the start, by route, method and status: numbers about
// pages, and nothing about who.
type counts struct {
	mu       sync.Mutex
	requests map[count]uint64
}

type count struct {
	route, method string
	status        int
}

func (c *counts) add(route, method string, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.requests == nil {
		c.requests = map[count]uint64{}
	}
	c.requests[count{route, method, status}]++
}

// WriteMetrics writes the counts in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
func (s *Site) WriteMetrics(w io.Writer) error {
	s.counts.mu.Lock()
	requests := maps.Clone(s.counts.requests)
	s.counts.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(requests), func(a, b count) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	var b strings.Builder
	b.WriteString("# HELP steadier_requests_total Requests by route, method and status.\n# TYPE steadier_requests_total counter\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "steadier_requests_total{route=%q,method=%q,status=\"%d\"} %d\n", k.route, k.method, k.status, requests[k])
	}
	_, err := io.WriteString(w, b.String())
	return err
}
