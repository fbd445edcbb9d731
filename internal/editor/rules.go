package editor

import (
	"strings"

	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/markdown"
)

// maxSentence is the most words that a sentence has.
const maxSentence = 30

// sentences goes through the rules that look at one sentence, or at two.
func (p *piece) sentences() {
	for i, b := range p.blocks {
		for j, s := range b.sentences {
			p.length(b, s)
			p.loaded(b, s)
			if p.english {
				p.pronoun(b, s)
			}
			if b.part != library.PartLine && b.Kind != markdown.InHeading && !s.cited && !p.nextCites(i, j) {
				p.claim(b, s)
			}
		}
	}
}

// nextCites reports whether the sentence after one cites a work. A heading stands between
// its sentences and those before.
func (p *piece) nextCites(i, j int) bool {
	if b := p.blocks[i]; j+1 < len(b.sentences) {
		return b.sentences[j+1].cited
	}
	if i+1 == len(p.blocks) {
		return false
	}
	here, next := p.blocks[i], p.blocks[i+1]
	return next.part == here.part && next.Kind != markdown.InHeading && len(next.sentences) > 0 && next.sentences[0].cited
}

func (p *piece) length(b *block, s sentence) {
	if b.Kind == markdown.InHeading {
		return
	}
	if n := markdown.CountWords(b.text(s.Span)); n > maxSentence {
		p.report(hit{ruleSentence, b.LineAt(s.From), b.text(s.Span), ""},
			"%d words, at most %d; part it: “%s …”", n, maxSentence, firstWords(b.text(s.Span)))
	}
}

// firstWords are enough of a sentence to find it by.
func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(6, len(words))], " ")
}

func (p *piece) loaded(b *block, s sentence) {
	for _, m := range p.style.loaded.find(s.words) {
		use := m.use.(*advice)
		if use == nil || s.words[m.from].quoted {
			continue
		}
		found := s.found(m)
		p.report(hit{use.rule, b.LineAt(found.From), b.text(s.Span), b.text(found)},
			"“%s”: %s; %s", b.text(found), use.why, use.better)
	}
}

// found is where the words of a match stand.
func (s sentence) found(m match) markdown.Span {
	return markdown.Span{From: s.words[m.from].From, To: s.words[m.to-1].To}
}

func (p *piece) claim(b *block, s sentence) {
	for _, m := range p.style.claims.find(s.words) {
		if s.words[m.from].quoted {
			continue
		}
		found := s.found(m)
		p.report(hit{ruleClaim, b.LineAt(found.From), b.text(s.Span), b.text(found)},
			"“%s” is a claim; cite its source in this sentence or the next, or say less: “%s …”",
			b.text(found), firstWords(b.text(s.Span)))
		return
	}
}

var gendered = map[string]string{
	"she": "they", "he": "they", "her": "them or their", "him": "them", "his": "their", "hers": "theirs",
	"herself": "themselves", "himself": "themselves",
}

func (p *piece) pronoun(b *block, s sentence) {
	for _, w := range s.words {
		stem, _, _ := strings.Cut(w.text, "'") // he's
		if better, ok := gendered[stem]; ok && !w.quoted {
			p.report(hit{rulePronoun, b.LineAt(w.From), b.text(s.Span), b.text(w.Span)},
				"“%s”: readers and partners are of every gender; write “%s”, or name the person",
				b.text(w.Span), better)
		}
	}
}

// vague are words of links that say nothing to whoever hears them alone.
var vague = func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.SplitSeq("here|click here|see here|read here|this|this page|this link|this article|link|a link|the link|"+
		"page|the page|read more|see more|find out more|learn more|more|more here|click|go|see|read|details|more details|source", "|") {
		out[w] = true
	}
	return out
}()

func (p *piece) links() {
	for _, b := range p.blocks {
		for _, l := range b.Links {
			words := b.Text[l.From:l.To]
			if p.english && vague[strings.Join(textsOf(wordsOf(words)), " ")] {
				p.report(hit{ruleLink, l.Line, b.Text, words},
					"“%s” does not say where it leads; let the words of the link name the page", words)
			}
		}
	}
}
