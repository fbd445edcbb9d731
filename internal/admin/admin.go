// Package admin is the owner's side of the site: who is called today and how, the
// hours, who reads the letters, what waits to be delivered, and what the content lacks.
//
// It stands behind the same chain as the reader's site (see internal/web: headers,
// host, method, size, origin), which mounts it at /admin. Every page but those of the
// way in asks for a session first; who the owner is comes from the session's row, and
// never from what a request carries. Every change is a POST that answers with 303 to
// the page that shows it. Nothing here may be kept by a browser or a cache.
package admin

import (
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/slots"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/static"
	"github.com/steadier/steadier/templates"
)

// Config is what the operator chose.
type Config struct {
	Base    *url.URL // public origin of the site
	MailOff bool     // no mail can be sent
}

// Deps is what the pages work with.
type Deps struct {
	Log      *slog.Logger
	Now      func() time.Time
	Ring     *seal.Ring
	Store    *store.DB
	Consult  *consult.Service
	Library  func() *library.Library   // the content as it is served
	Hours    func() slots.Availability // the hours now in force; their zone is the practice's
	Practice func() consult.Practice
	Issue    func(slug string) (newsletter.Issue, bool) // a letter of the content folder
	Preview  func(newsletter.Issue) mail.Message        // as it would arrive
	Health   func() (Health, error)                     // reads the content anew, as check does
	Tend     func()                                     // starts at once what is scheduled for now
}

// Health is what steadier check has to say of the content.
type Health struct {
	Findings []string           // a line each: PATH:LINE: warning: …
	Grades   map[string]float64 // reading grade of each text, by path
}

// Site is the owner's side.
type Site struct {
	Config
	Deps
	*way   // in
	errors *respond.Errors
}

// New returns the owner's side.
func New(c Config, d Deps) *Site {
	s := &Site{Config: c, Deps: d, way: newWay(c, d.Library().Site.Name)}
	s.errors = &respond.Errors{Page: s.errorPage, Log: d.Log}
	return s
}

// sections are the words of the navigation, in their order.
var sections = []templates.NavItem{
	{Path: "/admin", Label: "Today", Section: "today"},
	{Path: "/admin/bookings", Label: "Bookings", Section: "bookings"},
	{Path: "/admin/subscribers", Label: "Subscribers", Section: "subscribers"},
	{Path: "/admin/letters", Label: "Letters", Section: "letters"},
	{Path: "/admin/deliveries", Label: "Deliveries", Section: "deliveries"},
	{Path: "/admin/content", Label: "Content", Section: "content"},
	{Path: "/admin/care", Label: "Care", Section: "care"},
}

// chrome is what stands around an answer: without the navigation for who is not signed in.
func (s *Site) chrome(r *http.Request) templates.AdminChrome {
	site := s.Library().Site
	c := templates.AdminChrome{
		Name: site.Name, Lang: site.Language,
		CSS: static.URL("site.css"), AdminCSS: static.URL("admin.css"), Icon: static.URL("icon.svg"),
	}
	if owner, ok := signedIn(r.Context()); ok {
		c.Owner, c.Nav = owner.Name, sections
	}
	return c
}

// page answers with a page that nobody may keep.
func (s *Site) page(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	return respond.Page(w, r, status, c, respond.NoStore)
}

// errorPage is the page of a status, in the owner's frame.
func (s *Site) errorPage(r *http.Request, status int, sentence string) templ.Component {
	return templates.AdminProblem(s.chrome(r), status, sentence)
}

// form reads a form. A post from another site, or from none that can be told, was
// refused before it came here.
func (s *Site) form(w http.ResponseWriter, r *http.Request, known ...string) (url.Values, error) {
	return respond.ParseForm(w, r, known)
}
