package consult_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/slots"
)

// sent is what the worker would have done with one row.
type sent struct {
	kind    string
	skipped string
	mail    mail.Message
}

// deliver takes every row that is due at now and gives it its words.
func (w *world) deliver(now time.Time) []sent {
	w.Helper()
	mails := w.mails()
	var out []sent
	for {
		job, found, err := w.db.ClaimOutbox(context.Background(), now, time.Minute)
		if err != nil {
			w.Fatal(err)
		}
		if !found {
			return out
		}
		m, err := mails.Compose(context.Background(), job.Message, now)
		reason, skip := outbox.Skipping(err)
		if err != nil && !skip {
			w.Fatal(err)
		}
		result := outbox.Result{State: outbox.Accepted, Charged: true}
		if skip {
			result = outbox.Result{State: outbox.Skipped, Reason: reason}
		}
		if err := w.db.SettleOutbox(context.Background(), now, job.ID, result); err != nil {
			w.Fatal(err)
		}
		out = append(out, sent{kind: job.Kind, skipped: reason, mail: m})
	}
}

func (w *world) mails() consult.Mails {
	return consult.Mails{
		Store: w.db, Hours: func() slots.Availability { return w.hours },
		Practice: func() consult.Practice { return w.practice },
	}
}

func kinds(all []sent) []string {
	var out []string
	for _, s := range all {
		if s.skipped == "" {
			out = append(out, s.kind)
		}
	}
	return out
}

func withEmail(slot string) consult.Request {
	q := request(slot)
	q.Email, q.Remind = "ana+call@example.org", "yes"
	return q
}

func TestMailsAreDiscreet(t *testing.T) {
	w := mondays(t)
	w.practice.From.Name = "London Trauma Therapy"
	q := withEmail("2026-06-08T09:00:00Z")
	q.Zone, q.Call, q.Phone, q.StopWord, q.Caller = "Europe/Madrid", "me", "020 7946 0018", "lemon", "the abuse helpline"
	q.Name = "<a href=https://evil.example>gift</a>"
	b := w.book(q)
	all := w.deliver(w.now)
	all = append(all, w.deliver(timeOf(t, "2026-06-07T09:00:00Z"))...)
	b, err := w.service.Move(context.Background(), w.now, w.key(), b, "2026-06-08T09:30:00Z", "")
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, w.deliver(w.now)...)
	if _, err := w.service.Cancel(context.Background(), w.now, b, consult.ByVisitor); err != nil {
		t.Fatal(err)
	}
	all = append(all, w.deliver(w.now)...)
	want := []string{
		consult.KindConfirmed, consult.KindOwnerBooked, consult.KindReminder,
		consult.KindMoved, consult.KindOwnerMoved, consult.KindCancelled, consult.KindOwnerCancelled,
	}
	if diff := cmp.Diff(want, kinds(all)); diff != "" {
		t.Fatalf("messages (-want +got):\n%s", diff)
	}
	for _, s := range all {
		t.Run("booking-H42 "+s.kind, func(t *testing.T) { checkDiscreet(t, s) })
	}
}

func checkDiscreet(t *testing.T, s sent) {
	text := s.mail.From.Name + "\n" + s.mail.Subject + "\n" + s.mail.Text + "\n"
	if s.mail.Invite != nil {
		text += s.mail.Invite.Data
	}
	if word := consult.Banned(text); word != "" {
		t.Errorf("%q stands in\n%s", word, text)
	}
	for _, typed := range []string{"gift", "evil.example", "7946", "lemon", "helpline"} {
		if strings.Contains(text, typed) {
			t.Errorf("what the visitor typed (%q) stands in\n%s", typed, text)
		}
	}
	owner := strings.HasPrefix(s.kind, "owner-")
	if (s.mail.Invite != nil) != owner {
		t.Errorf("calendar part: %v", s.mail.Invite)
	}
	if s.mail.HTML != "" || s.mail.List != nil {
		t.Error("not a plain letter")
	}
	if owner && (strings.Contains(text, "ana+call") || strings.Contains(text, "://")) {
		t.Errorf("SEC-H18: an address or a link in the owner’s mail:\n%s", text)
	}
	if !owner && s.mail.To != "ana+call@example.org" {
		t.Errorf("booking-H37: sent to %q", s.mail.To)
	}
}

