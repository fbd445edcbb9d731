package yamlfile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/steadier/steadier/internal/fault"
)

// Record reads a mapping whose keys are known.
type Record struct {
	path     string
	node     *Node
	pairs    map[string]Pair
	findings *fault.Findings
}

// Open lays a record over n. what names the mapping in messages ("front
// matter", "practice"). A key that is not among known is a finding, with the
// nearest known key; no known keys at all means that any key is right. It
// returns nil after a finding if n is no mapping; a nil *Record is empty and
// silent, so a caller may read on.
func Open(path, what string, n *Node, known []string, out *fault.Findings) *Record {
	if n == nil || n.Kind != Map {
		line := 1
		if n != nil {
			line = n.Line
		}
		*out = append(*out, fault.Errorf(path, line,
			"%s must be keys with values, as in `title: A few words`", what))
		return nil
	}
	r := &Record{path: path, node: n, pairs: make(map[string]Pair, len(n.Pairs)), findings: out}
	for _, p := range n.Pairs {
		if len(known) > 0 && !slices.Contains(known, p.Key) {
			*out = append(*out, fault.Errorf(path, p.Line,
				"unknown key %q in %s; %s", p.Key, what, Suggest(p.Key, known)))
			continue
		}
		r.pairs[p.Key] = p
	}
	return r
}

// Line is where the record begins; 1 for a nil record.
func (r *Record) Line() int {
	if r == nil {
		return 1
	}
	return r.node.Line
}

// LineOf is the line of a key, or that of the record where the key is absent.
func (r *Record) LineOf(key string) int {
	if r == nil {
		return 1
	}
	if p, ok := r.pairs[key]; ok {
		return p.Line
	}
	return r.node.Line
}

// Has reports whether key is there with a value.
func (r *Record) Has(key string) bool { return r.Node(key) != nil }

// Node is the value of key, nil where it is absent or empty.
func (r *Record) Node(key string) *Node {
	if r == nil {
		return nil
	}
	p, ok := r.pairs[key]
	if !ok || p.Value.Kind == Null {
		return nil
	}
	return p.Value
}

// Errorf adds a finding at the line of key.
func (r *Record) Errorf(key, format string, args ...any) {
	if r != nil {
		*r.findings = append(*r.findings, fault.Errorf(r.path, r.LineOf(key), format, args...))
	}
}

// Text is the value of key as one line without space around it; "" where it is
// absent. A line break or another control character inside is a finding: these
// texts go into titles, headers and attributes.
func (r *Record) Text(key string) string {
	n := r.Node(key)
	if n == nil {
		return ""
	}
	if n.Kind != Scalar {
		r.Errorf(key, "%s must be a text of one line", key)
		return ""
	}
	text := strings.TrimSpace(n.Text)
	if i := strings.IndexFunc(text, unicode.IsControl); i >= 0 {
		r.Errorf(key,
			"%s holds a line break or another control character; it must be one line of text", key)
		return ""
	}
	return text
}

// Need is Text where the key must be there; hint says what to write.
func (r *Record) Need(key, hint string) string {
	if r == nil {
		return ""
	}
	if !r.Has(key) || strings.TrimSpace(r.Node(key).Text) == "" && r.Node(key).Kind == Scalar {
		r.Errorf(key, "%s is missing; %s", key, hint)
		return ""
	}
	return r.Text(key)
}

// Passage is a text that may have several lines, and the line of its first.
func (r *Record) Passage(key string) (text string, line int) {
	n := r.Node(key)
	if n == nil {
		return "", r.LineOf(key)
	}
	if n.Kind != Scalar {
		r.Errorf(key, "%s must be a text", key)
		return "", n.Line
	}
	line = n.Line
	if n.Block {
		line++
	}
	return strings.TrimSpace(n.Text), line
}

