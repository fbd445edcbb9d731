package library

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// Assessment is assessment.yaml: the words of the self-assessment. What follows from the
// answers is worked out by package assess.
type Assessment struct {
	Title       string // as a question that a reader would ask
	Description string
	Minutes     int    // that it takes, about
	Lead        string // HTML
	Why         string // HTML: why the items of safety are asked
	Reviewed    *Review
	Items       []AssessmentItem // in the order of the page, those of safety first
	Lines       []AssessmentLine
	Themes      []AssessmentTheme
	None        AssessmentTheme // what is said where no theme shows; it has no id and no title
}

// AssessmentItem is one thing that is asked. It has either a line or themes.
type AssessmentItem struct {
	Text   string
	Line   string   // the id of the line that a yes to an item of safety calls for
	Themes []string // the ids of those to which any other item counts
}

// AssessmentLine is what is said first when an item of safety was marked.
type AssessmentLine struct {
	ID      string
	Text    string      // HTML: one sentence
	Service ServiceKind // which helplines stand with it; empty: none
	Path    *Path       // to read after it; may be nil
}

// AssessmentTheme is what some answers have in common.
type AssessmentTheme struct {
	ID       string
	Title    string
	Text     string // HTML
	Path     *Path
	Articles []*Article // to begin with; at most three
}

// Safety reports whether the item is one of safety, which counts to no theme.
func (i AssessmentItem) Safety() bool { return i.Line != "" }

// Line gives a line by its id.
func (a *Assessment) Line(id string) (AssessmentLine, bool) {
	i := slices.IndexFunc(a.Lines, func(l AssessmentLine) bool { return l.ID == id })
	if i < 0 {
		return AssessmentLine{}, false
	}
	return a.Lines[i], true
}

// Theme gives a theme by its id.
func (a *Assessment) Theme(id string) (AssessmentTheme, bool) {
	i := slices.IndexFunc(a.Themes, func(t AssessmentTheme) bool { return t.ID == id })
	if i < 0 {
		return AssessmentTheme{}, false
	}
	return a.Themes[i], true
}

// The bounds of a self-assessment. Safety rules of the site: A4, A10, A14, A21.
const (
	minItems, maxItems   = 12, 16
	maxItemWords         = 19
	minThemes, maxThemes = 3, 4
	minThemeItems        = 2 // fewer could never make a theme show
	maxAssessmentWords   = 80
	maxMinutes           = 60
)

var (
	assessmentKeys = []string{
		"title", "description", "minutes", "lead", "reviewed", "safety", "lines", "items", "themes", "none",
	}
	safetyKeys     = []string{"why", "items"}
	safetyItemKeys = []string{"item", "line"}
	lineKeys       = []string{"id", "text", "service", "path"}
	itemKeys       = []string{"item", "themes"}
	themeKeys      = []string{"id", "title", "text", "path", "articles"}
	noneKeys       = []string{"text", "path"}
)

// assessment reads assessment.yaml, after the paths and articles that it names; nil if
// there is no such file. It must be there where site.yaml offers it.
func (l *loader) assessment() *Assessment {
	text, ok := l.yaml(assessmentFile)
	if !ok {
		if l.lib.Site.SelfAssessment && !l.broken[assessmentFile] {
			l.report(fault.Errorf(siteFile, l.assessmentLine,
				"self_assessment is true, and there is no %s; write one, or set it to false", assessmentFile))
		}
		return nil
	}
	node, findings := yamlfile.Parse(assessmentFile, []byte(text), 1)
	if node == nil {
		l.report(findings...)
		return nil
	}
	r := assessmentReader{loader: l, findings: &findings, a: &Assessment{}, texts: &[]Text{}}
	if r.Record = yamlfile.Open(assessmentFile, "the self-assessment", node, assessmentKeys, &findings); r.Record != nil {
		r.read()
	}
	l.write(Manuscript{Path: assessmentFile, Texts: *r.texts})
	l.report(findings...)
	return r.a
}

