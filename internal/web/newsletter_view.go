package web

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/templates"
)

// dayForm is how a date is written in running text.
const dayForm = "2 January 2006"

// newsletterView makes the sign-up page. The archive is left out when it cannot be
// read: the form does not depend on it.
func (s *Site) newsletterView(r *http.Request, typed string, err error) templates.NewsletterView {
	site := s.Library().Site
	v := templates.NewsletterView{
		Key:     s.keys.New(s.Now()),
		Trap:    letterTrap,
		Email:   typed,
		Problem: problemOf(err),
		Sender:  site.Sender.Name,
		Subject: newsletter.ConfirmSubject,
		Telling: s.MailBase == nil,
		Host:    s.Base.Hostname(),
		Letters: s.letters(r),
	}
	if err != nil && fault.Is(err, fault.Unavailable) {
		v.Problem.Text = "Nothing was kept. Please send it again in a minute."
	}
	if s.MailBase != nil {
		v.Host = s.MailBase.Hostname()
	}
	return v
}

// letters are the issues sent so far that the content folder still has.
func (s *Site) letters(r *http.Request) (out []templates.NewsletterEntry) {
	sent, err := s.Newsletter.Archive(r.Context())
	if err != nil {
		s.Log.ErrorContext(r.Context(), "the archive cannot be read", "cause", err)
		return nil
	}
	for _, i := range s.Library().Issues {
		if sent[i.Slug] || s.Dev {
			out = append(out, templates.NewsletterEntry{
				Path: i.Path(), Title: marked(i.Subject, !sent[i.Slug]), Minutes: minutes(i), Date: i.Date.Format(dayForm),
			})
		}
	}
	return out
}

// minutes is how long an issue takes to read, at 220 words a minute.
func minutes(i *library.Issue) int { return max(1, (i.Doc.Words+110)/220) }

// pressAgain stands on a page whose form had been open for too long.
const pressAgain = "This page had been open for a long time. Please press the button once more."

func confirmView(path, key string) templates.PressView {
	return templates.PressView{
		Path: path, Key: key,
		Title: "One step is left",
		Text: "Press the button, and the letters will come to the address that this link was sent to. " +
			"You can stop them at any time.",
		Button: "Yes, send me the letters",
	}
}

func leaveView(path string) templates.PressView {
	return templates.PressView{
		Path:  path,
		Title: "Stop the letters",
		Text: "Press the button, and no more letters are sent to this address. " +
			"It is erased from our list at once, and nobody is told.",
		Button: "Stop the letters",
	}
}

// pauses are the values of the field pause, in months.
var pauses = []struct {
	months int
	label  string
}{{0, "Don’t pause"}, {1, "For one month"}, {3, "For three months"}, {6, "For half a year"}}

// keepPause is the value that leaves a pause as it is.
const keepPause = "keep"

func preferencesView(path, key string, who newsletter.Choice, now time.Time) templates.PreferencesView {
	v := templates.PreferencesView{
		Path: path, Key: key, Active: who.State == newsletter.Active, Plain: who.Plain, Fresh: who.Fresh,
	}
	if who.PausedUntil.After(now) {
		v.Paused = who.PausedUntil.Format(dayForm)
		v.Pauses = append(v.Pauses, templates.PauseChoice{Value: keepPause, Label: "Until " + v.Paused, Chosen: true})
	}
	for _, p := range pauses {
		v.Pauses = append(v.Pauses, templates.PauseChoice{
			Value: strconv.Itoa(p.months), Label: p.label, Chosen: p.months == 0 && v.Paused == "",
		})
	}
	return v
}

// pauseUntil reads the field pause; an absent one keeps what there is.
func pauseUntil(value string, who newsletter.Choice, now time.Time) (until time.Time, ok bool) {
	if value == keepPause || value == "" {
		return who.PausedUntil, true
	}
	for _, p := range pauses {
		if value == strconv.Itoa(p.months) {
			if p.months == 0 {
				return time.Time{}, true
			}
			return now.AddDate(0, p.months, 0), true
		}
	}
	return time.Time{}, false
}

func heldView(path string, h newsletter.Held) templates.HeldView {
	v := templates.HeldView{Path: path}
	add := func(name, value string) { v.Facts = append(v.Facts, templates.HeldFact{Name: name, Value: value}) }
	add("Address", h.Address)
	add("Letters", map[newsletter.State]string{
		newsletter.Active:       "are sent",
		newsletter.Unsubscribed: "are not sent: you stopped them",
		newsletter.Suppressed:   "are not sent: mail to this address came back",
	}[h.State])
	add("Since", h.Since.Format(dayForm))
	add("Plain subject lines", map[bool]string{true: "yes", false: "no"}[h.Settings.Plain])
	if !h.Settings.PausedUntil.IsZero() {
		add("Paused until", h.Settings.PausedUntil.Format(dayForm))
	}
	for _, c := range h.Consents {
		add("You agreed", c.Given.Format(dayForm)+", to the wording "+c.Wording)
	}
	add("Mails delivered", strconv.Itoa(h.Letters))
	return v
}

func letterView(lib *library.Library, base *url.URL, i *library.Issue) templates.LetterView {
	return templates.LetterView{
		Path:        i.Path(),
		Title:       i.Subject,
		Description: i.Preheader,
		Date:        i.Date.Format(dayForm),
		Minutes:     minutes(i),
		Body:        i.Body,
		Sources:     noteViews(i.Notes),
		Terms:       termViews(i.Terms),
		Shared:      sharedPage(lib, base, picture(), i.Subject, i.Path()),
	}
}