func TestConfirmationNamesTheTimeInTheVisitorsZone(t *testing.T) {
	w := mondays(t)
	q := withEmail("2026-06-08T09:00:00Z")
	q.Zone, q.Remind = "America/Denver", ""
	b := w.book(q)
	all := w.deliver(w.now)
	if all[0].mail.Subject != "Confirmed: Monday 8 June, 03:00" {
		t.Errorf("subject %q", all[0].mail.Subject)
	}
	want := "This is confirmed:\n\n" +
		"Monday 8 June, 03:00 (3:00 am), Denver time, UTC−6\nFor us that is Monday 8 June, 10:00 (10:00 am), London time, UTC+1.\nIt takes 15 minutes.\nYou call us: 020 7946 0018.\n\n" +
		"To see it, move it or cancel it:\nhttps://links.example/consult/" + b.Contact.Token + "\n"
	if diff := cmp.Diff(want, all[0].mail.Text); diff != "" {
		t.Errorf("booking-H31 (-want +got):\n%s", diff)
	}
	if got, want := all[1].mail.Subject, "A call was booked: Monday 8 June, 10:00"; got != want {
		t.Errorf("booking-H31: the owner’s subject is %q, want %q", got, want)
	}
}

func TestReminderIsDueADayBeforeElapsed(t *testing.T) {
	for _, c := range []struct{ name, now, slot, due, subject string }{
		{"booking-H30 into summer time", "2026-03-20T12:00:00Z", "2026-03-29T09:00:00Z", "2026-03-28T09:00:00Z", "Reminder: Sunday 29 March, 10:00"},
		{"booking-H30 out of it", "2026-10-20T12:00:00Z", "2026-10-25T10:00:00Z", "2026-10-24T10:00:00Z", "Reminder: Sunday 25 October, 10:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "Europe/London", c.now, weekdays(hours(9, 11), time.Sunday))
			w.book(withEmail(c.slot))
			w.deliver(w.now)
			due := timeOf(t, c.due)
			if early := w.deliver(due.Add(-time.Second)); len(early) > 0 {
				t.Errorf("sent before it was due: %v", kinds(early))
			}
			got := w.deliver(due)
			if len(got) != 1 || got[0].kind != consult.KindReminder || got[0].mail.Subject != c.subject {
				t.Errorf("at %s: %+v", c.due, got)
			}
		})
	}
}

func TestReminderDueWithinTheHourIsLeftOut(t *testing.T) {
	w := mondays(t)
	w.now = timeOf(t, "2026-06-07T08:30:00Z")
	w.book(withEmail("2026-06-08T09:00:00Z"))
	w.deliver(w.now)
	if got := w.deliver(timeOf(t, "2026-06-08T08:00:00Z")); len(got) > 0 {
		t.Errorf("R19: %v", kinds(got))
	}
}

func TestNoReminderAfterCancelling(t *testing.T) {
	w := mondays(t)
	b := w.book(withEmail("2026-06-08T09:00:00Z"))
	w.deliver(w.now)
	claimed := timeOf(t, "2026-06-07T09:00:00Z")
	cancelled := timeOf(t, "2026-06-07T08:59:59Z")
	job, found, err := w.db.ClaimOutbox(context.Background(), claimed, time.Minute)
	if err != nil || !found || job.Kind != consult.KindReminder {
		t.Fatalf("claimed %+v, found %v, error %v", job, found, err)
	}
	if _, err := w.service.Cancel(context.Background(), cancelled, b, consult.ByVisitor); err != nil {
		t.Fatal(err)
	}
	_, err = w.mails().Compose(context.Background(), job.Message, claimed)
	if reason, skip := outbox.Skipping(err); !skip || reason != "cancelled" {
		t.Errorf("booking-H29: cancelled after the claim: %v", err)
	}
	for _, s := range w.deliver(claimed) {
		if s.kind == consult.KindReminder {
			t.Errorf("booking-H29: the reminder is still there: %+v", s)
		}
	}
}

