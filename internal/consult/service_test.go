package consult_test

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/internal/store/storetest"
)

// world is a practice with its hours, a real database and a clock that stands.
type world struct {
	*testing.T
	db       *store.DB
	hours    slots.Availability
	practice consult.Practice
	service  *consult.Service
	now      time.Time
	keys     int
}

func newWorld(t *testing.T, zone, now string, change func(*slots.Availability)) *world {
	t.Helper()
	w := &world{
		T: t, db: storetest.Open(t), now: timeOf(t, now),
		hours: slots.Availability{
			Zone: zoneOf(t, zone), Length: 15 * time.Minute, Step: 30 * time.Minute, Horizon: 28,
			Dates: map[slots.Date][]slots.Window{},
		},
		practice: consult.Practice{
			Phone: "020 7946 0018", Country: "GB", Notify: "owner@example.net",
			From: consult.Sender{Name: "Appointments", Address: "post@example.net"},
			Base: "https://site.example", Links: "https://links.example",
		},
	}
	change(&w.hours)
	w.service = w.newService(consult.DefaultBudget())
	return w
}

func (w *world) newService(budget consult.Budget) *consult.Service {
	return consult.New(w.db, consult.Config{
		Hours:    func() slots.Availability { return w.hours },
		Practice: func() consult.Practice { return w.practice },
		MailOn:   true, Budget: budget, Log: slog.New(slog.DiscardHandler),
	})
}

// key is a form made at now.
func (w *world) key() consult.Key {
	w.keys++
	return consult.Key{ID: "key" + strconv.Itoa(w.keys), Issued: w.now}
}

func weekdays(windows []slots.Window, days ...time.Weekday) func(*slots.Availability) {
	return func(a *slots.Availability) {
		for _, day := range days {
			a.Week[day] = windows
		}
	}
}

func hours(from, to int) []slots.Window { return []slots.Window{{From: from * 60, To: to * 60}} }

// mondays is K0 with Mondays 09:00–11:00 in London, on Friday 5 June 2026.
func mondays(t *testing.T) *world {
	return newWorld(t, "Europe/London", "2026-06-05T12:00:00Z", weekdays(hours(9, 11), time.Monday))
}

func request(slot string) consult.Request {
	return consult.Request{Slot: slot, Name: "Zoë Q.", Call: "you", Zone: "Europe/London"}
}

func (w *world) book(q consult.Request) consult.Booking {
	w.Helper()
	b, err := w.service.Book(context.Background(), w.now, w.key(), q)
	if err != nil {
		w.Fatal(err)
	}
	return b
}

// offered are the values of the times on all pages, with their days.
func (w *world) offered(ask consult.Ask) []string {
	w.Helper()
	var out []string
	for {
		page, err := w.service.Times(context.Background(), w.now, ask)
		if err != nil {
			w.Fatal(err)
		}
		for _, day := range page.Days {
			for _, t := range day.Times {
				if !t.Present {
					out = append(out, t.Value)
				}
			}
		}
		if !page.Later {
			return out
		}
		ask.From, ask.Turn = page.From, 1
	}
}

func wantKind(t *testing.T, err error, want fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != want {
		t.Fatalf("error %v, want one of kind %s", err, want)
	}
}

func nearestOf(t *testing.T, err error) []string {
	t.Helper()
	refused, ok := err.(*consult.Refused)
	if !ok {
		t.Fatalf("error %T %v, want a *Refused", err, err)
	}
	var out []string
	for _, at := range refused.Nearest {
		out = append(out, consult.FormatSlot(at))
	}
	return out
}

func TestBookTakesATimeOnce(t *testing.T) {
	w := mondays(t)
	b := w.book(request("2026-06-08T09:00:00Z"))
	if b.Contact.Token == "" || len(strings.Fields(b.Contact.Code)) != 3 || len(b.UID) != 36 {
		t.Errorf("token %q, code %q, uid %q", b.Contact.Token, b.Contact.Code, b.UID)
	}
	_, err := w.service.Book(context.Background(), w.now, w.key(), request("2026-06-08T09:00:00Z"))
	wantKind(t, err, fault.Taken)
	want := []string{"2026-06-08T08:00:00Z", "2026-06-08T08:30:00Z", "2026-06-08T09:30:00Z"}
	if diff := cmp.Diff(want, nearestOf(t, err)); diff != "" {
		t.Errorf("booking-H24 nearest (-want +got):\n%s", diff)
	}
	for _, offered := range w.offered(consult.Ask{}) {
		if offered == "2026-06-08T09:00:00Z" {
			t.Error("booking-H24: the taken time is still offered")
		}
	}
}

func TestBookRefusesWhatIsNotOffered(t *testing.T) {
	w := mondays(t)
	for _, c := range []struct{ name, slot string }{
		{"booking-H25 off the grid", "2026-06-08T08:07:00Z"},
		{"booking-H25 outside the windows", "2026-06-08T12:00:00Z"},
		{"booking-H25 in the past", "2026-06-01T08:00:00Z"},
		{"booking-H25 beyond the horizon", "2026-07-06T08:00:00Z"},
		{"booking-H17 a day that is not", "2024-02-30T10:00:00Z"},
		{"booking-H17 no leap day", "2023-02-29T10:00:00Z"},
		{"no time", ""},
		{"a local time", "2026-06-08T09:00"},
		{"far away", "9999-12-31T23:59:59Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := w.service.Book(context.Background(), w.now, w.key(), request(c.slot))
			wantKind(t, err, fault.Invalid)
		})
	}
}

