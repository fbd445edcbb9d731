// Command steadier serves a practice's site of articles, lets readers book a free
// call or ask for letters, and gives the practice what it needs to run that.
//
// Run it alone or with -h for its commands.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // zones do not depend on the machine
)

// The exit statuses of every command.
const (
	exitOK    = 0
	exitFault = 1 // it failed, or found faults
	exitUsage = 2 // it was called wrongly
)

// patience is how long a command that was told to stop may take to tidy up. What it
// wrote is whole at any time.
const patience = drain + 5*time.Second

// Env is the world outside the program, as a command sees it.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Now            func() time.Time
}

// errorf writes the one line in which a command says what went wrong and what to do.
func (e Env) errorf(format string, args ...any) {
	line := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	fmt.Fprintln(e.Stderr, "steadier: "+line)
}

// stoppable is an input for which nobody waits once ctx has ended.
type stoppable struct {
	ctx context.Context
	*os.File
}

func (s stoppable) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	own := make([]byte, len(p)) // a read that is given up may still write
	done := make(chan result, 1)
	go func() {
		n, err := s.File.Read(own)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, own[:r.n]), r.err
	case <-s.ctx.Done():
		return 0, errStopped
	}
}

// command is one of the things that steadier does.
type command struct {
	name string
	args string // as in the usage line
	does string // one line
	run  func(ctx context.Context, env Env, args []string) int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
		if len(os.Args) < 2 || os.Args[1] != "serve" {
			time.Sleep(patience) // it may read a pipe, which nothing can call off
			os.Exit(exitFault)
		}
	}()
	env := Env{Stdin: stoppable{ctx, os.Stdin}, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now}
	os.Exit(run(ctx, env, os.Args[1:]))
}

// run carries out one command line and returns the exit status.
func run(ctx context.Context, env Env, args []string) int {
	if len(args) == 0 || isHelp(args[0]) {
		usage(env.Stdout)
		return exitOK
	}
	for _, c := range commands() {
		if c.name == args[0] {
			if slices.ContainsFunc(args[1:], isHelpFlag) {
				return c.run(ctx, env, []string{"-h"})
			}
			return c.run(ctx, env, args[1:])
		}
	}
	env.errorf("there is no command %q: run steadier -h for the list", args[0])
	return exitUsage
}

func isHelp(arg string) bool { return isHelpFlag(arg) || arg == "help" }

func isHelpFlag(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func usage(w io.Writer) {
	fmt.Fprint(w, "steadier serves a site of articles, books calls and sends letters.\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-46s %s\n", strings.TrimSpace(c.name+" "+c.args), c.does)
	}
	fmt.Fprint(w, "\nEnvironment:\n")
	for _, s := range settings {
		fmt.Fprintf(w, "  %-26s %s\n", s.name, s.means)
	}
	fmt.Fprint(w, "\nA command with -h explains itself. Exit status: 0 done, 1 failed or found faults, 2 wrong usage.\n")
}
