// Package markdown turns what an author writes into a checked tree and the tree
// into HTML.
//
// # Input
//
// [Decode] takes the bytes of a file: UTF-8, with or without a byte order mark,
// with LF or CRLF. [Split] parts the front matter (between two lines of three
// dashes) from the body. Both keep the lines, so that a fault always names the
// line of the file as an editor shows it.
//
// A [Page] is parsed from one or more passages (an article's brief, its body),
// which share numbers and ids: [Page.Parse] gives a [Document] and all faults of
// the passage, [Page.CheckAnchors] those of links between them. Nothing in a
// document changes afterwards.
//
// # What may be written
//
// CommonMark, with:
//
//   - tables, at most 12 columns and 2,000 cells, with a header row;
//   - footnotes `[^name]`, lettered, so that they are not taken for sources;
//   - definition lists;
//   - citations as Pandoc's, `[@dutton1993; @fisher2010]` (see package cite): they
//     become superscript numbers in the order of first use, after the punctuation
//     that follows them, as Pandoc sets them;
//   - GitHub's alerts: `> [!NOTE]` is a note, `> [!TIP]` an exercise, `> [!WARNING]`
//     what to do if one is not safe. A heading that stands first inside names it;
//   - figures: an image alone in its paragraph, `![what the picture says](/figures/name.svg
//     "Caption")`. The SVG is checked ([ParseSVG]) and set into the page;
//   - terms of the glossary, as they are: the first use on a page, in running text
//     alone, becomes a link to /glossary#id (see Terms);
//   - heading anchors: made from the words, or chosen with `{#id}` at the end.
//
// Headings begin at level 2 (the title of the page is its h1) and skip no level.
// Links go to http, https, mailto and tel addresses, to `/path` on this site and
// to `#anchor` on the page; links to other sites get rel="noopener noreferrer
// nofollow". Quotes and dashes stay as they were typed.
//
// Everything else is a fault, told with its line and the way out: raw HTML, other
// schemes (after entities are decoded: CVE-2026-5160), heading attributes, unknown
// citations, anchors, figures and footnotes, and what is over the bounds of
// bounds.go, which are checked before the parser sees the text, because a parser
// may need minutes for a hostile kilobyte.
//
// # Output
//
// [Document.HTML] is the page form, built only from elements that this package
// writes: no style, no script, no event attribute, whatever came in, even from a
// document with faults. [Page.Notes] lists the works cited, in order, with the
// ids of the places that cite them. Other forms (mail) walk [Document.Root], in
// which Alert, Citation, Figure and Term stand beside goldmark's own nodes.
package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"

	"github.com/steadier/steadier/internal/cite"
	"github.com/steadier/steadier/internal/fault"
)

// Options is what the passages of a page may refer to. It is only read.
type Options struct {
	References *cite.Bibliography
	Figures    map[string]*Figure // by the name of the file, "not-knowing.svg"
	Terms      *Terms             // of the glossary; nil: none is linked
	// AnyCitation: the bibliography could not be read, so an unknown key is no fault.
	AnyCitation bool
}

// Source is one passage of a file.
type Source struct {
	Path  string // of the file, for faults
	Text  string // decoded, lines ended by \n
	Line  int    // of the file, on which the passage begins
	Brief bool   // a short passage: paragraphs, lists, links and citations only

	Starts []int // where the lines of the file begin in Text, if not after each \n
}

// Page holds the numbers and ids that the passages of one page share. It is used
// by one goroutine; make one for each page.
type Page struct {
	opts    Options
	ids     map[string]bool // taken
	again   map[string]int  // how often the words of a heading came back
	notes   []*Note
	noteOf  map[string]*Note // by the id of the reference
	anchors []anchor         // links within the page, for CheckAnchors
	figures int
	boxes   int
	tables  int

	terms    []string // of the glossary, linked so far
	termUsed map[string]bool
}

