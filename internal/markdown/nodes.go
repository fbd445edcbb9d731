package markdown

import (
	"github.com/yuin/goldmark/ast"

	"github.com/steadier/steadier/internal/cite"
)

// The kinds of our own nodes.
var (
	KindCitation = ast.NewNodeKind("Citation")
	KindAlert    = ast.NewNodeKind("Alert")
	KindFigure   = ast.NewNodeKind("Figure")
	KindTerm     = ast.NewNodeKind("Term")
)

// Citation is a bracket of citations in a text: an inline node without children.
type Citation struct {
	ast.BaseInline
	Works     []Work
	Raw       string // as written
	Malformed bool   // shown as written
}

// Work is one work of a citation. Note is nil where the key is unknown.
type Work struct {
	cite.Citation
	Note *Note
	ID   string // of this place, for the link back
}

// Kind implements ast.Node.
func (n *Citation) Kind() ast.NodeKind { return KindCitation }

// Dump implements ast.Node.
func (n *Citation) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Raw": n.Raw}, nil)
}

// AlertKind is what an alert is for.
type AlertKind int

// A note, an exercise, or what to do if one is not safe.
const (
	AlertNote AlertKind = iota
	AlertTry
	AlertUrgent
)

// Label is the word that the alert is marked with, for a reader.
func (k AlertKind) Label() string {
	return [...]string{"Note", "Try this, if you like", "If you are not safe"}[k]
}

// class is the name of the alert in the stylesheet.
func (k AlertKind) class() string { return [...]string{"note", "try", "urgent"}[k] }

// alertKinds are the words of GitHub's alerts that we give a meaning.
var alertKinds = map[string]AlertKind{"NOTE": AlertNote, "TIP": AlertTry, "WARNING": AlertUrgent}

// Alert is a block with a label; its children are the blocks inside.
type Alert struct {
	ast.BaseBlock
	What    AlertKind
	ID      string       // of the label
	Heading *ast.Heading // the heading that stands first inside, nil without one
}

// Kind implements ast.Node.
func (n *Alert) Kind() ast.NodeKind { return KindAlert }

// Dump implements ast.Node.
func (n *Alert) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Label": n.What.Label()}, nil)
}

// FigureNode is a figure: a block without children.
type FigureNode struct {
	ast.BaseBlock
	Figure  *Figure // nil where there is no such file
	Name    string  // of the file
	ID      string  // fig1, prefix of the ids inside
	Alt     string  // text alternative, plain
	Caption string  // plain; may be empty
}

// Kind implements ast.Node.
func (n *FigureNode) Kind() ast.NodeKind { return KindFigure }

// IsRaw implements ast.Node: there is nothing to parse inside.
func (n *FigureNode) IsRaw() bool { return true }

// Dump implements ast.Node.
func (n *FigureNode) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Name": n.Name, "Alt": n.Alt}, nil)
}

// TermNode is the first use of a term of the glossary: an inline node around its
// words, which only the page renderer makes a link.
type TermNode struct {
	ast.BaseInline
	ID string // of the term
}

// Kind implements ast.Node.
func (n *TermNode) Kind() ast.NodeKind { return KindTerm }

// Dump implements ast.Node.
func (n *TermNode) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"ID": n.ID}, nil)
}
