package web

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/internal/store"
)

// finds is how pages are found: the feed, the sitemap and the index of the search.
// It depends on the content and on which letters were sent, and is made anew when
// either changes.
type finds struct {
	lib     *library.Library
	sent    map[string]bool
	feed    *respond.Copy
	sitemap *respond.Copy
	index   *store.Index
}

// finder keeps the finds that were made last.
type finder struct {
	making sync.Mutex
	last   atomic.Pointer[finds]
}

// finds gives those for what is served now.
func (s *Site) finds(ctx context.Context) (*finds, error) {
	lib, sent := s.Library(), s.sentLetters(ctx)
	if f := s.finder.last.Load(); f.fits(lib, sent) {
		return f, nil
	}
	s.finder.making.Lock()
	defer s.finder.making.Unlock()
	if f := s.finder.last.Load(); f.fits(lib, sent) {
		return f, nil
	}
	f, err := s.makeFinds(ctx, lib, sent)
	if err == nil {
		s.finder.last.Store(f)
	}
	return f, err
}

func (f *finds) fits(lib *library.Library, sent map[string]bool) bool {
	return f != nil && f.lib == lib && maps.Equal(f.sent, sent)
}

func (s *Site) makeFinds(ctx context.Context, lib *library.Library, sent map[string]bool) (*finds, error) {
	// Whoever asked first may hang up; what is made is for everybody.
	index, err := store.NewIndex(context.WithoutCancel(ctx), searchDocs(lib, sent, !s.MailOff))
	if err != nil {
		return nil, err
	}
	feed, sitemap := feedXML(lib, s.Base, sent), sitemapXML(lib, s.Base, sent, !s.MailOff)
	last := s.finder.last.Load()
	if last == nil {
		last = &finds{}
	}
	return &finds{
		lib:     lib,
		sent:    sent,
		feed:    copyOf(last.feed, "application/atom+xml; charset=utf-8", feed),
		sitemap: copyOf(last.sitemap, "application/xml; charset=utf-8", sitemap),
		index:   index,
	}, nil
}

// sentLetters names the letters that were sent. When they cannot be read, those that
// were known last are named: what is to be read stays up without the database.
func (s *Site) sentLetters(ctx context.Context) map[string]bool {
	if s.MailOff {
		return nil
	}
	sent, err := s.Newsletter.Archive(ctx)
	if err == nil {
		return sent
	}
	if ctx.Err() == nil {
		s.Log.ErrorContext(ctx, "the archive cannot be read", "cause", respond.Cause(err))
	}
	if f := s.finder.last.Load(); f != nil {
		return f.sent
	}
	return nil
}

// feed is the Atom feed.
func (s *Site) feed(w http.ResponseWriter, r *http.Request) error {
	f, err := s.finds(r.Context())
	if err != nil {
		return err
	}
	f.feed.Serve(w, r, respond.Reading)
	return nil
}

func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) error {
	f, err := s.finds(r.Context())
	if err != nil {
		return err
	}
	f.sitemap.Serve(w, r, respond.Reading)
	return nil
}

func (s *Site) robots(w http.ResponseWriter, r *http.Request) error {
	servePlain(w, r, robotsTXT(s.Base))
	return nil
}

// securityText is made anew for each request: it says until when it is good.
func (s *Site) securityText(w http.ResponseWriter, r *http.Request) error {
	servePlain(w, r, securityTXT(s.Library(), s.Base, s.Now()))
	return nil
}

func servePlain(w http.ResponseWriter, r *http.Request, text []byte) {
	respond.NewCopy("text/plain; charset=utf-8", text).Serve(w, r, respond.Reading)
}

// routeFound are the search and the files that robots and feed readers ask for. The
// search form itself is a reading page.
func (s *Site) routeFound(r chi.Router) {
	h := s.errors.Handle
	r.Post("/search", h(s.searchPost))
	r.Get("/feed.xml", h(s.feed))
	r.Get("/sitemap.xml", h(s.sitemap))
	r.Get("/robots.txt", h(s.robots))
	r.Get("/.well-known/security.txt", h(s.securityText))
}
