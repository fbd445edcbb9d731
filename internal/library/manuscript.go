package library

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/markdown"
)

// Words is everything in the folder that a reader reads as prose, for the editor's
// rules (package editor).
type Words struct {
	Language string       // of the site
	Services []string     // names of the helplines
	Files    []Manuscript // by path; those with faults too, as far as they could be read
}

// Manuscript is the words of one file.
type Manuscript struct {
	Path  string
	Texts []Text
	Allow []Allowance
}

// Allowance is an entry of `allow`: words that one of the editor's rules may pass.
type Allowance struct {
	Rule, Text, Why string
	Line            int
}

// Part says what a text is to its file.
type Part int

// The body; what an article says in brief, and its safety note; a passage that stands
// with others of its file, such as a definition; one line, such as a title.
const (
	PartBody Part = iota
	PartBrief
	PartSafety
	PartPassage
	PartLine
)

// Text is one text of a file: a document, or the words of a line.
type Text struct {
	Part  Part
	doc   *markdown.Document
	words string
	line  int
}

// Prose is the words of the text, block by block.
func (t Text) Prose() []markdown.Prose {
	if t.doc != nil {
		return t.doc.Prose()
	}
	words := markdown.Paragraph{Text: t.words, Line: t.line, Kind: markdown.InOther}
	return []markdown.Prose{{Paragraph: words}}
}

// Read is Load for who writes: it gives the words of every file too, whether or not
// there is an error somewhere.
func Read(fsys fs.FS, opts Options) (*Library, Words, fault.Findings) {
	l := &loader{fsys: fsys, opts: opts, lib: &Library{}}
	lib, findings := l.load()
	words := Words{Language: l.lib.Site.Language, Files: l.written}
	for _, c := range l.lib.Countries {
		for _, s := range c.Services {
			words.Services = append(words.Services, s.Name)
		}
	}
	slices.SortStableFunc(words.Files, func(a, b Manuscript) int { return cmp.Compare(a.Path, b.Path) })
	return lib, words, findings
}

// write notes the words of a file.
func (l *loader) write(m Manuscript) {
	m.Texts = slices.DeleteFunc(m.Texts, func(t Text) bool { return t.doc == nil && t.words == "" })
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written = append(l.written, m)
}

// textOf is a passage; it may be nil.
func textOf(part Part, doc *markdown.Document) Text { return Text{Part: part, doc: doc} }

// linesOf are the lines that stand under keys of a record.
func linesOf(rec *yamlfile.Record, keys ...string) []Text {
	var out []Text
	for _, key := range keys {
		if n := rec.Node(key); n != nil && n.Kind == yamlfile.Scalar {
			out = append(out, Text{Part: PartLine, words: strings.TrimSpace(n.Text), line: n.Line})
		}
	}
	return out
}
