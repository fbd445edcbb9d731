package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
	"github.com/steadier/steadier/internal/newsletter"
)

const newsletterHelp = `usage: steadier newsletter list
       steadier newsletter preview SLUG
       steadier newsletter send SLUG [-to ADDRESS | -at "DAY TIME"]
       steadier newsletter pause [SLUG]
       steadier newsletter resume [SLUG]
       steadier newsletter status [SLUG]
       steadier newsletter settle SLUG sent|again

Issues are the files in newsletter/ of the content folder.

  list     every issue, and how far it is
  preview  an issue as plain text, as it would arrive
  send     sends an issue to everybody who is subscribed when it starts. Its words are
           frozen then. It may be interrupted and run again: nobody gets two. While
           steadier serve runs, that process does the sending, and this one watches
  -to      sends a test copy to one address, and to nobody else
  -at      lets steadier serve start it then: "2026-12-31 09:00", in the zone of the
           practice. Its words are those of that moment. Again with -at: another time
  pause    stops at the next letter; resume goes on. Without SLUG: the one that is
           being sent, or paused. One that is scheduled is ready again, and not sent
  status   counts, what the owner should know, and whether mail goes out at all
  settle   says what became of letters whose answer was lost: they count as sent, or
           they are sent again
`

// newsletterCommand works with the issues of the newsletter.
func newsletterCommand(ctx context.Context, env Env, args []string) int {
	if len(args) == 0 || isHelp(args[0]) {
		fmt.Fprint(env.Stdout, newsletterHelp)
		return exitOK
	}
	order, err := readLetterOrder(args)
	if err != nil {
		env.errorf("newsletter: %v: run steadier newsletter -h", err)
		return exitUsage
	}
	a, err := openApp(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	if a.mailOff() {
		env.errorf("newsletter: STEADIER_SMTP is off: set it to a mail server to have a newsletter")
		return exitFault
	}
	if err := order.run(ctx, a); err != nil {
		env.errorf("newsletter: %v", err)
		return exitFault
	}
	return exitOK
}

// letterOrder is what the command line asks for.
type letterOrder struct {
	verb, slug, to, at, settle string
}

// readLetterOrder reads the command line: a verb, a slug where one belongs, and the
// flag of send before or after it.
func readLetterOrder(args []string) (o letterOrder, err error) {
	o.verb = args[0]
	flags := flag.NewFlagSet("newsletter", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	if o.verb == "send" {
		flags.StringVar(&o.to, "to", "", "")
		flags.StringVar(&o.at, "at", "", "")
	}
	rest := args[1:]
	var words []string
	for len(rest) > 0 {
		if err := flags.Parse(rest); err != nil {
			return o, err
		}
		if rest = flags.Args(); len(rest) > 0 {
			words, rest = append(words, rest[0]), rest[1:]
		}
	}
	least, most := map[string]int{"preview": 1, "send": 1, "settle": 2}[o.verb], 1
	switch o.verb {
	case "list":
		most = 0
	case "settle":
		most = 2
	case "preview", "send", "pause", "resume", "status":
	default:
		return o, fmt.Errorf("there is no %q", o.verb)
	}
	if len(words) < least || len(words) > most {
		return o, fmt.Errorf("%s has %d words after it, want %d to %d", o.verb, len(words), least, most)
	}
	if o.to != "" && o.at != "" {
		return o, errors.New("-to and -at don't go together: a copy is sent at once")
	}
	if len(words) > 0 {
		o.slug = words[0]
	}
	if o.verb == "settle" {
		if o.settle = words[1]; o.settle != "sent" && o.settle != "again" {
			return o, fmt.Errorf("settle wants sent or again, not %q", o.settle)
		}
	}
	return o, nil
}

func (o letterOrder) run(ctx context.Context, a *app) error {
	switch o.verb {
	case "list":
		return a.listIssues(ctx)
	case "preview":
		return a.previewIssue(o.slug)
	case "send":
		switch {
		case o.to != "":
			return a.sendCopy(ctx, o.slug, o.to)
		case o.at != "":
			return a.scheduleIssue(ctx, o.slug, o.at)
		}
		return a.sendIssue(ctx, o.slug)
	case "settle":
		return a.settleIssue(ctx, o.slug, o.settle == "again")
	case "status":
		return a.issueStatus(ctx, o.slug)
	}
	return a.turnIssue(ctx, o.verb, o.slug)
}

// issue is an issue of the content folder, rendered for mail.
func (a *app) issue(slug string) (newsletter.Issue, bool) {
	i, found := a.library().Issue(slug)
	if !found {
		return newsletter.Issue{}, false
	}
	o := markdown.MailOptions{Site: newsletter.SiteMark, Page: newsletter.SiteMark + i.Path(), Notes: i.Notes}
	return newsletter.Issue{
		Slug: i.Slug, Subject: i.Subject, Discreet: i.DiscreetSubject, Preheader: i.Preheader, Date: i.Date,
		HTML: i.Doc.MailHTML(o), Text: i.Doc.MailText(o),
	}, true
}

func (a *app) findIssue(slug string) (newsletter.Issue, error) {
	issue, found := a.issue(slug)
	if !found {
		return issue, fmt.Errorf("there is no issue %q: run steadier newsletter list", slug)
	}
	return issue, issue.Check()
}

func (a *app) listIssues(ctx context.Context) error {
	started, err := a.db.Issues(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DATE\tISSUE\tSTATE\tSUBJECT")
	for _, i := range a.library().Issues {
		state := newsletter.Ready
		at := slices.IndexFunc(started, func(p newsletter.Progress) bool { return p.Slug == i.Slug })
		if at >= 0 {
			state = started[at].State
		}
		words := string(state)
		if state == newsletter.Scheduled {
			words += " for " + a.atPractice(started[at].Started)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", i.Date.Format(time.DateOnly), i.Slug, words, i.Subject)
	}
	return w.Flush()
}

func (a *app) previewIssue(slug string) error {
	issue, err := a.findIssue(slug)
	if err != nil {
		return err
	}
	m := a.mailer().Preview(issue)
	_, err = fmt.Fprintf(a.env.Stdout, "From: %s <%s>\nSubject: %s\nPlain subject: %s\nPreview: %s\n\n%s",
		m.From.Name, m.From.Address, m.Subject, issue.Discreet, issue.Preheader, m.Text)
	return err
}

// turnIssue pauses or resumes an issue: the one named, or the only one there is.
func (a *app) turnIssue(ctx context.Context, verb, slug string) error {
	from := []newsletter.IssueState{newsletter.Sending}
	if verb == "resume" {
		from = []newsletter.IssueState{newsletter.Paused, newsletter.OnHold}
	}
	if slug == "" {
		var err error
		if slug, err = a.onlyIssue(ctx, from); err != nil {
			return err
		}
	}
	var err error
	if verb == "pause" {
		err = a.db.PauseIssue(ctx, slug)
		if fault.Is(err, fault.NotFound) {
			err = a.db.UnscheduleIssue(ctx, slug)
		}
	} else {
		err = a.db.ResumeIssue(ctx, a.env.Now(), slug)
	}
	if fault.Is(err, fault.NotFound) && !a.isTurned(ctx, verb, slug) {
		return fmt.Errorf("%s is not %s: run steadier newsletter list", slug, from[0])
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return a.issueStatus(ctx, slug)
}

// isTurned reports whether an issue is already as pause or resume would make it.
func (a *app) isTurned(ctx context.Context, verb, slug string) bool {
	p, err := a.db.IssueProgress(ctx, slug)
	return err == nil && (verb == "pause" && p.State == newsletter.Paused || verb == "resume" && p.State == newsletter.Sending)
}

func (a *app) onlyIssue(ctx context.Context, states []newsletter.IssueState) (string, error) {
	started, err := a.db.Issues(ctx)
	if err != nil {
		return "", err
	}
	var slugs []string
	for _, p := range started {
		if slices.Contains(states, p.State) {
			slugs = append(slugs, p.Slug)
		}
	}
	switch len(slugs) {
	case 0:
		return "", fmt.Errorf("no issue is %s", states[0])
	case 1:
		return slugs[0], nil
	}
	return "", fmt.Errorf("more than one issue is %s (%s): name one", states[0], strings.Join(slugs, ", "))
}

func (a *app) settleIssue(ctx context.Context, slug string, again bool) error {
	n, err := a.db.ResolveUnknown(ctx, a.env.Now(), slug, again)
	if fault.Is(err, fault.NotFound) {
		return fmt.Errorf("%s was never started: run steadier newsletter list", slug)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "%d settled.\n", n)
	return a.issueStatus(ctx, slug)
}
