package admin

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/templates"
)

// The stretches that the lists of calls show.
const (
	todayDays = 7  // ahead, on the first page
	aheadDays = 90 // in the list of bookings
	pastDays  = 30 // after which a call is forgotten whole
	soon      = time.Hour
)

// routeCalls are the pages about calls.
func (s *Site) routeCalls(r chi.Router) {
	h := s.errors.Handle
	r.Get("/", h(s.today))
	r.Get("/bookings", h(s.bookings))
	r.Post("/bookings/block", h(s.block))
	r.Post("/bookings/open", h(s.open))
	r.Get("/bookings/{id}", h(s.booking))
	r.Post("/bookings/{id}/finish", h(s.finish))
	r.Post("/bookings/{id}/move", h(s.move))
	r.Post("/bookings/{id}/cancel", h(s.cancel))
}

// today is the first page: the next calls, and what needs a look.
func (s *Site) today(w http.ResponseWriter, r *http.Request) error {
	now, hours := s.Now(), s.Hours()
	local := now.In(hours.Zone)
	begin := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, hours.Zone)
	calls, err := s.Store.CallsBetween(r.Context(), begin, now.AddDate(0, 0, todayDays))
	if err != nil {
		return err
	}
	v := templates.TodayView{Day: consult.DayWords(now, hours.Zone), Days: todayDays}
	for _, b := range calls {
		if b.Status == consult.Cancelled {
			continue
		}
		if s.mayShow(r, b) {
			if b, err = s.Store.Call(r.Context(), b.ID); err != nil {
				return err
			}
		}
		v.Calls = append(v.Calls, s.callView(r, b))
	}
	if v.Attention, err = s.attention(r.Context()); err != nil {
		return err
	}
	return s.page(w, r, http.StatusOK, templates.AdminToday(s.chrome(r), v))
}

// mayShow reports whether the number and the answers of a call may be seen without
// proving again who is there: only around the time at which they are needed, so that a
// session left open tells little (security: step-up).
func (s *Site) mayShow(r *http.Request, b consult.Booking) bool {
	until := b.Start.Sub(s.Now())
	return until <= soon && until > -soon-b.Length() || s.isFresh(sessionOf(r.Context()))
}

func (s *Site) callView(r *http.Request, b consult.Booking) templates.CallView {
	zone, now := s.Hours().Zone, s.Now()
	v := templates.CallView{
		ID: b.ID, Ref: b.Ref(), Status: string(b.Status), Day: consult.DayWords(b.Start, zone), Clock: consult.ClockRange(b, zone),
		Begun: b.Begun(now), Open: b.Open(now), Shown: s.mayShow(r, b),
	}
	if !v.Shown {
		return v
	}
	for _, line := range consult.CardLines(b, zone, s.Practice()) {
		v.Lines = append(v.Lines, templates.Fact(line))
	}
	return v
}

// bookings are all calls, and the times without any.
func (s *Site) bookings(w http.ResponseWriter, r *http.Request) error {
	return s.bookingsPage(w, r, http.StatusOK, templates.Problem{}, templates.BlockView{})
}

func (s *Site) bookingsPage(w http.ResponseWriter, r *http.Request, status int, p templates.Problem, typed templates.BlockView) error {
	now, zone := s.Now(), s.Hours().Zone
	coming, err := s.Store.CallsBetween(r.Context(), now, now.AddDate(0, 0, aheadDays))
	if err != nil {
		return err
	}
	past, err := s.Store.CallsBetween(r.Context(), now.AddDate(0, 0, -pastDays), now)
	if err != nil {
		return err
	}
	busy, err := s.Store.BusyTimes(r.Context(), now)
	if err != nil {
		return err
	}
	v := templates.BookingsView{Zone: zone.String(), Coming: s.rows(coming), Past: s.rows(past), Typed: typed, Problem: p, Ahead: aheadDays, Back: pastDays}
	for _, b := range busy {
		v.Busy = append(v.Busy, templates.BusyView{
			ID: b.ID, From: consult.Spoken(b.Span.From, zone), To: consult.Spoken(b.Span.To, zone),
		})
	}
	return s.page(w, r, status, templates.AdminBookings(s.chrome(r), v))
}

func (s *Site) rows(calls []consult.Booking) []templates.CallRow {
	zone := s.Hours().Zone
	rows := make([]templates.CallRow, len(calls))
	for i, b := range calls {
		rows[i] = templates.CallRow{ID: b.ID, Ref: b.Ref(), Day: consult.DayWords(b.Start, zone), Clock: consult.ClockRange(b, zone), Status: string(b.Status)}
	}
	return rows
}

