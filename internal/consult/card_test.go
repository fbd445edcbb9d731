package consult_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
)

func TestCardSaysEveryNoInWords(t *testing.T) {
	start := timeOf(t, "2026-06-08T09:00:00Z")
	b := consult.Booking{
		ID: "3fa9c1d2", Start: start, End: start.Add(15 * 60 * 1e9), Status: consult.Confirmed,
		Contact: &consult.Contact{
			Name: "Zoë Q.", Zone: "Europe/Madrid", Call: consult.CallMe, Phone: "+442079460018", Extension: "136", RawPhone: "020 7946 0018 x136",
			Answer: consult.HangUp, Dropped: consult.LeaveIt,
		},
	}
	london := zoneOf(t, "Europe/London")
	want := `Monday 8 June, 10:00–10:15  (3fa9c1)
  in the practice           Monday 8 June, 10:00 (10:00 am), London time, UTC+1
  where they are            Monday 8 June, 11:00 (11:00 am), Madrid time, UTC+2
  ask for                   Zoë Q.
  who calls                 you call them
  number                    +442079460018, extension 136  (typed: 020 7946 0018 x136)
  voicemail                 do not leave a message
  if somebody else answers  hang up without a word
  say you are               a call about the appointment
  stop word                 none was agreed on
  if the line drops         leave it there, do not call back
  e-mail                    none: do not write
`
	if diff := cmp.Diff(want, consult.Card(b, london, consult.Practice{})); diff != "" {
		t.Errorf("booking-H41 (-want +got):\n%s", diff)
	}
	b.Contact.Voicemail, b.Contact.Answer, b.Contact.Dropped = true, consult.AskFor, consult.CallOnce
	b.Contact.Caller, b.Contact.StopWord, b.Contact.Email = "the library", "lemon", "ana@example.org"
	got := consult.Card(b, london, consult.Practice{})
	for _, line := range []string{
		"voicemail                 you may leave a message\n", "if somebody else answers  ask for Zoë Q.\n", "say you are               the library\n",
		"stop word                 “lemon”: close with an ordinary sentence and hang up\n", "if the line drops         call once more after two minutes\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
	if strings.Contains(got, "ana@") {
		t.Error("the address is no business of whoever calls")
	}
	b.Contact = &consult.Contact{Name: "Zoë Q.", Call: consult.ICall, Answer: consult.WrongNumber, Dropped: consult.Wait}
	got = consult.Card(b, london, consult.Practice{})
	if !strings.Contains(got, "will call you") || !strings.Contains(got, "do not call\n") || strings.Contains(got, "voicemail") {
		t.Errorf("booking-H41: who calls us has no number:\n%s", got)
	}
	b.Contact = nil
	if got := consult.Card(b, london, consult.Practice{}); !strings.Contains(got, "there is nobody to call") {
		t.Errorf("a forgotten contact:\n%s", got)
	}
}
