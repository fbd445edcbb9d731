package consult_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
)

func good() consult.Request {
	return consult.Request{
		Slot: "2026-06-08T09:00:00Z", Zone: "Europe/Madrid", Name: " Zoë Q. ", Call: "me", Phone: "020 7946 0018",
	}
}

func TestReadTakesWhatWasMeant(t *testing.T) {
	start, got, err := good().Read("GB", true)
	if err != nil {
		t.Fatal(err)
	}
	want := consult.Contact{
		Name: "Zoë Q.", Zone: "Europe/Madrid", Call: consult.CallMe, Phone: "+442079460018", RawPhone: "020 7946 0018",
		Answer: consult.HangUp, Dropped: consult.LeaveIt,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("defaults are the careful ones (-want +got):\n%s", diff)
	}
	if consult.FormatSlot(start) != "2026-06-08T09:00:00Z" {
		t.Errorf("start %s", start)
	}
}

func TestReadKeepsNoMoreThanIsNeeded(t *testing.T) {
	q := good()
	q.Call, q.Voicemail, q.Dropped, q.Remind, q.Zone = "you", "yes", "once", "yes", "Nowhere/Atlantis"
	_, got, err := q.Read("GB", true)
	if err != nil {
		t.Fatal(err)
	}
	want := consult.Contact{Name: "Zoë Q.", Call: consult.ICall, Answer: consult.HangUp, Dropped: consult.Wait}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("booking-H41: “I will call you” keeps no number (-want +got):\n%s", diff)
	}
	q.Remind = "x"
	if _, _, err := q.Read("GB", true); err != nil {
		t.Errorf("a reminder is nothing without an address: %v", err)
	}
	q.Email = "ana@example.org"
	if _, _, err := q.Read("GB", true); err == nil {
		t.Error("a reminder of another value is taken")
	}
	if _, got, err = q.Read("GB", false); err != nil || got.Email != "" || got.Remind {
		t.Errorf("without mail an address is not kept: %+v, error %v", got, err)
	}
}

func TestPhoneNumbers(t *testing.T) {
	for _, c := range []struct{ name, typed, phone, extension string }{
		{"booking-H36 from abroad", "+91 98 5158 7246", "+919851587246", ""},
		{"booking-H36 without a country", "020 7946 0018", "+442079460018", ""},
		{"booking-H36 extension", "+1 650 253 0000 ext. 136", "+16502530000", "136"},
		{"booking-H36 extension by x", "+1 650 253 0000 x136", "+16502530000", "136"},
		{"booking-H36 extension by RFC 3966", "+1 650 253 0000;ext=136", "+16502530000", "136"},
		{"no-break spaces and brackets", "(020)\u00a07946\u00a00018", "+442079460018", ""},
		{"digits of another script", "٠٢٠ ٧٩٤٦ ٠٠١٨", "+442079460018", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := good()
			q.Phone = c.typed
			_, got, err := q.Read("GB", true)
			if err != nil {
				t.Fatal(err.(*fault.Error).Fields)
			}
			if got.Phone != c.phone || got.Extension != c.extension || got.RawPhone != c.typed {
				t.Errorf("read %q as %q, extension %q, raw %q", c.typed, got.Phone, got.Extension, got.RawPhone)
			}
		})
	}
	for _, typed := range []string{"call-me-maybe", "999", "", "+", "0800 FLOWERS", strings.Repeat("1", 80), "020 7946\n0018"} {
		t.Run("booking-H36 refused "+typed, func(t *testing.T) {
			q := good()
			q.Phone = typed
			if got := messagesOf(t, q); len(got) != 1 || got[0].Name != "phone" {
				t.Errorf("messages %v", got)
			}
		})
	}
	if got := message(t, func(q *consult.Request) { q.Phone = "999" }); !strings.Contains(got, "+44 20 7946 0018") {
		t.Errorf("booking-H36: no example in %q", got)
	}
}

func TestAnUnusualNumberIsAskedAboutOnce(t *testing.T) {
	q := good()
	q.Phone = "01632 960001"
	if got := message(t, func(q *consult.Request) { q.Phone = "01632 960001" }); !strings.Contains(got, "the United Kingdom") {
		t.Errorf("R23: the assumed country is not named in %q", got)
	}
	q.PhoneOK = q.Phone
	_, got, err := q.Read("GB", true)
	if err != nil || got.Phone != "+441632960001" {
		t.Errorf("R23: sent again: %q, error %v", got.Phone, err)
	}
	q.Phone = "01632 960002"
	if got := messagesOf(t, q); len(got) != 1 {
		t.Errorf("R23: another number is asked about too: %v", got)
	}
}

func messagesOf(t *testing.T, q consult.Request) []fault.Field {
	t.Helper()
	_, _, err := q.Read("GB", true)
	wantKind(t, err, fault.Invalid)
	return err.(*fault.Error).Fields
}