func TestNoticeIsCheckedWithPatience(t *testing.T) {
	w := newWorld(t, "Europe/London", "2026-06-10T22:50:00Z", func(a *slots.Availability) {
		a.Notice = 10 * time.Hour
		a.Week[time.Thursday] = hours(9, 11)
	})
	issued := w.now
	const slot = "2026-06-11T09:00:00Z"
	try := func(now, key string, issued time.Time) error {
		_, err := w.service.Book(context.Background(), timeOf(t, now), consult.Key{ID: key, Issued: issued}, request(slot))
		return err
	}
	err := try("2026-06-10T23:20:01Z", "a", issued)
	wantKind(t, err, fault.Invalid)
	if got := err.(*consult.Refused).Fault.Fields[0].Message; !strings.Contains(got, "too soon") {
		t.Errorf("booking-H25: message %q", got)
	}
	if got := nearestOf(t, err); len(got) != 3 || got[0] != "2026-06-11T09:30:00Z" {
		t.Errorf("booking-H25: near times %v", got)
	}
	wantKind(t, try("2026-06-10T23:05:00Z", "b", time.Time{}), fault.Invalid)
	wantKind(t, try("2026-06-10T23:05:00Z", "c", timeOf(t, "2026-06-10T23:30:00Z")), fault.Invalid)
	if err := try("2026-06-10T23:05:00Z", "d", issued); err != nil {
		t.Errorf("booking-H25: a form made 15 minutes ago is refused: %v", err)
	}
}

