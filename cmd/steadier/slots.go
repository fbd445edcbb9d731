package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/slots"
)

const slotsHelp = `usage: steadier slots -availability FILE -zone ZONE -now TIME [-from DATE] [-to DATE] [-booked TIME]... [-busy FROM/TO]...

Prints the bookable starts, one a line, oldest first, as RFC 3339 times in ZONE. The
answer depends on nothing but the arguments and the file.

  -availability FILE  the hours, as in content/availability.yaml
  -zone ZONE          the visitor's time zone, such as Europe/Madrid
  -now TIME           the present, such as 2026-06-05T12:00:00Z
  -from DATE          the first day in ZONE, such as 2026-06-08; by default from now on
  -to DATE            the last day in ZONE; by default the horizon of the hours
  -booked TIME        the start of a confirmed call; may be repeated
  -busy FROM/TO       a time at which nothing can be booked; may be repeated

No times are no output. Exit status: 0 done, 1 the file has faults, 2 wrong usage.
`

// slotsQuery is a command line of slots, read.
type slotsQuery struct {
	file   string
	query  slots.Query
	booked []time.Time
}

// printSlots prints bookable starts.
func printSlots(_ context.Context, env Env, args []string) int {
	line, err := readSlotsLine(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(env.Stdout, slotsHelp)
		return exitOK
	}
	if err != nil {
		env.errorf("slots: %v", err)
		return exitUsage
	}
	data, err := os.ReadFile(line.file)
	if err != nil {
		env.errorf("slots: %v: name a readable file with -availability", err)
		return exitFault
	}
	hours, findings := slots.Parse(line.file, data)
	if findings.Errors() > 0 {
		for _, f := range findings {
			fmt.Fprintln(env.Stderr, f)
		}
		return exitFault
	}
	for _, from := range line.booked {
		line.query.Booked = append(line.query.Booked, slots.Span{From: from, To: from.Add(hours.Length)})
	}
	if err := writeStarts(env.Stdout, slots.Starts(hours, line.query), line.query.Zone); err != nil {
		env.errorf("slots: write: %v", err)
		return exitFault
	}
	return exitOK
}

func writeStarts(w io.Writer, starts []time.Time, zone *time.Location) error {
	out := bufio.NewWriter(w)
	for _, start := range starts {
		fmt.Fprintln(out, start.In(zone).Format(time.RFC3339))
	}
	return out.Flush()
}

func readSlotsLine(args []string) (slotsQuery, error) {
	var line slotsQuery
	q := &line.query
	flags := flag.NewFlagSet("slots", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.StringVar(&line.file, "availability", "", "")
	flags.Func("zone", "", func(s string) (err error) { q.Zone, err = slots.LoadZone(s); return err })
	flags.Func("now", "", func(s string) (err error) { q.Now, err = parseTime(s); return err })
	flags.Func("from", "", func(s string) (err error) { q.From, err = slots.ParseDate(s); return err })
	flags.Func("to", "", func(s string) (err error) { q.To, err = slots.ParseDate(s); return err })
	flags.Func("booked", "", func(s string) error {
		at, err := parseTime(s)
		line.booked = append(line.booked, at)
		return err
	})
	flags.Func("busy", "", func(s string) error {
		span, err := parseSpan(s)
		q.Busy = append(q.Busy, span)
		return err
	})
	if err := flags.Parse(args); err != nil {
		return line, err
	}
	return line, line.check(flags)
}

func (l slotsQuery) check(flags *flag.FlagSet) error {
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: every value has a flag before it", flags.Arg(0))
	case l.file == "":
		return errors.New("-availability is missing: name the file with the hours")
	case l.query.Zone == nil:
		return errors.New("-zone is missing: name the visitor's time zone, such as Europe/Madrid")
	case !isSet(flags, "now"):
		return errors.New("-now is missing: give the present, such as 2026-06-05T12:00:00Z")
	case l.query.From != (slots.Date{}) && l.query.To != (slots.Date{}) && l.query.From.Compare(l.query.To) > 0:
		return fmt.Errorf("-from %s is after -to %s: give the earlier day first", l.query.From, l.query.To)
	}
	return nil
}

// timeSyntax is RFC 3339, 5.6: time.Parse lets some other forms pass, and wants its
// letters in upper case.
var timeSyntax = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)

func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, strings.ToUpper(s))
	if err != nil || !timeSyntax.MatchString(s) {
		return t, errors.New("want a time such as 2026-06-05T12:00:00Z")
	}
	return t, nil
}

func parseSpan(s string) (slots.Span, error) {
	first, last, found := strings.Cut(s, "/")
	from, err := parseTime(first)
	to, err2 := parseTime(last)
	if !found || err != nil || err2 != nil {
		return slots.Span{}, errors.New("want two times, such as 2026-06-05T12:00:00Z/2026-06-05T13:00:00Z")
	}
	if !from.Before(to) {
		return slots.Span{}, errors.New("want the earlier time first")
	}
	return slots.Span{From: from, To: to}, nil
}
