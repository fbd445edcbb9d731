// Package library reads the content folder into one immutable Library, or tells
// every fault of every file at once.
//
// # The folder
//
//	site.yaml            the settings of the site; the only file that must be there
//	references.yaml      the bibliography, in CSL (package cite)
//	helplines.yaml       whom to call, by country
//	glossary.yaml        the words that are explained, each with an id, a definition and
//	                     the other forms in which a text may use it
//	assessment.yaml      the self-assessment: items, themes, and what is said of them
//	articles/SLUG.md     front matter and Markdown (package markdown)
//	pages/SLUG.md        about, privacy and the like
//	newsletter/SLUG.md   issues
//	topics/SLUG.md       what some articles share; an article names its own
//	paths/SLUG.md        articles in a good order
//	figures/NAME.svg     drawings; paths.svg stands with the list of paths
//
// A slug is the name of the file: small letters, digits and hyphens. A file whose
// name begins with _ is a draft: it is read only with [Options.Drafts]. Hidden
// files, editors' backups and what is neither Markdown nor SVG are passed over.
// availability.yaml belongs to package slots, style.yaml to package editor; neither is read
// here.
//
// # Faults
//
// [Load] reads everything before it answers. Each fault is one line with the file,
// its line and the way out, sorted; with an error among them there is no Library.
// A fault in one file makes no second one elsewhere: a broken bibliography does
// not make citations unknown, nor a broken drawing its figure.
//
// Beyond what its files say one by one, the folder is checked as a whole: slugs
// that differ in capitals or accents only, links within the site and their
// anchors, related articles, topics, the articles of paths, what the self-assessment
// leads to, and citations of works that nobody confirmed.
//
// Warnings do not stop the start: a helpline that was not checked for 180 days, an
// allowance that matches nothing, a figure without a caption, a term or a topic that
// no article has, a path that the map of paths does not name.
//
// # Bounds
//
// A text or a drawing is refused, with its file and line, where reading it would take
// long for nothing: a file of 1 MB, of 256 KB if it is Markdown, and what package
// markdown bounds (lines, tables, nesting, marks). A pipe or a device is no file. A
// defect of the program that one file brings out is a finding of that file.
//
// # Helplines and the day
//
// A service that was never confirmed (no checked-on) is not shown. One that was
// last confirmed more than 180 days before [Options.Now] is a warning; after more
// than 365 days [Service.CheckThisNumber] asks the page to say so. Days are counted
// in UTC, so the folder is loaded anew at midnight UTC.
package library

import (
	"slices"
	"time"

	"github.com/steadier/steadier/internal/cite"
	"github.com/steadier/steadier/internal/markdown"
)

// Options is what the folder is read for.
type Options struct {
	Now    time.Time // decides how old a check of a helpline is
	Drafts bool      // read and serve drafts too: development only
	Routes []string  // paths of the program that content may link to, beside [Routes]
}

// Routes are the paths that every site has, whatever its content.
func Routes() []string {
	return []string{
		"/", "/articles", "/sources", "/support", "/safety", "/about", "/privacy",
		"/consult", "/consult/find", "/newsletter",
	}
}

// Library is the content of a site. Nothing in it changes after Load; any number
// of goroutines may read it.
type Library struct {
	Site       Site
	Articles   []*Article          // in the order in which to read them
	Pages      []*Page             // by slug
	Issues     []*Issue            // newest first
	Terms      []*Term             // by name
	Topics     []*Topic            // in order
	Paths      []*Path             // in order
	Sources    []*Source           // the works cited, by author
	Countries  []*Country          // by name
	General    []string            // what to know before calling anybody
	Assessment *Assessment         // nil if the folder has none
	Figures    map[string]*Figure  // by the name of the file
	Works      *cite.Bibliography  // all of them, cited or not
	articles   map[string]*Article // by slug
	pages      map[string]*Page
	issues     map[string]*Issue
	topics     map[string]*Topic
	paths      map[string]*Path
}

// Figure is a drawing, ready to be set into a page.
type Figure = markdown.Figure

// Site is site.yaml.
type Site struct {
	Name     string
	Tagline  string
	Language string // BCP 47, "en" if not given
	Practice Practice
	Sender   Sender
	Notify   string // where the practice's own notices go; may be empty
	Country  string // ISO 3166 code, upper case; may be empty
	Exit     string // where "leave this site" leads: https, or http on loopback

	SelfAssessment bool // whether it is offered
}

// Practice is who answers. Each field but Name may be empty.
type Practice struct {
	Name  string // that of the site if not given
	Phone string
	Email string
	Post  string // postal address, lines parted by \n
}

// Sender is who mail comes from. The address may be empty, the name is that of
// the site if not given.
type Sender struct {
	Name    string
	Address string
}

