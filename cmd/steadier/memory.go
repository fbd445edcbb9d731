package main

import "runtime/debug"

// What is alive while serving is a few megabytes. By itself, Go would collect a dozen times
// a second under load, and mark all of it each time. To wait until five times as much is in
// use costs some thirty megabytes, and gives a tenth more answers (make bench). Near the
// limit it is collected as often as it takes: 8,000 slow clients with full headers, which
// took up to 330 MB without, take 230.
const (
	heapGrowth = 400 // percent, Go's own is 100
	memoryAim  = 256 << 20
)

// collectLess sets both, unless whoever runs the program has by Go's own variables.
func collectLess(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryAim)
	}
}
