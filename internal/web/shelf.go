package web

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/a-h/templ"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/static"
	"github.com/steadier/steadier/templates"
)

// shelf is everything that reads the same for everybody, rendered and compressed
// when the content was read. Nothing in it changes but the brotli forms, which are
// added later.
type shelf struct {
	lib    *library.Library
	chrome templates.Chrome
	pages  map[string]*respond.Copy // by path
	reads  map[string]*atomic.Int64 // of the articles, by path
}

// readingRoutes are the patterns of the pages on the shelf. Which of them exist
// depends on the content.
var readingRoutes = []string{
	"/", "/articles", "/articles/{slug}", "/topics/{slug}", "/paths/{slug}", "/{page}", "/about/{page}",
}

// readingPattern is the pattern that a path of the shelf fits.
func readingPattern(path string) string {
	dir := path[:strings.LastIndexByte(path, '/')]
	switch {
	case path == "/" || path == "/articles":
		return path
	case dir == "":
		return "/{page}"
	}
	for _, pattern := range readingRoutes {
		if strings.HasPrefix(pattern, dir+"/{") {
			return pattern
		}
	}
	return "/{page}"
}

// Refresh puts the pages of lib on the shelf, all at once: a request meets the old
// pages or the new ones. A page that reads as it did keeps its place with all its
// forms, for compressing takes many times as long as rendering. The error is a page
// that cannot be rendered; the old pages then stay.
func (s *Site) Refresh(lib *library.Library) error {
	next := &shelf{lib: lib, chrome: s.chromeOf(lib), pages: map[string]*respond.Copy{}}
	last, changed := s.shelf.Load(), 0
	if last == nil {
		last = &shelf{}
	}
	for path, page := range s.readingPages(lib, next.chrome) {
		var html bytes.Buffer
		if err := page.Render(context.Background(), &html); err != nil {
			return fmt.Errorf("render %s: %w", path, err)
		}
		next.pages[path] = copyOf(last.pages[path], "text/html; charset=utf-8", html.Bytes())
		if next.pages[path] != last.pages[path] {
			changed++
		}
	}
	next.reads = s.reads.follow(slices.Collect(maps.Keys(next.pages)))
	s.shelf.Store(next)
	if last.lib != nil && (changed > 0 || len(last.pages) != len(next.pages)) {
		s.Log.Info("pages have changed", "changed", changed, "pages", len(next.pages))
	}
	select {
	case s.fresh <- struct{}{}:
	default:
	}
	return nil
}

// copyOf is last, if it holds these bytes, or else a new copy of them.
func copyOf(last *respond.Copy, contentType string, body []byte) *respond.Copy {
	if last != nil && bytes.Equal(last.Body(), body) {
		return last
	}
	return respond.NewCopy(contentType, body)
}

// Library is the content that is served now.
func (s *Site) Library() *library.Library { return s.shelf.Load().lib }

