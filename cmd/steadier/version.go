package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/steadier/steadier/internal/store"
)

// Set when the program is built, by -ldflags "-X main.release=… -X main.commit=…".
var (
	release = "development"
	commit  = "unknown"
)

// version prints what this program is made of: its version, the commit it was built
// from, and the Go and SQLite in it.
func version(_ context.Context, env Env, args []string) int {
	if len(args) == 1 && isHelp(args[0]) {
		fmt.Fprint(env.Stdout, "usage: steadier version\n\nPrints the version, the commit it was built from, and the Go and SQLite in it.\n")
		return exitOK
	}
	if len(args) > 0 {
		env.errorf("version takes no arguments")
		return exitUsage
	}
	fmt.Fprintf(env.Stdout, "steadier %s\ncommit %s\ngo %s\nsqlite %s\n", release, commit, runtime.Version(), store.SQLiteVersion())
	return exitOK
}
