package web

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/templates"
)

// furniture are the pages around the articles by path: the glossary, topics and paths,
// as far as the content has them.
func (m reading) furniture(c templates.Chrome) map[string]templ.Component {
	pages := map[string]templ.Component{}
	if len(m.lib.Terms) > 0 {
		pages["/glossary"] = templates.Glossary(c, m.glossary())
	}
	if len(m.lib.Topics) > 0 {
		v := templates.TopicsView{Topics: topicLinks(m.lib.Topics, nil), Shared: m.share("Topics", "/topics")}
		pages["/topics"] = templates.Topics(c, v)
	}
	for _, t := range m.lib.Topics {
		pages[t.Path()] = templates.Topic(c, m.topic(t))
	}
	if len(m.lib.Paths) > 0 {
		v := templates.PathsView{Paths: pathLinks(m.lib.Paths, nil), Map: m.pathMap(), Shared: m.share("Paths", "/paths")}
		pages["/paths"] = templates.Paths(c, v)
	}
	for _, p := range m.lib.Paths {
		pages[p.Path()] = templates.Path(c, m.path(p))
	}
	return pages
}

func (m reading) glossary() templates.GlossaryView {
	return templates.GlossaryView{Terms: termViews(m.lib.Terms), Shared: m.share("Glossary", "/glossary")}
}

func termViews(terms []*library.Term) []templates.TermView {
	views := make([]templates.TermView, len(terms))
	for i, t := range terms {
		views[i] = templates.TermView{ID: t.ID, Name: t.Name, Definition: t.Definition}
		for _, p := range t.UsedIn {
			views[i].UsedIn = append(views[i].UsedIn, templates.Link{Path: p.Path, Label: p.Title})
		}
	}
	return views
}

func (m reading) topic(t *library.Topic) templates.TopicView {
	return templates.TopicView{
		Path:        t.Path(),
		Title:       t.Title,
		Description: t.Description,
		Lead:        t.Body,
		Articles:    articleLinks(t.Articles),
		Others:      topicLinks(m.lib.Topics, t),
		Sources:     noteViews(t.Notes),
		Draft:       t.Draft,
		Shared:      m.share(t.Title, t.Path()),
	}
}

// topicLinks are those to all topics but one.
func topicLinks(topics []*library.Topic, but *library.Topic) []templates.TopicLink {
	var links []templates.TopicLink
	for _, t := range topics {
		if t != but {
			links = append(links, templates.TopicLink{
				Path: t.Path(), Title: marked(t.Title, t.Draft), Description: t.Description, Articles: len(t.Articles),
			})
		}
	}
	return links
}

func (m reading) path(p *library.Path) templates.PathView {
	v := templates.PathView{
		Path:        p.Path(),
		Title:       p.Title,
		Description: p.Description,
		Lead:        p.Lead,
		Minutes:     p.Minutes(),
		Others:      pathLinks(m.lib.Paths, p),
		Sources:     noteViews(p.Notes),
		Draft:       p.Draft,
		Shared:      m.share(p.Title, p.Path()),
	}
	without := func(a *library.Article) bool { return !a.BodyDoc.HasExercise() }
	v.Exercises = !slices.ContainsFunc(p.Articles, without)
	for i, link := range articleLinks(p.Articles) {
		figure := p.Articles[i].BodyDoc.FirstFigure()
		v.Steps = append(v.Steps, templates.StepView{
			ArticleLink: link, Exercise: !v.Exercises && !without(p.Articles[i]), Drawing: figure != "",
		})
		if v.Figure == "" && figure != "" {
			v.Figure, v.FigureOf = figure, i+1
		}
	}
	return v
}

// pathMap is the drawing of all paths, by its own words; "" if the content has none.
func (m reading) pathMap() string {
	drawing := m.lib.Figures[library.PathMap]
	if drawing == nil {
		return ""
	}
	return drawing.Inline("paths", drawing.Title)
}

// pathLinks are those to all paths but one.
func pathLinks(paths []*library.Path, but *library.Path) []templates.PathLink {
	var links []templates.PathLink
	for _, p := range paths {
		if p != but {
			links = append(links, pathLink(p))
		}
	}
	return links
}

func pathLink(p *library.Path) templates.PathLink {
	return templates.PathLink{
		Path: p.Path(), Question: marked(p.Question, p.Draft), Title: p.Title, Articles: len(p.Articles),
	}
}

// way is the path on which an article stands; nil if there is none.
func (m reading) way(a *library.Article) *templates.WayView {
	p, at, ok := m.lib.PathOf(a)
	if !ok {
		return nil
	}
	links := articleLinks(p.Articles)
	v := &templates.WayView{Path: p.Path(), Title: p.Title, Number: at + 1, Total: len(links)}
	if at+1 < len(links) {
		v.Next = &links[at+1]
	}
	if at > 0 {
		v.Before = &links[at-1]
	}
	return v
}

// beside leaves out what the path leads to already.
func beside(v *templates.WayView, links []templates.ArticleLink) []templates.ArticleLink {
	return slices.DeleteFunc(links, func(l templates.ArticleLink) bool {
		return v != nil && (v.Next != nil && *v.Next == l || v.Before != nil && *v.Before == l)
	})
}
