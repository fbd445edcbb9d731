package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/steadier/steadier/internal/admin"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
)

const ownerHelp = `usage: steadier owner add NAME

  add  prints a link that works once and for an hour. Whoever opens it sets up how an
       owner of that name signs in. For a name that is an owner's already it is the way
       back in: they are signed out everywhere at once, and what they set up takes the
       place of every passkey, password and code that they had.
`

// ownerCommand makes the link with which an owner sets up their sign-in.
func ownerCommand(ctx context.Context, env Env, args []string) int {
	if len(args) > 0 && isHelp(args[len(args)-1]) {
		fmt.Fprint(env.Stdout, ownerHelp)
		return exitOK
	}
	if len(args) < 2 || args[0] != "add" {
		env.errorf("owner: want steadier owner add NAME")
		return exitUsage
	}
	a, err := openData(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	token, err := admin.AddLink(ctx, a.db, env.Now(), strings.Join(args[1:], " "))
	if fault.Is(err, fault.Invalid) {
		env.errorf("owner: this is no name to sign in with: want one of 1 to 100 characters")
		return exitUsage
	}
	if err != nil {
		env.errorf("owner: %v", err)
		return exitFault
	}
	link, err := a.claimLink(token)
	if err != nil {
		env.errorf("owner: %v", err)
		return exitFault
	}
	fmt.Fprintln(env.Stdout, link)
	return exitOK
}

// claimLink is the whole address of a one-time link, at the host at which passkeys work.
func (a *app) claimLink(token string) (string, error) {
	base, err := url.Parse(a.origin())
	if err != nil {
		return "", fmt.Errorf("make link: %w", err)
	}
	return admin.PasskeyOrigin(base) + admin.ClaimPath(token), nil
}

// claimLine is the line with the link with which the first owner claims the site, or
// nothing once there is an owner. The site is served whether or not it can be made.
func (a *app) claimLine(ctx context.Context) string {
	token, err := a.db.FirstOwnerLink(ctx, a.env.Now())
	if fault.Is(err, fault.Taken) {
		return ""
	}
	link := ""
	if err == nil {
		link, err = a.claimLink(token)
	}
	if err != nil {
		a.log.WarnContext(ctx, "no link for the first owner", "cause", respond.Cause(err))
		return ""
	}
	return "Nobody can sign in yet. This link works once, within an hour: " + link + "\n"
}
