// Package web is the reader's site: its routes, what stands around every request,
// and a handler for each page.
//
// A request comes in through one chain (see use): whose it is, the log line, the
// headers, the net under panics, the method, the host; and for a POST where it came
// from. A reading page is then looked up among copies that were rendered when the
// content was read (see shelf): it touches neither the database nor a template. A
// form is read by [Site.form], which counts it against the client's budget and
// proves its key; its handler calls the service and answers with 303 on success,
// or with the same page, what was typed, and what to put right.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/seal"
)

// Config is what the operator chose.
type Config struct {
	Base     *url.URL       // public origin of the site
	MailBase *url.URL       // neutral origin for links in mail; nil = Base
	Proxies  []netip.Prefix // proxies whose forwarding headers are believed
	Rate     Rate           // posts that store or send, per client
	HSTS     HSTS
	MailOff  bool // no mail can be sent: no newsletter, no e-mail fields
	Dev      bool // who writes is looking: drafts are marked, faults shown, pages rendered as they are asked for
}

// Deps is what the site works with.
type Deps struct {
	Log        *slog.Logger
	Now        func() time.Time
	Ring       *seal.Ring                  // signs form keys
	Ready      func(context.Context) error // nil when requests can be served and stored
	Consult    *consult.Service            // nil: no calls
	Newsletter *newsletter.Service         // used unless MailOff
	Admin      http.Handler                // the owner's pages; nil: none
}

// Site is the reader's site.
type Site struct {
	Config
	Deps
	keys   respond.Keys
	errors *respond.Errors
	hosts  hosts
	limits *limits
	shelf  atomic.Pointer[shelf]
	fresh  chan struct{}            // the shelf was filled anew
	assets map[string]*respond.Copy // by path
	finder finder
	counts counts
	reads  reads
	faults atomic.Pointer[[]string]
}

// New returns the site. It serves once [Site.Refresh] has put the pages on the shelf.
func New(c Config, d Deps) *Site {
	s := &Site{
		Config: c,
		Deps:   d,
		keys:   respond.Keys{Signer: d.Ring},
		hosts:  newHosts(c.Base, c.MailBase),
		limits: newLimits(c.Rate),
		fresh:  make(chan struct{}, 1),
		assets: assetCopies(),
	}
	s.errors = &respond.Errors{Page: s.errorPage, Log: d.Log}
	return s
}

// form reads a form of ours. The client's budget is spent first, whatever the form
// holds: the one for looking where do names a button that stores nothing. The values
// come back with the error too, as far as they could be read, so that the page can
// show again what was typed. Errors: fault.TooMany; fault.Invalid or fault.TooLarge
// of [respond.ParseForm]; fault.Invalid for an old or unknown key, or
// fault.Forbidden where the key had to prove the post's origin.
func (s *Site) form(w http.ResponseWriter, r *http.Request, known respond.Fields, looks ...string) (url.Values, respond.Key, error) {
	values, err := respond.ParseForm(w, r, known)
	if limit := s.spend(w, r, values.Get(respond.DoField), looks); limit != nil {
		return values, respond.Key{}, limit
	}
	if err != nil {
		return values, respond.Key{}, err
	}
	key, err := s.keys.Check(values.Get(respond.KeyField), s.Now())
	if err != nil {
		return values, respond.Key{}, keyFault(r, err)
	}
	return values, key, nil
}

// keyFault is what a post without a good key meets. A page that was open for more
// than a day is the usual reason, so the page is shown again with a fresh key.
func keyFault(r *http.Request, err error) error {
	if isUnproven(r) {
		return fault.Wrap(fault.Forbidden, err)
	}
	return &fault.Error{
		Kind:   fault.Invalid,
		Public: "This page had been open for a long time. What you typed is still here: please send it once more.",
		Err:    err,
	}
}
