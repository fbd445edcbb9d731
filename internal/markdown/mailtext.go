package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// MailOptions is what a document in a mail needs to know of the site.
type MailOptions struct {
	Site  string // the public address, without a slash at its end
	Page  string // the address of the document on the site, for what is only there
	Notes []Note // the works cited, listed at the end; none: no list
}

// absolute makes an address work in a mail, where there is no page to begin from.
func (o MailOptions) absolute(address string) string {
	switch {
	case strings.HasPrefix(address, "#"):
		return o.Page + address
	case strings.HasPrefix(address, "/"):
		return o.Site + address
	}
	return address
}

// mailWidth is where lines of plain text are broken; addresses never are.
const mailWidth = 72

// MailText is the document as plain text for a mail: lines of at most 72
// characters, quotes and lists marked, tables in columns, every link once and
// whole, a figure as its words.
func (d *Document) MailText(o MailOptions) string {
	t := mailText{doc: d, opts: o}
	lines := t.blocks(d.Root, mailWidth)
	if len(o.Notes) > 0 {
		lines = append(lines, "", "Sources", "")
		for _, n := range o.Notes {
			mark := fmt.Sprintf("[%d] ", n.Number)
			lines = append(lines, hang(mark, wrap(n.Reference.Vancouver(), mailWidth-len(mark)))...)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

type mailText struct {
	doc  *Document
	opts MailOptions
}

// blocks are the lines of a node's children, with an empty line between blocks,
// but not between the items of a tight list.
func (t mailText) blocks(parent ast.Node, width int) (lines []string) {
	list, isList := parent.(*ast.List)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		part := t.block(n, width)
		if len(part) == 0 {
			continue
		}
		if len(lines) > 0 && !(isList && list.IsTight) {
			lines = append(lines, "")
		}
		lines = append(lines, part...)
	}
	return lines
}

func (t mailText) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return t.heading(n, width)
	case *ast.ThematicBreak:
		return []string{"* * *"}
	case *ast.Blockquote:
		return hang("> ", t.blocks(n, width-2), "> ")
	case *ast.List:
		return t.list(n, width)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return hang("    ", strings.Split(strings.TrimRight(string(n.Lines().Value(t.doc.Source)), "\n"), "\n"))
	case *Alert:
		return append([]string{n.What.Label() + ":"}, hang("  ", t.blocks(n, width-2))...)
	case *FigureNode:
		return t.figure(n, width)
	case *east.Table:
		return t.table(n)
	case *east.DefinitionDescription:
		return hang("  ", t.blocks(n, width-2))
	case *east.FootnoteList:
		return append([]string{"Notes", ""}, t.blocks(n, width)...)
	case *east.Footnote:
		mark := fmt.Sprintf("[%s] ", letter(n.Index))
		return hang(mark, t.blocks(n, width-len(mark)))
	case *east.DefinitionList:
		return t.blocks(n, width)
	}
	return wrap(t.inline(n), width)
}

func (t mailText) heading(n *ast.Heading, width int) []string {
	lines := wrap(t.inline(n), width)
	longest := 0
	for _, line := range lines {
		longest = max(longest, utf8.RuneCountInString(line))
	}
	return append(lines, strings.Repeat("-", longest))
}

func (t mailText) list(list *ast.List, width int) (lines []string) {
	number := list.Start
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		mark := "- "
		if list.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		if len(lines) > 0 && !list.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, hang(mark, t.blocks(n, width-len(mark)))...)
	}
	return lines
}

// figure is the picture's words, and where to see it.
func (t mailText) figure(n *FigureNode, width int) []string {
	lines := wrap("["+n.Alt+"]", width)
	if n.Caption != "" {
		lines = append(lines, wrap(n.Caption, width)...)
	}
	return append(lines, t.opts.Page+"#"+n.ID)
}

// table lines its columns up.
func (t mailText) table(table *east.Table) (lines []string) {
	var rows [][]string
	var widths []int
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			text := strings.ReplaceAll(t.inline(cell), "\n", " ")
			if len(cells) == len(widths) {
				widths = append(widths, 0)
			}
			widths[len(cells)] = max(widths[len(cells)], utf8.RuneCountInString(text))
			cells = append(cells, text)
		}
		rows = append(rows, cells)
	}
	for i, cells := range rows {
		lines = append(lines, alignRow(cells, widths))
		if i == 0 {
			rules := make([]string, len(widths))
			for column, width := range widths {
				rules[column] = strings.Repeat("-", width)
			}
			lines = append(lines, strings.Join(rules, "  "))
		}
	}
	return lines
}

func alignRow(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
	}
	return strings.TrimRight(b.String(), " ")
}

// inline is the words below a node, with hard breaks as line feeds.
func (t mailText) inline(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		b.WriteString(t.span(n))
	}
	return b.String()
}

func (t mailText) span(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		return textOf(n, t.doc.Source)
	case *ast.String:
		return string(n.Value)
	case *ast.Emphasis:
		return strings.Repeat("*", n.Level) + t.inline(n) + strings.Repeat("*", n.Level)
	case *ast.Link:
		return t.link(n)
	case *ast.AutoLink:
		return string(n.Label(t.doc.Source))
	case *ast.Image:
		return "[" + t.inline(n) + "]"
	case *ast.RawHTML:
		return ""
	case *Citation:
		return citationMark(n)
	case *east.FootnoteLink:
		return "[" + letter(n.Index) + "]"
	case *east.FootnoteBacklink:
		return ""
	}
	return t.inline(n)
}

func textOf(n *ast.Text, source []byte) string {
	value := string(n.Segment.Value(source))
	if !n.IsRaw() {
		value = plain([]byte(value))
	}
	switch {
	case n.HardLineBreak():
		return value + "\n"
	case n.SoftLineBreak():
		return value + " "
	}
	return value
}

func (t mailText) link(n *ast.Link) string {
	words, address := t.inline(n), target(n.Destination)
	if badAddress(address) != "" {
		return words
	}
	address = t.opts.absolute(address)
	if words == address || "mailto:"+words == address || "tel:"+words == address {
		return words
	}
	return words + " (" + address + ")"
}

// citationMark is the numbers of the works, as they stand in the list of sources.
func citationMark(c *Citation) string {
	if c.Malformed {
		return c.Raw
	}
	marks := make([]string, 0, len(c.Works))
	for _, work := range c.Works {
		if work.Note == nil {
			continue
		}
		mark := fmt.Sprint(work.Note.Number)
		if work.Prefix != "" {
			mark = work.Prefix + " " + mark
		}
		if work.Locator != "" {
			mark += ", " + work.Locator
		}
		marks = append(marks, mark)
	}
	return "[" + strings.Join(marks, "; ") + "]"
}

// wrap breaks text at spaces into lines of at most width characters. A longer word,
// such as an address, stands on a line of its own. A line feed stays.
func wrap(text string, width int) (lines []string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			switch {
			case line == "":
				line = word
			case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
				lines = append(lines, line)
				line = word
			default:
				line += " " + word
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// hang puts a mark before the first line and, before the others, next or as many
// spaces. Empty lines stay empty but for a mark that is no space.
func hang(mark string, lines []string, next ...string) []string {
	rest := strings.Repeat(" ", utf8.RuneCountInString(mark))
	if len(next) > 0 {
		rest = next[0]
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		before := rest
		if i == 0 {
			before = mark
		}
		out[i] = strings.TrimRight(before+line, " ")
	}
	return out
}
