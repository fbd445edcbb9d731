package markdown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// MailHTML is the document as HTML for a mail: every style is written at its
// element, every address is whole, there is no picture, no anchor and no class.
// Text and ground are coloured together, so that a darkened page stays readable.
func (d *Document) MailHTML(o MailOptions) string {
	m := mailHTML{doc: d, opts: o, look: mailLook}
	return m.document()
}

// FeedHTML is the document as HTML for a feed: as for a mail, but without any style,
// since a feed reader has its own (SEC-H13).
func (d *Document) FeedHTML(o MailOptions) string {
	m := mailHTML{doc: d, opts: o, look: func(string) string { return "" }}
	return m.document()
}

type mailHTML struct {
	doc  *Document
	opts MailOptions
	look func(style string) string // the attribute for a style
	out  strings.Builder
}

func mailLook(style string) string {
	if style == "" {
		return ""
	}
	return ` style="` + style + `"`
}

func (m *mailHTML) document() string {
	m.children(m.doc.Root)
	if len(m.opts.Notes) > 0 {
		m.sources()
	}
	return m.out.String()
}

// mailStyles are the elements that need no more than a look. The value is the
// element and its style. Distances are left to the mail program: they know margins
// less well than anything else here.
var mailStyles = map[ast.NodeKind][2]string{
	ast.KindParagraph:              {"p", ""},
	ast.KindBlockquote:             {"blockquote", "padding-left:16px;border-left:3px solid #8a7d70"},
	ast.KindListItem:               {"li", ""},
	east.KindDefinitionList:        {"dl", ""},
	east.KindDefinitionTerm:        {"dt", "font-weight:bold"},
	east.KindDefinitionDescription: {"dd", ""},
	east.KindTable:                 {"table", "border-collapse:collapse;font-size:15px"},
	east.KindTableHeader:           {"tr", "text-align:left"},
	east.KindTableRow:              {"tr", "text-align:left"},
	east.KindFootnoteList:          {"ol type=\"a\"", "font-size:15px"},
	east.KindFootnote:              {"li", ""},
	ast.KindCodeSpan:               {"code", "font-family:monospace"},
}

const (
	mailLink  = "color:#2b2420;background-color:#faf6ef"
	mailAlert = "padding:4px 16px;border-left:3px solid #8a7d70;background-color:#f1e9dc;color:#2b2420"
	mailCell  = "padding:4px 12px 4px 0;border-bottom:1px solid #8a7d70;vertical-align:top"
	mailCode  = "padding:8px 12px;background-color:#f1e9dc;color:#2b2420;font-family:monospace;" +
		"font-size:14px;white-space:pre-wrap"
)

func (m *mailHTML) printf(format string, args ...any) { fmt.Fprintf(&m.out, format, args...) }

func (m *mailHTML) children(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		m.node(n)
	}
}

// around writes an element with a style, and a node's children in it.
func (m *mailHTML) around(element, style string, n ast.Node) {
	m.printf("<%s%s>", element, m.look(style))
	m.children(n)
	name, _, _ := strings.Cut(element, " ")
	m.printf("</%s>", name)
	if n.Type() == ast.TypeBlock {
		m.printf("\n")
	}
}

func (m *mailHTML) node(n ast.Node) {
	if look, ok := mailStyles[n.Kind()]; ok {
		m.around(look[0], look[1], n)
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		size := map[int]int{2: 22, 3: 19}[n.Level]
		m.around(fmt.Sprintf("h%d", max(n.Level, 2)), fmt.Sprintf("font-size:%dpx", max(size, 17)), n)
	case *ast.List:
		m.list(n)
	case *ast.ThematicBreak:
		m.printf("<hr>\n")
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		m.printf("<pre%s>%s</pre>\n", m.look(mailCode), escape(string(n.Lines().Value(m.doc.Source))))
	case *Alert:
		m.printf("<div%s><p><strong>%s</strong></p>", m.look(mailAlert), escape(n.What.Label()))
		m.children(n)
		m.printf("</div>\n")
	case *FigureNode:
		m.figure(n)
	case *east.TableCell:
		m.cell(n)
	default:
		m.span(n)
	}
}

func (m *mailHTML) list(n *ast.List) {
	element := "ul"
	if n.IsOrdered() {
		element = "ol"
		if n.Start != 1 {
			element = fmt.Sprintf(`ol start="%d"`, n.Start)
		}
	}
	m.around(element, "", n)
}

func (m *mailHTML) cell(n *east.TableCell) {
	element := "td"
	if n.Parent().Kind() == east.KindTableHeader {
		element = `th scope="col"`
	}
	m.around(element, mailCell, n)
}

// figure is a link to the picture on the site, in the picture's own words.
func (m *mailHTML) figure(n *FigureNode) {
	m.printf("<p>")
	m.open(m.opts.Page + "#" + n.ID)
	m.printf("%s</a>", escape(n.Alt))
	if n.Caption != "" {
		m.printf("<br>%s", escape(n.Caption))
	}
	m.printf("</p>\n")
}

func (m *mailHTML) span(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		m.text(n)
	case *ast.String:
		m.printf("%s", escape(string(n.Value)))
	case *ast.Emphasis:
		element := "em"
		if n.Level > 1 {
			element = "strong"
		}
		m.printf("<%s>", element)
		m.children(n)
		m.printf("</%s>", element)
	case *ast.Link:
		if m.open(m.address(target(n.Destination))) {
			defer m.printf("</a>")
		}
		m.children(n)
	case *ast.AutoLink:
		if m.open(m.address(autoTarget(n, m.doc.Source))) {
			defer m.printf("</a>")
		}
		m.printf("%s", escape(string(n.Label(m.doc.Source))))
	case *Citation:
		m.printf("<sup>%s</sup>", escape(strings.Trim(citationMark(n), "[]")))
	case *east.FootnoteLink:
		m.printf("<sup>%s</sup>", letter(n.Index))
	case *east.FootnoteBacklink, *ast.RawHTML, *ast.HTMLBlock:
	default:
		m.children(n)
	}
}

func (m *mailHTML) text(n *ast.Text) {
	value := n.Segment.Value(m.doc.Source)
	if n.IsRaw() {
		m.printf("%s", escape(string(value)))
	} else {
		m.printf("%s", escape(plain(value)))
	}
	switch {
	case n.HardLineBreak():
		m.printf("<br>\n")
	case n.SoftLineBreak():
		m.printf("\n")
	}
}

// address is a checked address made whole, or "" if it may not be used.
func (m *mailHTML) address(address string) string {
	if badAddress(address) != "" {
		return ""
	}
	return m.opts.absolute(address)
}

func (m *mailHTML) open(address string) bool {
	if address == "" {
		return false
	}
	m.printf(`<a href="%s"%s>`, escape(string(util.URLEscape([]byte(address), false))), m.look(mailLink))
	return true
}

func (m *mailHTML) sources() {
	m.printf("<p><strong>Sources</strong></p><ol%s>\n", m.look("font-size:15px"))
	for _, n := range m.opts.Notes {
		m.printf("<li>%s", escape(n.Reference.Vancouver()))
		if doi := n.Reference.DOIURL(); doi != "" {
			m.printf(" ")
			m.open(doi)
			m.printf("%s</a>", escape(doi))
		}
		m.printf("</li>\n")
	}
	m.printf("</ol>\n")
}
