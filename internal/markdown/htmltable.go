package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// table stands in a group that can be scrolled, by keyboard too: a wide table
// must not widen the page. A group is no landmark, so many of them crowd nothing.
func (pageNodes) table(w out, n ast.Node, entering bool) {
	if !entering {
		if n.ChildCount() > 1 {
			w.printf("</tbody>\n")
		}
		w.printf("</table>\n</div>\n")
		return
	}
	ordinal, _ := n.AttributeString(attrNumber)
	w.printf(
		"<div class=\"table\" role=\"group\" tabindex=\"0\" aria-label=\"Table "+
			"%v\">\n<table>\n", ordinal)
}

func (pageNodes) tableHeader(w out, n ast.Node, entering bool) {
	if entering {
		w.printf("<thead>\n<tr>\n")
		return
	}
	w.printf("</tr>\n</thead>\n")
	if n.NextSibling() != nil {
		w.printf("<tbody>\n")
	}
}

func (pageNodes) tableRow(w out, _ ast.Node, entering bool) {
	if entering {
		w.printf("<tr>\n")
	} else {
		w.printf("</tr>\n")
	}
}

// tableCell is a scoped heading in the first row, unless it is empty: an empty
// heading names nothing.
func (pageNodes) tableCell(w out, n ast.Node, entering bool) {
	heads := n.Parent().Kind() == east.KindTableHeader && n.HasChildren()
	tag, scope := "td", ""
	if heads {
		tag, scope = "th", ` scope="col"`
	}
	if !entering {
		w.printf("</%s>\n", tag)
		return
	}
	class := ""
	switch n.(*east.TableCell).Alignment {
	case east.AlignRight:
		class = ` class="right"`
	case east.AlignCenter:
		class = ` class="center"`
	}
	w.printf("<%s%s%s>", tag, scope, class)
}
