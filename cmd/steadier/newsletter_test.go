package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
)

// letterDesk is a content and a data folder, with a peer that takes the mail.
type letterDesk struct {
	t      *testing.T
	peer   *mailtest.Peer
	dir    string
	getenv func(string) string
}

func newLetterDesk(t *testing.T) *letterDesk {
	t.Helper()
	d := &letterDesk{t: t, dir: t.TempDir(), peer: mailtest.Start(t, mailtest.Config{Security: mail.Clear})}
	content := filepath.Join(d.dir, "content")
	for name, text := range map[string]string{
		"site.yaml":         "name: Steadier\ntagline: t\nexit: https://exit.example\nnotify: owner@site.example\nsender:\n  name: Post\n  address: post@site.example\n",
		"availability.yaml": "zone: Europe/London\nlength: 15m\nstep: 30m\nhorizon: 28\nweek:\n  mon: [\"10:00-12:00\"]\n",
		"newsletter/quiet.md": "---\nsubject: A quiet letter\ndiscreet_subject: A letter\npreheader: Slowly.\n" +
			"date: 2026-12-01\n---\nThe words, and [help](/support).\n",
		"newsletter/telling.md": "---\nsubject: A letter\ndiscreet_subject: On trauma\npreheader: Slowly.\ndate: 2026-11-01\n---\nWords.\n",
	} {
		path := filepath.Join(content, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.getenv = env("STEADIER_CONTENT", content, "STEADIER_DATA", filepath.Join(d.dir, "data"),
		"STEADIER_BASE_URL", "https://site.example", "STEADIER_SMTP", d.peer.URL())
	return d
}

// run carries out a command line.
func (d *letterDesk) run(ctx context.Context, stdin string, args ...string) (status int, stdout, stderr string) {
	d.t.Helper()
	var out, errs bytes.Buffer
	status = run(ctx, Env{
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: d.getenv, Now: time.Now,
	}, args)
	return status, out.String(), errs.String()
}

// do carries out a command line that must succeed, and returns its output.
func (d *letterDesk) do(args ...string) string {
	d.t.Helper()
	status, stdout, stderr := d.run(context.Background(), "", args...)
	if status != exitOK {
		d.t.Fatalf("%s: %d %s%s", strings.Join(args, " "), status, stdout, stderr)
	}
	return stdout
}

// readers imports subscribers who have agreed.
func (d *letterDesk) readers(n int) {
	d.t.Helper()
	file := "email;consent_given;consent_wording\n"
	for i := range n {
		file += fmt.Sprintf("reader%d@x.example;2026-01-01T00:00:00Z;ours\n", i)
	}
	if status, stdout, stderr := d.run(context.Background(), file, "subscribers", "import", "-"); status != exitOK {
		d.t.Fatalf("import: %d %s%s", status, stdout, stderr)
	}
}

func (d *letterDesk) letters() (n int) {
	for _, m := range d.peer.Messages() {
		if m.Header(d.t).Get("List-Id") != "" {
			n++
		}
	}
	return n
}

func TestNewsletterCommands(t *testing.T) {
	d := newLetterDesk(t)
	if got := d.do("newsletter", "list"); !strings.Contains(got, "quiet") || !strings.Contains(got, "ready") {
		t.Errorf("list: %s", got)
	}
	if got := d.do("newsletter", "preview", "quiet"); !strings.Contains(got, "Subject: A quiet letter\n") || !strings.Contains(got, "help (https://site.example/support)") {
		t.Errorf("preview: %s", got)
	}
	if got := d.do("newsletter", "status", "quiet"); !strings.Contains(got, "quiet: ready") {
		t.Errorf("status: %s", got)
	}
	d.readers(3)
	if got := d.do("newsletter", "send", "quiet", "-to", "owner@site.example"); !strings.Contains(got, "One copy") || d.letters() != 1 {
		t.Errorf("send -to: %s, %d letters", got, d.letters())
	}
	if got := d.do("newsletter", "send", "quiet"); !strings.Contains(got, "quiet: sent") || !strings.Contains(got, "sent 3, waiting 0") {
		t.Errorf("send: %s", got)
	}
	d.do("newsletter", "send", "quiet") // again: nobody gets two
	if d.letters() != 4 {
		t.Errorf("%d letters, want the copy and three", d.letters())
	}
	if got := d.do("newsletter", "list"); !strings.Contains(got, "sent") {
		t.Errorf("list: %s", got)
	}
}

func TestNewsletterRefusals(t *testing.T) {
	d := newLetterDesk(t)
	for name, test := range map[string]struct {
		args   string
		status int
		says   string
	}{
		"no such verb":                 {"newsletter mail", exitUsage, `no "mail"`},
		"no slug":                      {"newsletter send", exitUsage, "want 1 to 1"},
		"an unknown flag":              {"newsletter send quiet -all", exitUsage, "-all"},
		"to settle how":                {"newsletter settle quiet maybe", exitUsage, "sent or again"},
		"no such issue":                {"newsletter send loud", exitFault, `no issue "loud"`},
		"nobody subscribed":            {"newsletter send quiet", exitFault, "nobody is subscribed"},
		"a telling plain subject":      {"newsletter send telling", exitFault, "gives the subject away"},
		"not an address":               {"newsletter send quiet -to nobody", exitFault, "not an e-mail address"},
		"nothing to pause":             {"newsletter pause", exitFault, "no issue is sending"},
		"nothing to resume":            {"newsletter resume quiet", exitFault, "not paused"},
		"nothing to settle":            {"newsletter settle quiet sent", exitFault, "never started"},
		"subscribers without a file":   {"subscribers import", exitUsage, "want import FILE"},
		"subscribers without the file": {"subscribers import /nowhere.csv", exitFault, "nowhere.csv"},
		"bounce with arguments":        {"bounce x", exitUsage, "standard input"},
		"bounce of no report":          {"bounce", exitFault, "not a delivery status notification"},
	} {
		status, _, stderr := d.run(context.Background(), "", strings.Fields(test.args)...)
		if status != test.status || !strings.Contains(stderr, test.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: %d %s; want %d and one line with %q", name, status, stderr, test.status, test.says)
		}
	}
}

func TestNewsH19ACommandTellsOfAWrongPassword(t *testing.T) {
	d := newLetterDesk(t)
	d.readers(2)
	d.peer.ScriptMail(mailtest.Refuse(mailtest.AtMail, 535, "5.7.8"))
	status, stdout, stderr := d.run(context.Background(), "", "newsletter", "send", "quiet")
	if status != exitFault || !strings.Contains(stderr, "STEADIER_SMTP") || !strings.Contains(stdout, "waiting 2") {
		t.Errorf("%d %s%s", status, stdout, stderr)
	}
	if got := d.do("newsletter", "send", "quiet"); !strings.Contains(got, "sent 2") {
		t.Errorf("after it was put right: %s", got)
	}
}

func TestASecondProcessWaitsInsteadOfSending(t *testing.T) {
	d := newLetterDesk(t)
	d.readers(5)
	lock, err := outbox.Lock(filepath.Join(d.dir, "data", outbox.LockName))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan string)
	go func() {
		_, stdout, stderr := d.run(context.Background(), "", "newsletter", "send", "quiet")
		ended <- stdout + stderr
	}()
	waitForRows(t, d)
	if d.letters() != 0 {
		t.Errorf("%d letters while another process holds the lock", d.letters())
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if got := <-ended; !strings.Contains(got, "sent 5") {
		t.Errorf("after the lock was free: %s", got)
	}
}

// waitForRows waits until an issue has all its rows.
func waitForRows(t *testing.T, d *letterDesk) {
	t.Helper()
	a, err := openApp(context.Background(), Env{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer), Getenv: d.getenv, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	for {
		issues, err := a.db.Issues(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if len(issues) == 1 && issues[0].Filled {
			return
		}
		time.Sleep(10 * time.Millisecond) // for another goroutine's database connection
	}
}

func TestSubscribersAndBounces(t *testing.T) {
	d := newLetterDesk(t)
	d.readers(2)
	status, _, stderr := d.run(context.Background(), "email\nreader0@x.example\n", "subscribers", "import", "-")
	if status != exitFault || !strings.Contains(stderr, "nothing to import") {
		t.Errorf("import of known ones: %d %s; want that nothing is called a success", status, stderr)
	}
	file := filepath.Join(d.dir, "out.csv")
	d.do("subscribers", "export", file)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v; want it private", info, err)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "@x.example") != 2 {
		t.Errorf("export: %s, %v", text, err)
	}
	d.do("newsletter", "send", "quiet")
	id := d.peer.To("reader0@x.example")[0].Header(t).Get("Message-Id")
	report := "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n" +
		"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: " + id + "\r\n\r\n--b--\r\n"
	for _, text := range []string{strings.ReplaceAll(report, id, "<other@site.example>"), report} {
		status, stdout, stderr := d.run(context.Background(), text, "bounce")
		if status != exitOK {
			t.Errorf("bounce: %d %s%s", status, stdout, stderr)
		}
	}
	if got := d.do("subscribers", "export", "-"); strings.Contains(got, "reader0@") || !strings.Contains(got, "reader1@") {
		t.Errorf("after the bounce: %s", got)
	}
}

func TestDescribeAddsUp(t *testing.T) {
	p := newsletter.Progress{Slug: "x", State: newsletter.Sending, Accepted: 1, Waiting: 5, Later: 2, Failed: 3, Unknown: 1, Skipped: 4}
	got := describe(p)
	for _, want := range []string{"sending, not done", "14 in all", "2 were refused for now", "1 may have been delivered"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
}

func TestSendingCanBeInterruptedAndRunAgain(t *testing.T) {
	d := newLetterDesk(t)
	const readers = 40
	d.readers(readers)
	ctx, interrupt := context.WithCancel(context.Background())
	ended := make(chan string)
	go func() {
		status, stdout, stderr := d.run(ctx, "", "newsletter", "send", "quiet")
		ended <- fmt.Sprint(status, " ", stdout, stderr)
	}()
	for d.letters() < 5 {
		time.Sleep(time.Millisecond) // for the peer, which runs in real time
	}
	interrupt()
	first := <-ended
	if !strings.Contains(first, "sent 40") && (!strings.HasPrefix(first, "1 ") || !strings.Contains(first, "run it again")) {
		t.Errorf("interrupted: %s", first)
	}
	if got := d.do("newsletter", "send", "quiet"); !strings.Contains(got, "sent 40, waiting 0, failed 0, unknown 0") {
		t.Errorf("run again: %s", got)
	}
	if got := d.letters(); got != readers {
		t.Errorf("%d letters, want %d", got, readers)
	}
}
