package editor

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/markdown"
)

// The highest grades, and how many words a text has before it is given one.
const (
	maxGrade     = 9
	maxCalmGrade = 7
	minGraded    = 20
)

// Grade is the words, sentences and syllables of a text: of its paragraphs and items,
// without citations, what holds a digit, addresses, the words of links to other sites and
// names of services. A word stands between spaces; a sentence counts if it has one.
type Grade struct{ Words, Sentences, Syllables int }

// Value is the reading grade, to one decimal.
func (g Grade) Value() float64 {
	if g.Words == 0 {
		return 0
	}
	v := 0.39*float64(g.Words)/float64(g.Sentences) + 11.8*float64(g.Syllables)/float64(g.Words) - 15.59
	return math.Round(v*10) / 10
}

func (g *Grade) add(more Grade) {
	g.Words += more.Words
	g.Sentences += more.Sentences
	g.Syllables += more.Syllables
}

// graded is a text that has one grade.
type graded struct {
	name    string
	limit   float64
	all     Grade
	text    strings.Builder
	hardest *block
	worst   float64
}

// grades tells which texts of the file are too hard.
func (p *piece) grades() {
	text := &graded{name: "the text is", limit: maxGrade}
	calm := &graded{name: "what is said in brief and on safety is together", limit: maxCalmGrade}
	passages := &graded{name: "the passages are together", limit: maxGrade}
	for _, b := range p.blocks {
		if !isGraded(b) {
			continue
		}
		switch {
		case b.Urgent, b.part == library.PartBrief, b.part == library.PartSafety:
			calm.add(b, p.grade(b))
		case b.part == library.PartBody:
			text.add(b, p.grade(b))
		case b.part == library.PartPassage:
			passages.add(b, p.grade(b))
		}
	}
	p.text = text.all
	for _, g := range []*graded{text, calm, passages} {
		if v := g.all.Value(); v > g.limit && g.all.Words >= minGraded {
			p.report(hit{ruleGrade, g.hardest.Line, g.text.String(), ""},
				"%s at grade %.1f, at most %g: %s; begin with this paragraph, whose grade is %.1f",
				g.name, v, g.limit, g.all.averages(), g.worst)
		}
	}
}

// isGraded reports whether a block is a paragraph or an item.
func isGraded(b *block) bool {
	return b.part != library.PartLine && (b.Kind == markdown.InText || b.Kind == markdown.InList)
}

func (g Grade) averages() string {
	return fmt.Sprintf("%.1f words a sentence, %.2f syllables a word",
		float64(g.Words)/float64(g.Sentences), float64(g.Syllables)/float64(g.Words))
}

// add adds a block. The hardest is one of some length: a line of three long words says
// little.
func (g *graded) add(b *block, grade Grade) {
	g.all.add(grade)
	g.text.WriteString(b.Text + " ")
	if v := grade.Value(); g.hardest == nil || grade.Words >= minGraded && v > g.worst {
		g.hardest, g.worst = b, v
	}
}

// grade counts a block.
func (p *piece) grade(b *block) Grade {
	var out Grade
	links := linksAway(b)
	for _, s := range b.sentences {
		for len(links) > 0 && links[0].To <= s.From {
			links = links[1:]
		}
		names := p.names(b, s, links)
		one := Grade{}
		at := s.From
		for field := range strings.FieldsSeq(b.text(s.Span)) {
			from := at + strings.Index(b.Text[at:], field)
			at = from + len(field)
			for len(names) > 0 && names[0].To <= from {
				names = names[1:]
			}
			if named := len(names) > 0 && names[0].From < at; !named && isPlain(field) {
				one.Words++
				one.Syllables += p.syllablesOf(field)
			}
		}
		if one.Words > 0 {
			one.Sentences = 1
			out.add(one)
		}
	}
	return out
}

// linksAway are the words of links to other sites.
func linksAway(b *block) []markdown.Span {
	var out []markdown.Span
	for _, l := range b.Links {
		if !strings.HasPrefix(l.URL, "/") && !strings.HasPrefix(l.URL, "#") {
			out = append(out, markdown.Span{From: l.From, To: l.To})
		}
	}
	return out
}

// names are the parts of a sentence that are names of services or links, in order.
func (p *piece) names(b *block, s sentence, links []markdown.Span) []markdown.Span {
	var out []markdown.Span
	for _, m := range p.services.find(s.words) {
		if found := s.found(m); strings.IndexFunc(b.text(found), unicode.IsUpper) == 0 {
			out = append(out, found)
		}
	}
	for _, l := range links {
		if l.From >= s.To {
			break
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b markdown.Span) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return out
}

// isPlain reports whether a field is a word, and no number or address.
func isPlain(field string) bool {
	return strings.ContainsFunc(field, unicode.IsLetter) && !strings.ContainsFunc(field, unicode.IsDigit) &&
		!strings.Contains(field, "@") && !strings.Contains(field, "://") && !strings.HasPrefix(field, "www.")
}

func (p *piece) syllablesOf(field string) int {
	n, known := p.syllables[field]
	if !known {
		n = max(1, Syllables(strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r) || r == '’' || r == '\'':
				return r
			case strings.ContainsRune("-/–—.", r):
				return '-'
			}
			return -1
		}, strings.Trim(field, "’'‘"))))
		p.syllables[field] = n
	}
	return n
}
