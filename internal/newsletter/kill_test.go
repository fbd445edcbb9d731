package newsletter_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/store"
)

// childEnv makes this test program a worker that is there to be killed.
const childEnv = "STEADIER_TEST_WORKER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := child(dir, os.Getenv(childEnv+"_SMTP")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child delivers from the database in dir until it is killed.
func child(dir, smtp string) error {
	ctx := context.Background()
	ring, err := seal.Load(filepath.Join(dir, "ring"))
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, dir, ring, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	server, err := mail.ParseURL(smtp)
	if err != nil {
		return err
	}
	mailer := newsletter.Mailer{
		Sender: db, Links: newsletter.NewLinks(ring), From: mail.Mailbox{Address: "post@letters.example"},
		Site: "https://site.example", MailSite: "https://letters.example",
	}
	worker := outbox.New(outbox.Options{
		Store: db, Transport: mail.NewSMTP(server, "letters.example", nil, mail.DefaultLimits()),
		Composers: map[string]outbox.Composer{newsletter.KindIssue: mailer},
		Now:       time.Now, Chance: rand.Float64, Boot: outbox.BootID(), Log: slog.New(slog.DiscardHandler),
	})
	fmt.Println("ready")
	return worker.RunLocked(ctx, filepath.Join(dir, outbox.LockName))
}

// spawn starts a child and waits until it delivers.
func (b *bench) spawn() *exec.Cmd {
	b.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+b.dir, childEnv+"_SMTP="+b.peer.URL())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	b.must(err)
	b.must(cmd.Start())
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil && err != io.EOF {
		b.t.Fatal(err)
	}
	return cmd
}

func TestNewsH13KilledInTheMiddle(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts and kills a dozen processes")
	}
	const readers, kills = 300, 10
	b := newBench(t)
	b.peer = mailtest.Start(t, mailtest.Config{Security: mail.Clear, Slow: 5 * time.Millisecond})
	b.must(seal.Save(filepath.Join(b.dir, "ring"), b.ring))
	b.now = time.Now().Add(-time.Hour)
	b.crowd(readers)
	b.start(issue())
	for kill := range kills {
		cmd := b.spawn()
		for len(b.peer.Messages()) < (kill+1)*readers/(kills+2) { // somewhere in the middle of one
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(8)) * time.Millisecond)
		b.must(cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
	}
	last := b.spawn()
	defer func() { _ = last.Process.Kill(); _ = last.Wait() }()
	p := b.progress()
	for ; p.Waiting > 0; p = b.progress() {
		time.Sleep(20 * time.Millisecond)
	}
	got := recipients(b.letters())
	for reader, n := range got {
		if n > 1 {
			t.Errorf("%s has %d letters", reader, n)
		}
	}
	if p.Accepted+p.Unknown != readers || p.Unknown > kills || p.Failed+p.Skipped > 0 {
		t.Errorf("progress = %+v, want nobody lost and at most %d unknown", p, kills)
	}
	if len(got) < p.Accepted || len(got)+p.Unknown < readers {
		t.Errorf("%d readers have a letter; progress = %+v", len(got), p)
	}
	t.Logf("%d kills, %d unknown", kills, p.Unknown)
}