// Compress adds the smallest form to everything on the shelf, and again after each
// [Site.Refresh], until ctx ends. It takes a few seconds of one core, so it runs
// beside the requests; until it is done they are answered with gzip.
func (s *Site) Compress(ctx context.Context) {
	for {
		for _, copies := range []map[string]*respond.Copy{s.assets, s.shelf.Load().pages} {
			for _, c := range copies {
				if ctx.Err() != nil {
					return
				}
				c.Brotli()
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-s.fresh:
		}
	}
}

// read serves a page from the shelf.
func (s *Site) read(w http.ResponseWriter, r *http.Request) error {
	if s.Dev {
		return s.readAnew(w, r)
	}
	page, ok := s.shelf.Load().pages[r.URL.Path]
	if !ok {
		return fault.New(fault.NotFound, "")
	}
	page.Serve(w, r, respond.Reading)
	return nil
}

// assetCopies are the files that pages load, by path. Their addresses change with
// their content, so they may be kept for good.
func assetCopies() map[string]*respond.Copy {
	copies := map[string]*respond.Copy{}
	for _, f := range static.Files() {
		copies[f.URL] = respond.NewCopy(f.Type, f.Body)
	}
	return copies
}

func (s *Site) asset(w http.ResponseWriter, r *http.Request) error {
	file, ok := s.assets[r.URL.Path]
	if !ok {
		return fault.New(fault.NotFound, "")
	}
	file.Serve(w, r, respond.Immutable)
	return nil
}

// chrome is what stands around the answer to a request. Under the neutral name of the
// links in mail, and under one that is not ours, it says nothing of the site: who sees
// such a page may be somebody else.
func (s *Site) chrome(r *http.Request) templates.Chrome {
	c := s.shelf.Load().chrome
	c.Faults = s.Faults()
	if !s.hosts.isBase(r.Host) {
		c = templates.Chrome{
			Bare: true, Name: s.Library().Site.Sender.Name, Lang: c.Lang, ExitURL: c.ExitURL, CSS: c.CSS, JS: c.JS, Icon: c.Icon,
			Elsewhere: origin(s.Base),
		}
	}
	return c
}

// foot are the pages of the foot by their paths, in this order, as far as the
// content has them. Those that are not named here follow under their titles.
var foot = []templates.Link{
	{Path: "/support", Label: "Help now"},
	{Path: "/safety", Label: "Reading more safely"},
	{Path: "/sources", Label: "Sources"},
	{Path: "/glossary", Label: "Glossary"},
	{Path: "/about", Label: "About"},
	{Path: "/privacy", Label: "Privacy"},
	{Path: "/terms", Label: "Terms"},
	{Path: "/accessibility", Label: "Accessibility"},
}

func (s *Site) chromeOf(lib *library.Library) templates.Chrome {
	c := templates.Chrome{
		Name:    lib.Site.Name,
		Tagline: lib.Site.Tagline,
		Lang:    lib.Site.Language,
		ExitURL: lib.Site.Exit,
		Origin:  origin(s.Base),
		CSS:     static.URL("site.css"),
		JS:      static.URL("site.js"),
		Icon:    static.URL("icon.svg"),
		Feed:    "/feed.xml",
		Search:  true,
		Has: map[string]bool{
			"/support": true, "/sources": true, "/glossary": len(lib.Terms) > 0,
			"/topics": len(lib.Topics) > 0, "/paths": len(lib.Paths) > 0,
		},
		Nav: []templates.NavItem{{Path: "/articles", Label: "Articles", Section: "articles"}},
	}
	if c.Has["/paths"] {
		c.Nav = append(c.Nav, templates.NavItem{Path: "/paths", Label: "Paths", Section: "paths"})
	}
	if c.Has["/consult"] = s.takesCalls(); c.Has["/consult"] {
		c.Nav = append(c.Nav, templates.NavItem{Path: "/consult", Label: "A phone call", Section: "consult"})
	}
	if !s.MailOff {
		c.Nav = append(c.Nav, templates.NavItem{Path: "/newsletter", Label: "Letters", Section: "newsletter"})
	}
	drafts := map[string]bool{}
	for _, p := range lib.Pages {
		c.Has[p.Path()] = true
		drafts[p.Path()] = p.Draft
	}
	named := map[string]bool{}
	for _, link := range foot {
		named[link.Path] = true
		if c.Has[link.Path] {
			link.Label = marked(link.Label, drafts[link.Path])
			c.Foot = append(c.Foot, link)
		}
	}
	for _, p := range lib.Pages {
		if below := strings.Count(p.Path(), "/") > 1; !below && !named[p.Path()] {
			c.Foot = append(c.Foot, templates.Link{Path: p.Path(), Label: marked(p.Title, p.Draft)})
		}
	}
	return c
}

// errorPage is the page of a status. It offers a few articles to whoever looked for
// one that is not there.
func (s *Site) errorPage(r *http.Request, status int, sentence string) templ.Component {
	v := templates.ErrorView{Status: status, Sentence: sentence}
	if status == http.StatusNotFound {
		lib := s.Library()
		v.Articles = articleLinks(lib.Articles[:min(fewArticles, len(lib.Articles))])
	}
	return templates.ErrorPage(s.chrome(r), v)
}

// fewArticles is how many are offered where an address led nowhere.
const fewArticles = 3
