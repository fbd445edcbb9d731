package editor

import (
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/markdown"
)

// block is a paragraph, an item, a heading or a line, with its sentences.
type block struct {
	markdown.Prose
	part      library.Part
	sentences []sentence
}

// sentence is a part of a block.
type sentence struct {
	markdown.Span
	words []word
	cited bool // it cites a work, or links to one
}

func (b *block) text(s markdown.Span) string { return b.Text[s.From:s.To] }

// read parts the texts of the file into blocks.
func (p *piece) read() {
	for _, t := range p.Texts {
		for _, prose := range t.Prose() {
			p.blocks = append(p.blocks, p.block(t.Part, prose))
		}
	}
}

func (p *piece) block(part library.Part, prose markdown.Prose) *block {
	b := &block{Prose: prose, part: part}
	words := wordsOf(b.Text)
	markQuoted(words, quotes(b.Text), b.Quote)
	for _, span := range markdown.Sentences(b.Text) {
		n := 0
		for n < len(words) && words[n].From < span.To {
			n++
		}
		b.sentences = append(b.sentences, sentence{Span: span, words: words[:n]})
		words = words[n:]
	}
	for _, at := range b.Cites {
		b.cite(at)
	}
	for _, l := range b.Links {
		if strings.HasPrefix(l.URL, "/sources#") {
			b.cite(l.To)
		}
	}
	return b
}

// cite notes a citation at an offset: it belongs to the sentence that ends there.
func (b *block) cite(at int) {
	i := sort.Search(len(b.sentences), func(i int) bool { return at <= b.sentences[i].To })
	if i = min(i, len(b.sentences)-1); i >= 0 {
		b.sentences[i].cited = true
	}
}

// quotes finds what stands in quotation marks: “…”, ‘…’ or "…". A mark that is never
// closed holds to the end of the block, as in a speech of several paragraphs.
func quotes(text string) []markdown.Span {
	var out []markdown.Span
	closing, from := rune(0), 0
	before := ' '
	for i, c := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(c):])
		switch {
		case closing == 0 && strings.ContainsRune("“‘\"", c) && !isLetter(before):
			closing, from = map[rune]rune{'“': '”', '‘': '’', '"': '"'}[c], i
		case c == closing && !(c == '’' && isLetter(after)):
			out = append(out, markdown.Span{From: from, To: i})
			closing = 0
		}
		before = c
	}
	if closing != 0 {
		out = append(out, markdown.Span{From: from, To: len(text)})
	}
	return out
}

// markQuoted marks the words that stand in one of the spans, which are in order.
func markQuoted(words []word, spans []markdown.Span, all bool) {
	for i := range words {
		for len(spans) > 0 && spans[0].To <= words[i].From {
			spans = spans[1:]
		}
		words[i].quoted = all || len(spans) > 0 && spans[0].From < words[i].From
	}
}

var (
	marks       = regexp.MustCompile("\\[@[^\\]]*\\]|\\]\\([^)]*\\)|[][*_`\\\\]")
	plainQuotes = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`)
)

// plainWords is a text without marks, differences of case and quotes, and line breaks.
func plainWords(text string) string {
	text = plainQuotes.Replace(strings.ToLower(marks.ReplaceAllString(text, "")))
	return strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " ")
}
