package markdown

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// pageRenderer writes a tree as HTML for a page: goldmark's renderer for plain
// blocks and words, ours for what is linked, labelled or checked.
var pageRenderer = sync.OnceValue(func() renderer.Renderer {
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(pageNodes{}, 100),
		util.Prioritized(extension.NewDefinitionListHTMLRenderer(), 500),
		util.Prioritized(goldhtml.NewRenderer(), 1000),
	))
})

// HTML is the document as HTML for a page: blocks only, no element around them.
// After a block that is the first to cite a work stands a side note, for the margin
// of a wide screen, with the kind of evidence and the work in a few words.
func (d *Document) HTML() string {
	var b bytes.Buffer
	told := map[*Note]bool{}
	for block := d.Root.FirstChild(); block != nil; block = block.NextSibling() {
		if err := pageRenderer().Render(&b, d.Source, block); err != nil {
			// A bytes.Buffer takes every write; the renderers return no other error.
			panic(fmt.Sprintf("markdown: render %s: %v", d.Path, err))
		}
		if !d.brief && block.Kind() != east.KindFootnoteList {
			b.WriteString(sideNote(block, told))
		}
	}
	return b.String()
}

// sideNote is the note beside a block about the works that were not told yet, ""
// if there are none. Works that are first cited together share one, so that none
// covers another.
func sideNote(block ast.Node, told map[*Note]bool) string {
	var numbers, notes []string
	walk(block, func(n ast.Node) {
		c, ok := n.(*Citation)
		if !ok || c.Malformed {
			return
		}
		for _, work := range c.Works {
			if work.Note == nil || told[work.Note] {
				continue
			}
			told[work.Note] = true
			about := work.Note.Reference.Short() + "."
			if kind := work.Note.Reference.Evidence.Label(); kind != "" {
				about = kind + ". " + about
			}
			numbers = append(numbers, strconv.Itoa(work.Note.Number))
			notes = append(notes, fmt.Sprintf("<b>%d</b> %s", work.Note.Number, escape(about)))
		}
	})
	if len(notes) == 0 {
		return ""
	}
	name := "About source "
	if len(notes) > 1 {
		name = "About sources "
	}
	return fmt.Sprintf("<aside class=\"side\" aria-label=\"%s\">%s</aside>\n",
		name+strings.Join(numbers, ", "), strings.Join(notes, "<br>"))
}

// pageNodes writes nodes for a page, each when it is entered and when it is left.
type pageNodes struct{}

// out is what a node is written to.
type out struct {
	util.BufWriter
	source []byte // what the node's segments point into
}

func (w out) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(w, format, args...) // an error stays in the writer until Flush
}

// visit makes a goldmark renderer of one of ours, which always goes on to the
// children: where they must not be written there are none.
func visit(write func(w out, n ast.Node, entering bool)) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		write(out{w, source}, n, entering)
		return ast.WalkContinue, nil
	}
}

// RegisterFuncs implements renderer.NodeRenderer.
func (r pageNodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, visit(r.heading))
	reg.Register(ast.KindLink, visit(r.link))
	reg.Register(ast.KindAutoLink, visit(r.autoLink))
	reg.Register(ast.KindImage, visit(r.image))
	reg.Register(ast.KindHTMLBlock, visit(r.htmlBlock))
	reg.Register(ast.KindRawHTML, visit(r.rawHTML))
	reg.Register(ast.KindCodeBlock, visit(r.code))
	reg.Register(ast.KindFencedCodeBlock, visit(r.code))
	reg.Register(KindCitation, visit(r.citation))
	reg.Register(KindAlert, visit(r.alert))
	reg.Register(KindFigure, visit(r.figure))
	reg.Register(KindTerm, visit(r.term))
	reg.Register(east.KindTable, visit(r.table))
	reg.Register(east.KindTableHeader, visit(r.tableHeader))
	reg.Register(east.KindTableRow, visit(r.tableRow))
	reg.Register(east.KindTableCell, visit(r.tableCell))
	reg.Register(east.KindFootnoteLink, visit(r.footnoteLink))
	reg.Register(east.KindFootnoteBacklink, visit(r.footnoteBacklink))
	reg.Register(east.KindFootnoteList, visit(r.footnoteList))
	reg.Register(east.KindFootnote, visit(r.footnote))
}

