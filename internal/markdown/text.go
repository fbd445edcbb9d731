package markdown

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Paragraph is the plain text of one block of words and the line it begins on.
type Paragraph struct {
	Text string
	Line int
	Kind ParagraphKind
}

// ParagraphKind says where a paragraph stands.
type ParagraphKind int

// Running text, a list item, a heading, or anything else (a cell, a term, a caption).
const (
	InText ParagraphKind = iota
	InList
	InHeading
	InOther
)

// Paragraphs are the words of the document, block by block, without citations,
// footnote marks and code.
func (d *Document) Paragraphs() []Paragraph {
	var out []Paragraph
	walk(d.Root, func(n ast.Node) {
		if figure, ok := n.(*FigureNode); ok {
			out = append(out, Paragraph{Text: figure.Caption, Line: d.LineOf(n), Kind: InOther})
			return
		}
		kind, ok := paragraphKind(n)
		if !ok {
			return
		}
		if text := strings.TrimSpace(d.PlainText(n)); text != "" {
			out = append(out, Paragraph{Text: text, Line: d.LineOf(n), Kind: kind})
		}
	})
	return out
}

// paragraphKind says what a block of words is; false if it is none.
func paragraphKind(n ast.Node) (ParagraphKind, bool) {
	switch n.Kind() {
	case ast.KindParagraph, ast.KindTextBlock:
		if n.Parent() != nil && n.Parent().Kind() == ast.KindListItem {
			return InList, true
		}
		return InText, true
	case ast.KindHeading:
		return InHeading, true
	case east.KindTableCell, east.KindDefinitionTerm:
		return InOther, true
	}
	return 0, false
}

// PlainText is the words below a node, entities decoded, line breaks as spaces,
// without citations and footnote marks. Code in a line is kept.
func (d *Document) PlainText(n ast.Node) string {
	var b strings.Builder
	d.plainText(&b, n)
	return b.String()
}

func (d *Document) plainText(b *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Segment.Value(d.Source)
		if n.IsRaw() {
			b.Write(value)
		} else {
			b.WriteString(plain(value))
		}
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.WriteByte(' ')
		}
		return
	case *ast.AutoLink:
		b.Write(n.Label(d.Source))
		return
	case *Citation:
		if n.Malformed {
			b.WriteString(n.Raw)
		}
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d.plainText(b, c)
	}
}

func countWords(d *Document) int {
	n := 0
	for _, p := range d.Paragraphs() {
		n += CountWords(p.Text)
	}
	return n
}

// CountWords counts the words of a text: what stands between spaces and holds a
// letter or a digit.
func CountWords(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, isWordRune) {
			n++
		}
	}
	return n
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// CountSentences counts the sentences of a text.
func CountSentences(text string) int { return len(Sentences(text)) }

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Sentences finds the sentences of a text. A sentence ends with . ? ! or …
// (and what closes quotes and brackets) before a space and a capital, a digit or
// an opening quote, unless the word before is an abbreviation or one letter; what
// is left at the end counts as one.
func Sentences(text string) []Span {
	var out []Span
	begin, end, last := -1, 0, "" // of the sentence; the word before
	at := 0
	for word := range strings.FieldsSeq(text) {
		from := at + strings.Index(text[at:], word)
		if begin >= 0 && endsSentence(last, word) && beginsSentence(word) {
			out = append(out, Span{begin, end})
			begin = -1
		}
		if begin < 0 {
			begin = from
		}
		at = from + len(word)
		end, last = at, word
	}
	if begin >= 0 {
		out = append(out, Span{begin, end})
	}
	return out
}

// abbreviations end with a stop and no sentence; counters do so before a number, as in
// no. 3.
var (
	abbreviations = set("dr mr mrs ms mx st prof vs e.g i.e etc cf ed u.s u.k")
	counters      = set("no p pp vol fig")
)

// endsSentence reports whether a sentence may end with a word before the next.
func endsSentence(word, next string) bool {
	bare := strings.TrimRight(word, "”’\"')]»")
	stem := strings.TrimRight(bare, ".?!…")
	if stem == bare {
		return false
	}
	if bare[len(stem):] != "." {
		return true
	}
	stem = strings.TrimLeft(strings.ToLower(stem), "“‘\"'([«")
	if counters[stem] && next[0] >= '0' && next[0] <= '9' {
		return false
	}
	return !abbreviations[stem] && (len([]rune(stem)) > 1 || stem == "i")
}

func beginsSentence(word string) bool {
	for _, r := range word {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("“‘\"'([«", r)
	}
	return false
}
