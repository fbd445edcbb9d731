package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/slots"
)

const callsHelp = `usage: steadier calls [-days N]

Prints the coming calls as cards: when, whom to ask for, who calls whom, and what may
and may not be done. It reads the database on this machine, also while the site is
being served.

  -days N  how many days ahead; 28 by default
`

// printCalls prints the coming calls as cards.
func printCalls(ctx context.Context, env Env, args []string) int {
	flags := flag.NewFlagSet("calls", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	days := flags.Int("days", 28, "")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(env.Stdout, callsHelp)
		return exitOK
	}
	if err != nil || flags.NArg() > 0 || *days < 0 || *days > 400 {
		env.errorf("calls: want steadier calls [-days N], with N between 0 and 400")
		return exitUsage
	}
	a, err := openData(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	now := env.Now()
	coming, err := a.db.ComingCalls(ctx, now, now.AddDate(0, 0, *days))
	if err != nil {
		env.errorf("calls: %v", err)
		return exitFault
	}
	fmt.Fprint(env.Stdout, cards(coming, a.openHours(), a.practice(), *days))
	return exitOK
}

// cards are the call cards of all calls, as text.
func cards(calls []consult.Booking, hours slots.Availability, p consult.Practice, days int) string {
	if len(calls) == 0 {
		return fmt.Sprintf("No calls in the next %d days.\n", days)
	}
	var b strings.Builder
	for i, call := range calls {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(consult.Card(call, hours.Zone, p))
	}
	return b.String()
}
