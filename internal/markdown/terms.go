package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"
)

// Term is an entry of the glossary: its anchor on the page of the glossary, and the
// forms in which a text may use it.
type Term struct {
	ID    string
	Forms []string
}

// Terms finds the terms of a glossary in a text: whole words, letter by letter as the
// form has them, but for the first letter of a sentence. The straight apostrophe is
// the curved one, and every hyphen is one; a form ends before 's. Where two forms
// begin at one word, the longer wins. Nothing in it changes; any number of pages may
// share it.
//
// The forms are a trie of words, so the time for a text grows with its words and not
// with the number of terms.
type Terms struct{ root *termNode }

type termNode struct {
	next map[string]*termNode
	id   string // of the term that ends here; "" if none does
}

// MaxTermWords is how many words a form may have. It bounds the steps for each word
// of a text.
const MaxTermWords = 8

// NewTerms makes Terms; nil without any. Forms that [TermKey] refuses are left out.
func NewTerms(terms []Term) *Terms {
	t := &Terms{root: &termNode{}}
	for _, term := range terms {
		for _, form := range term.Forms {
			t.add(term.ID, termWords(form))
		}
	}
	if len(t.root.next) == 0 {
		return nil
	}
	return t
}

func (t *Terms) add(id string, words []string) {
	if len(words) == 0 {
		return
	}
	at := t.root
	for _, word := range words {
		if at.next == nil {
			at.next = map[string]*termNode{}
		}
		if at.next[word] == nil {
			at.next[word] = &termNode{}
		}
		at = at.next[word]
	}
	at.id = id
}

// TermKey is what two forms have in common that a reader would take for one, "" for
// what can't be found in a text: no words, other marks than hyphens and apostrophes
// within them, or more than [MaxTermWords].
func TermKey(form string) string {
	return strings.ToLower(strings.Join(termWords(form), " "))
}

func termWords(form string) []string {
	words := strings.Fields(norm.NFC.String(form))
	for i, word := range words {
		word = strings.Map(plainMark, word)
		for part := range strings.FieldsFuncSeq(word, isJoint) {
			if strings.ContainsFunc(part, func(r rune) bool { return !isWordPart(r) }) {
				return nil
			}
		}
		if word == "" || isJoint(rune(word[0])) || isJoint(rune(word[len(word)-1])) {
			return nil
		}
		words[i] = word
	}
	if len(words) > MaxTermWords {
		return nil
	}
	return words
}

// plainMark makes one hyphen of all and one apostrophe, and drops soft hyphens.
func plainMark(r rune) rune {
	switch r {
	case '\u2010', '\u2011':
		return '-'
	case '’', 'ʼ':
		return '\''
	case '\u00ad':
		return -1
	}
	return r
}

// isJoint reports whether a mark joins two halves of a word.
func isJoint(r rune) bool { return r == '-' || r == '\'' }

func isWordPart(r rune) bool { return isWordRune(r) || unicode.Is(unicode.M, r) }

// word is a word of a running text and where it stands.
type word struct {
	text     string
	from, to place
	stem     place    // where it ends without 's
	parent   ast.Node // of its letters; nil if they don't share one
	joined   bool     // nothing but space stands between it and the word before
	begins   bool     // a sentence may begin with it
}

// place is an offset into one of the pieces of a text.
type place struct{ piece, offset int }

// use is a term that was found: from its first word to the end of its last.
type use struct {
	id       string
	from, to place
}

// find gives all uses, in order, none over another; steps counts the words that were
// looked up.
func (t *Terms) find(words []word) (uses []use, steps int) {
	for i := 0; i < len(words); {
		best, n := t.longest(words[i:], words[i].text, &steps)
		if small := lowerFirst(words[i].text); words[i].begins && small != words[i].text {
			if u, m := t.longest(words[i:], small, &steps); m > n {
				best, n = u, m
			}
		}
		if n == 0 {
			i++
			continue
		}
		uses = append(uses, best)
		i += n
	}
	return uses, steps
}

// longest is the longest form that words begin with, the first of them written as
// first, and its number of words; 0 if there is none.
func (t *Terms) longest(words []word, first string, steps *int) (best use, n int) {
	at, text := t.root, first
	for i, w := range words {
		if w.parent == nil || w.parent != words[0].parent || i > 0 && !w.joined {
			break
		}
		if i > 0 {
			text = w.text
		}
		*steps++
		if stem, ok := strings.CutSuffix(text, "'s"); ok && at.next[stem] != nil && at.next[stem].id != "" {
			best, n = use{at.next[stem].id, words[0].from, w.stem}, i+1
		}
		if at = at.next[text]; at == nil {
			break
		}
		if at.id != "" {
			best, n = use{at.id, words[0].from, w.to}, i+1
		}
	}
	return best, n
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}