// Starts are the places in the Passage of key, in bytes, at which the lines of the file
// begin, from its first: a text that YAML folds has other lines than the file. An empty
// line begins where the next one does. It is nil where the text is escaped, so that its
// words are not those of the file.
func (r *Record) Starts(key string) []int {
	n := r.Node(key)
	if n == nil || strings.TrimSpace(n.Text) == "" {
		return nil
	}
	text := strings.TrimSpace(n.Text)
	words, lines := wordStarts(text), strings.Split(strings.TrimRight(n.origin, " \n"), "\n")
	starts := make([]int, len(lines))
	left := len(words)
	for i := len(lines) - 1; i >= 0; i-- { // from the last, for empty lines
		if left -= len(strings.Fields(lines[i])); left < 0 {
			return nil
		}
		starts[i] = words[min(left, len(words)-1)]
	}
	if left > 0 {
		return nil
	}
	return starts
}

// wordStarts are the places at which the words of a text begin.
func wordStarts(text string) []int {
	var out []int
	space := true
	for i, c := range text {
		if space && !unicode.IsSpace(c) {
			out = append(out, i)
		}
		space = unicode.IsSpace(c)
	}
	return out
}

// Bool is true or false; absent is false.
func (r *Record) Bool(key string) bool {
	switch strings.ToLower(r.Text(key)) {
	case "", "false":
		return false
	case "true":
		return true
	}
	r.Errorf(key, "%s must be true or false", key)
	return false
}

// Date is a day as midnight UTC; the zero time where it is absent or wrong.
func (r *Record) Date(key string) time.Time {
	text := r.Text(key)
	if text == "" {
		return time.Time{}
	}
	day, problem := ParseDate(text)
	if problem != "" {
		r.Errorf(key, "%s: %s", key, problem)
	}
	return day
}

var dateForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// ParseDate reads a day as YYYY-MM-DD. problem says what is wrong, else "".
func ParseDate(text string) (day time.Time, problem string) {
	day, err := time.Parse(time.DateOnly, text)
	switch {
	case err == nil && day.Year() < 1000:
		return time.Time{}, text + " is not a date; write the year with four digits, as in 2026-12-31"
	case err == nil:
		return day, ""
	case dateForm.MatchString(text):
		return time.Time{}, text + " is not a day of the calendar"
	}
	return time.Time{}, "“" + text + "” is not a date; write it as 2026-12-31"
}

// Item is one entry of a list of texts.
type Item struct {
	Text string
	Line int
}

// Texts is a list of texts of one line each. A single text counts as a list of
// one, as most people write it.
func (r *Record) Texts(key string) []Item {
	n := r.Node(key)
	if n == nil {
		return nil
	}
	if n.Kind == Scalar {
		return []Item{{Text: r.Text(key), Line: n.Line}}
	}
	var out []Item
	for _, item := range n.Items {
		text := strings.TrimSpace(item.Text)
		if item.Kind != Scalar || text == "" || strings.ContainsFunc(text, unicode.IsControl) {
			*r.findings = append(*r.findings, fault.Errorf(r.path, item.Line,
				"each of %s must be a text of one line", key))
			continue
		}
		out = append(out, Item{Text: text, Line: item.Line})
	}
	if n.Kind == Map {
		r.Errorf(key, "%s must be a list, as in `%s: [one, two]`", key, key)
	}
	return out
}

// Suggest says which of the known words was probably meant, or lists them all.
func Suggest(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	return "known are " + strings.Join(sorted, ", ")
}

// Nearest is the known word that a slip of the finger could have meant: at most
// two letters off, or a third of a short word. "" where none is near.
func Nearest(word string, known []string) string {
	limit := min(2, max(1, len([]rune(word))/3))
	best, bestDistance := "", limit+1
	for _, k := range slices.SortedFunc(slices.Values(known), cmp.Compare[string]) {
		if d := distance(fold(word), fold(k), bestDistance); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

func fold(s string) []rune {
	return []rune(strings.ReplaceAll(strings.ToLower(s), "_", "-"))
}

// distance counts the letters to insert, delete, change or swap with a
// neighbour (Damerau, optimal string alignment); limit or more is limit.
func distance(a, b []rune, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}
