package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/store"
)

const subscribersHelp = `usage: steadier subscribers import FILE
       steadier subscribers export FILE

  import  reads a CSV file with a column named email, shows what would become of its
          rows, and then, asked on a terminal, does it. Whoever is known stays as they
          are; whoever asked to be forgotten is passed over; the others are asked to
          confirm, unless the columns consent_given (RFC 3339) and consent_wording
          prove that they have agreed. FILE may be - for standard input
  export  writes everybody who gets the newsletter to a CSV file that only this
          account can read. FILE may be - for standard output. Erase it when done
`

// subscribersCommand reads and writes files of subscribers.
func subscribersCommand(ctx context.Context, env Env, args []string) int {
	if len(args) == 0 || isHelp(args[0]) {
		fmt.Fprint(env.Stdout, subscribersHelp)
		return exitOK
	}
	if len(args) != 2 || args[0] != "import" && args[0] != "export" {
		env.errorf("subscribers: want import FILE or export FILE")
		return exitUsage
	}
	a, err := openData(ctx, env)
	if err != nil {
		env.errorf("%v", err)
		return exitFault
	}
	defer a.close()
	if args[0] == "import" {
		err = a.importSubscribers(ctx, args[1])
	} else {
		err = a.exportSubscribers(ctx, args[1])
	}
	if err != nil {
		env.errorf("subscribers: %v", err)
		return exitFault
	}
	return exitOK
}

func (a *app) importSubscribers(ctx context.Context, path string) error {
	in := a.env.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	file, err := newsletter.ReadImport(in)
	if err != nil {
		return err
	}
	for _, line := range file.Bad {
		fmt.Fprintf(a.env.Stdout, "line %d: no address that can be used\n", line)
	}
	counts, err := a.db.ImportSubscribers(ctx, a.env.Now(), file.Rows, false)
	if err != nil {
		return err
	}
	fmt.Fprint(a.env.Stdout, previewImport(counts))
	if counts.Active+counts.Pending == 0 {
		return errors.New("nothing to import: the file has no new address")
	}
	if path != "-" && !a.agree("Import these?") {
		return errors.New("nothing was imported")
	}
	counts, err = a.db.ImportSubscribers(ctx, a.env.Now(), file.Rows, true)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "Imported %d.\n", counts.Active+counts.Pending)
	return nil
}

func previewImport(c newsletter.Imported) string {
	return fmt.Sprintf("%d new with proof of consent: become active\n%d new without it: are asked to confirm\n"+
		"%d known: kept as they are\n%d asked to be forgotten: passed over\n", c.Active, c.Pending, c.Kept, c.Forgotten)
}

// agree asks on a terminal; elsewhere the answer is yes, as the counts were shown.
func (a *app) agree(question string) bool {
	if !a.env.asks() {
		return true
	}
	fmt.Fprintf(a.env.Stdout, "%s Type yes: ", question)
	answer, _ := bufio.NewReader(a.env.Stdin).ReadString('\n')
	return strings.TrimSpace(answer) == "yes"
}

func (a *app) exportSubscribers(ctx context.Context, path string) error {
	if path != "-" {
		if err := store.MayReplace(path, "\ufeff"); err != nil { // an export begins so
			return err
		}
	}
	rows, err := a.db.ExportSubscribers(ctx)
	if err != nil {
		return err
	}
	a.log.Info("subscribers are exported", "rows", len(rows))
	if path == "-" {
		return newsletter.WriteExport(a.env.Stdout, rows)
	}
	if err := writePrivate(path, func(w io.Writer) error { return newsletter.WriteExport(w, rows) }); err != nil {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "%d subscribers in %s. Erase the file when you are done with it.\n", len(rows), path)
	return nil
}

// writePrivate writes a file whole, such that no other account can read it.
func writePrivate(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-*") // mode 0600
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