// assessmentReader reads the file from its top record.
type assessmentReader struct {
	*loader
	*yamlfile.Record
	findings *fault.Findings
	a        *Assessment
	texts    *[]Text
}

func (r assessmentReader) read() {
	a := r.a
	*r.texts = append(*r.texts, linesOf(r.Record, "title", "description")...)
	a.Title = bounded(r.Record, "title", "a question that a reader would ask, in 70 characters at most", maxTitle)
	a.Description = bounded(r.Record,
		"description", "one sentence for search engines, in 160 characters at most", maxDescription)
	a.Minutes = r.minutes()
	a.Lead = r.passage(r.Record, "lead", "say in a few words what it is for")
	a.Reviewed = articleFront{
		loader: r.loader, file: file{path: assessmentFile}, rec: r.Record, findings: r.findings,
	}.review()
	for _, n := range list(r.Record, "lines") {
		r.line(n)
	}
	for _, n := range list(r.Record, "themes") {
		r.theme(n)
	}
	r.safety()
	for _, n := range list(r.Record, "items") {
		r.item(n)
	}
	r.none()
	r.counts()
}

func (r assessmentReader) minutes() int {
	text := r.Need("minutes", "write about how long it takes")
	n, ok := atLeastOne(text)
	if text != "" && (!ok || n > maxMinutes) {
		r.Errorf("minutes", "minutes: %q is no number from 1 to %d", text, maxMinutes)
		return 0
	}
	return n
}

// passage is a short text that must be there, as HTML. Its words stand beside those of
// other passages, so it cites nothing.
func (r assessmentReader) passage(rec *yamlfile.Record, key, hint string) string {
	doc := r.document(rec, key, hint)
	if doc == nil {
		return ""
	}
	if doc.Words > maxAssessmentWords {
		rec.Errorf(key, "%s has %d words, at most %d; shorten it", key, doc.Words, maxAssessmentWords)
	}
	return doc.HTML()
}

func (r assessmentReader) document(rec *yamlfile.Record, key, hint string) *markdown.Document {
	if rec == nil {
		return nil
	}
	text, line := rec.Passage(key)
	if text == "" {
		rec.Errorf(key, "%s is missing; %s", key, hint)
		return nil
	}
	options := r.options
	options.Terms = nil // a result has no page of its own on which a first use could stand
	page := markdown.NewPage(options)
	doc, findings := page.Parse(markdown.Source{Path: assessmentFile, Text: text, Line: line, Brief: true, Starts: rec.Starts(key)})
	*r.findings = append(*r.findings, append(findings, page.CheckAnchors()...)...)
	r.keep(doc)
	*r.texts = append(*r.texts, textOf(PartPassage, doc))
	if len(doc.Works) > 0 {
		rec.Errorf(key, "%s: a citation would have no list of sources below it; "+
			"link to the work, as in [Stark](/sources#%s)", key, doc.Works[0])
	}
	return doc
}

// identify reads an id, which no other record of its kind has.
func (r assessmentReader) identify(rec *yamlfile.Record, what string, taken bool) string {
	id := rec.Need("id", "a short name for it, such as pull")
	switch {
	case id == "":
	case !slugForm.MatchString(id):
		rec.Errorf("id", "id: %q is no name; write small letters, digits and hyphens, such as %s", id, slugOf(id))
	case taken:
		rec.Errorf("id", "id: there is %s %s already; choose another", what, id)
	}
	return id
}

