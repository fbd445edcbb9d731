package main

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestALetterGoesOutOnTheClockOfThePractice(t *testing.T) {
	d := newLetterDesk(t)
	d.readers(2)
	a, err := openApp(t.Context(), Env{Stdout: &strings.Builder{}, Stderr: &strings.Builder{}, Getenv: d.getenv, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	a.env.Now = func() time.Time { return now }
	const slug = "quiet"
	for text, says := range map[string]string{
		"2027-03-28 01:30": "is no time", // London's clocks go from 1:00 to 2:00
		"2027-02-30 09:00": "is no time",
		"tomorrow":         "is no time",
		"2027-03-01 12:00": "is over",
	} {
		if err := a.scheduleIssue(t.Context(), slug, text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want one that says %q", text, err, says)
		}
	}
	if err := a.scheduleIssue(t.Context(), slug, "2027-06-01 08:00"); err != nil {
		t.Fatal(err)
	}
	if err := a.scheduleIssue(t.Context(), slug, "2027-06-01 09:00"); err != nil { // another time
		t.Fatal(err)
	}
	if sent, err := a.db.StartedIssues(t.Context()); err != nil || sent[slug] {
		t.Errorf("the archive shows what is only scheduled: %v %v", sent, err)
	}
	started := func() bool {
		t.Helper()
		a.startDueIssues(t.Context(), now)
		p, err := a.db.IssueProgress(t.Context(), slug)
		if err != nil {
			t.Fatal(err)
		}
		return p.State == "sending"
	}
	now = time.Date(2027, 6, 1, 7, 59, 59, 0, time.UTC) // 8:59:59 in London
	if started() {
		t.Error("started too early")
	}
	now = now.Add(time.Second)
	for range 2 { // the second time it is sending already
		if !started() {
			t.Error("not started at its time")
		}
	}
	if err := a.scheduleIssue(t.Context(), slug, "2027-07-01 08:00"); err == nil || !strings.Contains(err.Error(), "started already") {
		t.Errorf("scheduled again: %v", err)
	}
	if err := a.fillIssues(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p, err := a.db.IssueProgress(t.Context(), slug); err != nil || p.Waiting != 2 || !p.Filled {
		t.Errorf("%+v, error %v: want two letters in the outbox", p, err)
	}
}

func TestAScheduledLetterCanBeTakenBack(t *testing.T) {
	d := newLetterDesk(t)
	if got := d.do("newsletter", "send", "quiet", "-at", "2099-01-01 09:00"); !strings.Contains(got, "2099-01-01 09:00 (Europe/London)") {
		t.Errorf("send -at: %s", got)
	}
	for _, args := range []string{"newsletter list", "newsletter status quiet"} {
		if got := d.do(strings.Fields(args)...); !strings.Contains(got, "scheduled for 2099-01-01 09:00") {
			t.Errorf("%s: %s", args, got)
		}
	}
	if got := d.do("newsletter", "pause", "quiet"); !strings.Contains(got, "quiet: ready") {
		t.Errorf("pause: %s", got)
	}
	status, _, stderr := d.run(context.Background(), "", "newsletter", "send", "quiet", "-at", "2099-01-01 09:00", "-to", "a@b.example")
	if status != exitUsage || !strings.Contains(stderr, "don't go together") {
		t.Errorf("%d %s", status, stderr)
	}
}
