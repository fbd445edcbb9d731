package admin

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
)

const base = "https://site.example"

// desk is the owner at the desk: signed in, with calls, readers and a letter.
type desk struct {
	*browser

	app   app
	calls *consult.Service
	tends int
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := newDoor(t, base)
	desk := &desk{}
	zone, err := slots.LoadZone("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	hours := slots.Availability{Zone: zone, Length: 15 * time.Minute, Step: 30 * time.Minute, Horizon: 28, Dates: map[slots.Date][]slots.Window{}}
	for day := range hours.Week {
		hours.Week[day] = []slots.Window{{From: 9 * 60, To: 12 * 60}}
	}
	practice := func() consult.Practice {
		return consult.Practice{Country: "GB", Notify: "owner@site.example", Base: base, Links: base, From: consult.Sender{Name: "Post", Address: "post@site.example"}}
	}
	deps := d.site.Deps
	desk.calls = consult.New(d.db, consult.Config{
		Hours: func() slots.Availability { return hours }, Practice: practice, MailOn: true, Budget: consult.DefaultBudget(), Log: deps.Log,
	})
	lib := deps.Library()
	lib.Articles = []*library.Article{{Slug: "one", Title: "Why it holds"}}
	lib.Issues = []*library.Issue{{Slug: "quiet", Subject: "A quiet letter"}}
	deps.Consult, deps.Practice, deps.Hours = desk.calls, practice, func() slots.Availability { return hours }
	deps.Issue = func(slug string) (newsletter.Issue, bool) {
		return newsletter.Issue{Slug: "quiet", Subject: "A quiet letter", Discreet: "A letter", Preheader: "Slowly.", HTML: "<p>Words.</p>", Text: "Words."}, slug == "quiet"
	}
	deps.Preview = func(i newsletter.Issue) mail.Message { return mail.Message{Subject: i.Subject, Text: i.Text} }
	deps.Health = func() (Health, error) {
		return Health{Findings: []string{"articles/one.md:3: warning: long"}, Grades: map[string]float64{"articles/one.md": 7.5}}, nil
	}
	deps.Tend = func() { desk.tends++ }
	d.site = New(d.site.Config, deps)
	cheapHashes(d.site)
	r := chi.NewRouter()
	r.Mount("/admin", d.site.Handler())
	d.handler = r
	b, app, _ := d.claimByPassword()
	desk.browser, desk.app = b, app
	return desk
}

// book books a call that begins at a time.
func (d *desk) book(start time.Time) consult.Booking {
	d.t.Helper()
	b, err := d.calls.Book(context.Background(), d.clock(), consult.Key{ID: seal.NewID(), Issued: d.clock()}, consult.Request{
		Slot: start.UTC().Format(time.RFC3339), Zone: "Europe/London", Name: "Blue", Call: "me", Phone: "020 7946 0958", StopWord: "umbrella", Email: "ana@x.example",
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

func (d *desk) want(path string, texts ...string) string {
	d.t.Helper()
	w := d.get(path)
	d.wantCode(w, http.StatusOK, path)
	body := textOf(w.Body.String())
	for _, text := range texts {
		if !strings.Contains(body, text) {
			d.t.Errorf("%s lacks %q:\n%s", path, text, body)
		}
	}
	if got := w.Header().Get("Cache-Control"); got != "no-store" {
		d.t.Errorf("%s: Cache-Control %q", path, got)
	}
	return body
}

func (d *desk) wantNot(path string, texts ...string) {
	d.t.Helper()
	body := d.want(path)
	for _, text := range texts {
		if strings.Contains(body, text) {
			d.t.Errorf("%s shows %q", path, text)
		}
	}
}

// Every route but those of the way in: a GET leads to it, a POST is refused.
func TestNoPageWithoutASession(t *testing.T) {
	d := newDesk(t)
	stranger := d.door.browser()
	n := 0
	err := chi.Walk(d.site.Handler().(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		path := "/admin" + strings.TrimSuffix(regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(route, "x"), "/")
		if strings.HasPrefix(route, "/sign-in") || strings.HasPrefix(route, "/claim") {
			return nil
		}
		n++
		w := stranger.send(method, path, url.Values{})
		want := http.StatusSeeOther
		if method == http.MethodPost {
			want = http.StatusForbidden
		}
		if w.Code != want && !(route == "/sign-out" && w.Code == http.StatusSeeOther) {
			t.Errorf("%s %s without a session: %d, want %d", method, path, w.Code, want)
		}
		return nil
	})
	if err != nil || n < 20 {
		t.Errorf("%d routes walked, %v", n, err)
	}
}

// Who it is with is shown around the call, or to who has just proved who they are.
func TestACallIsShownWhenItIsNeeded(t *testing.T) {
	d := newDesk(t)
	d.pass(10 * time.Minute) // the claim is no proof any more
	call := d.book(d.clock().Truncate(24 * time.Hour).Add(32 * time.Hour))
	page := "/admin/bookings/" + call.ID
	d.want("/admin", "Thursday 11 June")
	d.wantNot("/admin", "Blue", "7946", "umbrella")
	d.wantNot(page, "Blue", "7946", "umbrella")
	d.pass(call.Start.Add(-30 * time.Minute).Sub(d.clock()))
	d.browser = d.door.browser()
	d.signIn(d.app)
	d.pass(10 * time.Minute)
	d.want("/admin", "Blue", "+442079460958", "umbrella", "do not leave a message")
	d.want(page, "Blue", "Move the call")
}

func TestACallIsHeldOrNobodyCame(t *testing.T) {
	d := newDesk(t)
	call := d.book(d.clock().Truncate(24 * time.Hour).Add(32 * time.Hour))
	page := "/admin/bookings/" + call.ID
	d.wantCode(d.post(page+"/finish", "as", "done"), http.StatusConflict, "before it began")
	d.pass(call.Start.Add(time.Minute).Sub(d.clock()))
	d.browser = d.door.browser()
	d.signIn(d.app)
	d.wantCode(d.post(page+"/finish", "as", "gone"), http.StatusUnprocessableEntity, "another word")
	for as, words := range map[string]string{"done": "Held", "no-show": "Nobody came"} {
		d.wantCode(d.post(page+"/finish", "as", as), http.StatusSeeOther, as)
		d.want(page, words)
	}
	d.wantCode(d.post(page+"/cancel", "tell", "yes"), http.StatusConflict, "cancel what was")
}

func TestACallIsCancelledWithAndWithoutAMessage(t *testing.T) {
	d := newDesk(t)
	for tell, want := range map[string]outbox.State{"yes": outbox.Queued, "no": ""} {
		call := d.book(d.clock().Truncate(24 * time.Hour).Add(32 * time.Hour))
		page := "/admin/bookings/" + call.ID
		d.wantCode(d.post(page+"/cancel", "tell", tell), http.StatusSeeOther, "cancel")
		d.want(page, "Cancelled")
		state, _, err := d.db.OutboxState(context.Background(), consult.KindCancelled+":"+call.ID+":1")
		if state != want {
			t.Errorf("tell=%s: mail to the visitor is %q (%v), want %q", tell, state, err, want)
		}
	}
}

func TestACallIsMoved(t *testing.T) {
	d := newDesk(t)
	call := d.book(d.clock().Truncate(24 * time.Hour).Add(32 * time.Hour))
	page := "/admin/bookings/" + call.ID
	d.wantCode(d.post(page+"/move", "slot", "tomorrow"), http.StatusUnprocessableEntity, "no time")
	later := call.Start.Add(time.Hour).UTC()
	d.wantCode(d.post(page+"/move", "slot", later.Format(time.RFC3339)), http.StatusSeeOther, "move")
	if b, err := d.db.Call(context.Background(), call.ID); err != nil || !b.Start.Equal(later) {
		t.Errorf("it begins at %s (%v), want %s", b.Start, err, later)
	}
}

func TestATimeIsClosedAndOpened(t *testing.T) {
	d := newDesk(t)
	free := func() bool {
		times, err := d.calls.Times(context.Background(), d.clock(), consult.Ask{})
		if err != nil {
			t.Fatal(err)
		}
		return times.Free()
	}
	for _, bad := range [][2]string{{"", ""}, {"2026-06-10T09:00", "soon"}, {"2026-06-11T09:00", "2026-06-10T09:00"}, {"2026-06-10T09:00", "2030-06-10T09:00"}} {
		w := d.post("/admin/bookings/block", "from", bad[0], "to", bad[1])
		d.wantCode(w, http.StatusUnprocessableEntity, bad[0]+" to "+bad[1])
		if !strings.Contains(w.Body.String(), `value="`+bad[1]+`"`) {
			t.Errorf("what was typed is lost: %v", bad)
		}
	}
	if !free() {
		t.Fatal("nothing is free at all")
	}
	d.wantCode(d.post("/admin/bookings/block", "from", "2026-06-01 00:00", "to", "2026-08-01T00:00"), http.StatusSeeOther, "block")
	if free() {
		t.Error("a closed time is offered")
	}
	busy, err := d.db.BusyTimes(context.Background(), d.clock())
	if err != nil || len(busy) != 1 {
		t.Fatalf("%v, %v", busy, err)
	}
	d.want("/admin/bookings", "Monday 1 June")
	d.wantCode(d.post("/admin/bookings/open", "id", busy[0].ID), http.StatusSeeOther, "open")
	if !free() {
		t.Error("an opened time is not offered")
	}
}

func TestWhatNeedsALook(t *testing.T) {
	d := newDesk(t)
	d.want("/admin", "No backup was ever made", "keys were not exported", "1 article not reviewed", "No call in the next 7 days")
	trouble := outbox.Trouble{Halted: true, Sentence: "The mail server refuses us."}
	if err := d.db.SetTrouble(context.Background(), d.clock(), trouble); err != nil {
		t.Fatal(err)
	}
	d.want("/admin", "The mail server refuses us.")
	d.want("/admin/deliveries", "The mail server refuses us.", "Try again")
	d.wantCode(d.post("/admin/deliveries/try"), http.StatusSeeOther, "try again")
	if got, err := d.db.Trouble(context.Background()); err != nil || got != (outbox.Trouble{}) {
		t.Errorf("still %+v, %v", got, err)
	}
}

// news-H04: a message whose answer was lost waits for the owner's word.
func TestALostAnswerIsSettledByTheOwner(t *testing.T) {
	d := newDesk(t)
	ctx := context.Background()
	lose := func(key string) string {
		if err := d.db.Enqueue(ctx, d.clock(), outbox.Message{Key: key, Kind: "test"}); err != nil {
			t.Fatal(err)
		}
		job, found, err := d.db.ClaimOutbox(ctx, d.clock(), time.Minute)
		for err == nil && found && job.Kind == outbox.KindNotice { // of setting up
			if err := d.db.SettleOutbox(ctx, d.clock(), job.ID, outbox.Result{State: outbox.Accepted}); err != nil {
				t.Fatal(err)
			}
			job, found, err = d.db.ClaimOutbox(ctx, d.clock(), time.Minute)
		}
		if err != nil || !found {
			t.Fatal(found, err)
		}
		if err := d.db.SettleOutbox(ctx, d.clock(), job.ID, outbox.Result{State: outbox.Unknown}); err != nil {
			t.Fatal(err)
		}
		return job.ID
	}
	for as, want := range map[string]outbox.State{"sent": outbox.Accepted, "again": outbox.Queued} {
		id := lose(as)
		d.want("/admin/deliveries", "may have been delivered", "Count as sent", "Send again")
		d.wantCode(d.post("/admin/deliveries/settle", "id", id, "as", "perhaps"), http.StatusUnprocessableEntity, "another word")
		d.wantCode(d.post("/admin/deliveries/settle", "id", id, "as", as), http.StatusSeeOther, as)
		if state, _, err := d.db.OutboxState(ctx, as); err != nil || state != want {
			t.Errorf("%s: %q, %v; want %q", as, state, err, want)
		}
	}
}

func TestALetterIsSentAtATime(t *testing.T) {
	d := newDesk(t)
	page := "/admin/letters/quiet"
	d.want("/admin/letters", "A quiet letter", "ready")
	d.want(page, "Words.", "Send to everybody")
	d.wantCode(d.get("/admin/letters/loud"), http.StatusNotFound, "no such letter")
	d.pass(10 * time.Minute)
	if w := d.post(page+"/send", "at", ""); w.Header().Get("Location") != "/admin/step-up?back="+url.QueryEscape(page) || d.tends > 0 {
		t.Errorf("sent without a fresh proof: %d %s", w.Code, w.Header().Get("Location"))
	}
	d.browser = d.door.browser()
	d.signIn(d.app)
	for _, bad := range []string{"noon", "2020-01-01T09:00"} {
		w := d.post(page+"/send", "at", bad)
		d.wantCode(w, http.StatusUnprocessableEntity, bad)
		if !strings.Contains(w.Body.String(), `value="`+bad+`"`) {
			t.Errorf("%s is lost", bad)
		}
	}
	d.wantCode(d.post(page+"/send", "at", "2026-07-01T09:00"), http.StatusSeeOther, "at a time")
	d.want(page, "scheduled for Wednesday 1 July")
	d.wantCode(d.post(page+"/pause"), http.StatusSeeOther, "take back")
	d.wantCode(d.post(page+"/send", "at", ""), http.StatusSeeOther, "now")
	if due, err := d.db.DueIssues(context.Background(), d.clock()); err != nil || len(due) != 1 || d.tends == 0 {
		t.Errorf("due are %q, %v, tended %d times", due, err, d.tends)
	}
	d.wantCode(d.post(page+"/copy", "to", "nobody"), http.StatusUnprocessableEntity, "copy to no address")
	d.wantCode(d.post(page+"/copy", "to", "ann@site.example"), http.StatusSeeOther, "copy")
}

func TestReadersAreFoundBroughtInAndTakenOut(t *testing.T) {
	d := newDesk(t)
	csv := "email,consent_given,consent_wording\nreader@x.example,2026-01-01T00:00:00Z,ours\n=1+1@x.example,,\nnot an address,,\n"
	w := d.post("/admin/subscribers/import", "csv", csv)
	d.wantCode(w, http.StatusOK, "look first")
	if body := textOf(w.Body.String()); !strings.Contains(body, "get the letters 1") || !strings.Contains(body, "can be used 1") {
		t.Errorf("preview:\n%s", body)
	}
	if n, err := d.db.ActiveSubscribers(context.Background()); err != nil || n > 0 {
		t.Fatalf("%d are in before the owner said so, %v", n, err)
	}
	d.wantCode(d.post("/admin/subscribers/import", "csv", csv, "sure", "yes"), http.StatusSeeOther, "import")
	d.want("/admin/subscribers", "active 1", "2026-06")
	w = d.post("/admin/subscribers/find", "email", "Reader@X.example")
	if body := textOf(w.Body.String()); w.Code != http.StatusOK || !strings.Contains(body, "active, since") {
		t.Errorf("find: %d\n%s", w.Code, body)
	}
	w = d.post("/admin/subscribers/find", "email", "other@x.example")
	if !strings.Contains(w.Body.String(), "Nothing is held") {
		t.Errorf("find nobody: %s", textOf(w.Body.String()))
	}
	d.wantCode(d.post("/admin/subscribers/find", "email", "x"), http.StatusUnprocessableEntity, "no address")
	d.wantCode(d.post("/admin/subscribers/import", "csv", "name\nx\n"), http.StatusUnprocessableEntity, "no column")
	d.pass(10 * time.Minute)
	if w := d.post("/admin/subscribers/export"); w.Code != http.StatusSeeOther || strings.Contains(w.Body.String(), "@") {
		t.Errorf("exported without a fresh proof: %d", w.Code)
	}
	d.browser = d.door.browser()
	d.signIn(d.app)
	w = d.post("/admin/subscribers/export")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "reader@x.example") {
		t.Errorf("export: %d %s", w.Code, w.Body)
	}
}

func TestContentAndCare(t *testing.T) {
	d := newDesk(t)
	if err := d.db.AddReads(context.Background(), d.clock(), map[string]int64{"one": 41}); err != nil {
		t.Fatal(err)
	}
	d.want("/admin/content", "Why it holds", "7.5", "articles/one.md:3: warning: long", "this week 41")
	d.want("/admin/care", "Europe/London", "none was ever made", "owner@site.example")
}
