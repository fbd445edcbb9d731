package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says whether a finding stops the start.
type Severity int

// A finding is an error, which stops the start, or a warning, which does not.
const (
	SeverityError Severity = iota
	SeverityWarning
)

// String gives the word that `steadier check` prints.
func (s Severity) String() string {
	if s == SeverityWarning {
		return "warning"
	}
	return "error"
}

// Finding is one thing wrong with a file that the owner wrote.
type Finding struct {
	Path     string // slash-separated, relative to the content folder
	Line     int    // 1 for the first line, or for the file as a whole
	Severity Severity
	Message  string // what is wrong and what would be right, in one line
}

// String formats the finding as `PATH:LINE: error: message`.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.Path, max(f.Line, 1), f.Severity, oneLine(f.Message))
}

// Errorf returns an error finding at a line of a file.
func Errorf(path string, line int, format string, args ...any) Finding {
	return Finding{Path: path, Line: line, Message: fmt.Sprintf(format, args...)}
}

// Warnf returns a warning at a line of a file.
func Warnf(path string, line int, format string, args ...any) Finding {
	return Finding{Path: path, Line: line, Severity: SeverityWarning, Message: fmt.Sprintf(format, args...)}
}

// Findings is what a whole folder has to put right.
type Findings []Finding

// Sorted returns the findings by path, line and text, without repeats.
func (fs Findings) Sorted() Findings {
	out := slices.Clone(fs)
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(out)
}

// Errors counts the findings that stop the start.
func (fs Findings) Errors() int {
	n := 0
	for _, f := range fs {
		if f.Severity == SeverityError {
			n++
		}
	}
	return n
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
