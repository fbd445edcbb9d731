package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/net/netutil"

	"github.com/steadier/steadier/internal/respond"
)

// The limits of the server: without them a slow or greedy client is waited for without end.
const (
	maxConnections = 8192
	maxHeader      = 16 << 10
	drain          = 10 * time.Second // for what is in flight, once told to stop
)

const serveHelp = `usage: steadier serve [-dev]

Serves until SIGINT or SIGTERM, finishes what is in flight and stops; a second
signal ends it at once. It is set up by the environment: see steadier -h.

Files that are saved in the content folder are served at once. While one of them has
a fault, the last version without any stays up, and a line in the log says why.

  -dev  for who writes, on a loopback address only: serves drafts, whose names begin
        with _, and letters that were not sent yet, each marked as a draft. While the
        content has faults, every page begins with them, and with their lines.
`

// serve reads the content, opens the data folder and serves the site until it is told
// to stop. The first line of its output is the address.
func serve(ctx context.Context, env Env, args []string) int {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	dev := flags.Bool("dev", false, "")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) || flags.Arg(0) == "help" {
		fmt.Fprint(env.Stdout, serveHelp)
		return exitOK
	}
	if err != nil || flags.NArg() > 0 {
		env.errorf("serve takes -dev or nothing: it is set up by the environment, see steadier -h")
		return exitUsage
	}
	open := openApp
	if *dev {
		open = openForDev
	}
	a, err := open(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	err = a.serve(ctx)
	if err := errors.Join(err, a.db.Close()); err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	return exitOK
}

// serve listens, starts what works beside the requests, and stops it all in order:
// no new connections, what is in flight, then mail.
func (a *app) serve(ctx context.Context) error {
	listener, err := a.listen()
	if err != nil {
		return err
	}
	site, err := a.site()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	metrics, err := a.startMetrics(site)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer metrics()
	beside := a.startBeside(ctx, site)
	limitMemory(a.env.Getenv)
	server := &http.Server{
		Handler:           site.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          quietLog(a.log),
		ConnContext:       respond.WholeContext,
	}
	fmt.Fprint(a.env.Stdout, "http://"+baseHost(a.addr, listener)+"\n"+a.claimLine(ctx))
	done := make(chan error, 1)
	listener = respond.WholeListener(netutil.LimitListener(listener, maxConnections))
	go func() { done <- server.Serve(listener) }()
	select {
	case err = <-done:
		err = fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
		err = stopServer(server)
	}
	beside.stop()
	return err
}

// stopServer lets what is in flight finish, for a while.
func stopServer(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}

// listen opens the port, and fills in the base URL if none was set.
func (a *app) listen() (net.Listener, error) {
	listener, err := net.Listen("tcp", a.addr)
	if err != nil {
		if opErr, ok := errors.AsType[*os.SyscallError](err); ok {
			err = opErr.Err
		}
		return nil, fmt.Errorf("STEADIER_ADDR %s cannot be listened on (%w): stop what uses it, or set another address", a.addr, err)
	}
	if a.base == nil {
		a.base = &url.URL{Scheme: "http", Host: baseHost(a.addr, listener)}
	}
	return listener, nil
}

// baseHost is the host that was asked for with the port that was given.
func baseHost(addr string, listener net.Listener) string {
	host, _, _ := net.SplitHostPort(addr)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return net.JoinHostPort(host, port)
}