// escape makes text safe in HTML, in words and in attributes.
func escape(s string) string { return html.EscapeString(s) }

func (pageNodes) heading(w out, n ast.Node, entering bool) {
	h := n.(*ast.Heading)
	level := max(h.Level, 2) // the page has its own h1, whatever came in
	if !entering {
		w.printf("</h%d>\n", level)
		return
	}
	w.printf(`<h%d id="%s">`, level, escape(headingID(h)))
	if a, ok := h.Parent().(*Alert); ok && a.What == AlertUrgent && a.Heading == h {
		w.printf(`<span class="unseen">Urgent: </span>`)
	}
}

// openLink writes the opening tag of a link, or nothing for an address that may
// not be used: its words stay.
func openLink(w out, address string) bool {
	if badAddress(address) != "" {
		return false
	}
	w.printf(`<a href="%s"`, escape(string(util.URLEscape([]byte(address), false))))
	if external(address) {
		w.printf(` rel="noopener noreferrer nofollow"`)
	}
	w.printf(">")
	return true
}

func (pageNodes) link(w out, n ast.Node, entering bool) {
	address := target(n.(*ast.Link).Destination)
	if entering {
		openLink(w, address)
	} else if badAddress(address) == "" {
		w.printf("</a>")
	}
}

func (pageNodes) autoLink(w out, n ast.Node, entering bool) {
	if !entering {
		return
	}
	a := n.(*ast.AutoLink)
	linked := openLink(w, autoTarget(a, w.source))
	w.printf("%s", escape(string(a.Label(w.source))))
	if linked {
		w.printf("</a>")
	}
}

// image writes the words of an image that is no figure: a fault, never an <img>.
func (pageNodes) image(out, ast.Node, bool) {}

func (pageNodes) htmlBlock(w out, n ast.Node, entering bool) {
	if entering {
		b := n.(*ast.HTMLBlock)
		text := string(b.Lines().Value(w.source))
		if b.HasClosure() {
			text += string(b.ClosureLine.Value(w.source))
		}
		w.printf("<p>%s</p>\n", escape(strings.TrimSpace(text)))
	}
}

func (pageNodes) rawHTML(w out, n ast.Node, entering bool) {
	if entering {
		w.printf("%s", escape(string(n.(*ast.RawHTML).Segments.Value(w.source))))
	}
}

// code can be scrolled by keyboard: a long line must not be out of reach.
func (pageNodes) code(w out, n ast.Node, entering bool) {
	if entering {
		w.printf(
			"<pre tabindex=\"0\"><code>%s</code></pre>\n", escape(string(n.Lines().Value(w.source))))
	}
}

func (pageNodes) citation(w out, n ast.Node, entering bool) {
	c := n.(*Citation)
	if !entering {
		return
	}
	if c.Malformed {
		w.printf("%s", escape(c.Raw))
		return
	}
	w.printf("<sup>")
	for i, work := range c.Works {
		if i > 0 {
			w.printf(", ")
		}
		w.printf("%s", workHTML(work))
	}
	w.printf("</sup>")
}

func workHTML(work Work) string {
	if work.Note == nil {
		return escape("@" + work.Key)
	}
	name := fmt.Sprintf("Source %d", work.Note.Number)
	before, after := "", ""
	if work.Prefix != "" {
		before = escape(work.Prefix) + " "
	}
	if work.Locator != "" {
		name += ", " + work.Locator
		after = " (" + escape(work.Locator) + ")"
	}
	return fmt.Sprintf(`%s<a class="cite" href="#%s" id="%s" aria-label="%s">%d</a>%s`,
		before, work.Note.ID(), work.ID, escape(name), work.Note.Number, after)
}

