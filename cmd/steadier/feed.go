package main

import (
	"context"
	"fmt"
)

const feedHelp = `usage: steadier feed add | revoke

  add     prints a secret address from which the owner's own calendar can fetch the
          calls: times and a short reference, and nobody's name. It is shown once.
  revoke  makes all such addresses dead.
`

// feed makes and revokes the secret address of the calendar feed.
func feed(ctx context.Context, env Env, args []string) int {
	if len(args) == 1 && isHelp(args[0]) {
		fmt.Fprint(env.Stdout, feedHelp)
		return exitOK
	}
	if len(args) != 1 || args[0] != "add" && args[0] != "revoke" {
		env.errorf("feed: want steadier feed add, or steadier feed revoke")
		return exitUsage
	}
	a, err := openData(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	if args[0] == "revoke" {
		n, err := a.db.RevokeFeeds(ctx, env.Now())
		if err != nil {
			env.errorf("feed: %v", err)
			return exitFault
		}
		fmt.Fprintf(env.Stdout, "Addresses that no longer work: %d\n", n)
		return exitOK
	}
	token, err := a.db.AddFeed(ctx, env.Now())
	if err != nil {
		env.errorf("feed: %v", err)
		return exitFault
	}
	fmt.Fprintf(env.Stdout, "%s/calendar/%s.ics\n", a.feedOrigin(), token)
	return exitOK
}

// feedOrigin is the site's public origin; while none is set, that of the address
// on which the site listens.
func (a *app) feedOrigin() string {
	if a.base != nil {
		return a.base.String()
	}
	return "http://" + a.addr
}