func TestNothingIsSentWithoutAnAddress(t *testing.T) {
	w := mondays(t)
	b := w.book(request("2026-06-08T09:00:00Z"))
	all := w.deliver(w.now)
	b, err := w.service.Move(context.Background(), w.now, w.key(), b, "2026-06-08T09:30:00Z", "")
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, w.deliver(w.now)...)
	all = append(all, w.deliver(timeOf(t, "2026-06-07T10:00:00Z"))...)
	if _, err := w.service.Cancel(context.Background(), w.now, b, consult.ByVisitor); err != nil {
		t.Fatal(err)
	}
	all = append(all, w.deliver(w.now)...)
	want := []string{consult.KindOwnerBooked, consult.KindOwnerMoved, consult.KindOwnerCancelled}
	if diff := cmp.Diff(want, kinds(all)); diff != "" {
		t.Errorf("booking-H41 (-want +got):\n%s", diff)
	}
}

func TestWithdrawnAddressGetsNothingMore(t *testing.T) {
	w := mondays(t)
	b := w.book(withEmail("2026-06-08T09:00:00Z"))
	if err := w.service.WithdrawEmail(context.Background(), w.now, b); err != nil {
		t.Fatal(err)
	}
	all := append(w.deliver(w.now), w.deliver(timeOf(t, "2026-06-07T10:00:00Z"))...)
	if diff := cmp.Diff([]string{consult.KindOwnerBooked}, kinds(all)); diff != "" {
		t.Errorf("booking-H41 (-want +got):\n%s", diff)
	}
	now, err := w.service.ByToken(context.Background(), w.now, b.Contact.Token)
	if err != nil || now.Contact.Email != "" || now.Contact.Remind || now.Contact.Name != b.Contact.Name {
		t.Errorf("booking-H41: %+v, error %v", now.Contact, err)
	}
}

func TestOwnersCalendarFollowsTheCall(t *testing.T) {
	w := mondays(t)
	b := w.book(request("2026-06-08T09:00:00Z"))
	first := w.deliver(w.now)[0].mail.Invite
	b, err := w.service.Move(context.Background(), w.now, w.key(), b, "2026-06-08T09:30:00Z", "")
	if err != nil {
		t.Fatal(err)
	}
	second := w.deliver(w.now)[0].mail.Invite
	if _, err := w.service.Cancel(context.Background(), w.now, b, consult.ByVisitor); err != nil {
		t.Fatal(err)
	}
	third := w.deliver(w.now)[0].mail.Invite
	for i, c := range []struct {
		got    *mail.Calendar
		method string
		want   []string
	}{
		{first, "REQUEST", []string{"SEQUENCE:0", "STATUS:CONFIRMED", "DTSTART:20260608T090000Z"}},
		{second, "REQUEST", []string{"SEQUENCE:1", "STATUS:CONFIRMED", "DTSTART:20260608T093000Z"}},
		{third, "CANCEL", []string{"SEQUENCE:2", "STATUS:CANCELLED", "DTSTART:20260608T093000Z"}},
	} {
		if c.got == nil || c.got.Method != c.method {
			t.Fatalf("booking-H33 mail %d: %+v", i+1, c.got)
		}
		for _, line := range append(c.want, "UID:"+b.UID, "ORGANIZER:mailto:post@example.net") {
			if !strings.Contains(c.got.Data, line+"\r\n") {
				t.Errorf("booking-H33 mail %d: no %s in\n%s", i+1, line, c.got.Data)
			}
		}
	}
}
