package markdown

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Prose is the words of one block and all that a rule about words asks of them. It is
// a Paragraph that knows where its sentences stand in the file, where works are cited
// in it and what it links to. The text alternative of a figure is a block too.
//
// Offsets are in bytes of Text. A citation stands behind the last byte before its
// number, so one that ends a sentence has the offset of the sentence's end.
type Prose struct {
	Paragraph
	Quote  bool // in a quotation: the words of others
	Urgent bool // in an alert for those who are not safe
	Cites  []int
	Links  []ProseLink

	origins []origin // in order
	index   lineIndex
}

// ProseLink is a link and its words in the Text around it.
type ProseLink struct {
	From, To int
	URL      string
	Line     int
}

// origin is where a part of Text stands in the source.
type origin struct{ offset, source int }

// LineAt is the line of the file on which the words at an offset of Text stand.
func (p Prose) LineAt(offset int) int {
	i := sort.Search(len(p.origins), func(i int) bool { return p.origins[i].offset > offset })
	if i == 0 {
		return p.Line
	}
	at := p.origins[i-1]
	return p.index.of(at.source + offset - at.offset)
}

// Prose is the words of the document, block by block, in order.
func (d *Document) Prose() []Prose {
	var out []Prose
	add := func(p Prose) {
		if p.Text != "" {
			out = append(out, p)
		}
	}
	walk(d.Root, func(n ast.Node) {
		if figure, ok := n.(*FigureNode); ok {
			line := d.LineOf(n)
			add(Prose{Paragraph: Paragraph{figure.Alt, line, InOther}})
			add(Prose{Paragraph: Paragraph{figure.Caption, line, InOther}})
		} else if kind, ok := paragraphKind(n); ok {
			add(d.prose(n, kind))
		}
	})
	return out
}

func (d *Document) prose(n ast.Node, kind ParagraphKind) Prose {
	w := proseWriter{doc: d, out: Prose{index: d.lines}}
	w.write(n)
	p := w.out
	p.Paragraph = Paragraph{strings.TrimRight(w.text.String(), " "), d.LineOf(n), kind}
	for at := n.Parent(); at != nil; at = at.Parent() {
		if alert, ok := at.(*Alert); ok {
			p.Urgent = p.Urgent || alert.What == AlertUrgent
		}
		p.Quote = p.Quote || at.Kind() == ast.KindBlockquote
	}
	return p
}

// proseWriter writes the words of a block and notes where they come from.
type proseWriter struct {
	doc  *Document
	text strings.Builder
	out  Prose
}

func (w *proseWriter) write(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.words(n)
		return
	case *Citation:
		if !n.Malformed {
			w.out.Cites = append(w.out.Cites, w.text.Len())
			return
		}
	}
	if n.FirstChild() == nil {
		w.text.WriteString(w.doc.PlainText(n))
	}
	from := w.text.Len()
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.write(c)
	}
	w.link(n, from)
}

func (w *proseWriter) words(n *ast.Text) {
	words := w.doc.PlainText(n)
	if w.text.Len() == 0 {
		words = strings.TrimLeft(words, " ")
	}
	w.out.origins = append(w.out.origins, origin{w.text.Len(), n.Segment.Start})
	w.text.WriteString(words)
}

func (w *proseWriter) link(n ast.Node, from int) {
	address := ""
	switch n := n.(type) {
	case *ast.Link:
		address = target(n.Destination)
	case *ast.AutoLink:
		address = autoTarget(n, w.doc.Source)
		from -= len(n.Label(w.doc.Source))
	default:
		return
	}
	w.out.Links = append(w.out.Links, ProseLink{from, w.text.Len(), address, w.doc.LineOf(n)})
}
