package editor

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/markdown"
)

// styleFile holds the words that a practice does not use, in the content folder.
const styleFile = "style.yaml"

var (
	styleKeys  = []string{"loaded", "claims"}
	loadedKeys = []string{"rule", "why", "words"}
	wordsKeys  = []string{"say", "better", "unless"}
	ruleForm   = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	phraseForm = regexp.MustCompile(`^(#|%|[\pL\pN'.,]*[\pL\pN]{2}\*|[\pL\pN'.,]*[\pL\pN])$`)
)

// style is style.yaml, read.
type style struct {
	loaded phrases // use: *advice; where it is nil, the phrase is right
	claims phrases // use: true
	rules  []string
}

// advice says why some words are not used, and what to write.
type advice struct{ rule, why, better string }

// readStyle reads style.yaml; without the file no word is loaded and none claims.
func readStyle(fsys fs.FS) (*style, fault.Findings) {
	s := &style{}
	data, err := library.ReadFile(fsys, styleFile)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fault.Findings{fault.Errorf(styleFile, 1, "the file can't be read: %v", errors.Unwrap(err))}
	}
	text, findings := markdown.Decode(styleFile, data)
	if len(findings) > 0 {
		return s, findings
	}
	node, findings := yamlfile.Parse(styleFile, []byte(text), 1)
	if node == nil || node.Kind == yamlfile.Null {
		return s, findings
	}
	r := styleReader{style: s, findings: &findings, seen: map[listed]int{}}
	rec := yamlfile.Open(styleFile, "the style", node, styleKeys, &findings)
	for _, n := range r.entries(rec, "loaded") {
		r.group(n)
	}
	for _, item := range rec.Texts("claims") {
		r.add(&s.claims, item, true)
	}
	return s, findings
}

// listed is a phrase of one of the lists.
type listed struct {
	of     *phrases
	phrase string
}

type styleReader struct {
	*style
	findings *fault.Findings
	seen     map[listed]int // with the lines on which they stand
}

func (r styleReader) entries(rec *yamlfile.Record, key string) []*yamlfile.Node {
	n := rec.Node(key)
	if n == nil {
		return nil
	}
	if n.Kind != yamlfile.List {
		rec.Errorf(key, "%s must be a list; begin each entry with a hyphen", key)
	}
	return n.Items
}

// group reads the words that are loaded in one way.
func (r styleReader) group(n *yamlfile.Node) {
	rec := yamlfile.Open(styleFile, "a group of words", n, loadedKeys, r.findings)
	if rec == nil {
		return
	}
	rule := rec.Need("rule", "name the rule, such as hype; an article allows a line by it")
	why := rec.Need("why", "say what is wrong with such words")
	switch {
	case rule == "":
	case !ruleForm.MatchString(rule):
		rec.Errorf("rule", "rule: %q is no name; write small letters and hyphens", rule)
	case slices.Contains(ownRules, rule) || slices.Contains(r.rules, rule):
		rec.Errorf("rule", "rule: there is a rule %s already; choose another name", rule)
	}
	r.rules = append(r.rules, rule)
	entries := r.entries(rec, "words")
	if len(entries) == 0 {
		rec.Errorf("words", "words is missing; list the words, each with `say` and `better`")
	}
	for _, entry := range entries {
		r.words(entry, rule, why)
	}
}

func (r styleReader) words(n *yamlfile.Node, rule, why string) {
	rec := yamlfile.Open(styleFile, "an entry of words", n, wordsKeys, r.findings)
	if rec == nil {
		return
	}
	say := rec.Texts("say")
	if len(say) == 0 && !rec.Has("say") {
		rec.Errorf("say", "say is missing; write the words that are not used")
	}
	use := &advice{rule, why, rec.Need("better", "give a better way to say it")}
	for _, item := range say {
		r.add(&r.loaded, item, use)
	}
	for _, item := range rec.Texts("unless") {
		r.add(&r.loaded, item, (*advice)(nil))
	}
}

// add adds a phrase, once.
func (r styleReader) add(to *phrases, item yamlfile.Item, use any) {
	text := strings.ReplaceAll(strings.ToLower(item.Text), "’", "'")
	phrase := strings.Fields(strings.ReplaceAll(text, "-", " "))
	for _, w := range phrase {
		if !phraseForm.MatchString(w) {
			r.errorAt(item.Line, "“%s” can't be found in a text: a phrase is words, # for a number, "+
				"and * at the end of a word of two letters or more", item.Text)
			return
		}
	}
	key := listed{to, strings.Join(phrase, " ")}
	if first, twice := r.seen[key]; twice {
		r.errorAt(item.Line, "“%s” stands on line %d already; take one of them out", item.Text, first)
		return
	}
	r.seen[key] = item.Line
	to.add(phrase, use)
}

func (r styleReader) errorAt(line int, format string, args ...any) {
	*r.findings = append(*r.findings, fault.Errorf(styleFile, line, format, args...))
}