// Article is one article.
type Article struct {
	Slug        string
	Title       string
	Question    string // what a reader would ask
	Description string
	Brief       string // HTML
	Safety      string // HTML: the article's own safety note; may be empty
	Body        string // HTML
	Published   time.Time
	Updated     time.Time  // zero if never
	Reviewed    *Review    // nil: not reviewed by a clinician
	Topics      []*Topic   // at most three
	Related     []*Article // at most three
	Order       int        // place among the articles, from 1; 0: after those that have one
	Minutes     int        // to read, at 220 words a minute
	Contents    []Heading  // headings of levels 2 and 3
	Notes       []Note     // the works cited, by number
	Terms       []*Term    // of the glossary, in the order of their first use
	Draft       bool

	BriefDoc, BodyDoc, SafetyDoc *markdown.Document // the trees, for other forms of the text
}

// Heading is an entry of a contents list.
type Heading = markdown.Heading

// Note is a work cited on a page, with its number and the ids of the places that
// cite it.
type Note = markdown.Note

// Path is the address of the article on this site.
func (a *Article) Path() string { return "/articles/" + a.Slug }

// Review says that a clinician has read the whole page.
type Review struct {
	By  string
	On  time.Time
	Due time.Time // when it is to be read again
}

// Page is one page of content/pages.
type Page struct {
	Slug        string
	Title       string
	Description string
	Body        string // HTML
	Contents    []Heading
	Notes       []Note
	Terms       []*Term
	Draft       bool
	Doc         *markdown.Document
}

// Path is the address of the page on this site: /slug, but for the page of
// corrections, which stands below the one about the site.
func (p *Page) Path() string {
	if p.Slug == "corrections" {
		return "/about/corrections"
	}
	return "/" + p.Slug
}

// Issue is one issue of the newsletter.
type Issue struct {
	Slug            string
	Subject         string
	DiscreetSubject string // for those who asked for plain subject lines
	Preheader       string
	Date            time.Time
	Body            string // HTML for the page of the issue
	Notes           []Note
	Terms           []*Term
	Draft           bool
	Doc             *markdown.Document // for mail
}

// Path is the address of the issue on this site.
func (i *Issue) Path() string { return "/newsletter/" + i.Slug }

// Source is a work and where it is cited.
type Source struct {
	*cite.Reference
	CitedIn []Place
}

// Place is a page that cites a work.
type Place struct {
	Path  string
	Title string
}

// Article gives an article by its slug.
func (l *Library) Article(slug string) (*Article, bool) { a, ok := l.articles[slug]; return a, ok }

// Page gives a page by its slug.
func (l *Library) Page(slug string) (*Page, bool) { p, ok := l.pages[slug]; return p, ok }

// Issue gives an issue by its slug.
func (l *Library) Issue(slug string) (*Issue, bool) { i, ok := l.issues[slug]; return i, ok }

// Term gives a term of the glossary by its id.
func (l *Library) Term(id string) (*Term, bool) {
	i := slices.IndexFunc(l.Terms, func(t *Term) bool { return t.ID == id })
	if i < 0 {
		return nil, false
	}
	return l.Terms[i], true
}

// Topic gives a topic by its slug.
func (l *Library) Topic(slug string) (*Topic, bool) { t, ok := l.topics[slug]; return t, ok }

// Path gives a path by its slug.
func (l *Library) Path(slug string) (*Path, bool) { p, ok := l.paths[slug]; return p, ok }

// PathOf gives the first path in which an article stands, and its place there,
// counted from 0; false if it stands in none.
func (l *Library) PathOf(a *Article) (p *Path, at int, ok bool) {
	for _, p := range l.Paths {
		if i := slices.Index(p.Articles, a); i >= 0 {
			return p, i, true
		}
	}
	return nil, 0, false
}

// Country gives a country of the helplines by its ISO code, in any case.
func (l *Library) Country(iso string) (*Country, bool) {
	i := slices.IndexFunc(l.Countries, func(c *Country) bool { return equalFold(c.ISO, iso) })
	if i < 0 {
		return nil, false
	}
	return l.Countries[i], true
}

// CountriesFrom gives the countries by name, with that of iso first if it is
// among them.
func (l *Library) CountriesFrom(iso string) []*Country {
	first, ok := l.Country(iso)
	if !ok {
		return l.Countries
	}
	out := []*Country{first}
	for _, c := range l.Countries {
		if c != first {
			out = append(out, c)
		}
	}
	return out
}

// Next gives the article after one in the order of reading; false after the last.
func (l *Library) Next(a *Article) (*Article, bool) {
	i := slices.Index(l.Articles, a)
	if i < 0 || i+1 >= len(l.Articles) {
		return nil, false
	}
	return l.Articles[i+1], true
}

// PathMap is the drawing, if there is one, that shows all paths together. Its own
// title and description are its words, so the description names each path.
const PathMap = "paths.svg"

// siteFile and its like are the names of the files in the folder.
const (
	siteFile       = "site.yaml"
	referencesFile = "references.yaml"
	helplinesFile  = "helplines.yaml"
	articlesDir    = "articles"
	pagesDir       = "pages"
	newsletterDir  = "newsletter"
	figuresDir     = "figures"
	glossaryFile   = "glossary.yaml"
	assessmentFile = "assessment.yaml"
	topicsDir      = "topics"
	pathsDir       = "paths"
)
