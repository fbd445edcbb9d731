package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Citation is one work in a bracket.
type Citation struct {
	Key            string
	Prefix         string // "see"
	Locator        string // what follows the key, without its first comma: "p. 33"
	SuppressAuthor bool   // written with a minus: means nothing to numbered notes
}

// Group is a bracket of citations.
type Group struct {
	Citations []Citation
	Len       int // bytes of the text that the group takes, brackets included
}

// Result says what a bracket is.
type Result int

// A bracket is none of ours (a link, a footnote, plain words), a group of
// citations, or one that begins as a citation does and is not one.
const (
	NotCitation Result = iota
	IsCitation
	BadCitation
)

const maxGroup = 1000 // bytes of a bracket; a longer one is no citation

// ParseGroup reads the bracket that text begins with. It looks no further than
// the closing bracket and the byte after it: `[@a](…)` and `[@a][…]` are links.
// A bracket without any @ that could begin a key (as in an e-mail address, where
// a letter stands before it) is NotCitation. One that has a key in some parts and
// not in all, or a malformed key at its very beginning, is BadCitation.
func ParseGroup(text string) (Group, Result) {
	end := closing(text)
	if end < 0 {
		return Group{}, NotCitation
	}
	if isLink(text[end+1:]) {
		return Group{}, NotCitation
	}
	inner := text[1:end]
	if !hasKey(inner) {
		if strings.HasPrefix(strings.TrimPrefix(inner, "-"), "@") {
			return Group{Len: end + 1}, BadCitation
		}
		return Group{}, NotCitation
	}
	g := Group{Len: end + 1}
	for _, part := range strings.Split(inner, ";") {
		c, ok := parseOne(part)
		if !ok {
			return Group{Len: end + 1}, BadCitation
		}
		g.Citations = append(g.Citations, c)
	}
	return g, IsCitation
}

// isLink reports whether what follows a bracket makes it a link: an address, or a
// label that is no citation and no footnote of its own.
func isLink(next string) bool {
	if strings.HasPrefix(next, "[@") || strings.HasPrefix(next, "[^") {
		return false
	}
	return strings.HasPrefix(next, "(") || strings.HasPrefix(next, "[")
}

// closing is the index of the bracket that closes the one at the beginning, -1
// if there is none near, or if the text begins with no bracket.
func closing(text string) int {
	if !strings.HasPrefix(text, "[") || strings.HasPrefix(text, "[^") {
		return -1
	}
	depth := 0
	for i := range min(len(text), maxGroup) {
		switch text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// findKey is where the first key's @ stands in s, -1 if there is none, and how
// long the key is (with braces, where it has them).
func findKey(s string) (at, size int) {
	for i := 0; i < len(s); i++ {
		if s[i] != '@' {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if i > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			continue // an e-mail address
		}
		if n := keyLen(s[i+1:]); n > 0 {
			return i, n
		}
	}
	return -1, 0
}

func hasKey(s string) bool {
	at, _ := findKey(s)
	return at >= 0
}

// keyLen is the length of the key that s begins with, 0 if there is none.
func keyLen(s string) int {
	if strings.HasPrefix(s, "{") {
		if end := strings.IndexAny(s, "}\n"); end > 1 && s[end] == '}' {
			return end + 1
		}
		return 0
	}
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case isKeyRune(r):
			n += size
		case n > 0 && strings.ContainsRune(":.#$%&-+?<>~/", r):
			next, _ := utf8.DecodeRuneInString(s[n+size:])
			if !isKeyRune(next) {
				return n
			}
			n += size
		default:
			return n
		}
	}
	return n
}

func isKeyRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// ValidKey reports whether an id can be written as [@id].
func ValidKey(id string) bool { return id != "" && keyLen(id) == len(id) && id[0] != '{' }

func parseOne(part string) (Citation, bool) {
	at, size := findKey(part)
	if at < 0 {
		return Citation{}, false
	}
	prefix, rest := part[:at], part[at+1+size:]
	if hasKey(rest) {
		return Citation{}, false // two keys and no semicolon between them
	}
	c := Citation{Key: strings.Trim(part[at+1:at+1+size], "{}")}
	if strings.HasSuffix(prefix, "-") {
		c.SuppressAuthor, prefix = true, strings.TrimSuffix(prefix, "-")
	}
	c.Prefix = squeeze(prefix)
	locator := squeeze(rest)
	if strings.HasPrefix(locator, "[") && strings.HasSuffix(locator, "]") {
		locator = locator[1 : len(locator)-1]
	}
	c.Locator = strings.TrimSpace(strings.TrimPrefix(locator, ","))
	return c, true
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