// blockForm is how a browser writes a local date and time.
const blockForm = "2006-01-02T15:04"

// block keeps a time free of calls.
func (s *Site) block(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "from", "to")
	if err != nil {
		return err
	}
	typed := templates.BlockView{From: form.Get("from"), To: form.Get("to")}
	var fields []fault.Field
	read := func(name, text string) time.Time {
		t, err := time.ParseInLocation(blockForm, text, s.Hours().Zone)
		if err != nil {
			fields = append(fields, fault.Field{Name: name, Message: "Write it as a day and a time, like 2027-03-01 09:00."})
		}
		return t
	}
	span := slots.Span{From: read("from", normalTime(typed.From)), To: read("to", normalTime(typed.To))}
	if len(fields) > 0 {
		err = fault.BadFields(fields...)
	} else if err = s.Consult.Block(r.Context(), s.Now(), span); fault.Is(err, fault.Invalid) {
		err = fault.BadFields(fault.Field{Name: "to", Message: publicOf(err)})
	}
	if fault.Is(err, fault.Invalid) {
		return s.bookingsPage(w, r, http.StatusUnprocessableEntity, problemAt(err), typed)
	}
	if err != nil {
		return err
	}
	respond.SeeOther(w, "/admin/bookings")
	return nil
}

// normalTime takes a space between day and time as well as the T of browsers.
func normalTime(text string) string {
	if len(text) > 10 && text[10] == ' ' {
		return text[:10] + "T" + text[11:]
	}
	return text
}

// open takes a block away.
func (s *Site) open(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "id")
	if err != nil {
		return err
	}
	if err := s.Store.RemoveBusy(r.Context(), s.Now(), form.Get("id")); err != nil {
		return err
	}
	respond.SeeOther(w, "/admin/bookings")
	return nil
}

// booking is one call. Who it is with and how is shown around its time, or to who has
// just proved who they are.
func (s *Site) booking(w http.ResponseWriter, r *http.Request) error {
	b, err := s.Store.Call(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	return s.bookingPage(w, r, http.StatusOK, b, templates.Problem{})
}

func (s *Site) bookingPage(w http.ResponseWriter, r *http.Request, status int, b consult.Booking, p templates.Problem) error {
	v := templates.BookingView{Call: s.callView(r, b), Problem: p, Back: "/admin/bookings/" + b.ID}
	if b.Open(s.Now()) {
		times, err := s.Consult.Times(r.Context(), s.Now(), consult.Ask{Zone: s.Hours().Zone.String(), From: r.URL.Query().Get("from"), Own: &b})
		if err != nil {
			return err
		}
		for _, day := range times.Days {
			for _, t := range day.Times {
				if !t.Present {
					v.Times = append(v.Times, templates.TimeChoice{Value: t.Value, Words: t.Spoken})
				}
			}
		}
		v.Range = times.Range
	}
	return s.page(w, r, status, templates.AdminBooking(s.chrome(r), v))
}

// change does one thing to a call, and shows the call again.
func (s *Site) change(w http.ResponseWriter, r *http.Request, do func(b consult.Booking, do func(string) string) error, fields ...string) error {
	b, err := s.Store.Call(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	form, err := s.form(w, r, fields...)
	if err != nil {
		return err
	}
	if err := do(b, form.Get); err != nil {
		if sentence := publicOf(err); sentence != "" && respond.Status(err) < http.StatusInternalServerError {
			return s.bookingPage(w, r, respond.Status(err), b, problem(sentence))
		}
		return err
	}
	respond.SeeOther(w, "/admin/bookings/"+b.ID)
	return nil
}

// finish notes that a call was held, or that nobody came.
func (s *Site) finish(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(b consult.Booking, value func(string) string) error {
		return s.Consult.Finish(r.Context(), s.Now(), b, consult.Status(value("as")))
	}, "as")
}

// move gives a call another time, and tells the visitor if they may be written to.
func (s *Site) move(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(b consult.Booking, value func(string) string) error {
		zone := ""
		if b.Contact != nil {
			zone = b.Contact.Zone
		}
		_, err := s.Consult.Move(r.Context(), s.Now(), consult.Key{ID: seal.NewID(), Issued: s.Now()}, b, value("slot"), zone)
		if fault.Is(err, fault.Invalid) && publicOf(err) == "" {
			return fault.New(fault.Invalid, "Choose one of the free times.")
		}
		return err
	}, "slot")
}

// cancel cancels a call, and tells the visitor unless asked not to.
func (s *Site) cancel(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(b consult.Booking, value func(string) string) error {
		_, err := s.Consult.CancelByOwner(r.Context(), s.Now(), b, value("tell") != "no")
		return err
	}, "tell")
}
