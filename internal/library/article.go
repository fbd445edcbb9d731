package library

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// The bounds of what stands around an article.
const (
	maxTitle       = 70  // characters
	maxDescription = 160 // characters
	maxBriefWords  = 80
	maxSentences   = 4 // of the brief
	maxRelated     = 3
	wordsPerMinute = 220
)

var (
	articleKeys = []string{
		"title", "question", "description", "published", "brief", "reviewed",
		"updated", "topics", "related", "safety", "allow", "order",
	}
	reviewKeys = []string{"by", "on", "due"}
	allowKeys  = []string{"rule", "text", "why"}
)

// article reads one article; nil if there was nothing to read.
func (l *loader) article(f file) *Article {
	parts, rec, findings, ok := l.parts(f, articleKeys)
	if !ok {
		return nil
	}
	a := &Article{Slug: f.slug, Draft: f.draft}
	front := articleFront{loader: l, file: f, rec: rec, findings: findings}
	if rec != nil {
		front.read(a)
	}
	page := markdown.NewPage(l.options)
	a.BriefDoc, a.Brief = front.passage(page, "brief")
	front.checkBrief(a.BriefDoc)
	a.BodyDoc = l.body(page, f, parts, findings)
	a.Body = a.BodyDoc.HTML()
	a.SafetyDoc, a.Safety = front.passage(page, "safety")
	a.Notes, a.Terms, a.Contents = page.Notes(), l.termsOf(page), contents(a.BodyDoc)
	words := a.BodyDoc.Words
	if a.BriefDoc != nil {
		words += a.BriefDoc.Words
	}
	a.Minutes = max(1, (words+wordsPerMinute-1)/wordsPerMinute)
	l.write(Manuscript{
		Path: f.path, Allow: front.allow(parts),
		Texts: append(linesOf(rec, "title", "question", "description"),
			textOf(PartBrief, a.BriefDoc), textOf(PartSafety, a.SafetyDoc), textOf(PartBody, a.BodyDoc)),
	})
	*findings = append(*findings, page.CheckAnchors()...)
	l.keep(a.BriefDoc, a.BodyDoc, a.SafetyDoc)
	l.report(*findings...)
	return a
}

// articleFront reads the front matter of an article.
type articleFront struct {
	*loader
	file     file
	rec      *yamlfile.Record
	findings *fault.Findings
}

func (f articleFront) read(a *Article) {
	rec := f.rec
	a.Title = bounded(rec,
		"title", "what the article is called, in 70 characters at most", maxTitle)
	a.Question = rec.Need("question",
		"what a reader would ask, such as “Is there a name for what I feel?”")
	a.Description = bounded(rec,
		"description", "one sentence for search engines, in 160 characters at most", maxDescription)
	a.Published = needDate(rec, "published")
	a.Updated = rec.Date("updated")
	if !a.Updated.IsZero() && a.Updated.Before(a.Published) {
		rec.Errorf("updated",
			"updated: %s is before published, "+
				"%s", a.Updated.Format(time.DateOnly), a.Published.Format(time.DateOnly))
	}
	if a.Published.After(f.opts.Now) {
		*f.findings = append(*f.findings, fault.Warnf(f.file.path, rec.LineOf("published"),
			"published: %s is still to come, and the article is shown already; begin its name with _ until then", a.Published.Format(time.DateOnly)))
	}
	a.Reviewed = f.review()
	a.Order = place(rec, "articles")
	f.topics(a)
	f.relate(a)
}

func bounded(rec *yamlfile.Record, key, hint string, limit int) string {
	text := rec.Need(key, hint)
	if n := utf8.RuneCountInString(text); n > limit {
		rec.Errorf(key, "%s has %d characters, at most %d; shorten it", key, n, limit)
	}
	return text
}

func needDate(rec *yamlfile.Record, key string) time.Time {
	if rec.Need(key, "write a date, as in 2026-12-31") == "" {
		return time.Time{}
	}
	return rec.Date(key)
}

// atLeastOne reads a place in an order.
func atLeastOne(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 100_000 {
		return 0, false
	}
	return n, true
}

// review reads `reviewed`: none, or who read the whole page, when, and when it is
// due again.
func (f articleFront) review() *Review {
	const hint = "write `reviewed: none`, or `by`, `on` and `due` below it"
	n := f.rec.Node("reviewed")
	switch {
	case n == nil:
		f.rec.Errorf("reviewed", "reviewed is missing; %s", hint)
		return nil
	case n.Kind == yamlfile.Scalar && strings.TrimSpace(n.Text) == "none":
		return nil
	case n.Kind != yamlfile.Map:
		f.rec.Errorf("reviewed", "reviewed: %s", hint)
		return nil
	}
	rec := yamlfile.Open(f.file.path, "reviewed", n, reviewKeys, f.findings)
	r := &Review{By: rec.Need("by",
		"name who read the page"), On: needDate(rec, "on"), Due: needDate(rec, "due")}
	if !r.Due.IsZero() && !r.Due.After(r.On) {
		rec.Errorf("due",
			"due: the next review, %s, is not after the last, "+
				"%s", r.Due.Format(time.DateOnly), r.On.Format(time.DateOnly))
	}
	if !r.Due.IsZero() && r.Due.Before(f.opts.Now.UTC().Truncate(24*time.Hour)) {
		*f.findings = append(*f.findings, fault.Warnf(f.file.path, rec.LineOf("due"),
			"due: the next review was due on %s; have the page read again", r.Due.Format(time.DateOnly)))
	}
	return r
}

