package library

import (
	"slices"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

var (
	pageKeys  = []string{"title", "description"}
	issueKeys = []string{"subject", "discreet_subject", "preheader", "date"}

	// reservedIssues are addresses under /newsletter that are no issue.
	reservedIssues = []string{"done", "subscribe", "confirm", "unsubscribe", "preferences"}

	// reservedPages are addresses of the program: a page of this name would hide it.
	reservedPages = []string{
		"glossary", "topics", "paths", "articles", "support", "sources", "search", "consult", "newsletter", "self-assessment",
		"admin", "calendar", "static", "healthz", "readyz", "index", "404",
	}
)

// page reads one page; nil if there was nothing to read.
func (l *loader) page(f file) *Page {
	parts, rec, findings, ok := l.parts(f, pageKeys)
	if !ok {
		return nil
	}
	if slices.Contains(reservedPages, f.slug) {
		*findings = append(*findings, fault.Errorf(f.path, 1,
			"/%s is an address of the program; rename the file", f.slug))
	}
	p := &Page{Slug: f.slug, Draft: f.draft}
	if rec != nil {
		p.Title = bounded(rec,
			"title", "what the page is called, in 70 characters at most", maxTitle)
		p.Description = bounded(rec,
			"description", "one sentence for search engines, in 160 characters at most", maxDescription)
	}
	md := markdown.NewPage(l.options)
	p.Doc = l.body(md, f, parts, findings)
	p.Body, p.Notes, p.Contents = p.Doc.HTML(), md.Notes(), contents(p.Doc)
	p.Terms = l.termsOf(md)
	l.write(Manuscript{Path: f.path, Texts: append(linesOf(rec, "title", "description"), textOf(PartBody, p.Doc))})
	l.keep(p.Doc)
	l.report(append(*findings, md.CheckAnchors()...)...)
	return p
}

// issue reads one issue of the newsletter; nil if there was nothing to read. Its
// subjects and preheader go into mail headers: a line break in one is a fault
// (news-H26), as it is in every text of one line.
func (l *loader) issue(f file) *Issue {
	parts, rec, findings, ok := l.parts(f, issueKeys)
	if !ok {
		return nil
	}
	if slices.Contains(reservedIssues, f.slug) {
		*findings = append(*findings, fault.Errorf(f.path, 1,
			"/newsletter/%s is an address of the program; rename the file", f.slug))
	}
	i := &Issue{Slug: f.slug, Draft: f.draft}
	if rec != nil {
		i.Subject = rec.Need("subject", "the subject line of the mail")
		i.DiscreetSubject = rec.Need("discreet_subject",
			"a plain subject line that says nothing of the topic")
		i.Preheader = rec.Need("preheader", "what an inbox shows after the subject")
		i.Date = needDate(rec, "date")
	}
	md := markdown.NewPage(l.options)
	i.Doc = l.body(md, f, parts, findings)
	i.Body, i.Notes, i.Terms = i.Doc.HTML(), md.Notes(), l.termsOf(md)
	l.write(Manuscript{
		Path:  f.path,
		Texts: append(linesOf(rec, "subject", "discreet_subject", "preheader"), textOf(PartBody, i.Doc)),
	})
	l.keep(i.Doc)
	l.report(append(*findings, md.CheckAnchors()...)...)
	return i
}
