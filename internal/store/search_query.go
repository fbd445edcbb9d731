package store

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of what is searched for.
const (
	maxTyped     = 200 // characters that are looked at
	maxWords     = 12
	minPrefix    = 3  // letters after which the last word may be the beginning of one
	maxPrefixed  = 24 // words that it may be the beginning of
	minSuggested = 5  // letters of a word that is put right
)

// query is what a visitor typed, in words.
type query struct {
	typed []string // all of the words, small letters, in order
	words []term   // those that are looked for
}

// term is a word to look for. Each of its forms will do.
type term struct {
	place  int // among the words typed
	forms  []string
	prefix bool // the first form may be the beginning of a word
}

// stopWords say nothing of what somebody looks for. They are left out where other
// words are there: “Why do I miss him” is a search for “miss”.
var stopWords = strings.Fields(`a about am an and are as at be been but by can could did do does
	for from had has have he her him his how i if in into is it its me my of on or our she should so
	than that the their them then there they this to us was we were what when where which who why
	will with would you your`)

// parse reads what was typed: words are runs of letters, digits and their accents,
// and everything between them only parts them, so that nothing typed has a meaning
// to the database (Ghost's CVE-2026-26980). An apostrophe within a word keeps its
// halves together.
func (x *Index) parse(typed string) query {
	var q query
	q.typed = wordsOf(typed)
	for i, w := range q.typed {
		if !slices.Contains(stopWords, w) && (len([]rune(w)) > 1 || len(q.typed) == 1) {
			q.words = append(q.words, term{place: i, forms: x.forms(w)})
		}
	}
	if len(q.words) == 0 {
		for i, w := range q.typed {
			q.words = append(q.words, term{place: i, forms: x.forms(w)})
		}
	}
	if n := len(q.words); n > 0 && q.words[n-1].place == len(q.typed)-1 {
		x.open(&q.words[n-1])
	}
	return q
}

func wordsOf(typed string) []string {
	runes := []rune(strings.ToLower(firstRunes(typed, maxTyped)))
	var words []string
	var w []rune
	for i, r := range runes {
		inside := len(w) > 0 && i+1 < len(runes) && isWord(runes[i+1])
		switch {
		case isWord(r):
			w = append(w, r)
		case (r == '\'' || r == '’') && inside:
			w = append(w, '’')
		case len(w) > 0:
			words, w = append(words, string(w)), nil
		}
	}
	if len(w) > 0 {
		words = append(words, string(w))
	}
	return words[:min(len(words), maxWords)]
}

// firstRunes cuts a text to n characters without reading the rest of it.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// isWord reports what the tokenizer takes for part of a word.
func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}

// contractions are what follows an apostrophe that many leave out.
var contractions = []string{"t", "s", "d", "m", "re", "ve", "ll"}

// forms are the ways in which a word may stand in the pages: “dont” is “don’t”,
// which the tokenizer takes for two words.
func (x *Index) forms(w string) []string {
	forms := []string{w}
	for _, end := range contractions {
		stem, ok := strings.CutSuffix(w, end)
		if ok && stem != "" && x.knows(end) && x.knows(stem) {
			forms = append(forms, stem+"’"+end)
		}
	}
	return forms
}

// open lets the last word be the beginning of one: it may not be typed to its end.
// The stemmer would cut a half-typed word in the wrong place, so the words that it
// may become are named too.
func (x *Index) open(t *term) {
	w := t.forms[0]
	if utf8.RuneCountInString(w) < minPrefix || strings.Contains(w, "’") {
		return
	}
	t.prefix = true
	for _, longer := range x.beginning(w) {
		if longer != w {
			t.forms = append(t.forms, longer)
		}
	}
}

// expression is a term for FTS5. Its forms hold letters, digits, accents and
// apostrophes only, and stand in quotes.
func (t term) expression() string {
	parts := make([]string, 0, len(t.forms)+1)
	for _, f := range t.forms {
		parts = append(parts, `"`+f+`"`)
	}
	if t.prefix {
		parts = append(parts, `"`+t.forms[0]+`" *`)
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// all fits the pages that hold every word, and prefers those that hold them as they
// were typed, one after the other.
func (q query) all() string { return q.join(everyWord) }

// some fits the pages that hold any of the words.
func (q query) some() string { return q.join(anyWord) }

const (
	everyWord = " AND "
	anyWord   = " OR "
)

func (q query) join(operator string) string {
	terms := make([]string, len(q.words))
	said := make([]string, len(q.words))
	for i, t := range q.words {
		terms[i], said[i] = t.expression(), t.forms[0]
	}
	expression := "(" + strings.Join(terms, operator) + ")"
	if operator == anyWord {
		return expression
	}
	for _, phrase := range [][]string{q.typed, said} {
		if len(phrase) > 1 {
			expression += ` OR "` + strings.Join(phrase, " ") + `"`
		}
	}
	return expression
}