// topics notes the topics that an article names; they are looked up when all are read.
func (f articleFront) topics(a *Article) {
	items := f.rec.Texts("topics")
	if len(items) > maxTopics {
		f.rec.Errorf("topics", "topics names %d, at most %d; choose", len(items), maxTopics)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, item := range items {
		if !slugForm.MatchString(item.Text) {
			*f.findings = append(*f.findings, fault.Errorf(f.file.path, item.Line,
				"topics: %q is no name of a topic; write small letters, digits and hyphens, "+
					"such as %s", item.Text, slugOf(item.Text)))
			continue
		}
		r := relation{article: a, slug: item.Text, path: f.file.path, line: item.Line}
		f.named = append(f.named, r)
	}
}

func (f articleFront) relate(a *Article) {
	items := f.rec.Texts("related")
	if len(items) > maxRelated {
		f.rec.Errorf("related",
			"related names %d articles, at most %d; choose", len(items), maxRelated)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, item := range items {
		r := relation{article: a, slug: item.Text, path: f.file.path, line: item.Line}
		f.related = append(f.related, r)
	}
}

// passage renders a short text of the front matter; nil and "" without one.
func (f articleFront) passage(page *markdown.Page, key string) (*markdown.Document, string) {
	if f.rec == nil {
		return nil, ""
	}
	text, line := f.rec.Passage(key)
	if text == "" {
		return nil, ""
	}
	doc, fs := page.Parse(markdown.Source{Path: f.file.path, Text: text, Line: line, Brief: true, Starts: f.rec.Starts(key)})
	*f.findings = append(*f.findings, fs...)
	return doc, doc.HTML()
}

func (f articleFront) checkBrief(doc *markdown.Document) {
	switch {
	case f.rec == nil:
	case doc == nil:
		if n := f.rec.Node("brief"); n == nil || n.Kind == yamlfile.Scalar {
			f.rec.Errorf("brief",
				"brief is missing; say in one to four sentences what the article answers")
		}
	case doc.Words > maxBriefWords:
		f.rec.Errorf("brief",
			"brief has %d words, at most %d; shorten it", doc.Words, maxBriefWords)
	default:
		n := 0
		for _, p := range doc.Paragraphs() {
			n += markdown.CountSentences(p.Text)
		}
		if n > maxSentences {
			f.rec.Errorf("brief", "brief has %d sentences, at most %d; shorten it", n, maxSentences)
		}
	}
}

// allow reads the lines that the editor's rules may pass: each says which rule, which
// words, and why, and the words are in the file.
func (f articleFront) allow(parts markdown.Parts) []Allowance {
	n := f.rec.Node("allow")
	if n == nil {
		return nil
	}
	if n.Kind != yamlfile.List {
		f.rec.Errorf("allow", "allow must be a list of entries with `rule`, `text` and `why`")
		return nil
	}
	var out []Allowance
	words := strings.Join(strings.Fields(f.textWithoutAllow(parts)), " ")
	for _, item := range n.Items {
		rec := yamlfile.Open(f.file.path, "allow", item, allowKeys, f.findings)
		if rec == nil {
			continue
		}
		rule := rec.Need("rule", "name the rule")
		why := rec.Need("why", "say why these words are right here")
		text := rec.Need("text", "write the words that are allowed, as they stand in the text")
		if !strings.Contains(words, strings.Join(strings.Fields(text), " ")) {
			*f.findings = append(*f.findings, fault.Warnf(f.file.path, rec.LineOf("text"),
				"allow: the words “%s” are not in the article any more; take the entry out", text))
		} else if rule != "" && text != "" {
			out = append(out, Allowance{rule, text, why, rec.LineOf("text")})
		}
	}
	return out
}

// textWithoutAllow is the text that an allowance may speak of: the body and the
// other keys that hold words.
func (f articleFront) textWithoutAllow(parts markdown.Parts) string {
	out := parts.Body
	for _, key := range []string{"title", "question", "description", "brief", "safety"} {
		if n := f.rec.Node(key); n != nil {
			out += "\n" + n.Text
		}
	}
	return out
}

// contents are the headings that a contents list shows.
func contents(doc *markdown.Document) []Heading {
	var out []Heading
	for _, h := range doc.Headings {
		if h.Level <= 3 {
			out = append(out, h)
		}
	}
	return out
}