func (r assessmentReader) line(n *yamlfile.Node) {
	rec := yamlfile.Open(assessmentFile, "a line", n, lineKeys, r.findings)
	if rec == nil {
		return
	}
	_, taken := r.a.Line(rec.Text("id"))
	line := AssessmentLine{
		ID: r.identify(rec, "a line", taken), Service: ServiceKind(rec.Text("service")), Path: r.pathOf(rec),
	}
	if line.Service != "" && line.Service.Label() == "" {
		rec.Errorf("service", "unknown kind of service %q; known are domestic-abuse, crisis and victims", line.Service)
	}
	if doc := r.document(rec, "text", "say in one calm sentence who can help"); doc != nil {
		line.Text = doc.HTML()
		p := doc.Paragraphs()
		if len(p) != 1 || p[0].Kind != markdown.InText || markdown.CountSentences(p[0].Text) > 1 {
			rec.Errorf("text", "text must be one sentence")
		}
	}
	r.a.Lines = append(r.a.Lines, line)
}

func (r assessmentReader) theme(n *yamlfile.Node) {
	rec := yamlfile.Open(assessmentFile, "a theme", n, themeKeys, r.findings)
	if rec == nil {
		return
	}
	_, taken := r.a.Theme(rec.Text("id"))
	r.needPath(rec)
	*r.texts = append(*r.texts, linesOf(rec, "title")...)
	r.a.Themes = append(r.a.Themes, AssessmentTheme{
		ID:       r.identify(rec, "a theme", taken),
		Title:    bounded(rec, "title", "what the theme is called, in 70 characters at most", maxTitle),
		Text:     r.passage(rec, "text", "say what such answers can have in common"),
		Path:     r.pathOf(rec),
		Articles: r.articlesOf(rec),
	})
}

func (r assessmentReader) none() {
	if !r.Has("none") {
		r.Errorf("none", "none is missing; give the `text` and the `path` for when no theme shows")
		return
	}
	rec := yamlfile.Open(assessmentFile, "none", r.Node("none"), noneKeys, r.findings)
	if rec == nil {
		return
	}
	r.needPath(rec)
	r.a.None = AssessmentTheme{
		Text: r.passage(rec, "text", "say that this does not mean that nothing happened"), Path: r.pathOf(rec),
	}
}

func (r assessmentReader) safety() {
	if !r.Has("safety") {
		r.Errorf("safety", "safety is missing; say `why` its questions are asked, and list its `items`")
		return
	}
	rec := yamlfile.Open(assessmentFile, "safety", r.Node("safety"), safetyKeys, r.findings)
	if rec == nil {
		return
	}
	r.a.Why = r.passage(rec, "why", "say why the questions of safety are asked")
	items := list(rec, "items")
	if len(items) == 0 {
		rec.Errorf("items", "items is missing; the questions of safety come first")
	}
	for _, n := range items {
		r.safetyItem(n)
	}
}

func (r assessmentReader) safetyItem(n *yamlfile.Node) {
	rec := yamlfile.Open(assessmentFile, "an item", n, safetyItemKeys, r.findings)
	if rec == nil {
		return
	}
	item := AssessmentItem{Text: r.words(rec), Line: rec.Need("line", "name the line that a yes calls for")}
	if _, ok := r.a.Line(item.Line); !ok && item.Line != "" {
		rec.Errorf("line", "line: there is no line %s%s", item.Line, r.didYouMean(item.Line, idsOf(r.a.Lines)))
	}
	r.a.Items = append(r.a.Items, item)
}

func (r assessmentReader) item(n *yamlfile.Node) {
	rec := yamlfile.Open(assessmentFile, "an item", n, itemKeys, r.findings)
	if rec == nil {
		return
	}
	item := AssessmentItem{Text: r.words(rec)}
	if !rec.Has("themes") {
		rec.Errorf("themes", "themes is missing; name those to which the item counts")
	}
	for _, t := range rec.Texts("themes") {
		_, ok := r.a.Theme(t.Text)
		switch {
		case !ok:
			r.errorAt(t.Line, "themes: there is no theme %s%s", t.Text, r.didYouMean(t.Text, idsOf(r.a.Themes)))
		case slices.Contains(item.Themes, t.Text):
			r.errorAt(t.Line, "themes: %s stands twice", t.Text)
		default:
			item.Themes = append(item.Themes, t.Text)
		}
	}
	r.a.Items = append(r.a.Items, item)
}

