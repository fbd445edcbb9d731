package admin

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/templates"
)

// mostRows bounds a list on a page.
const mostRows = 200

// routeMail are the pages about letters and what is to be delivered.
func (s *Site) routeMail(r chi.Router) {
	h := s.errors.Handle
	r.Get("/deliveries", h(s.deliveries))
	r.Post("/deliveries/try", h(s.tryAgain))
	r.Post("/deliveries/settle", h(s.settleMail))
	r.Get("/letters", h(s.letters))
	r.Get("/letters/{slug}", h(s.letter))
	r.Post("/letters/{slug}/copy", h(s.copyLetter))
	r.Post("/letters/{slug}/pause", h(s.pauseLetter))
	r.Post("/letters/{slug}/resume", h(s.resumeLetter))
	r.Post("/letters/{slug}/settle", h(s.settleLetter))
	r.With(s.requireFresh).Post("/letters/{slug}/send", h(s.sendLetter))
}

// deliveries is what is queued, why something waits, and when it is tried next.
func (s *Site) deliveries(w http.ResponseWriter, r *http.Request) error {
	trouble, err := s.Store.Trouble(r.Context())
	if err != nil {
		return err
	}
	counts, err := s.Store.MailCounts(r.Context())
	if err != nil {
		return err
	}
	rows, err := s.Store.OpenMail(r.Context(), mostRows)
	if err != nil {
		return err
	}
	zone := s.Hours().Zone
	v := templates.DeliveriesView{Off: s.MailOff, Trouble: trouble.Sentence, Halted: trouble.Halted}
	if !trouble.Next.IsZero() {
		v.Next = consult.Spoken(trouble.Next, zone)
	}
	for _, c := range counts {
		v.Counts = append(v.Counts, templates.CountView{Words: stateWords(outbox.State(c.State)), N: c.N})
	}
	for _, m := range rows {
		row := templates.MailView{
			ID: m.ID, Kind: strings.ReplaceAll(m.Kind, "-", " "), State: stateWords(m.State), Attempts: m.Attempts,
			Code: m.Code, Reason: m.Reason, Unknown: m.State == outbox.Unknown,
		}
		if m.State.Waiting() {
			row.Next = consult.Spoken(m.Next, zone)
		}
		v.Rows = append(v.Rows, row)
	}
	return s.page(w, r, http.StatusOK, templates.AdminDeliveries(s.chrome(r), v))
}

// stateWords are the words for a state of a message.
func stateWords(state outbox.State) string {
	switch state {
	case outbox.Queued:
		return "waiting"
	case outbox.Claimed, outbox.InData:
		return "being sent"
	case outbox.Accepted:
		return "sent"
	case outbox.Retry:
		return "to be tried again"
	case outbox.Failed:
		return "given up"
	case outbox.Unknown:
		return "may have been delivered"
	case outbox.Skipped:
		return "no longer wanted"
	}
	return string(state)
}

// tryAgain lets the worker go on that waits for the owner.
func (s *Site) tryAgain(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.form(w, r); err != nil {
		return err
	}
	if err := s.Store.SetTrouble(r.Context(), s.Now(), outbox.Trouble{}); err != nil {
		return err
	}
	respond.SeeOther(w, "/admin/deliveries")
	return nil
}

// settleMail says what became of a message whose answer was lost.
func (s *Site) settleMail(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "id", "as")
	if err != nil {
		return err
	}
	again, err := readSettle(form.Get("as"))
	if err != nil {
		return err
	}
	if err := s.Store.ResolveMail(r.Context(), s.Now(), form.Get("id"), again); err != nil {
		return err
	}
	respond.SeeOther(w, "/admin/deliveries")
	return nil
}

func readSettle(as string) (again bool, err error) {
	if as != "sent" && as != "again" {
		return false, fault.New(fault.Invalid, "Count it as sent, or send it again.")
	}
	return as == "again", nil
}

// letters are all issues with their states.
func (s *Site) letters(w http.ResponseWriter, r *http.Request) error {
	started, err := s.Store.Issues(r.Context())
	if err != nil {
		return err
	}
	v := templates.LettersView{Off: s.MailOff}
	for _, i := range s.Library().Issues {
		row := templates.LetterRow{Slug: i.Slug, Subject: i.Subject, Date: i.Date.Format(time.DateOnly), State: string(newsletter.Ready)}
		if at := slices.IndexFunc(started, func(p newsletter.Progress) bool { return p.Slug == i.Slug }); at >= 0 {
			row.State, row.Done, row.All = s.issueWords(started[at]), started[at].Accepted, started[at].Total()
		}
		v.Letters = append(v.Letters, row)
	}
	return s.page(w, r, http.StatusOK, templates.AdminLetters(s.chrome(r), v))
}

func (s *Site) issueWords(p newsletter.Progress) string {
	if p.State == newsletter.Scheduled {
		return "scheduled for " + consult.Spoken(p.Started, s.Hours().Zone)
	}
	return string(p.State)
}

// letter is one issue: as it will arrive, how far it is, and what can be done with it.
func (s *Site) letter(w http.ResponseWriter, r *http.Request) error {
	return s.letterPage(w, r, http.StatusOK, templates.LetterTyped{}, templates.Problem{})
}

