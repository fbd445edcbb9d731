package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/editor"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/slots"
)

const checkHelp = `usage: steadier check [-content DIR] [-strict] [-now DATE]

Reads the content folder as the server would and prints each finding to standard
output, sorted, as PATH:LINE: error: what is wrong and what would be right, or as
PATH:LINE: warning: …. Drafts, whose names begin with _, are passed over.

It also reads the words as an editor does, which the server does not. Such warnings
begin with the name of their rule: grade (too hard when tired), sentence (over 30
words), claim (without a source), link (words that don't say where it leads), pronoun,
and the rules of style.yaml. An article allows a line that is right under "allow" in
its front matter, with "rule", "text" and "why". The last line, on standard error,
counts what was found and the allowances that were used.

  -content DIR  the folder; by default STEADIER_CONTENT, else ./content if it
                exists, else the copy in the program
  -strict       count warnings as errors
  -now DATE     the day on which the content is read, such as 2026-12-31; today by
                default. It decides which helplines were not checked for too long.

Exit status: 0 no error, 1 there is one, 2 wrong usage.
`

// checkLine is a command line of check, read.
type checkLine struct {
	dir    string // "": ./content or the copy in the program
	strict bool
	now    time.Time
}

// check prints the findings of a content folder.
func check(_ context.Context, env Env, args []string) int {
	line, err := readCheckLine(env, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(env.Stdout, checkHelp)
		return exitOK
	}
	if err != nil {
		env.errorf("check: %v", err)
		return exitUsage
	}
	if _, err := os.Stat(line.dir); line.dir != "" && errors.Is(err, fs.ErrNotExist) {
		env.errorf("check: there is no content folder %s: name one with -content", line.dir)
		return exitFault
	}
	dir, fsys, err := contentFS(line.dir)
	if err != nil {
		env.errorf("check: %v", err)
		return exitFault
	}
	findings, allowed := checkContent(fsys, library.Options{Now: line.now})
	if err := writeFindings(env.Stdout, dir, findings); err != nil {
		env.errorf("check: write: %v", err)
		return exitFault
	}
	errs := findings.Errors()
	warnings := len(findings) - errs
	fmt.Fprintf(env.Stderr, "%s: %s, %s, %s\n",
		dir, count(errs, "error"), count(warnings, "warning"), count(allowed, "allowance used", "allowances used"))
	if errs > 0 || line.strict && warnings > 0 {
		return exitFault
	}
	return exitOK
}

func readCheckLine(env Env, args []string) (checkLine, error) {
	line := checkLine{now: env.Now(), dir: config{content: env.Getenv("STEADIER_CONTENT")}.contentDir()}
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.StringVar(&line.dir, "content", line.dir, "")
	flags.BoolVar(&line.strict, "strict", false, "")
	flags.Func("now", "", func(s string) (err error) {
		line.now, err = time.Parse(time.DateOnly, s)
		if err != nil {
			return errors.New("want a day of the calendar, such as 2026-12-31")
		}
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return line, err
	}
	if flags.NArg() > 0 {
		return line, fmt.Errorf(
			"unexpected argument %q: name the folder with -content", flags.Arg(0))
	}
	if empty := line.dir == "" && isSet(flags, "content"); empty {
		return line, errors.New("-content is empty: name a folder")
	}
	return line, nil
}

func isSet(flags *flag.FlagSet, name string) bool {
	found := false
	flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// writeFindings prints findings, one a line, with paths that begin with dir.
func writeFindings(w io.Writer, dir string, findings fault.Findings) error {
	out := bufio.NewWriter(w)
	for _, f := range findings {
		f.Path = under(dir, f.Path)
		fmt.Fprintln(out, f)
	}
	return out.Flush()
}

// under is the path of a file of the folder dir, as dir was written.
func under(dir, file string) string {
	if file == "." {
		return dir
	}
	return strings.TrimRight(dir, "/") + "/" + file
}

// count is a number and a word in the right form; without a plural it takes an s.
func count(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// availabilityFile is the first weekly hours, in the content folder.
const availabilityFile = "availability.yaml"

// loadContent reads a content folder whole: the library and the weekly hours. The
// findings are those of both, sorted; with an error among them neither is to be
// used. A folder without hours has none: no time can be booked.
func loadContent(fsys fs.FS, opts library.Options) (*library.Library, slots.Availability, fault.Findings) {
	lib, findings := library.Load(fsys, opts)
	hours, found := loadBeside(fsys, lib)
	return lib, hours, append(findings, found...).Sorted()
}

// checkContent reads a content folder as loadContent does, and its words as an editor. It
// counts the allowances that were used.
func checkContent(fsys fs.FS, opts library.Options) (fault.Findings, int) {
	report := reportOn(fsys, opts)
	return report.Findings, report.Allowed
}

// reportOn does so, and says how hard each text is to read.
func reportOn(fsys fs.FS, opts library.Options) editor.Report {
	lib, words, findings := library.Read(fsys, opts)
	_, found := loadBeside(fsys, lib)
	report := editor.Check(fsys, words)
	report.Findings = slices.Concat(findings, found, report.Findings).Sorted()
	return report
}

// loadBeside reads what the library does not: the weekly hours, and whether the letters
// of lib, which may be nil, could be sent.
func loadBeside(fsys fs.FS, lib *library.Library) (slots.Availability, fault.Findings) {
	hours, findings := loadHours(fsys)
	if lib != nil {
		findings = append(findings, checkSubjects(fsys, lib)...)
	}
	return hours, findings
}

// checkSubjects warns of plain subjects that give away what a letter is about: it would
// not be sent.
func checkSubjects(fsys fs.FS, lib *library.Library) (found fault.Findings) {
	for _, i := range lib.Issues {
		word := newsletter.Telling(i.DiscreetSubject)
		if word == "" {
			continue
		}
		name := "newsletter/" + i.Slug + ".md"
		found = append(found, fault.Warnf(name, lineOf(fsys, name, "discreet_subject:"),
			"discreet_subject says %q, which gives the subject away; the letter is not sent like this", word))
	}
	return found
}

// lineOf is the line of a file that begins with a text; 1 if there is none.
func lineOf(fsys fs.FS, name, begin string) int {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return 1
	}
	line := 1
	for text := range strings.Lines(string(data)) {
		if strings.HasPrefix(text, begin) {
			return line
		}
		line++
	}
	return 1
}

func loadHours(fsys fs.FS) (slots.Availability, fault.Findings) {
	data, err := library.ReadFile(fsys, availabilityFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return slots.Closed(), nil
	case err != nil:
		return slots.Availability{}, fault.Findings{fault.Errorf(availabilityFile, 1,
			"the file can't be read: %v", errors.Unwrap(err))}
	}
	return slots.Parse(availabilityFile, data)
}
