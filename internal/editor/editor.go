// Package editor reads the words of the content folder as an editor does, and tells
// where a tired reader would stumble, or be told more than is known. It advises: all it
// finds are warnings, but for faults of style.yaml itself. `steadier check` runs it; the
// server does not.
//
// # Rules
//
// Each has a name, with which its warnings begin.
//
//   - grade: the reading grade by Flesch and Kincaid, 0.39·words/sentences +
//     11.8·syllables/words − 15.59. At most 9 for a text, at most 7 for what an article
//     says in brief and its notes on safety together ([!WARNING] is one). See [Grade].
//   - sentence: more than 30 words in a sentence.
//   - claim: what sounds like a finding (the phrases under `claims` of style.yaml) without
//     a citation, or a link to /sources#…, in its sentence or the next. Titles and other
//     lines make no claim: they can't cite.
//   - link: words of a link that don't say where it leads, such as “here”.
//   - pronoun: she, he and their forms. Readers and partners are of every gender.
//   - those of style.yaml: words that blame, diagnose, hurry and the like. The program
//     knows none by itself.
//
// grade, link and pronoun know English, and are for a site in English alone.
//
// # The words of others
//
// What stands in quotation marks, or in a quotation of its own, is what people say. It is
// never loaded, a claim or a pronoun of ours; to a reader it is as hard as the rest, so
// its length and grade count.
//
// # Allowances
//
// An article may let a line pass: `allow` in its front matter names the rule, the words
// and why they are right. The words are some of the sentence that is told, with those
// that the rule found in it, or any of the text for its grade. One that lets nothing pass
// is a warning, and so is one that names no rule.
//
// # style.yaml
//
//	loaded:
//	- rule: hype
//	  why: it promises what nobody can keep
//	  words:
//	  - say: [breakthrough, game changer]
//	    better: say what changed, and for how many
//	    unless: [no breakthrough]
//	claims: [studies show, "# women", "# % of", brain*]
//
// A phrase is words in any case, parted by spaces or hyphens; # is a number (in digits, or
// in words from ten on), and * any ending. Where two begin at the same word the longer
// counts, so a phrase under `unless` lets pass what it holds.
package editor

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
)

// The names of the rules that the program has.
const (
	ruleGrade    = "grade"
	ruleSentence = "sentence"
	ruleClaim    = "claim"
	ruleLink     = "link"
	rulePronoun  = "pronoun"
)

var ownRules = []string{ruleClaim, ruleGrade, ruleLink, rulePronoun, ruleSentence}

// Report is what the editor has to say.
type Report struct {
	Findings fault.Findings     // not sorted
	Allowed  int                // allowances that let something pass
	Grades   map[string]float64 // reading grade of the text of each file in English, by path
}

// Check reads the words of a content folder, and style.yaml in it.
func Check(fsys fs.FS, words library.Words) Report {
	style, findings := readStyle(fsys)
	c := newChecker(style, words)
	report := Report{Findings: findings, Grades: map[string]float64{}}
	for _, m := range words.Files {
		p := c.file(m)
		report.Findings = append(report.Findings, p.findings...)
		report.Allowed += p.allowed()
		if p.text.Words > 0 {
			report.Grades[m.Path] = p.text.Value()
		}
	}
	return report
}

func isEnglish(language string) bool {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	return primary == "en"
}

func textsOf(words []word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

// checker holds what all files have in common.
type checker struct {
	style     *style
	english   bool
	services  phrases        // names of the helplines; use: true
	syllables map[string]int // of words that were met
}

func newChecker(s *style, words library.Words) *checker {
	c := &checker{style: s, english: isEnglish(words.Language), syllables: map[string]int{}}
	for _, name := range words.Services {
		c.services.add(textsOf(wordsOf(name)), true)
	}
	return c
}

// file reads one file.
func (c *checker) file(m library.Manuscript) *piece {
	p := &piece{checker: c, Manuscript: m, used: make([]bool, len(m.Allow))}
	p.read()
	p.sentences()
	p.links()
	if c.english {
		p.grades()
	}
	p.allowances()
	return p
}

// allowed is how many of the file's allowances are used.
func (p *piece) allowed() (n int) {
	for _, used := range p.used {
		if used {
			n++
		}
	}
	return n
}

// piece is a file that is being read.
type piece struct {
	*checker
	library.Manuscript
	blocks   []*block
	findings fault.Findings
	used     []bool // allowances
	text     Grade  // of the body
}

// hit is something that a rule has to say.
type hit struct {
	rule  string
	line  int
	text  string // the sentence, or the whole text for its grade
	words string // that the rule found in it; "" where it is all of it
}

// report tells of a hit, unless an allowance lets it pass.
func (p *piece) report(h hit, format string, args ...any) {
	allowed := false
	for i, a := range p.Allow {
		if a.Rule == h.rule && h.fits(a.Text) {
			p.used[i], allowed = true, true
		}
	}
	if !allowed {
		p.findings = append(p.findings, fault.Warnf(p.Path, h.line, h.rule+": "+format, args...))
	}
}

// fits reports whether the words of an allowance are those of the hit.
func (h hit) fits(allowed string) bool {
	text, words := plainWords(h.text), plainWords(h.words)
	allowed = plainWords(allowed)
	return strings.Contains(text, allowed) && strings.Contains(allowed, words) || strings.Contains(allowed, text)
}

// allowances tells those that are of no use.
func (p *piece) allowances() {
	known := slices.Concat(ownRules, p.style.rules)
	for i, a := range p.Allow {
		switch {
		case !slices.Contains(known, a.Rule):
			p.findings = append(p.findings, fault.Warnf(p.Path, a.Line,
				"allow: there is no rule %s; %s", a.Rule, yamlfile.Suggest(a.Rule, known)))
		case !p.used[i]:
			p.findings = append(p.findings, fault.Warnf(p.Path, a.Line,
				"allow: the rule %s has nothing to say of “%s”; take the entry out", a.Rule, a.Text))
		}
	}
}
