package main

import "runtime/debug"

// memoryAim is a soft limit, in bytes. Near it the heap is collected as often as it
// takes: 8,000 slow clients with full headers, which took up to 330 MB without, take
// 230. It costs nothing below; how often is collected there is Go's own choice, since
// waiting longer would take the program over the 60 MB that it may have at rest.
const memoryAim = 256 << 20

// limitMemory sets it, unless whoever runs the program has by Go's own variable.
func limitMemory(getenv func(string) string) {
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryAim)
	}
}
