package store

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// word is a word of the pages and in how many of them it stands.
type word struct {
	text  string
	pages int
}

func compareWord(w word, text string) int { return strings.Compare(w.text, text) }

// knows reports whether a word stands in the pages just so, accents folded.
func (x *Index) knows(text string) bool {
	_, ok := slices.BinarySearchFunc(x.words, text, compareWord)
	return ok
}

// beginning gives the words that begin with text.
func (x *Index) beginning(text string) []string {
	i, _ := slices.BinarySearchFunc(x.words, text, compareWord)
	var out []string
	for _, w := range x.words[i:min(i+maxPrefixed, len(x.words))] {
		if !strings.HasPrefix(w.text, text) {
			break
		}
		out = append(out, w.text)
	}
	return out
}

// suggest gives the words that were typed with the unknown ones put right, where
// for each longer one a known word is one slip of the hand away; else "".
func (q query) suggest(known []word, unknown map[int]bool) string {
	better := slices.Clone(q.typed)
	changed := false
	for i, t := range q.words {
		if !unknown[i] {
			continue
		}
		if w := nearest(known, q.typed[t.place]); w != "" {
			better[t.place], changed = w, true
		}
	}
	if !changed {
		return ""
	}
	return strings.Join(better, " ")
}

// nearest gives the known word that is one slip away from text, and of several the
// one that begins alike and stands in most pages; "" if there is none, or if text
// is so short that too much is one slip away.
func nearest(known []word, text string) string {
	typed := []rune(text)
	if len(typed) < minSuggested {
		return ""
	}
	var best word
	bestAlike := false
	for _, w := range known {
		n := utf8.RuneCountInString(w.text)
		if n < len(typed)-1 || n > len(typed)+1 || !oneSlip(typed, []rune(w.text)) {
			continue
		}
		alike := strings.HasPrefix(w.text, string(typed[0]))
		if best.text == "" || alike && !bestAlike || alike == bestAlike && w.pages > best.pages {
			best, bestAlike = w, alike
		}
	}
	return best.text
}

// oneSlip reports whether two words are one letter wrong, missing or too many, or
// two neighbours exchanged, apart: a Damerau-Levenshtein distance of one.
func oneSlip(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch rest := a[i:]; {
	case len(a)+1 == len(b):
		return slices.Equal(rest, b[i+1:])
	case len(a) != len(b) || len(rest) == 0:
		return false
	case slices.Equal(rest[1:], b[i+1:]):
		return true
	default:
		return len(rest) > 1 && rest[0] == b[i+1] && rest[1] == b[i] &&
			slices.Equal(rest[2:], b[i+2:])
	}
}
