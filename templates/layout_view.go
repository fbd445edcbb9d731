// Package templates is the HTML of the site: a layout, small parts, and one file for
// each page.
//
// A page takes the [Chrome], which is the same on every page, and a view of its own:
// plain values in the shape of the page, in the words and in the order in which they
// are shown. There are no look-ups and no rules here. Views stand in x_view.go beside
// x.templ. HTML is taken from the Markdown renderer only, by the one component raw.
//
// Every page has, in this order: a link that skips to the page, a second way out, the
// main way out (the one link marked data-exit), the name and the navigation, the page,
// and the foot. There is no style, script or handler within a page. To who writes the
// content, and to nobody else, the faults in it come first.
package templates

import (
	"strings"

	"github.com/a-h/templ"
)

// Chrome is what stands around every page.
type Chrome struct {
	Name    string // of the site
	Tagline string
	Lang    string // BCP 47
	ExitURL string // where "Leave this site" leads: a whole address
	Origin  string // "https://site.example", for canonical links; empty: none
	CSS     string // addresses of the assets
	JS      string
	Icon    string
	Feed    string // path of the Atom feed; empty: none
	Search  bool   // the site can be searched
	Nav     []NavItem
	Foot    []Link

	Has       map[string]bool // pages that a site may lack, by path
	Elsewhere string          // on a host with a few pages only: the origin of all others
	Bare      bool            // under a neutral name: nothing but the page itself and the way out
	Faults    []string        // what is wrong with the content, for who writes it; none in public
}

// to is the address of a page of the site.
func (c Chrome) to(path string) templ.SafeURL { return templ.SafeURL(c.Elsewhere + path) }

// NavItem is one word of the navigation.
type NavItem struct {
	Path    string
	Label   string
	Section string // marks where you are: the Section of a page
}

// Link is an address with its words.
type Link struct {
	Path  string
	Label string
}

// Page is what one page tells the layout.
type Page struct {
	Title       string // of the page alone; the layout adds the name
	Description string // for search engines; empty: none
	Path        string // its canonical path; empty: it has none
	Section     string // which word of the navigation it belongs to
	Class       string // of the main element
	NoIndex     bool   // search engines leave it out
	Home        bool   // the page whose title is the name alone
	Again       string // the path to load when the browser shows an old copy; empty: the copy will do
	Once        bool   // the browser's own copy holds nothing once the page was left (rule E27)
	Shared      *Shared
}

// fullTitle is the title with the name last (rule E37).
func (p Page) fullTitle(c Chrome) string {
	if p.Home || p.Title == "" {
		return c.Name
	}
	return p.Title + " – " + c.Name
}

// canonical is the page's own address, or "".
func (p Page) canonical(c Chrome) string {
	if p.Path == "" || p.NoIndex || c.Origin == "" {
		return ""
	}
	return strings.TrimSuffix(c.Origin, "/") + p.Path
}