func (s *Site) letterPage(w http.ResponseWriter, r *http.Request, status int, typed templates.LetterTyped, p templates.Problem) error {
	slug := chi.URLParam(r, "slug")
	issue, found := s.Issue(slug)
	if !found {
		return fault.New(fault.NotFound, "There is no letter of this name in the content folder.")
	}
	progress, err := s.Store.IssueProgress(r.Context(), slug)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	readers, err := s.Store.ActiveSubscribers(r.Context())
	if err != nil {
		return err
	}
	message := s.Preview(issue)
	v := templates.AdminLetterView{
		Slug: slug, Subject: message.Subject, Discreet: issue.Discreet, Preheader: issue.Preheader, Text: message.Text,
		From: message.From.Name + " <" + message.From.Address + ">", Readers: readers, Off: s.MailOff,
		State: string(newsletter.Ready), Typed: typed, Problem: p, Zone: s.Hours().Zone.String(),
	}
	if wrong := issue.Check(); wrong != nil {
		v.Wrong = wrong.Error()
	}
	if progress.State != "" {
		v.State = s.issueWords(progress)
		v.Counts = []templates.CountView{
			{Words: "sent", N: progress.Accepted},
			{Words: "still to go", N: progress.Waiting},
			{Words: "refused for now", N: progress.Later},
			{Words: "given up", N: progress.Failed},
			{Words: "may have been delivered", N: progress.Unknown},
			{Words: "no longer wanted", N: progress.Skipped},
		}
		v.Unknown = progress.Unknown
	}
	v.MayPause = progress.State == newsletter.Sending || progress.State == newsletter.Scheduled
	v.MayResume = progress.State == newsletter.Paused || progress.State == newsletter.OnHold
	v.MaySend = v.Wrong == "" && (progress.State == "" || progress.State == newsletter.Scheduled || progress.State == newsletter.Cancelled)
	return s.page(w, r, status, templates.AdminLetter(s.chrome(r), v))
}

// turn does one thing to an issue, and shows it again. What can't be done any more, as
// it was done elsewhere, is no fault: the page says how things stand.
func (s *Site) turn(w http.ResponseWriter, r *http.Request, do func(slug string) error) error {
	if _, err := s.form(w, r); err != nil {
		return err
	}
	slug := chi.URLParam(r, "slug")
	if err := do(slug); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	respond.SeeOther(w, "/admin/letters/"+slug)
	return nil
}

func (s *Site) pauseLetter(w http.ResponseWriter, r *http.Request) error {
	return s.turn(w, r, func(slug string) error {
		err := s.Store.PauseIssue(r.Context(), slug)
		if fault.Is(err, fault.NotFound) {
			return s.Store.UnscheduleIssue(r.Context(), slug)
		}
		return err
	})
}

func (s *Site) resumeLetter(w http.ResponseWriter, r *http.Request) error {
	return s.turn(w, r, func(slug string) error { return s.Store.ResumeIssue(r.Context(), s.Now(), slug) })
}

// settleLetter says what became of the letters of an issue whose answers were lost.
func (s *Site) settleLetter(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "as")
	if err != nil {
		return err
	}
	again, err := readSettle(form.Get("as"))
	if err != nil {
		return err
	}
	slug := chi.URLParam(r, "slug")
	if _, err := s.Store.ResolveUnknown(r.Context(), s.Now(), slug, again); err != nil {
		return err
	}
	respond.SeeOther(w, "/admin/letters/"+slug)
	return nil
}

// copyLetter sends a test copy to one address.
func (s *Site) copyLetter(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "to")
	if err != nil {
		return err
	}
	slug := chi.URLParam(r, "slug")
	address, err := mail.ParseAddress(form.Get("to"))
	if err != nil {
		typed := templates.LetterTyped{To: form.Get("to")}
		return s.letterPage(w, r, http.StatusUnprocessableEntity, typed,
			problem("", templates.ProblemField{Name: "to", Message: "Enter one e-mail address, like name@example.org."}))
	}
	err = s.Store.Enqueue(r.Context(), s.Now(), outbox.Message{
		Key: "copy:" + seal.NewID(), Kind: newsletter.KindCopy, Subject: slug, Secret: address.Wire(), Expires: s.Now().Add(time.Hour),
	})
	if err != nil {
		return err
	}
	respond.SeeOther(w, "/admin/deliveries")
	return nil
}

// sendLetter starts an issue, now or at a time on the practice's clock. Its rows are
// made by the worker beside the requests.
func (s *Site) sendLetter(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "at")
	if err != nil {
		return err
	}
	slug := chi.URLParam(r, "slug")
	issue, found := s.Issue(slug)
	if !found {
		return fault.New(fault.NotFound, "")
	}
	refuse := func(name, sentence string) error {
		return s.letterPage(w, r, http.StatusUnprocessableEntity, templates.LetterTyped{At: form.Get("at")},
			problem("", templates.ProblemField{Name: name, Message: sentence}))
	}
	if err := issue.Check(); err != nil {
		return refuse("at", "It can’t be sent: "+err.Error())
	}
	at := s.Now()
	if text := form.Get("at"); text != "" {
		local, err := time.ParseInLocation(blockForm, normalTime(text), s.Hours().Zone)
		if err != nil || local.Format(blockForm) != normalTime(text) {
			return refuse("at", "Write it as a day and a time, like 2027-03-01 09:00.")
		}
		if !local.After(at) {
			return refuse("at", "This time is over. Leave it empty to send now.")
		}
		at = local
	}
	err = s.Store.ScheduleIssue(r.Context(), issue, at)
	if fault.Is(err, fault.Taken) {
		return refuse("at", "It was started already.")
	}
	if err != nil {
		return err
	}
	s.Tend()
	respond.SeeOther(w, "/admin/letters/"+slug)
	return nil
}
