package markdown

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/steadier/steadier/internal/cite"
)

// treeParser is goldmark with the parts that we take of it. Attributes are off:
// they let style= through and grow without bound; {#id} is read by headingParser.
var treeParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(headingParser{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(extension.NewDefinitionListParser(), 101),
			util.Prioritized(extension.NewDefinitionDescriptionParser(), 102),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(headingParser{parser.NewATXHeadingParser()}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(extension.NewFootnoteBlockParser(), 999),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(citationParser{}, 90),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(extension.NewFootnoteParser(), 101),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(extension.NewFootnoteASTTransformer(), 999),
		),
	)
})

func parseTree(source []byte) *ast.Document {
	return treeParser().Parse(text.NewReader(source)).(*ast.Document)
}

// headingParser adds a checked {#id} to goldmark's parsers of headings: it is cut
// off the last line, before the words are parsed, and kept as an attribute.
type headingParser struct{ parser.BlockParser }

var (
	idForm        = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	attributeForm = regexp.MustCompile(`[ \t]*\{([^{}]*)\}[ \t]*$`)
)

// Names of attributes that pass a chosen id, and one that is none, to shape.
const (
	attrChosenID = "data-chosen-id"
	attrBadID    = "data-bad-id"
)

func (p headingParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	p.BlockParser.Close(node, reader, pc)
	lines := node.Lines()
	if lines.Len() == 0 || node.Parent() == nil {
		return
	}
	last := lines.At(lines.Len() - 1)
	line := last.Value(reader.Source())
	m := attributeForm.FindSubmatchIndex(bytes.TrimRight(line, "\n"))
	if m == nil {
		return
	}
	inside := line[m[2]:m[3]]
	switch id, chosen := bytes.CutPrefix(inside, []byte("#")); {
	case chosen && idForm.Match(id):
		node.SetAttributeString(attrChosenID, string(id))
		last.Stop = last.Start + m[0]
		lines.Set(lines.Len()-1, last)
	case chosen, bytes.HasPrefix(inside, []byte(".")), bytes.ContainsRune(inside, '='):
		node.SetAttributeString(attrBadID, string(inside))
	}
}

// citationParser reads a bracket of citations, [@key; @other].
type citationParser struct{}

func (citationParser) Trigger() []byte { return []byte{'['} }

const (
	citationReach = 1000 // bytes that a bracket may take
	citationLines = 4    // lines that it may run over
)

func (citationParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	line = line[:min(len(line), citationReach)]
	if bytes.IndexByte(line, '@') < 0 {
		return nil
	}
	bracket := string(line)
	if bytes.IndexByte(line, ']') < 0 {
		bracket = readOn(block)
	}
	group, result := cite.ParseGroup(bracket)
	if result == cite.NotCitation {
		return nil
	}
	node := &Citation{Raw: bracket[:group.Len], Malformed: result == cite.BadCitation}
	node.SetPos(segment.Start)
	for _, c := range group.Citations {
		node.Works = append(node.Works, Work{Citation: c})
	}
	advance(block, group.Len)
	return node
}

// readOn gives the text from here over the next lines, and moves nothing.
func readOn(block text.Reader) string {
	line, position := block.Position()
	defer block.SetPosition(line, position)
	var out []byte
	for range citationLines {
		more, _ := block.PeekLine()
		if more == nil || len(out) > citationReach {
			break
		}
		out = append(out, more...)
		block.AdvanceLine()
	}
	return string(out)
}

func advance(block text.Reader, n int) {
	for n > 0 {
		line, _ := block.PeekLine()
		if line == nil {
			return
		}
		if n < len(line) {
			block.Advance(n)
			return
		}
		n -= len(line)
		block.AdvanceLine()
	}
}
