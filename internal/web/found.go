package web

import (
	"encoding/xml"
	"net/url"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/library"
)

// sitemap is what https://www.sitemaps.org/protocol.html describes.
type sitemap struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	Pages   []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"` // a day
}

// sitemapXML names the pages that search engines may show: those that are the same
// for everybody and make sense to somebody who comes from elsewhere.
func sitemapXML(lib *library.Library, base *url.URL, sent map[string]bool, letters bool) []byte {
	var m sitemap
	add := func(path string, day time.Time) {
		u := sitemapURL{Loc: origin(base) + (&url.URL{Path: path}).EscapedPath()}
		if !day.IsZero() {
			u.LastMod = day.Format(time.DateOnly)
		}
		m.Pages = append(m.Pages, u)
	}
	newest := newestArticle(lib)
	add("/", newest)
	add("/articles", newest)
	for _, a := range lib.Articles {
		if !a.Draft {
			add(a.Path(), changed(a))
		}
	}
	addFurniture(lib, add)
	if offered(lib) != nil {
		add(library.AssessmentPath, time.Time{})
	}
	for _, path := range []string{"/sources", "/support"} {
		add(path, time.Time{})
	}
	for _, p := range lib.Pages {
		if !p.Draft {
			add(p.Path(), time.Time{})
		}
	}
	add("/consult", time.Time{})
	if letters {
		add("/newsletter", time.Time{})
		for _, i := range lib.Issues {
			if sent[i.Slug] && !i.Draft {
				add(i.Path(), i.Date)
			}
		}
	}
	return document(m)
}

// addFurniture names the topics, the paths and the glossary.
func addFurniture(lib *library.Library, add func(path string, day time.Time)) {
	for i, t := range lib.Topics {
		if i == 0 {
			add("/topics", time.Time{})
		}
		if !t.Draft {
			add(t.Path(), time.Time{})
		}
	}
	for i, p := range lib.Paths {
		if i == 0 {
			add("/paths", time.Time{})
		}
		if !p.Draft {
			add(p.Path(), time.Time{})
		}
	}
	if len(lib.Terms) > 0 {
		add("/glossary", time.Time{})
	}
}

func newestArticle(lib *library.Library) (newest time.Time) {
	for _, a := range lib.Articles {
		if day := changed(a); !a.Draft && day.After(newest) {
			newest = day
		}
	}
	return newest
}

// robotsTXT lets robots read everything (RFC 9309), but for the times of a call, week
// by week without end. Pages that belong to one person are not named here: they say
// "noindex" themselves, which a robot must read to obey.
func robotsTXT(base *url.URL) []byte {
	const rules = "User-agent: *\nDisallow: /consult?\n"
	return []byte(rules + "\nSitemap: " + origin(base) + "/sitemap.xml\n")
}

// securityLife is how long a security.txt is good for: less than a year (RFC 9116,
// 2.5.5). Only the day counts, so that it changes once a day.
const securityLife = 180 * 24 * time.Hour

// securityTXT says whom to tell of a weakness (RFC 9116): the practice, by e-mail,
// or else by the page about it.
func securityTXT(lib *library.Library, base *url.URL, now time.Time) []byte {
	contact := origin(base) + "/"
	if _, ok := lib.Page("about"); ok {
		contact += "about"
	}
	if mail := lib.Site.Practice.Email; mail != "" {
		contact = (&url.URL{Scheme: "mailto", Opaque: url.PathEscape(mail)}).String()
	}
	day := now.UTC().Truncate(24 * time.Hour)
	lines := []string{
		"Contact: " + contact,
		"Expires: " + day.Add(securityLife).Format(time.RFC3339),
		"Preferred-Languages: " + lib.Site.Language,
		"Canonical: " + origin(base) + "/.well-known/security.txt",
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
