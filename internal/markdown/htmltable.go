package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// table stands in a group that can be scrolled, by keyboard too: a wide table
// must not widen the page. A group is no landmark, so many of them crowd nothing.
func (pageNodes) table(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		if n.ChildCount() > 1 {
			printf(w, "</tbody>\n")
		}
		printf(w, "</table>\n</div>\n")
		return ast.WalkContinue, nil
	}
	ordinal, _ := n.AttributeString(attrNumber)
	printf(w, "<div class=\"table\" role=\"group\" tabindex=\"0\" aria-label=\"Table %v\">\n<table>\n", ordinal)
	return ast.WalkContinue, nil
}

func (pageNodes) tableHeader(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		printf(w, "<thead>\n<tr>\n")
		return ast.WalkContinue, nil
	}
	printf(w, "</tr>\n</thead>\n")
	if n.NextSibling() != nil {
		printf(w, "<tbody>\n")
	}
	return ast.WalkContinue, nil
}

func (pageNodes) tableRow(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		printf(w, "<tr>\n")
	} else {
		printf(w, "</tr>\n")
	}
	return ast.WalkContinue, nil
}

// tableCell is a scoped heading in the first row, unless it is empty: an empty
// heading names nothing.
func (pageNodes) tableCell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	heads := n.Parent().Kind() == east.KindTableHeader && n.HasChildren()
	tag, scope := "td", ""
	if heads {
		tag, scope = "th", ` scope="col"`
	}
	if !entering {
		printf(w, "</%s>\n", tag)
		return ast.WalkContinue, nil
	}
	class := ""
	switch n.(*east.TableCell).Alignment {
	case east.AlignRight:
		class = ` class="right"`
	case east.AlignCenter:
		class = ` class="center"`
	}
	printf(w, "<%s%s%s>", tag, scope, class)
	return ast.WalkContinue, nil
}
