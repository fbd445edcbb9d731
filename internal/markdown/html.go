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
func (d *Document) HTML() string {
	var b bytes.Buffer
	if err := pageRenderer().Render(&b, d.Source, d.Root); err != nil {
		// A bytes.Buffer takes every write; the renderers return no other error.
		panic(fmt.Sprintf("markdown: render %s: %v", d.Path, err))
	}
	return b.String()
}

type pageNodes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (r pageNodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, r.heading)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindAutoLink, r.autoLink)
	reg.Register(ast.KindImage, r.image)
	reg.Register(ast.KindHTMLBlock, r.htmlBlock)
	reg.Register(ast.KindRawHTML, r.rawHTML)
	reg.Register(ast.KindCodeBlock, r.code)
	reg.Register(ast.KindFencedCodeBlock, r.code)
	reg.Register(KindCitation, r.citation)
	reg.Register(KindAlert, r.alert)
	reg.Register(KindFigure, r.figure)
	reg.Register(east.KindTable, r.table)
	reg.Register(east.KindTableHeader, r.tableHeader)
	reg.Register(east.KindTableRow, r.tableRow)
	reg.Register(east.KindTableCell, r.tableCell)
	reg.Register(east.KindFootnoteLink, r.footnoteLink)
	reg.Register(east.KindFootnoteBacklink, r.footnoteBacklink)
	reg.Register(east.KindFootnoteList, r.footnoteList)
	reg.Register(east.KindFootnote, r.footnote)
}

// escape makes text safe in HTML, in words and in attributes.
func escape(s string) string { return html.EscapeString(s) }

func printf(w util.BufWriter, format string, args ...any) {
	_, _ = fmt.Fprintf(w, format, args...) // an error stays in the writer until Flush
}

func (pageNodes) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	level := max(h.Level, 2) // the page has its own h1, whatever came in
	if !entering {
		printf(w, "</h%d>\n", level)
		return ast.WalkContinue, nil
	}
	printf(w, `<h%d id="%s">`, level, escape(headingID(h)))
	if a, ok := h.Parent().(*Alert); ok && a.What == AlertUrgent && a.Heading == h {
		printf(w, `<span class="unseen">Urgent: </span>`)
	}
	return ast.WalkContinue, nil
}

// openLink writes the opening tag of a link, or nothing for an address that may
// not be used: its words stay.
func openLink(w util.BufWriter, address string) bool {
	if badAddress(address) != "" {
		return false
	}
	printf(w, `<a href="%s"`, escape(string(util.URLEscape([]byte(address), false))))
	if external(address) {
		printf(w, ` rel="noopener noreferrer nofollow"`)
	}
	printf(w, ">")
	return true
}

func (pageNodes) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	address := target(n.(*ast.Link).Destination)
	if entering {
		openLink(w, address)
	} else if badAddress(address) == "" {
		printf(w, "</a>")
	}
	return ast.WalkContinue, nil
}

func (pageNodes) autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	a := n.(*ast.AutoLink)
	linked := openLink(w, autoTarget(a, source))
	printf(w, "%s", escape(string(a.Label(source))))
	if linked {
		printf(w, "</a>")
	}
	return ast.WalkContinue, nil
}

// image writes the words of an image that is no figure: a fault, never an <img>.
func (pageNodes) image(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkContinue, nil
}

func (pageNodes) htmlBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		b := n.(*ast.HTMLBlock)
		text := string(b.Lines().Value(source))
		if b.HasClosure() {
			text += string(b.ClosureLine.Value(source))
		}
		printf(w, "<p>%s</p>\n", escape(strings.TrimSpace(text)))
	}
	return ast.WalkSkipChildren, nil
}

func (pageNodes) rawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		printf(w, "%s", escape(string(n.(*ast.RawHTML).Segments.Value(source))))
	}
	return ast.WalkSkipChildren, nil
}

// code can be scrolled by keyboard: a long line must not be out of reach.
func (pageNodes) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		printf(w, "<pre tabindex=\"0\"><code>%s</code></pre>\n", escape(string(n.Lines().Value(source))))
	}
	return ast.WalkSkipChildren, nil
}

func (pageNodes) citation(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	c := n.(*Citation)
	if !entering {
		return ast.WalkContinue, nil
	}
	if c.Malformed {
		printf(w, "%s", escape(c.Raw))
		return ast.WalkContinue, nil
	}
	printf(w, "<sup>")
	for i, work := range c.Works {
		if i > 0 {
			printf(w, ", ")
		}
		printf(w, "%s", workHTML(work))
	}
	printf(w, "</sup>")
	return ast.WalkContinue, nil
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

func (pageNodes) alert(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	a := n.(*Alert)
	element := "div"
	if a.Heading != nil {
		element = "section"
	}
	if !entering {
		printf(w, "</%s>\n", element)
		return ast.WalkContinue, nil
	}
	if a.Heading != nil {
		printf(w, "<section class=\"%s\" aria-labelledby=\"%s\">\n<p class=\"label\">%s</p>\n",
			a.What.class(), escape(headingID(a.Heading)), a.What.Label())
		return ast.WalkContinue, nil
	}
	role := "group"
	if a.What == AlertNote {
		role = "note"
	}
	printf(w, "<div class=\"%s\" role=\"%s\" aria-labelledby=\"%s\">\n<p class=\"label\" id=\"%s\">%s</p>\n",
		a.What.class(), role, a.ID, a.ID, a.What.Label())
	return ast.WalkContinue, nil
}

func (pageNodes) figure(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	f := n.(*FigureNode)
	if !entering {
		return ast.WalkContinue, nil
	}
	printf(w, `<figure class="wide">`)
	if f.Figure != nil {
		printf(w, "%s", f.Figure.Inline(f.ID, f.Alt))
	} else {
		printf(w, "<p>%s</p>", escape(f.Alt))
	}
	if f.Caption != "" {
		printf(w, "<figcaption>%s</figcaption>", escape(f.Caption))
	}
	printf(w, "</figure>\n")
	return ast.WalkContinue, nil
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

func (pageNodes) footnoteLink(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		f := n.(*east.FootnoteLink)
		printf(w, `<sup><a class="cite" href="#n%d" id="%s" aria-label="Footnote %s">%s</a></sup>`,
			f.Index, useID(f.Index, f.RefIndex), letter(f.Index), letter(f.Index))
	}
	return ast.WalkContinue, nil
}

func (pageNodes) footnoteBacklink(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		f := n.(*east.FootnoteBacklink)
		name := "Back to the text, footnote " + letter(f.Index)
		if f.RefCount > 1 {
			name += ", place " + strconv.Itoa(f.RefIndex+1)
		}
		printf(w, ` <a class="back" href="#%s" aria-label="%s">↩</a>`, useID(f.Index, f.RefIndex), name)
	}
	return ast.WalkContinue, nil
}

func (pageNodes) footnoteList(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		printf(w, "<section class=\"footnotes\" aria-labelledby=\"n0\">\n<h2 class=\"label\" id=\"n0\">Notes</h2>\n<ol type=\"a\">\n")
	} else {
		printf(w, "</ol>\n</section>\n")
	}
	return ast.WalkContinue, nil
}

func (pageNodes) footnote(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		printf(w, "<li id=\"n%d\">\n", n.(*east.Footnote).Index)
	} else {
		printf(w, "</li>\n")
	}
	return ast.WalkContinue, nil
}
