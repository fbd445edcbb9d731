package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/steadier/steadier/internal/markdown"
)

// word is a word of a text as phrases see it.
type word struct {
	markdown.Span
	text   string // small letters, ' for ’
	joined bool   // only a space or a hyphen stands before it
	quoted bool   // in the words of somebody
}

// wordsOf parts a text into words: letters and digits, with apostrophes, stops and
// commas between two of them. A per cent sign is a word, a hyphen parts two.
func wordsOf(text string) []word {
	var out []word
	joined := false
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRuneInString(text[at:])
		end := at + size
		switch {
		case c == '%':
		case isLetter(c):
			end = wordEnd(text, at)
		default:
			joined = joined && (unicode.IsSpace(c) || c == '-')
			at = end
			continue
		}
		small := strings.ReplaceAll(strings.ToLower(text[at:end]), "’", "'")
		out = append(out, word{Span: markdown.Span{From: at, To: end}, text: small, joined: joined || c == '%'})
		joined, at = true, end
	}
	return out
}

func isLetter(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// wordEnd is where the word that begins at an offset ends.
func wordEnd(text string, at int) int {
	end := at
	for i, c := range text[at:] {
		switch {
		case isLetter(c):
			end = at + i + utf8.RuneLen(c)
		case end < at+i || !strings.ContainsRune("’'.,", c): // two marks, or none within a word
			return end
		}
	}
	return end
}

// phrases finds phrases in a text. The longest that begins at a word counts, and the
// next may begin behind it.
type phrases struct {
	next   map[string]*phrases
	starts []start  // words of which only the beginning is given
	number *phrases // behind a number
	use    any      // what the phrase that ends here stands for; nil: none ends here
}

type start struct {
	text string
	next *phrases
}

// add adds a phrase: words, # for a number, and * at the end of a word for any ending.
func (p *phrases) add(phrase []string, use any) {
	for _, w := range phrase {
		p = p.step(w)
	}
	p.use = use
}

func (p *phrases) step(w string) *phrases {
	if w == "#" {
		if p.number == nil {
			p.number = &phrases{}
		}
		return p.number
	}
	if begin, open := strings.CutSuffix(w, "*"); open {
		for _, s := range p.starts {
			if s.text == begin {
				return s.next
			}
		}
		p.starts = append(p.starts, start{begin, &phrases{}})
		return p.starts[len(p.starts)-1].next
	}
	if p.next == nil {
		p.next = map[string]*phrases{}
	}
	if p.next[w] == nil {
		p.next[w] = &phrases{}
	}
	return p.next[w]
}

// match is a phrase that was found: words from, up to but not to.
type match struct {
	from, to int
	use      any
}

// find finds the phrases of a text.
func (p *phrases) find(words []word) []match {
	var out []match
	for i := 0; i < len(words); {
		m := match{from: i}
		p.longest(words, i, &m)
		if m.use == nil {
			i++
			continue
		}
		out = append(out, m)
		i = m.to
	}
	return out
}

// longest looks for the longest phrase that goes on with the word at i.
func (p *phrases) longest(words []word, i int, m *match) {
	if p.use != nil && i > m.to {
		m.to, m.use = i, p.use
	}
	if i == len(words) || i > m.from && !words[i].joined {
		return
	}
	if next := p.next[words[i].text]; next != nil {
		next.longest(words, i+1, m)
	}
	for _, s := range p.starts {
		if strings.HasPrefix(words[i].text, s.text) {
			s.next.longest(words, i+1, m)
		}
	}
	if p.number != nil {
		if end := numberEnd(words, i); end > i {
			p.number.longest(words, end, m)
		}
	}
}

// Numbers in words. Small ones are said in passing: “two people” is no study.
var (
	small = strings.Fields("one two three four five six seven eight nine and")
	large = strings.Fields("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen " +
		"twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million")
	numbers = func() map[string]bool {
		all := map[string]bool{}
		for _, w := range small {
			all[w] = false
		}
		for _, w := range large {
			all[w] = true
		}
		return all
	}()
)

// maxNumber is how many words of a number are read.
const maxNumber = 6

// numberEnd is where a number ends that begins with the word at i: one in digits, or in
// words from ten on. It is i if none does.
func numberEnd(words []word, i int) int {
	end, isLarge := i, false
	for end < min(len(words), i+maxNumber) && (end == i || words[end].joined) {
		w := words[end].text
		large, named := numbers[w]
		if !named && (w[0] < '0' || w[0] > '9') {
			break
		}
		isLarge = isLarge || large || !named
		end++
	}
	if !isLarge {
		return i
	}
	return end
}
