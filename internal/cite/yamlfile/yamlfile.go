// Package yamlfile reads the YAML that an owner writes into a plain tree that
// still knows its lines, so that every fault of a file can be told at once with
// the line where it stands. The bibliography, the settings, the front matter
// and the hours are all read through it.
//
// [Parse] turns bytes into a [Node]. [Open] lays a [Record] over a mapping: it
// refuses keys that nobody knows (naming the nearest one that is known), and its
// getters take one value each and add a finding where the value is not of the
// right shape. A getter returns a zero value after a finding, so a caller reads
// all fields and looks at the findings once.
//
// Left out on purpose: anchors, aliases and tags (nobody writing a page needs
// them, and each is a way to say one thing and mean another), and more than one
// document in a file.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/steadier/steadier/internal/fault"
)

// Kind says what a node is.
type Kind int

// A node is nothing (`key:` alone, or null), a scalar, a list or a mapping.
const (
	Null Kind = iota
	Scalar
	List
	Map
)

// Node is a value and where it stands.
type Node struct {
	Kind  Kind
	Line  int     // of the value's first character
	Text  string  // of a Scalar, as written: 007 stays "007"
	Block bool    // the Scalar was written with | or >, its text begins on the next line
	Items []*Node // of a List
	Pairs []Pair  // of a Map, in the order of the file

	origin string // of a Scalar, as it stands in the file, from its first line
}

// Pair is a key and its value.
type Pair struct {
	Key   string
	Line  int // of the key
	Value *Node
}

const (
	maxSize  = 1 << 20 // bytes; the largest file anybody has is a bibliography
	maxDepth = 30      // of lists and mappings in one another
	maxOpen  = 500     // brackets open at once: the parser would run out of stack long after
)

// Parse reads data, a file or the front matter of one, whose first line is line
// first of the file at path. CRLF and a byte order mark are accepted. An empty
// document gives a Null node. With findings the node is nil.
func Parse(path string, data []byte, first int) (*Node, fault.Findings) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n")) // a line break in YAML too
	if f := bounds(path, data, first); f != nil {
		return nil, f
	}
	file, err := parse(data)
	if err != nil {
		line, message := explain(err)
		return nil, fault.Findings{fault.Errorf(path, first+line-1, "not valid YAML: %s", message)}
	}
	body, extra := theDocument(file)
	if extra > 0 {
		return nil, fault.Findings{fault.Errorf(path, first+extra-1,
			"a second YAML document begins here; a file holds one")}
	}
	b := builder{path: path, first: first}
	n := b.build(body, 1, 0)
	if len(b.findings) > 0 {
		return nil, b.findings
	}
	return n, nil
}

// bounds refuses what would keep the parser busy for nothing.
func bounds(path string, data []byte, first int) fault.Findings {
	if len(data) > maxSize {
		return fault.Findings{fault.Errorf(path, first,
			"the file has %d KB of YAML, at most %d KB", len(data)>>10, maxSize>>10)}
	}
	open := 0
	for i, line := range bytes.Split(data, []byte("\n")) {
		open += bytes.Count(line, []byte("[")) + bytes.Count(line, []byte("{"))
		open -= bytes.Count(line, []byte("]")) + bytes.Count(line, []byte("}"))
		if open > maxOpen || dashes(line) > maxDepth {
			return fault.Findings{fault.Errorf(path, first+i,
				"lists and mappings stand in one another too deep here; at most %d", maxDepth)}
		}
	}
	return nil
}

// dashes counts the list markers that a line begins with.
func dashes(line []byte) int {
	rest := bytes.TrimLeft(line, "- ")
	return bytes.Count(line[:len(line)-len(rest)], []byte("- "))
}

// parse keeps a defect of the YAML library from stopping the program.
func parse(data []byte) (f *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("the text can't be read (%v)", r)
		}
	}()
	return parser.ParseBytes(data, 0)
}

// explain gives the line and the words of a parse error.
func explain(err error) (line int, message string) {
	var ye yaml.Error
	if !errors.As(err, &ye) || ye.GetToken() == nil || ye.GetToken().Position == nil {
		return 1, strings.SplitN(err.Error(), "\n", 2)[0]
	}
	message = ye.GetMessage()
	switch {
	case strings.Contains(message, "already defined"):
		message += "; a key stands once"
	case strings.Contains(message, "value is not allowed in this context"):
		message += "; put a text that holds a colon or begins with a quote in quotes, " +
			"and check the indentation"
	case strings.Contains(message, "reserved character"),
		strings.Contains(message, "cannot start any token"):
		message += "; put the text in quotes, and indent with spaces"
	}
	return ye.GetToken().Position.Line, strings.ReplaceAll(message, "\t", `\t`)
}

// theDocument gives the one document's body (nil when there is none) and, if
// there are more, the line of the second.
func theDocument(f *ast.File) (body ast.Node, extra int) {
	for _, d := range f.Docs {
		switch {
		case d.Body == nil || d.Body.Type() == ast.CommentType:
		case body != nil:
			return nil, d.Body.GetToken().Position.Line
		default:
			body = d.Body
		}
	}
	return body, 0
}

// builder turns the library's tree into ours.
type builder struct {
	path     string
	first    int // line of the file on which the YAML begins
	findings fault.Findings
}

func (b *builder) refuse(line int, format string, args ...any) *Node {
	b.findings = append(b.findings, fault.Errorf(b.path, line, format, args...))
	return &Node{Line: line}
}

func (b *builder) build(n ast.Node, line, depth int) *Node {
	if n == nil {
		return &Node{Line: b.first + line - 1}
	}
	line = n.GetToken().Position.Line
	at := b.first + line - 1
	if depth > maxDepth {
		return b.refuse(at,
			"lists and mappings stand in one another more than %d deep here", maxDepth)
	}
	switch v := n.(type) {
	case *ast.NullNode:
		return &Node{Line: at}
	case *ast.LiteralNode:
		return &Node{Kind: Scalar, Line: at, Text: v.Value.Value, Block: true, origin: v.Value.Token.Origin}
	case *ast.StringNode:
		return &Node{Kind: Scalar, Line: at, Text: v.Value, origin: strings.TrimLeft(v.Token.Origin, " \n")}
	case *ast.SequenceNode:
		return b.list(v, at, depth)
	case *ast.MappingNode:
		return b.mapping(v.Values, at, depth)
	case *ast.MappingValueNode:
		return b.mapping([]*ast.MappingValueNode{v}, at, depth)
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return b.refuse(at,
			"anchors (&), aliases (*) and tags (!) are not read here; "+
				"write the value out, or put the text in quotes")
	default: // numbers, booleans and their like, as they were written
		return &Node{Kind: Scalar, Line: at, Text: n.GetToken().Value}
	}
}

func (b *builder) list(v *ast.SequenceNode, at, depth int) *Node {
	out := &Node{Kind: List, Line: at}
	for _, item := range v.Values {
		out.Items = append(out.Items, b.build(item, at-b.first+1, depth+1))
	}
	return out
}

func (b *builder) mapping(values []*ast.MappingValueNode, at, depth int) *Node {
	out := &Node{Kind: Map, Line: at}
	for i, v := range values {
		token := v.Key.GetToken()
		line := token.Position.Line
		if i == 0 {
			out.Line = b.first + line - 1
		}
		if v.Key.IsMergeKey() {
			b.refuse(b.first+line-1, "merge keys (<<) are not read here; write the keys out")
			continue
		}
		value := b.build(v.Value, line, depth+1)
		out.Pairs = append(out.Pairs, Pair{Key: token.Value, Line: b.first + line - 1, Value: value})
	}
	return out
}
