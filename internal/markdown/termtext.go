package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/unicode/norm"
)

// linkTerms makes the first use of each term on the page a link, in running text
// alone: paragraphs and list items, not what is a link already, code, a citation, a
// heading, a table, a caption or a footnote.
func (w *writer) linkTerms() {
	if w.brief || w.page.opts.Terms == nil {
		return
	}
	runningText(w.doc.Root, func(block ast.Node) {
		t := readWords(block, w.doc.Source)
		uses, _ := w.page.opts.Terms.find(t.words)
		fresh := uses[:0]
		for _, u := range uses {
			if w.page.useTerm(u.id) {
				fresh = append(fresh, u)
			}
		}
		for i := len(fresh) - 1; i >= 0; i-- { // backwards: what is cut off lies behind
			t.link(fresh[i])
		}
	})
}

// useTerm notes the use of a term; false if the page has one already.
func (p *Page) useTerm(id string) bool {
	if p.termUsed[id] {
		return false
	}
	if p.termUsed == nil {
		p.termUsed = map[string]bool{}
	}
	p.termUsed[id] = true
	p.terms = append(p.terms, id)
	return true
}

// Terms are the ids of the glossary's terms that are linked on the page so far, in
// order.
func (p *Page) Terms() []string { return p.terms }

func runningText(n ast.Node, visit func(block ast.Node)) {
	switch n.Kind() {
	case ast.KindParagraph, ast.KindTextBlock:
		visit(n)
		return
	case ast.KindHeading, KindFigure, east.KindTable, east.KindDefinitionTerm, east.KindFootnoteList:
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock {
			runningText(c, visit)
		}
	}
}

// wordText is a block as words, with the nodes that they stand in.
type wordText struct {
	pieces []*ast.Text
	words  []word
}

// link sets a node around the words of a use. Texts that it parts keep their breaks.
func (t *wordText) link(u use) {
	first, last := t.pieces[u.from.piece], t.pieces[u.to.piece]
	parent, start := first.Parent(), first.Segment.Start+u.from.offset
	after := breakAs(last, last.Segment.Start+u.to.offset, last.Segment.Stop)
	term := &TermNode{ID: u.id}
	if first == last {
		term.AppendChild(term, plainText(start, after.Segment.Start))
	} else {
		term.AppendChild(term, breakAs(first, start, first.Segment.Stop))
		for n := first.NextSibling(); n != nil && n != last; n = first.NextSibling() {
			parent.RemoveChild(parent, n)
			term.AppendChild(term, n)
		}
		term.AppendChild(term, plainText(last.Segment.Start, after.Segment.Start))
		parent.RemoveChild(parent, last)
	}
	parent.InsertAfter(parent, first, term)
	if !after.Segment.IsEmpty() || after.SoftLineBreak() || after.HardLineBreak() {
		parent.InsertAfter(parent, term, after)
	}
	first.Segment.Stop = start
	first.SetSoftLineBreak(false)
	first.SetHardLineBreak(false)
	if first.Segment.IsEmpty() {
		parent.RemoveChild(parent, first)
	}
}

func plainText(start, stop int) *ast.Text {
	return ast.NewTextSegment(text.NewSegment(start, stop))
}

// breakAs is a part of the source that ends its line as like does.
func breakAs(like *ast.Text, start, stop int) *ast.Text {
	t := plainText(start, stop)
	t.SetSoftLineBreak(like.SoftLineBreak())
	t.SetHardLineBreak(like.HardLineBreak())
	return t
}

// readWords reads the words of a block.
func readWords(block ast.Node, source []byte) *wordText {
	r := wordReader{source: source, begins: true}
	r.children(block)
	r.end()
	return &r.wordText
}

type wordReader struct {
	wordText
	source []byte

	letters strings.Builder // of the word that is being read
	word    word
	mixed   bool // its letters don't share a parent
	mark    place
	gap     gap  // since the word before
	begins  bool // a sentence may begin here
}

// gap is what stands between two words.
type gap int

const (
	gapNone gap = iota
	gapSpace
	gapMark
)

func (r *wordReader) children(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			r.text(n)
		case *ast.Emphasis:
			r.children(n)
		case *Citation, *east.FootnoteLink: // stand after the mark that ends a sentence
			r.end()
			r.gap = gapMark
		default:
			r.end()
			r.gap, r.begins = gapMark, false
		}
	}
}

func (r *wordReader) text(n *ast.Text) {
	value := n.Segment.Value(r.source)
	at := place{piece: len(r.pieces)}
	r.pieces = append(r.pieces, n)
	for at.offset < len(value) {
		c, size := decode(value[at.offset:])
		next := place{at.piece, at.offset + size}
		c = plainMark(c)
		switch {
		case c < 0: // a soft hyphen, within a word or between two
		case isWordPart(c), isJoint(c) && r.letters.Len() > 0 && wordFollows(value[next.offset:]):
			r.letter(c, at, next, n.Parent())
		default:
			r.end()
			r.between(c)
		}
		at = next
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		r.end()
		r.between(' ')
	}
}

func wordFollows(rest []byte) bool {
	c, _ := decode(rest)
	return isWordPart(c)
}

func (r *wordReader) letter(c rune, at, next place, parent ast.Node) {
	if r.letters.Len() == 0 {
		r.word = word{from: at, parent: parent, joined: r.gap == gapSpace, begins: r.begins}
		r.mixed = false
	}
	if c == '\'' {
		r.mark = at
	}
	r.mixed = r.mixed || parent != r.word.parent
	r.letters.WriteRune(c)
	r.word.to = next
}

// end ends the word that is being read, if there is one.
func (r *wordReader) end() {
	if r.letters.Len() == 0 {
		return
	}
	w := r.word
	w.text, w.stem = norm.NFC.String(r.letters.String()), r.mark
	if r.mixed {
		w.parent = nil
	}
	r.words = append(r.words, w)
	r.letters.Reset()
	r.gap, r.begins = gapNone, false
}

func (r *wordReader) between(c rune) {
	if unicode.IsSpace(c) {
		r.gap = max(r.gap, gapSpace)
		return
	}
	r.gap = gapMark
	r.begins = r.begins || strings.ContainsRune(".?!…:“‘\"«", c)
}

// longestEntity bounds the search for the end of an entity: &CounterClockwiseContourIntegral;
const longestEntity = 33

// decode is the first character of a text, its escape or entity resolved, and how
// many bytes it takes. What is no one character counts as a mark.
func decode(text []byte) (c rune, size int) {
	if len(text) > 1 && text[0] == '\\' && unicode.IsPunct(rune(text[1])) {
		return rune(text[1]), 2
	}
	if len(text) > 0 && text[0] == '&' {
		if end := bytes.IndexByte(text[:min(len(text), longestEntity)], ';'); end > 0 {
			resolved := plain(text[:end+1])
			if c, n := utf8.DecodeRuneInString(resolved); n == len(resolved) {
				return c, end + 1
			}
		}
	}
	return utf8.DecodeRune(text)
}
