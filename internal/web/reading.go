package web

import (
	"maps"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/steadier/steadier/internal/cite"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/markdown"
	"github.com/steadier/steadier/static"
	"github.com/steadier/steadier/templates"
)

// The words with which the first page meets a reader.
const (
	homeOpening = "It makes sense to miss someone who hurt\u00a0you. You\u00a0are not broken."
	homeLead    = " explains, in plain words and with its sources in view, why a bond can hold long after you have seen the harm. Read as much or as little as you like."
)

// homeArticles is how many questions the first page begins with.
const homeArticles = 6

// readingPages are all pages that read the same for everybody, by path.
func (s *Site) readingPages(lib *library.Library, c templates.Chrome) map[string]templ.Component {
	m := reading{
		lib:     lib,
		letters: !s.MailOff,
		share:   func(title, path string) *templates.Shared { return sharedPage(lib, s.Base, picture(), title, path) },
	}
	if s.takesCalls() {
		m.minutes = s.Consult.Minutes()
	}
	pages := map[string]templ.Component{
		"/":         templates.Home(c, m.home()),
		"/articles": templates.Articles(c, m.articles()),
		"/sources":  templates.Sources(c, m.sources()),
		"/support":  templates.Support(c, m.support()),
		"/search":   templates.Search(c, templates.SearchView{}),
	}
	for i, a := range lib.Articles {
		v := m.article(i, a)
		v.Shared = sharedArticle(lib, s.Base, picture(), a)
		pages[a.Path()] = templates.Article(c, v)
	}
	for _, p := range lib.Pages {
		pages[p.Path()] = templates.Static(c, m.page(p))
	}
	maps.Copy(pages, m.furniture(c))
	maps.Copy(pages, m.assess(c))
	return pages
}

// takesCalls reports whether the practice has hours. Without any, no page offers a call.
func (s *Site) takesCalls() bool { return s.Consult != nil && s.Consult.Hours().Open() }

// picture is the path of the picture for previews.
func picture() string { return static.URL("preview.png") }

// reading puts the content into the shapes of the pages.
type reading struct {
	lib     *library.Library
	minutes int // of a call; 0: none can be booked
	letters bool
	share   func(title, path string) *templates.Shared
}

func (m reading) home() templates.HomeView {
	site := m.lib.Site
	return templates.HomeView{
		Description: site.Tagline,
		Opening:     homeOpening,
		Lead:        site.Name + homeLead,
		Articles:    articleLinks(m.lib.Articles[:min(homeArticles, len(m.lib.Articles))]),
		Total:       len(m.lib.Articles),
		Paths:       pathLinks(m.lib.Paths, nil),
		Minutes:     m.minutes,
		Letters:     m.letters,
		Assess:      assessMinutes(m.lib),
		Shared:      m.share(site.Name, "/"),
	}
}

func (m reading) articles() templates.ArticlesView {
	return templates.ArticlesView{Articles: articleLinks(m.lib.Articles), Shared: m.share("Articles", "/articles")}
}

func articleLinks(articles []*library.Article) []templates.ArticleLink {
	links := make([]templates.ArticleLink, len(articles))
	for i, a := range articles {
		links[i] = templates.ArticleLink{Path: a.Path(), Question: marked(a.Question, a.Draft), Title: a.Title, Minutes: a.Minutes}
	}
	return links
}

// marked is what a draft is called where it stands among others.
func marked(name string, draft bool) string {
	if draft {
		return "Draft: " + name
	}
	return name
}

// article is the i-th of all.
func (m reading) article(i int, a *library.Article) templates.ArticleView {
	v := templates.ArticleView{
		Path:        a.Path(),
		Title:       a.Title,
		Question:    a.Question,
		Description: a.Description,
		Number:      i + 1,
		Total:       len(m.lib.Articles),
		Minutes:     a.Minutes,
		Brief:       a.Brief,
		Safety:      a.Safety,
		Body:        a.Body,
		Sources:     noteViews(a.Notes),
		Way:         m.way(a),
		Terms:       termViews(a.Terms),
		Published:   day(a.Published),
		Updated:     day(a.Updated),
		Call:        m.minutes,
		Letters:     m.letters,
		Draft:       a.Draft,
	}
	v.Related = beside(v.Way, articleLinks(m.next(a)))
	for _, t := range a.Topics {
		v.Topics = append(v.Topics, templates.Link{Path: t.Path(), Label: t.Title})
	}
	for _, h := range a.Contents {
		v.Contents = append(v.Contents, templates.Anchor{ID: h.ID, Text: h.Text, Level: h.Level})
	}
	v.Review = reviewView(a.Reviewed)
	return v
}