// anchor is a link to an #anchor and the file in which it stands.
type anchor struct {
	path string
	link Link
}

// NewPage begins a page.
func NewPage(opts Options) *Page {
	p := &Page{opts: opts, ids: map[string]bool{}}
	p.again, p.noteOf = map[string]int{}, map[string]*Note{}
	for _, id := range ReservedIDs() {
		p.ids[id] = true
	}
	return p
}

// ReservedIDs are the ids that templates use around a document; no heading gets
// one of them. The document itself uses ids that begin with c, s, n, fig, box and
// a number (citation, source, footnote, figure, alert); definitions of its terms have
// ids that begin with term-.
func ReservedIDs() []string {
	return []string{
		"main", "search", "brief", "contents", "sources", "sources-list", "notes", "next", "related",
		"made", "talk", "more", "path", "reach", "safety", "safety-note", "help", "exit", "footer", "newsletter", "consult",
	}
}

// Note is one work cited on a page.
type Note struct {
	Number    int             // from 1, in the order of first use
	Reference *cite.Reference // never nil
	Uses      []string        // ids of the citations, for links back
}

// ID is the id that the entry of the note has in the list of sources; the
// citations link to it.
func (n Note) ID() string { return fmt.Sprintf("s%d", n.Number) }

// Notes are the works cited so far, in order.
func (p *Page) Notes() []Note {
	out := make([]Note, len(p.notes))
	for i, n := range p.notes {
		out[i] = *n
	}
	return out
}

// Document is a parsed passage.
type Document struct {
	Path     string
	Root     *ast.Document // goldmark's tree, with our own nodes in it
	Source   []byte        // what the tree's segments point into
	Headings []Heading     // in order, without those inside alerts
	Links    []Link        // in order
	Works    []string      // ids of the references cited, each once, in order
	Words    int           // of the text, without citations and code

	lines lineIndex
	brief bool
}

// Heading is a heading with its anchor.
type Heading struct {
	Level int // 2 to 6
	ID    string
	Text  string // plain
	Line  int
}

// Link is an address that the passage links to, checked for its scheme.
type Link struct {
	URL  string // entities decoded: https://…, mailto:…, tel:…, /path#id, #id
	Text string // plain words of the link
	Line int
}

// Parse reads a passage and adds its citations, figures and ids to the page. The
// document is never nil; with an error among the findings it may be empty.
func (p *Page) Parse(src Source) (doc *Document, findings fault.Findings) {
	empty := &Document{Path: src.Path, Root: ast.NewDocument()}
	if findings = checkBounds(src); len(findings) > 0 {
		return empty, findings
	}
	defer func() {
		if r := recover(); r != nil {
			doc, findings = empty, fault.Findings{fault.Errorf(src.Path, src.Line,
				"this text can't be read because of a defect in the program (%v); "+
					"take out what was changed last, and report it", r)}
		}
	}()
	return p.parse(src)
}

func (p *Page) parse(src Source) (*Document, fault.Findings) {
	source := []byte(src.Text)
	w := &writer{
		page: p, brief: src.Brief,
		doc: &Document{
			Path: src.Path, Source: source, lines: newLineIndex(src), brief: src.Brief,
		},
	}
	w.doc.Root = parseTree(source)
	w.shape()
	w.number()
	w.check()
	w.linkTerms()
	w.doc.Words = countWords(w.doc)
	return w.doc, w.findings.Sorted()
}

// writer is the state of Page.Parse between its steps.
type writer struct {
	page     *Page
	brief    bool
	doc      *Document
	findings fault.Findings
	level    int // of the heading before
	hints    int // suggestions made so far
}

func (w *writer) errorf(n ast.Node, format string, args ...any) {
	w.errorAt(w.doc.LineOf(n), format, args...)
}

func (w *writer) errorAt(line int, format string, args ...any) {
	w.findings = append(w.findings, fault.Errorf(w.doc.Path, line, format, args...))
}
