package main

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/admin"
	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/internal/web"
)

// close closes the database.
func (a *app) close() {
	if err := a.db.Close(); err != nil {
		a.env.errorf("close database: %v", err)
	}
}

// openMail returns what delivers mail: a server, a folder on loopback, or nil for off.
// The server is greeted with the domain of sender.
func (c config) openMail(env Env, sender string) (mail.Transport, error) {
	switch c.smtp {
	case "off":
		return nil, nil
	case "":
		return mail.NewCapture(filepath.Join(c.data, "mail"), env.Now)
	}
	server, err := mail.ParseURL(c.smtp)
	if err != nil {
		return nil, err
	}
	return mail.NewSMTP(server, mail.DomainOf(sender), nil, mail.DefaultLimits()), nil
}

// mailOff reports that no mail can be sent.
func (c config) mailOff() bool { return c.smtp == "off" }

// origin is the public origin of the site, without a slash at its end. A command that
// does not listen takes the address as it was set.
func (a *app) origin() string {
	if a.base == nil {
		return "http://" + a.addr
	}
	return a.base.String()
}

// mailOrigin is the origin for links in mail.
func (a *app) mailOrigin() string {
	if a.mailBase != nil {
		return a.mailBase.String()
	}
	return a.origin()
}

// nobody is the sender of messages that never leave this machine, where none is set
// (RFC 2606).
const nobody = "post@steadier.invalid"

// from is the sender of all mail.
func (a *app) from() mail.Mailbox {
	sender := a.library().Site.Sender
	return mail.Mailbox{Name: sender.Name, Address: cmp.Or(a.mailFrom, sender.Address, nobody)}
}

// practice is what the site says of itself, as far as a call needs it.
func (a *app) practice() consult.Practice {
	site, from := a.library().Site, a.from()
	return consult.Practice{
		Phone:   site.Practice.Phone,
		Country: site.Country,
		From:    consult.Sender{Name: from.Name, Address: from.Address},
		Notify:  site.Notify,
		Base:    a.origin(),
		Links:   a.mailOrigin(),
	}
}

// consultations is the booking of calls.
func (a *app) consultations() *consult.Service {
	return consult.New(a.db, consult.Config{
		Hours:    a.openHours,
		Practice: a.practice,
		MailOn:   !a.mailOff(),
		Budget:   a.budget(),
		Log:      a.log,
	})
}

// budget bounds bookings. Switching off the limits leaves those on one person.
func (a *app) budget() consult.Budget {
	b := consult.DefaultBudget()
	if a.rate.N == 0 {
		b.PerDay = 0
	}
	return b
}

// letters is what the pages of the newsletter may do.
func (a *app) letters() *newsletter.Service {
	return newsletter.NewService(a.db, newsletter.NewLinks(a.ring), a.rate.N > 0)
}

// composers gives each kind of mail its words. The names and addresses in them are
// those of the content at the time of sending.
func (a *app) composers() map[string]outbox.Composer {
	all := map[string]outbox.Composer{}
	calls := consult.Mails{Store: a.db, Hours: a.openHours, Practice: a.practice}
	for _, kind := range consult.AllKinds() {
		all[kind] = calls
	}
	for _, kind := range newsletter.Kinds() {
		all[kind] = anew(func() outbox.Composer { return a.mailer() })
	}
	all[outbox.KindNotice] = anew(func() outbox.Composer { return a.noticeMail() })
	return all
}

// anew is a composer that is made for each mail.
func anew(make func() outbox.Composer) outbox.Composer {
	return outbox.ComposerFunc(func(ctx context.Context, m outbox.Message, now time.Time) (mail.Message, error) {
		return make().Compose(ctx, m, now)
	})
}

// noticeMail composes what the owner is told.
func (a *app) noticeMail() outbox.NoticeMail {
	return outbox.NoticeMail{From: a.from(), To: mail.Mailbox{Address: a.library().Site.Notify}, Site: a.origin()}
}

// mailer composes the newsletter's mails.
func (a *app) mailer() newsletter.Mailer {
	site := a.library().Site
	return newsletter.Mailer{
		Sender:   a.db,
		Links:    newsletter.NewLinks(a.ring),
		From:     a.from(),
		Postal:   strings.ReplaceAll(site.Practice.Post, "\n", ", "),
		Site:     a.origin(),
		MailSite: a.mailOrigin(),
		Issue:    a.issue,
	}
}

// owners makes the owner's side of the site.
func (a *app) owners() *admin.Site {
	return admin.New(admin.Config{Base: a.base, MailOff: a.mailOff()}, admin.Deps{
		Log:      a.log,
		Now:      a.env.Now,
		Ring:     a.ring,
		Store:    a.db,
		Consult:  a.consultations(),
		Library:  a.library,
		Hours:    a.openHours,
		Practice: a.practice,
		Issue:    a.issue,
		Preview:  func(i newsletter.Issue) mail.Message { return a.mailer().Preview(i) },
		Health:   a.health,
		Tend:     a.tendSoon,
	})
}

// health reads the content anew and says what check would.
func (a *app) health() (admin.Health, error) {
	_, fsys, err := contentFS(a.folder)
	if err != nil {
		return admin.Health{}, err
	}
	report := reportOn(fsys, library.Options{Now: a.env.Now()})
	h := admin.Health{Grades: report.Grades}
	for _, f := range report.Findings {
		h.Findings = append(h.Findings, f.String())
	}
	return h, nil
}

// site makes the reader's site and puts its pages on the shelf.
func (a *app) site() (*web.Site, error) {
	site := web.New(web.Config{
		Base:     a.base,
		MailBase: a.mailBase,
		Proxies:  a.proxies,
		Rate:     a.rate,
		HSTS:     a.hsts,
		MailOff:  a.mailOff(),
		Dev:      a.dev,
	}, web.Deps{
		Log:        a.log,
		Now:        a.env.Now,
		Ring:       a.ring,
		Ready:      a.db.Ready,
		Consult:    a.consultations(),
		Newsletter: a.letters(),
		Admin:      a.owners().Handler(),
	})
	site.ShowFaults(a.faults)
	return site, site.Refresh(a.library())
}
