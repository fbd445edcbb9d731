package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// shape turns goldmark's tree into ours: alerts and figures for the blocks that
// mean them, citations after the punctuation, footnotes known.
func (w *writer) shape() {
	var quotes, paragraphs, cited []ast.Node
	walk(w.doc.Root, func(n ast.Node) {
		switch n.Kind() {
		case ast.KindBlockquote:
			quotes = append(quotes, n)
		case ast.KindParagraph:
			paragraphs = append(paragraphs, n)
		case KindCitation:
			cited = append(cited, n)
		}
	})
	for _, n := range paragraphs {
		w.figure(n)
	}
	for _, n := range quotes {
		w.alert(n)
	}
	for _, n := range cited {
		w.settle(n.(*Citation))
	}
}

// walk visits n and all below it, in order. What visit replaces is not visited
// again.
func walk(n ast.Node, visit func(ast.Node)) {
	visit(n)
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		walk(c, visit)
		c = next
	}
}

var alertMark = regexp.MustCompile(`^\[!([A-Za-z]+)\](.*)$`)

// alert replaces a quote whose first line is a mark such as [!NOTE].
func (w *writer) alert(quote ast.Node) {
	first, ok := quote.FirstChild().(*ast.Paragraph)
	if !ok || first.Lines().Len() == 0 {
		return
	}
	line := first.Lines().At(0)
	m := alertMark.FindStringSubmatch(strings.TrimSpace(string(line.Value(w.doc.Source))))
	if m == nil {
		return
	}
	kind, known := alertKinds[strings.ToUpper(m[1])]
	switch {
	case !known:
		w.errorf(first,
			"unknown alert [!%s]; known are [!NOTE], a note, [!TIP], an exercise, and "+
				"[!WARNING], if you are not safe", m[1])
		return
	case m[2] != "":
		w.errorf(first, "[!%s] stands alone on its line; put the words on the next one", m[1])
		return
	}
	w.dropFirstLine(first, line)
	alert := &Alert{What: kind}
	alert.SetPos(offsetOf(quote))
	for c := quote.FirstChild(); c != nil; {
		next := c.NextSibling()
		alert.AppendChild(alert, c)
		c = next
	}
	alert.Heading, _ = alert.FirstChild().(*ast.Heading)
	quote.Parent().ReplaceChild(quote.Parent(), quote, alert)
	if alert.ChildCount() == 0 {
		w.errorf(alert, "[!%s] has no words; write them on the next lines, each after >", m[1])
	}
}

// dropFirstLine takes the inline nodes of a paragraph's first line away.
func (w *writer) dropFirstLine(p *ast.Paragraph, line text.Segment) {
	for c := p.FirstChild(); c != nil; {
		next := c.NextSibling()
		if offsetOf(c) >= line.Stop {
			break
		}
		p.RemoveChild(p, c)
		c = next
	}
	lines := text.NewSegments()
	for i := 1; i < p.Lines().Len(); i++ {
		lines.Append(p.Lines().At(i))
	}
	p.SetLines(lines)
	if p.ChildCount() == 0 {
		p.Parent().RemoveChild(p.Parent(), p)
	}
}

// figure replaces a paragraph that is one image and nothing else.
func (w *writer) figure(p ast.Node) {
	image, ok := p.FirstChild().(*ast.Image)
	if !ok || p.ChildCount() != 1 || w.brief {
		return
	}
	w.page.figures++
	n := &FigureNode{
		ID:      fmt.Sprintf("fig%d", w.page.figures),
		Alt:     strings.TrimSpace(w.doc.PlainText(image)),
		Caption: strings.TrimSpace(plain(image.Title)),
	}
	n.SetPos(image.Pos())
	if offset := offsetOf(p); offset >= 0 {
		n.SetPos(offset)
	}
	w.findFigure(n, target(image.Destination))
	p.Parent().ReplaceChild(p.Parent(), p, n)
}

const figureFolder = "/figures/"

func (w *writer) findFigure(n *FigureNode, address string) {
	name, inFolder := strings.CutPrefix(address, figureFolder)
	n.Name = name
	switch {
	case !inFolder || strings.Contains(name, "/"):
		w.errorf(n,
			"the figure %q is not one of ours; put the drawing into figures/ and write "+
				"/figures/name.svg", address)
	case w.page.opts.Figures[name] == nil:
		w.errorf(n, "there is no figure %s%s", name, w.didYouMean(name, w.figureNames()))
	default:
		n.Figure = w.page.opts.Figures[name]
	}
	if n.Alt == "" {
		w.errorf(n, "the figure has no text alternative; say between ![ and ] what it shows")
	}
	if n.Caption == "" {
		w.warnf(n, "the figure has no caption; write it in quotes after the address")
	}
}

func (w *writer) figureNames() []string {
	var names []string
	for name := range w.page.opts.Figures {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// trailing is the punctuation that a citation number stands after.
var trailing = regexp.MustCompile(`^(?:\.\.\.|[.,;:!?…])+[”’»]*`)

// settle sets a citation as printers do: no space before it, one number group
// with a citation that follows at once, and after the punctuation.
func (w *writer) settle(c *Citation) {
	if c.Malformed || c.Parent() == nil {
		return
	}
	w.trimBefore(c)
	if before, ok := c.PreviousSibling().(*Citation); ok && !before.Malformed {
		before.Works = append(before.Works, c.Works...)
		before.Raw += c.Raw
		after := c.NextSibling()
		c.Parent().RemoveChild(c.Parent(), c)
		w.pullPunctuation(before, after)
		return
	}
	w.pullPunctuation(c, c.NextSibling())
}

// trimBefore takes the space between a citation and the words before it away.
func (w *writer) trimBefore(c *Citation) {
	t, ok := c.PreviousSibling().(*ast.Text)
	if !ok {
		return
	}
	value := t.Segment.Value(w.doc.Source)
	trimmed := strings.TrimRight(string(value), " \t\n")
	t.Segment.Stop -= len(value) - len(trimmed)
	t.SetSoftLineBreak(false)
	t.SetHardLineBreak(false)
	if t.Segment.IsEmpty() {
		t.Parent().RemoveChild(t.Parent(), t)
	}
}

func (w *writer) pullPunctuation(c *Citation, after ast.Node) {
	t, ok := after.(*ast.Text)
	if !ok {
		return
	}
	mark := trailing.FindIndex(t.Segment.Value(w.doc.Source))
	if mark == nil {
		return
	}
	moved := ast.NewTextSegment(text.NewSegment(t.Segment.Start, t.Segment.Start+mark[1]))
	t.Segment = text.NewSegment(t.Segment.Start+mark[1], t.Segment.Stop)
	c.Parent().InsertBefore(c.Parent(), c, moved)
	if t.Segment.IsEmpty() && !t.SoftLineBreak() && !t.HardLineBreak() {
		t.Parent().RemoveChild(t.Parent(), t)
	}
}
