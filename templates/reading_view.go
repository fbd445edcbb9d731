package templates

import "strconv"

// ArticleLink is an article in a list: the question first, the title second.
type ArticleLink struct {
	Path     string
	Question string
	Title    string
	Minutes  int // to read
}

// HomeView is the first page. Opening and Lead are the words with which the site
// meets a reader; where they are empty, the tagline stands alone.
type HomeView struct {
	Description string
	Opening     string
	Lead        string
	Articles    []ArticleLink // a few to begin with
	Total       int           // of all articles
	Paths       []PathLink    // the first is the one to begin with
	Minutes     int           // how long a call takes; 0: no calls can be booked
	Letters     bool          // the newsletter can be asked for
	Assess      int           // minutes of the self-assessment; 0: it is not offered
	Shared      *Shared
}

// ArticlesView is the list of all articles, in the order in which to read them.
type ArticlesView struct {
	Articles []ArticleLink
	Shared   *Shared
}

// ArticleView is one article. The HTML is the Markdown renderer's; days are written
// out, "1 December 2026".
type ArticleView struct {
	Path        string
	Title       string
	Question    string
	Description string
	Number      int // its place among the articles, from 1; 0: it has none
	Total       int // of all articles
	Minutes     int // to read
	Topics      []Link
	Brief       string // HTML
	Safety      string // HTML: its own safety note; may be empty
	Body        string // HTML
	Contents    []Anchor
	Sources     []SourceView
	Way         *WayView      // the path on which it stands; nil: none
	Related     []ArticleLink // to read next, beside the path
	Terms       []TermView    // that the text uses
	Published   string
	Updated     string // empty: never
	Review      *ReviewView
	Call        int // minutes of a call; 0: no calls can be booked
	Letters     bool
	Draft       bool // shown to the writer only
	Shared      *Shared
}

// Anchor is a heading within a page.
type Anchor struct {
	ID    string
	Text  string
	Level int // 2 or 3
}

// ReviewView says which clinician has read the whole page, and when.
type ReviewView struct {
	By  string
	On  string
	Due string // when it is to be read again; may be empty
}

// SourceView is a work that is cited.
type SourceView struct {
	ID      string   // of its entry on the page
	Text    string   // the reference, in Vancouver style, without its addresses
	Links   []Link   // its addresses, whole: DOI, PubMed or its own
	Kind    string   // of evidence: "Follow-up study"; may be empty
	Finding string   // what it found, in our words; may be empty
	Limits  string   // how far that goes; may be empty
	Uses    []string // ids of the places on this page that cite it
	CitedIn []Link   // pages that cite it
}

// SourcesView is the list of all works cited.
type SourcesView struct {
	Sources []SourceView
	Shared  *Shared
}

// StaticView is a page of content/pages.
type StaticView struct {
	Path        string
	Slug        string
	Title       string
	Description string
	Body        string // HTML
	Sources     []SourceView
	Terms       []TermView    // that the text uses
	Practice    *PracticeView // whom to reach, on the page about the site
	Draft       bool          // shown to the writer only
	Shared      *Shared
}

// PracticeView is how to reach the practice. What is empty is not shown.
type PracticeView struct {
	Phone string
	Email string
	Post  []string // lines of the postal address
}

// SupportView is whom to call, by country; the practice's own country first.
type SupportView struct {
	General   []string // what to know before calling anybody
	Countries []CountryView
	Own       bool // the first country is the practice's: it stands at the head
	Shared    *Shared
}

// CountryView is one country with the services that were confirmed.
type CountryView struct {
	ID        string
	Name      string
	Emergency string // the number, with a word on it where one is needed
	Silent    string // what to do if you can call but not speak; may be empty
	Note      string
	Services  []ServiceView
}

// ServiceView is one helpline. What is empty is not shown.
type ServiceView struct {
	Name    string
	Kind    string // "Abuse by a partner or family"
	Who     string // whom it is for
	Phone   string
	Text    string // how to reach it by text message
	Chat    bool
	Hours   string
	Free    string // "Free", "Not free" or words
	Bill    string // what is known of phone bills
	URL     string
	Note    string
	Checked string // the day on which the number was confirmed
	Old     bool   // that was more than a year ago
}

// count is "1 minute", "6 minutes".
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// place is "Article 3 of 18", or "" for an article that has no place.
func (v ArticleView) place() string {
	if v.Number == 0 || v.Total < 2 {
		return ""
	}
	return "Article " + strconv.Itoa(v.Number) + " of " + strconv.Itoa(v.Total)
}

// others are the countries to choose from: all but the one at the head.
func (v SupportView) others() []CountryView {
	if v.Own && len(v.Countries) > 0 {
		return v.Countries[1:]
	}
	return v.Countries
}