func (pageNodes) alert(w out, n ast.Node, entering bool) {
	a := n.(*Alert)
	element := "div"
	if a.Heading != nil {
		element = "section"
	}
	if !entering {
		w.printf("</%s>\n", element)
		return
	}
	if a.Heading != nil {
		w.printf("<section class=\"%s\" aria-labelledby=\"%s\">\n<p class=\"label\">%s</p>\n",
			a.What.class(), escape(headingID(a.Heading)), a.What.Label())
		return
	}
	role := "group"
	if a.What == AlertNote {
		role = "note"
	}
	w.printf(
		"<div class=\"%s\" role=\"%s\" aria-labelledby=\"%s\">\n<p class=\"label\" "+
			"id=\"%s\">%s</p>\n",
		a.What.class(), role, a.ID, a.ID, a.What.Label())
}

func (pageNodes) figure(w out, n ast.Node, entering bool) {
	if entering {
		w.printf("<figure class=\"wide\">%s</figure>\n", n.(*FigureNode).inside())
	}
}

// inside is what stands within the element of a figure.
func (n *FigureNode) inside() string {
	html := "<p>" + escape(n.Alt) + "</p>"
	if n.Figure != nil {
		html = n.Figure.Inline(n.ID, n.Alt)
	}
	if n.Caption != "" {
		html += "<figcaption>" + escape(n.Caption) + "</figcaption>"
	}
	return html
}

// FirstFigure is the first figure of the document as HTML, for another page that
// shows no more of it; "" without one.
func (d *Document) FirstFigure() (html string) {
	walk(d.Root, func(n ast.Node) {
		if f, ok := n.(*FigureNode); ok && html == "" {
			html = "<figure>" + f.inside() + "</figure>\n"
		}
	})
	return html
}

// HasExercise reports whether something to try stands in the document.
func (d *Document) HasExercise() (has bool) {
	walk(d.Root, func(n ast.Node) {
		a, ok := n.(*Alert)
		has = has || ok && a.What == AlertTry
	})
	return has
}

// term links to the page of the glossary; a script may open the definition in place.
func (pageNodes) term(w out, n ast.Node, entering bool) {
	if entering {
		w.printf(`<a class="term" href="/glossary#%s">`, escape(n.(*TermNode).ID))
	} else {
		w.printf("</a>")
	}
}

// letter names a footnote: a to z, then aa, ab, …
func letter(n int) string {
	if n < 1 {
		return "?"
	}
	out := ""
	for ; n > 0; n = (n - 1) / 26 {
		out = string(rune('a'+(n-1)%26)) + out
	}
	return out
}

// useID is the id of a footnote's mark in the text; index counts from 0.
func useID(footnote, index int) string {
	id := "n" + strconv.Itoa(footnote) + "-use"
	if index > 0 {
		id += "-" + strconv.Itoa(index+1)
	}
	return id
}

func (pageNodes) footnoteLink(w out, n ast.Node, entering bool) {
	if entering {
		f := n.(*east.FootnoteLink)
		w.printf(`<sup><a class="cite" href="#n%d" id="%s" aria-label="Footnote %s">%s</a></sup>`,
			f.Index, useID(f.Index, f.RefIndex), letter(f.Index), letter(f.Index))
	}
}

func (pageNodes) footnoteBacklink(w out, n ast.Node, entering bool) {
	if entering {
		f := n.(*east.FootnoteBacklink)
		name := "Back to the text, footnote " + letter(f.Index)
		if f.RefCount > 1 {
			name += ", place " + strconv.Itoa(f.RefIndex+1)
		}
		w.printf(
			` <a class="back" href="#%s" aria-label="%s">↩</a>`, useID(f.Index, f.RefIndex), name)
	}
}

func (pageNodes) footnoteList(w out, _ ast.Node, entering bool) {
	if entering {
		w.printf(
			"<section class=\"footnotes\" aria-labelledby=\"n0\">\n<h2 class=\"label\" " +
				"id=\"n0\">Notes</h2>\n<ol type=\"a\">\n")
	} else {
		w.printf("</ol>\n</section>\n")
	}
}

func (pageNodes) footnote(w out, n ast.Node, entering bool) {
	if entering {
		w.printf("<li id=\"n%d\">\n", n.(*east.Footnote).Index)
	} else {
		w.printf("</li>\n")
	}
}