// idsOf are the ids of lines or themes.
func idsOf[T interface{ id() string }](all []T) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, one := range all {
			if !yield(one.id()) {
				return
			}
		}
	}
}

func (l AssessmentLine) id() string  { return l.ID }
func (t AssessmentTheme) id() string { return t.ID }

// words are those of an item (A21).
func (r assessmentReader) words(rec *yamlfile.Record) string {
	text := rec.Need("item", "what is asked, in fewer than 20 words")
	*r.texts = append(*r.texts, linesOf(rec, "item")...)
	if n := markdown.CountWords(text); n > maxItemWords {
		rec.Errorf("item", "item has %d words, at most %d; shorten it", n, maxItemWords)
	}
	return text
}

func (r assessmentReader) errorAt(line int, format string, args ...any) {
	*r.findings = append(*r.findings, fault.Errorf(assessmentFile, line, format, args...))
}

func (r assessmentReader) needPath(rec *yamlfile.Record) {
	rec.Need("path", "name the path that it leads to")
}

// pathOf is the path that a record names, nil if it names none. One whose own file has
// faults makes no second one here.
func (r assessmentReader) pathOf(rec *yamlfile.Record) *Path {
	slug := rec.Text("path")
	p, ok := r.lib.paths[slug]
	if slug != "" && !ok && !r.broken[pathsDir+"/"+slug+".md"] {
		rec.Errorf("path", "path: there is no path %s%s", slug, r.didYouMean(slug, maps.Keys(r.lib.paths)))
	}
	return p
}

func (r assessmentReader) articlesOf(rec *yamlfile.Record) []*Article {
	items := rec.Texts("articles")
	if len(items) > maxRelated {
		rec.Errorf("articles", "articles names %d, at most %d; choose", len(items), maxRelated)
	}
	var out []*Article
	for _, item := range items {
		a, ok := r.lib.articles[item.Text]
		switch {
		case !ok && r.broken[articlesDir+"/"+item.Text+".md"]:
		case !ok:
			r.errorAt(item.Line, "articles: there is no article %s%s",
				item.Text, r.didYouMean(item.Text, maps.Keys(r.lib.articles)))
		case slices.Contains(out, a):
			r.errorAt(item.Line, "articles: %s stands twice", item.Text)
		default:
			out = append(out, a)
		}
	}
	return out
}

// counts looks at how many there are of each. After another fault that may be its fault.
func (r assessmentReader) counts() {
	if len(*r.findings) > 0 {
		return
	}
	if n := len(r.a.Items); n < minItems || n > maxItems {
		r.Errorf("items", "there are %d items, with those of safety, and it has %d to %d", n, minItems, maxItems)
	}
	if n := len(r.a.Themes); n < minThemes || n > maxThemes {
		r.Errorf("themes", "there are %d themes, and it has %d or %d", n, minThemes, maxThemes)
	}
	var rare, silent []string
	for _, t := range r.a.Themes {
		if r.counting(func(i AssessmentItem) bool { return slices.Contains(i.Themes, t.ID) }) < minThemeItems {
			rare = append(rare, t.ID)
		}
	}
	for _, l := range r.a.Lines {
		if r.counting(func(i AssessmentItem) bool { return i.Line == l.ID }) == 0 {
			silent = append(silent, l.ID)
		}
	}
	if len(rare) > 0 {
		r.Errorf("themes", "themes: %s could never show; let at least %d items count to it",
			strings.Join(rare, ", "), minThemeItems)
	}
	if len(silent) > 0 {
		r.Errorf("lines", "lines: nothing calls for %s; name it in an item of safety, or take it out",
			strings.Join(silent, ", "))
	}
}

func (r assessmentReader) counting(is func(AssessmentItem) bool) int {
	n := 0
	for _, item := range r.a.Items {
		if is(item) {
			n++
		}
	}
	return n
}
