package web

import (
	"bytes"
	"encoding/xml"
	"html"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/markdown"
)

// atomFeed is a feed as RFC 4287 has it. Everything that can be read is in it, whole,
// so that nobody has to come back to the site, or leave an address, to read on.
type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang     string      `xml:"xml:lang,attr"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	Updated  string      `xml:"updated"`
	Author   string      `xml:"author>name"`
	Links    []atomLink  `xml:"link"`
	Entries  []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID        string   `xml:"id"`
	Title     string   `xml:"title"`
	Published string   `xml:"published"`
	Updated   string   `xml:"updated"`
	Link      atomLink `xml:"link"`
	Summary   string   `xml:"summary"`
	Content   atomText `xml:"content"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// feedXML is the feed of the articles and of the letters that were sent, the newest
// first. Drafts are not in it.
func feedXML(lib *library.Library, base *url.URL, sent map[string]bool) []byte {
	f := feedMaker{lib: lib, site: origin(base), host: base.Hostname()}
	feed := atomFeed{
		Lang:     lib.Site.Language,
		ID:       f.site + "/feed.xml",
		Title:    lib.Site.Name,
		Subtitle: lib.Site.Tagline,
		Author:   lib.Site.Practice.Name,
		Links: []atomLink{
			{Rel: "self", Type: "application/atom+xml", Href: f.site + "/feed.xml"},
			{Rel: "alternate", Type: "text/html", Href: f.site + "/"},
		},
		Entries: f.entries(sent),
	}
	feed.Updated = atomTime(time.Unix(0, 0))
	for _, e := range feed.Entries {
		feed.Updated = max(feed.Updated, e.Updated)
	}
	return document(feed)
}

type feedMaker struct {
	lib        *library.Library
	site, host string
}

func (f feedMaker) entries(sent map[string]bool) []atomEntry {
	var entries []atomEntry
	for _, a := range f.lib.Articles {
		if !a.Draft {
			entries = append(entries, f.article(a))
		}
	}
	for _, i := range f.lib.Issues {
		if sent[i.Slug] && !i.Draft {
			entries = append(entries, f.letter(i))
		}
	}
	slices.SortStableFunc(entries, newestFirst)
	return entries
}

func newestFirst(a, b atomEntry) int { return strings.Compare(b.Updated, a.Updated) }

func (f feedMaker) article(a *library.Article) atomEntry {
	o := markdown.MailOptions{Site: f.site, Page: f.site + a.Path()}
	var text strings.Builder
	for _, doc := range []*markdown.Document{a.BriefDoc, a.SafetyDoc} {
		if doc != nil {
			text.WriteString(doc.FeedHTML(o))
		}
	}
	o.Notes = a.Notes
	text.WriteString(a.BodyDoc.FeedHTML(o))
	e := f.entry(a.Path(), a.Title, a.Published, text.String())
	e.Updated, e.Summary = atomTime(changed(a)), a.Description
	return e
}

func (f feedMaker) letter(i *library.Issue) atomEntry {
	o := markdown.MailOptions{Site: f.site, Page: f.site + i.Path(), Notes: i.Notes}
	e := f.entry(i.Path(), i.Subject, i.Date, i.Doc.FeedHTML(o))
	e.Summary = i.Preheader
	return e
}

// entry is what all entries have. The id is a tag (RFC 4151), which stays the same
// when the site moves from http to https.
func (f feedMaker) entry(path, title string, published time.Time, text string) atomEntry {
	return atomEntry{
		ID:        "tag:" + f.host + "," + published.Format(time.DateOnly) + ":" + path,
		Title:     title,
		Published: atomTime(published),
		Updated:   atomTime(published),
		Link:      atomLink{Rel: "alternate", Type: "text/html", Href: f.site + path},
		Content:   atomText{Type: "html", Text: text + f.standingNote()},
	}
}

// standingNote ends every entry, since no page stands around it.
func (f feedMaker) standingNote() string {
	return `<p>This is general education, not advice or treatment. If you are in danger now, ` +
		`call the emergency number where you are, or <a href="` + html.EscapeString(f.site) +
		`/support">find a line that answers</a>.</p>` + "\n"
}

// changed is the day on which an article was last changed.
func changed(a *library.Article) time.Time {
	if a.Updated.IsZero() {
		return a.Published
	}
	return a.Updated
}

func atomTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// origin is a base address without the slash at its end.
func origin(base *url.URL) string { return base.Scheme + "://" + base.Host }

// document is v as an XML document. Characters that XML cannot hold are replaced.
func document(v any) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(v); err != nil {
		// A buffer takes every write, and the types are ours.
		panic("web: encode XML: " + err.Error())
	}
	b.WriteByte('\n')
	return b.Bytes()
}
