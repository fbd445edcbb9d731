package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/steadier/steadier/internal/mail"
)

const bounceHelp = `usage: steadier bounce < MESSAGE

Reads a delivery status notification (RFC 3464) from standard input, as a mail filter
or a pipe gives it, and notes what it says: an address that does not exist gets no more
letters, a full mailbox counts against it. The letter is known by its Message-ID; a
report about anything else changes nothing.
`

// bounceCommand notes what a delivery status notification says.
func bounceCommand(ctx context.Context, env Env, args []string) int {
	if len(args) > 0 {
		if isHelp(args[0]) {
			fmt.Fprint(env.Stdout, bounceHelp)
			return exitOK
		}
		env.errorf("bounce takes no arguments: the report comes on standard input")
		return exitUsage
	}
	reports, err := mail.ParseReport(env.Stdin)
	if ctx.Err() != nil {
		err = errStopped
	}
	if err != nil {
		env.errorf("bounce: %v", err)
		return exitFault
	}
	a, err := openData(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	noted, err := a.noteBounces(ctx, reports)
	if err != nil {
		env.errorf("bounce: %v", err)
		return exitFault
	}
	fmt.Fprintf(env.Stdout, "%d of %d noted\n", noted, len(reports))
	return exitOK
}

func (a *app) noteBounces(ctx context.Context, reports []mail.Report) (noted int, err error) {
	for _, r := range reports {
		if !r.Bad() && !r.Full() {
			continue // delayed, or refused for what it is: nothing about the address
		}
		id, _, _ := strings.Cut(r.MessageID, "@")
		known, err := a.db.Bounce(ctx, a.env.Now(), id, r.Bad())
		if err != nil {
			return noted, err
		}
		if known {
			noted++
		}
	}
	return noted, nil
}
