package markdown

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/steadier/steadier/internal/fault"
)

// The bounds of a text. They are far above what anybody writes, and below what
// makes a parser slow: see the growth that was measured in the test of them.
const (
	maxBytes   = 256 << 10
	maxLine    = 2000 // characters
	maxColumns = 12   // of a table
	maxCells   = 2000 // of a table
	maxNesting = 10   // lists and quotes in one another
	maxMarks   = 2500 // of * _ [ ] ` < & ! \ between two blank lines
	maxNotes   = 500  // footnotes and their uses
)

// checkBounds looks at the text line by line, in one pass, before it is parsed.
// Each kind of fault is told once, at the first line that shows it.
func checkBounds(src Source) fault.Findings {
	var b bounds
	b.src = src
	if len(src.Text) > maxBytes {
		b.fault("size", src.Line,
			"the text has %s KB, at most %s; part it into two", number(len(src.Text)>>10), number(maxBytes>>10))
		return b.findings
	}
	line := src.Line
	for text := range strings.SplitSeq(src.Text, "\n") {
		b.line(text, line)
		line++
	}
	return b.findings
}

type bounds struct {
	src      Source
	findings fault.Findings
	told     map[string]bool
	columns  int // of the table that the line before belongs to, 0 outside
	rows     int
	marks    int // in the lines since the last blank one
	markLine int // the first of them
	notes    int // [^ so far
}

func (b *bounds) fault(kind string, line int, format string, args ...any) {
	if b.told[kind] {
		return
	}
	if b.told == nil {
		b.told = map[string]bool{}
	}
	b.told[kind] = true
	b.findings = append(b.findings, fault.Errorf(b.src.Path, line, format, args...))
}

func (b *bounds) line(text string, line int) {
	if n := utf8.RuneCountInString(text); n > maxLine {
		b.fault("line", line,
			"the line has %s characters, at most %s; break it", number(n), number(maxLine))
	}
	if n := nesting(text); n > maxNesting {
		b.fault("nesting", line,
			"lists and quotes stand in one another %s deep, at most %d", number(n), maxNesting)
	}
	if b.notes += strings.Count(text, "[^"); b.notes > maxNotes {
		b.fault("notes", line,
			"the text has more than %s footnotes and uses of them; part it into two", number(maxNotes))
	}
	b.table(text, line)
	if strings.TrimSpace(text) == "" {
		b.marks, b.markLine = 0, 0
		return
	}
	if b.markLine == 0 {
		b.markLine = line
	}
	for i := range len(text) {
		if strings.IndexByte("*_[]`<&!\\", text[i]) >= 0 {
			b.marks++
		}
	}
	if b.marks > maxMarks {
		b.fault("marks", b.markLine,
			"the passage that begins here has more than %s marks such as * [ _ "+
				"before the next blank line; part it", number(maxMarks))
	}
}

// table follows the rows after a delimiter row.
func (b *bounds) table(text string, line int) {
	if n := delimiterColumns(text); n > 0 {
		b.columns, b.rows = n, 1
		if n > maxColumns {
			b.fault("columns", line, "the table has %s columns, at most %d", number(n), maxColumns)
		}
		return
	}
	if b.columns == 0 {
		return
	}
	if strings.TrimSpace(text) == "" {
		b.columns = 0
		return
	}
	b.rows++
	if b.columns*b.rows > maxCells {
		b.fault("cells", line,
			"the table has more than %s cells; part it into two", number(maxCells))
	}
}

// delimiterColumns counts the columns of a delimiter row such as |---|:--|, in a
// list or quote too; 0 if the line is none.
func delimiterColumns(text string) int {
	text = strings.Trim(text, " \t>*+")
	marks := strings.Trim(text, "-|: \t") == "" && len(text) > 1
	if !marks || !strings.Contains(text, "-") || !strings.Contains(text, "|") {
		return 0
	}
	return strings.Count(strings.Trim(text, "| \t"), "|") + 1
}

// marker is that of a quote, a list or a numbered list.
var marker = regexp.MustCompile(`^[ \t]*(?:>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])`)

// nesting counts the markers of lists and quotes that a line begins with. A
// thematic break, * * *, is none.
func nesting(text string) int {
	if strings.Trim(text, "* \t") == "" || strings.Trim(text, "- \t") == "" {
		return 0
	}
	n := 0
	for {
		mark := marker.FindString(text)
		if mark == "" {
			return n
		}
		text = text[len(mark):]
		n++
	}
}

// number writes 2000 as 2,000.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