func reviewView(r *library.Review) *templates.ReviewView {
	if r == nil {
		return nil
	}
	return &templates.ReviewView{By: r.By, On: day(r.On), Due: day(r.Due)}
}

// next are the articles to go on with: those that the article names, or else the one
// after it.
func (m reading) next(a *library.Article) []*library.Article {
	if len(a.Related) > 0 {
		return a.Related
	}
	if next, ok := m.lib.Next(a); ok {
		return []*library.Article{next}
	}
	return nil
}

// day is a date as it is written on a page; "" for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(dayForm)
}

func noteViews(notes []markdown.Note) []templates.SourceView {
	views := make([]templates.SourceView, len(notes))
	for i, n := range notes {
		views[i] = sourceView(n.Reference)
		views[i].ID, views[i].Uses = n.ID(), n.Uses
	}
	return views
}

func sourceView(r *cite.Reference) templates.SourceView {
	v := templates.SourceView{
		ID: r.ID, Text: r.Vancouver(), Kind: r.Evidence.Label(), Finding: r.Finding, Limits: r.Limits,
	}
	for _, l := range r.Links() {
		v.Links = append(v.Links, templates.Link{Path: l.URL, Label: l.Label})
	}
	return v
}

func (m reading) sources() templates.SourcesView {
	v := templates.SourcesView{Shared: m.share("Sources", "/sources")}
	for _, src := range m.lib.Sources {
		s := sourceView(src.Reference)
		for _, p := range src.CitedIn {
			if strings.HasPrefix(p.Path, "/newsletter/") {
				continue // a letter is not there until it was sent
			}
			s.CitedIn = append(s.CitedIn, templates.Link{Path: p.Path, Label: p.Title})
		}
		v.Sources = append(v.Sources, s)
	}
	return v
}

func (m reading) page(p *library.Page) templates.StaticView {
	v := templates.StaticView{
		Path:        p.Path(),
		Slug:        p.Slug,
		Title:       p.Title,
		Description: p.Description,
		Body:        p.Body,
		Sources:     noteViews(p.Notes),
		Terms:       termViews(p.Terms),
		Draft:       p.Draft,
		Shared:      m.share(p.Title, p.Path()),
	}
	if practice := m.lib.Site.Practice; p.Slug == "about" {
		v.Practice = &templates.PracticeView{Phone: practice.Phone, Email: practice.Email}
		if post := strings.TrimSpace(practice.Post); post != "" {
			v.Practice.Post = strings.Split(post, "\n")
		}
	}
	return v
}

func (m reading) support() templates.SupportView {
	own := m.lib.Site.Country
	_, known := m.lib.Country(own)
	v := templates.SupportView{General: m.lib.General, Own: known, Shared: m.share("Help now", "/support")}
	for _, c := range m.lib.CountriesFrom(own) {
		v.Countries = append(v.Countries, countryView(c))
	}
	return v
}

func countryView(c *library.Country) templates.CountryView {
	v := templates.CountryView{ID: c.ID(), Name: c.Name, Emergency: c.Emergency, Note: c.Note}
	// "999 (if you cannot speak: …)": the number leads, the sentence follows.
	if number, silent, ok := strings.Cut(c.Emergency, " (if "); ok {
		v.Emergency, v.Silent = number, "If "+strings.TrimSuffix(silent, ")")+"."
	}
	for _, s := range c.Services {
		v.Services = append(v.Services, templates.ServiceView{
			Name: s.Name, Kind: s.Kind.Label(), Who: s.Who, Phone: s.Phone, Text: s.Text, Chat: s.Chat, Hours: s.Hours,
			Free: s.Free, Bill: s.Bill, URL: s.URL, Note: s.Note, Checked: day(s.CheckedOn), Old: s.CheckThisNumber,
		})
	}
	return v
}