func TestTheSameFormHasOneEffect(t *testing.T) {
	w := mondays(t)
	key := w.key()
	first, err := w.service.Book(context.Background(), w.now, key, request("2026-06-08T09:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.service.Book(context.Background(), w.now.Add(10*time.Minute), key, request("2026-06-08T09:00:00Z"))
	if err != nil || again.Contact.Token != first.Contact.Token {
		t.Errorf("booking-H23: token %q and %q, error %v", first.Contact.Token, again.Contact.Token, err)
	}
	move := w.key()
	moved, err := w.service.Move(context.Background(), w.now, move, first, "2026-06-08T10:00:00Z", "")
	if err == nil {
		t.Fatalf("moved to a time outside the hours: %+v", moved)
	}
	for range 2 {
		if moved, err = w.service.Move(context.Background(), w.now, move, first, "2026-06-08T09:30:00Z", ""); err != nil {
			t.Fatal(err)
		}
	}
	if moved.Sequence != 1 || moved.UID != first.UID || consult.FormatSlot(moved.Start) != "2026-06-08T09:30:00Z" {
		t.Errorf("R16: moved to %s, sequence %d", moved.Start, moved.Sequence)
	}
}

func TestMoveLeavesTheOldTimeIfTheNewIsGone(t *testing.T) {
	w := mondays(t)
	b := w.book(request("2026-06-08T09:00:00Z"))
	w.book(request("2026-06-08T09:30:00Z"))
	_, err := w.service.Move(context.Background(), w.now, w.key(), b, "2026-06-08T09:30:00Z", "")
	wantKind(t, err, fault.Taken)
	if got := nearestOf(t, err); got[0] != "2026-06-08T08:00:00Z" && got[0] != "2026-06-08T08:30:00Z" {
		t.Errorf("near times %v", got)
	}
	now, err := w.service.ByToken(context.Background(), w.now, b.Contact.Token)
	if err != nil || !now.Start.Equal(b.Start) || now.Sequence != 0 {
		t.Errorf("the old booking is at %s, sequence %d, error %v", now.Start, now.Sequence, err)
	}
}

func TestReschedulingByAQuarterOfAnHour(t *testing.T) {
	w := newWorld(t, "Europe/London", "2026-06-05T12:00:00Z", func(a *slots.Availability) {
		a.Step, a.After, a.Horizon = 15*time.Minute, 15*time.Minute, 5
		a.Week[time.Monday] = []slots.Window{{From: 9 * 60, To: 11*60 + 30}}
	})
	b := w.book(request("2026-06-08T09:00:00Z"))
	page, err := w.service.Times(context.Background(), w.now, consult.Ask{Zone: "Europe/London", Own: &b})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, at := range page.Days[0].Times {
		mark := ""
		if at.Present {
			mark = " present"
		}
		got = append(got, at.Clock+mark)
	}
	want := []string{"09:00", "09:15", "09:30", "09:45", "10:00 present", "10:15", "10:30", "10:45", "11:00", "11:15"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("booking-H21 (-want +got):\n%s", diff)
	}
	if _, err := w.service.Move(context.Background(), w.now, w.key(), b, "2026-06-08T09:15:00Z", ""); err != nil {
		t.Errorf("booking-H21: a quarter of an hour on: %v", err)
	}
}

func TestCancelFreesTheTime(t *testing.T) {
	w := newWorld(t, "Europe/London", "2026-06-05T12:00:00Z", func(a *slots.Availability) {
		a.PerDay, a.Horizon = 1, 5
		a.Week[time.Monday] = hours(9, 10)
	})
	b := w.book(request("2026-06-08T08:00:00Z"))
	if got := w.offered(consult.Ask{}); len(got) > 0 {
		t.Errorf("booking-H26 before: %v", got)
	}
	for range 2 {
		if _, err := w.service.Cancel(context.Background(), w.now, b, consult.ByVisitor); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"2026-06-08T08:00:00Z", "2026-06-08T08:30:00Z"}
	if diff := cmp.Diff(want, w.offered(consult.Ask{})); diff != "" {
		t.Errorf("booking-H26 after (-want +got):\n%s", diff)
	}
	other := w.book(request("2026-06-08T08:00:00Z"))
	if other.ID == b.ID || other.UID == b.UID {
		t.Error("booking-H26: the new booking is the old one")
	}
	old, err := w.service.ByToken(context.Background(), w.now, b.Contact.Token)
	if err != nil || old.Status != consult.Cancelled {
		t.Errorf("booking-H26: the old row is %q, error %v", old.Status, err)
	}
}

func TestNothingChangesOnceTheCallHasBegun(t *testing.T) {
	w := mondays(t)
	b := w.book(request("2026-06-08T09:00:00Z"))
	_, err := w.service.Cancel(context.Background(), b.Start, b, consult.ByVisitor)
	wantKind(t, err, fault.Taken)
	_, err = w.service.Move(context.Background(), b.Start, w.key(), b, "2026-06-15T09:00:00Z", "")
	wantKind(t, err, fault.Taken)
	if _, err := w.service.Cancel(context.Background(), w.now, b, consult.ByOwner); err != nil {
		t.Fatal(err)
	}
	_, err = w.service.Move(context.Background(), w.now, w.key(), b, "2026-06-15T09:00:00Z", "")
	wantKind(t, err, fault.Taken)
}

func TestBudgetsEndInOneAnswer(t *testing.T) {
	w := newWorld(t, "Europe/London", "2026-06-05T12:00:00Z", weekdays(hours(9, 17), time.Monday))
	q := request("")
	q.Email = "ana@example.org"
	at := func(i int) string {
		return consult.FormatSlot(timeOf(t, "2026-06-08T08:00:00Z").Add(time.Duration(i) * 30 * time.Minute))
	}
	for i := range 3 {
		q.Slot = at(i)
		w.book(q)
	}
	q.Slot, q.Email = at(3), "ANA@Example.org"
	_, person := w.service.Book(context.Background(), w.now, w.key(), q)
	wantKind(t, person, fault.TooMany)
	q.Email = "bo@example.org"
	_, site := w.newService(consult.Budget{PerDay: 3}).Book(context.Background(), w.now, w.key(), q)
	wantKind(t, site, fault.TooMany)
	if a, b := asFault(t, person), asFault(t, site); a.Public != b.Public || a.RetryAfter != b.RetryAfter {
		t.Errorf("the two answers differ: %q and %q", a.Public, b.Public)
	}
	w.book(q)
	notices, err := w.db.Notices(context.Background(), w.now)
	if err != nil || len(notices) != 1 || notices[0].Kind != outbox.NoticeCalls {
		t.Errorf("the owner was told %v, error %v", notices, err)
	}
}

func asFault(t *testing.T, err error) *fault.Error {
	t.Helper()
	f, ok := err.(*fault.Error)
	if !ok {
		t.Fatalf("%T %v", err, err)
	}
	return f
}

func TestFindByCodeAndName(t *testing.T) {
	w := mondays(t)
	b := w.book(request("2026-06-08T09:00:00Z"))
	find := func(code, name string) error {
		_, err := w.service.Find(context.Background(), w.now, code, name)
		return err
	}
	code := strings.ToUpper(strings.ReplaceAll(b.Contact.Code, " ", " – "))
	if err := find(" "+code, " ZOE\u0308 q. "); err != nil {
		t.Errorf("letter case, spaces and accents must not count: %v", err)
	}
	wrong := []error{find(b.Contact.Code, "Somebody"), find("harbour pencil nowhere", "Zoë Q."), find("one", "Zoë Q.")}
	for _, err := range wrong {
		wantKind(t, err, fault.NotFound)
		if err.Error() != wrong[0].Error() || asFault(t, err).Public != asFault(t, wrong[0]).Public {
			t.Errorf("the answers differ: %v and %v", err, wrong[0])
		}
	}
	for range 4 {
		wantKind(t, find(b.Contact.Code, "Somebody"), fault.NotFound)
	}
	wantKind(t, find(b.Contact.Code, "Zoë Q."), fault.TooMany)
	w.now = w.now.Add(time.Hour)
	if err := find(b.Contact.Code, "Zoë Q."); err != nil {
		t.Errorf("after an hour: %v", err)
	}
}
