package markdown

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/steadier/steadier/internal/fault"
)

// Decode gives the text of a file without byte order mark and with lines that
// end in \n. What is no UTF-8, or holds a character that can't be seen, is a finding at
// its line, and the text is then empty.
func Decode(path string, data []byte) (string, fault.Findings) {
	refuse := func(line int, message string) (string, fault.Findings) {
		return "", fault.Findings{fault.Errorf(path, line, "%s", message)}
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return refuse(1, "the file is saved as UTF-16; save it as UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n")) // a line ending of CommonMark and YAML
	if !utf8.Valid(data) {
		return refuse(lineOfInvalid(data), "not UTF-8 on this line; save the file as UTF-8")
	}
	if i := bytes.IndexFunc(data, unseen); i >= 0 {
		r, _ := utf8.DecodeRune(data[i:])
		return refuse(1+bytes.Count(data[:i], []byte("\n")), fmt.Sprintf("a character that can't be seen on this line (U+%04X); take it out", r))
	}
	return string(data), nil
}

// unseen reports control characters, and those that reorder what stands around them
// (Unicode Technical Report 36, 3.7): a reader would see another text than the editor.
func unseen(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

func lineOfInvalid(data []byte) int {
	line := 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		data = data[size:]
	}
	return line
}

// Parts is a file parted into front matter and body.
type Parts struct {
	Front     string
	FrontLine int // of the first line after the opening dashes; 0 without front matter
	Body      string
	BodyLine  int
}

// Split parts decoded text. Front matter begins with a first line of three dashes
// and ends with the next line of three dashes or dots; a file without it is all
// body. Front matter that never ends is a finding.
func Split(path, text string) (Parts, fault.Findings) {
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return Parts{Body: text, BodyLine: 1}, nil
	}
	offset := len(text) - len(rest)
	for at, line := offset, 2; at < len(text); line++ {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if mark := strings.TrimRight(text[at:end], " \t\n"); mark == "---" || mark == "..." {
			return Parts{Front: text[offset:at], FrontLine: 2, Body: text[end:], BodyLine: line + 1}, nil
		}
		at = end
	}
	return Parts{}, fault.Findings{fault.Errorf(path, 1,
		"the front matter never ends; close it with a line of three dashes")}
}

// lineIndex finds the line of an offset.
type lineIndex struct {
	starts []int // offsets at which lines of the file begin
	first  int   // line of the file for starts[0]
}

func newLineIndex(src Source) lineIndex {
	x := lineIndex{starts: []int{0}, first: src.Line}
	if len(src.Starts) > 0 {
		x.starts = src.Starts
		return x
	}
	for i, c := range []byte(src.Text) {
		if c == '\n' {
			x.starts = append(x.starts, i+1)
		}
	}
	return x
}

func (x lineIndex) of(offset int) int {
	return x.first + sort.SearchInts(x.starts, offset+1) - 1
}

// LineOf is the line of the file on which a node of the tree begins.
func (d *Document) LineOf(n ast.Node) int {
	for at := n; at != nil; at = at.Parent() {
		if offset := offsetOf(at); offset >= 0 {
			return d.lines.of(offset)
		}
	}
	return d.lines.first
}

// offsetOf is where a node begins in the source, as far as it or its first
// descendants know; -1 where they don't.
func offsetOf(n ast.Node) int {
	for n != nil {
		if t, ok := n.(*ast.Text); ok {
			return t.Segment.Start
		}
		if n.Type() == ast.TypeBlock {
			if lines := n.Lines(); lines != nil && lines.Len() > 0 {
				return lines.At(0).Start
			}
		}
		if pos := n.Pos(); pos >= 0 && n.Type() != ast.TypeDocument {
			return pos
		}
		n = n.FirstChild()
	}
	return -1
}