func message(t *testing.T, change func(*consult.Request)) string {
	t.Helper()
	q := good()
	change(&q)
	return messagesOf(t, q)[0].Message
}

func TestReadNamesTheFieldsToPutRight(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*consult.Request)
		want   string
	}{
		{"no name", func(q *consult.Request) { q.Name = "  " }, "name"},
		{"an invisible name", func(q *consult.Request) { q.Name = "\u200b\u2060\u3164" }, "name"},
		{"a name of 301 characters", func(q *consult.Request) { q.Name = strings.Repeat("ž", 301) }, "name"},
		{"a control character in the name", func(q *consult.Request) { q.Name = "a\x07b" }, "name"},
		{"a line break in the name", func(q *consult.Request) { q.Name = "a\r\nBcc: x" }, "name"},
		{"text turned around", func(q *consult.Request) { q.Name = "a\u202eb" }, "name"},
		{"nobody calls", func(q *consult.Request) { q.Call = "" }, "call"},
		{"somebody else calls", func(q *consult.Request) { q.Call = "they" }, "call"},
		{"an unknown answer", func(q *consult.Request) { q.Answer = "shout" }, "answer"},
		{"an unknown wish", func(q *consult.Request) { q.Dropped = "cry" }, "dropped"},
		{"voicemail perhaps", func(q *consult.Request) { q.Voicemail = "perhaps" }, "voicemail"},
		{"a caller of 61 characters", func(q *consult.Request) { q.Caller = strings.Repeat("a", 61) }, "caller"},
		{"a control character in the caller", func(q *consult.Request) { q.Caller = "a\tb" }, "caller"},
		{"a stop word of 61 characters", func(q *consult.Request) { q.StopWord = strings.Repeat("a", 61) }, "stop_word"},
		{"half an address", func(q *consult.Request) { q.Email = "ana@" }, "email"},
		{"an address we can’t reach", func(q *consult.Request) { q.Email = "željka@example.net" }, "email"},
		{"a reminder perhaps", func(q *consult.Request) { q.Remind, q.Email = "perhaps", "a@b.example" }, "remind"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := good()
			c.change(&q)
			got := messagesOf(t, q)
			if len(got) != 1 || got[0].Name != c.want || got[0].Message == "" {
				t.Errorf("messages %v, want one at %s", got, c.want)
			}
		})
	}
	var names []string
	for _, f := range messagesOf(t, consult.Request{Call: "me", Email: "x", Dropped: "x"}) {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"slot", "name", "phone", "dropped", "email"}, names); diff != "" {
		t.Errorf("the order is the page’s (-want +got):\n%s", diff)
	}
}

func TestNamesAreCountedAsTheyAreWritten(t *testing.T) {
	q := good()
	q.Name = strings.Repeat("e\u0301", 300)
	if _, _, err := q.Read("GB", true); err != nil {
		t.Error(err)
	}
	q.Zone = "Europe/\nLondon"
	if _, _, err := q.Read("GB", true); err == nil {
		t.Error("a zone with a control character is taken")
	}
}

func TestLongNamesAndOddOnesAreTaken(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("ž", 300), "李", "Nguyễn Thị Minh Khai", "O'Brien-Smith", "<a href=https://evil.example>gift</a>", "👩‍👧", "=1+1", "ديما",
	} {
		q := good()
		q.Name = name
		if _, got, err := q.Read("GB", true); err != nil || got.Name != name {
			t.Errorf("%q: kept %q, error %v", name, got.Name, err)
		}
	}
}

func TestEmailIsKeptAsTyped(t *testing.T) {
	q := good()
	q.Email, q.Remind = " ana+call@example.org ", "yes"
	_, got, err := q.Read("GB", true)
	if err != nil || got.Email != "ana+call@example.org" || !got.Remind {
		t.Errorf("booking-H37: %q, remind %v, error %v", got.Email, got.Remind, err)
	}
}

func TestCodesAreThreePlainWords(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		code := consult.NewCode()
		if consult.NormalCode(code) != code || consult.Banned(code) != "" {
			t.Errorf("code %q", code)
		}
		seen[code] = true
	}
	if len(seen) < 199 {
		t.Errorf("only %d of 200 codes differ", len(seen))
	}
}

func FuzzRead(f *testing.F) {
	f.Add("020 7946 0018", "ana", "ana@example.org", "2026-06-08T09:00:00Z")
	f.Fuzz(func(t *testing.T, phone, name, email, slot string) {
		q := consult.Request{Slot: slot, Name: name, Call: "me", Phone: phone, PhoneOK: phone, Email: email}
		_, c, err := q.Read("GB", true)
		if err == nil && (c.Name == "" || !strings.HasPrefix(c.Phone, "+")) {
			t.Errorf("taken: %+v", c)
		}
	})
}
