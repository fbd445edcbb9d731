package library

import (
	"cmp"
	"slices"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// Term is a word that the site explains.
type Term struct {
	ID         string // its anchor on /glossary
	Name       string
	Also       []string // other forms that a text may use
	Definition string   // HTML: one paragraph
	UsedIn     []Place  // the articles that use it, in the order in which to read them
	Doc        *markdown.Document
}

// The bounds of a definition.
const (
	maxDefinition          = 60 // words
	maxDefinitionSentences = 2
)

var (
	glossaryKeys = []string{"terms"}
	termKeys     = []string{"id", "term", "also", "definition"}
)

// glossary reads glossary.yaml, before the texts whose terms it links; nothing if
// there is no such file. The terms are in the order of the alphabet.
func (l *loader) glossary() []*Term {
	text, ok := l.yaml(glossaryFile)
	if !ok {
		return nil
	}
	node, findings := yamlfile.Parse(glossaryFile, []byte(text), 1)
	if node == nil || node.Kind == yamlfile.Null {
		l.report(findings...)
		return nil
	}
	r := glossaryReader{loader: l, findings: &findings, ids: map[string]int{}, forms: map[string]form{}}
	rec := yamlfile.Open(glossaryFile, "the glossary", node, glossaryKeys, r.findings)
	var terms []*Term
	for _, n := range list(rec, "terms") {
		if t := r.term(n); t != nil {
			terms = append(terms, t)
		}
	}
	l.write(Manuscript{Path: glossaryFile, Texts: definitions(terms)})
	slices.SortStableFunc(terms, func(a, b *Term) int {
		return cmp.Or(cmp.Compare(fold(a.Name), fold(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	l.report(findings...)
	return terms
}

func definitions(terms []*Term) []Text {
	var out []Text
	for _, t := range terms {
		out = append(out, textOf(PartPassage, t.Doc))
	}
	return out
}

type glossaryReader struct {
	*loader
	findings *fault.Findings
	ids      map[string]int  // with the lines on which they stand
	forms    map[string]form // by what they have in common
}

// form is a form of a term that was met.
type form struct {
	id   string
	line int
}

func (r glossaryReader) term(n *yamlfile.Node) *Term {
	rec := yamlfile.Open(glossaryFile, "a term", n, termKeys, r.findings)
	if rec == nil {
		return nil
	}
	t := &Term{
		ID:   rec.Need("id", "its anchor on the page of the glossary, such as trauma-bond"),
		Name: rec.Need("term", "the word as a text has it within a sentence"),
	}
	r.checkID(rec, t.ID)
	r.claim(t, t.Name, rec.LineOf("term"))
	for _, item := range rec.Texts("also") {
		r.claim(t, item.Text, item.Line)
		t.Also = append(t.Also, item.Text)
	}
	r.define(rec, t)
	return t
}

func (r glossaryReader) checkID(rec *yamlfile.Record, id string) {
	first, twice := r.ids[id]
	switch {
	case id == "":
		return
	case !slugForm.MatchString(id):
		rec.Errorf("id",
			"id: %q is no anchor; write small letters, digits and hyphens, such as %s", id, slugOf(id))
	case slices.Contains(markdown.ReservedIDs(), id):
		rec.Errorf("id", "id: the page around the glossary has the anchor #%s itself; choose another", id)
	case twice:
		rec.Errorf("id", "id: the term %s stands on line %d already", id, first)
	}
	r.ids[id] = rec.LineOf("id")
}

// claim notes a form that a text may use; each belongs to one term.
func (r glossaryReader) claim(t *Term, text string, line int) {
	if text == "" {
		return
	}
	key := markdown.TermKey(text)
	if key == "" {
		r.errorAt(line, "“%s” can't be found in a text; a term is up to %d words of letters, "+
			"digits, hyphens and apostrophes", text, markdown.MaxTermWords)
		return
	}
	if first, twice := r.forms[key]; twice {
		r.errorAt(line, "“%s” stands on line %d already, for the term %s; take one of them out",
			text, first.line, first.id)
		return
	}
	r.forms[key] = form{t.ID, line}
}

func (r glossaryReader) errorAt(line int, format string, args ...any) {
	*r.findings = append(*r.findings, fault.Errorf(glossaryFile, line, format, args...))
}

// define reads the definition. It is shown on the pages of others, whose citations
// have numbers of their own, so it has none.
func (r glossaryReader) define(rec *yamlfile.Record, t *Term) {
	text, line := rec.Passage("definition")
	if text == "" {
		rec.Errorf("definition", "definition is missing; say in one or two sentences what the word means here")
		return
	}
	page := markdown.NewPage(r.options)
	var findings fault.Findings
	t.Doc, findings = page.Parse(markdown.Source{Path: glossaryFile, Text: text, Line: line, Brief: true, Starts: rec.Starts("definition")})
	*r.findings = append(*r.findings, append(findings, page.CheckAnchors()...)...)
	t.Definition = t.Doc.HTML()
	r.keep(t.Doc)
	if len(findings) > 0 {
		return
	}
	paragraphs := t.Doc.Paragraphs()
	switch {
	case len(t.Doc.Works) > 0:
		rec.Errorf("definition",
			"definition: a citation would take its number from another page; "+
				"link to the work, as in [Stark](/sources#%s)", t.Doc.Works[0])
	case len(paragraphs) != 1 || paragraphs[0].Kind != markdown.InText:
		rec.Errorf("definition", "definition must be one paragraph, without lists")
	case t.Doc.Words > maxDefinition:
		rec.Errorf("definition",
			"definition has %d words, at most %d; shorten it", t.Doc.Words, maxDefinition)
	case markdown.CountSentences(paragraphs[0].Text) > maxDefinitionSentences:
		rec.Errorf("definition", "definition has %d sentences, at most %d; shorten it",
			markdown.CountSentences(paragraphs[0].Text), maxDefinitionSentences)
	}
}

// formsOf are the terms as a text is searched for them.
func formsOf(terms []*Term) *markdown.Terms {
	forms := make([]markdown.Term, len(terms))
	for i, t := range terms {
		forms[i] = markdown.Term{ID: t.ID, Forms: append([]string{t.Name}, t.Also...)}
	}
	return markdown.NewTerms(forms)
}

// termsOf are the terms that a page links.
func (l *loader) termsOf(page *markdown.Page) []*Term {
	var out []*Term
	for _, id := range page.Terms() {
		i := slices.IndexFunc(l.lib.Terms, func(t *Term) bool { return t.ID == id })
		out = append(out, l.lib.Terms[i])
	}
	return out
}

// useTerms notes which articles use a term, and tells those that none does. After a
// fault elsewhere that may be its fault.
func (l *loader) useTerms() {
	for _, a := range l.lib.Articles {
		for _, t := range a.Terms {
			t.UsedIn = append(t.UsedIn, Place{a.Path(), a.Title})
		}
	}
	if l.findings.Errors() > 0 {
		return
	}
	for _, t := range l.lib.Terms {
		if len(t.UsedIn) == 0 {
			l.report(fault.Warnf(glossaryFile, l.termLine(t),
				"no article uses “%s”; take the term out, or add to `also` the form that they use", t.Name))
		}
	}
}

func (l *loader) termLine(t *Term) int {
	if t.Doc == nil {
		return 1
	}
	return t.Doc.LineOf(t.Doc.Root)
}
