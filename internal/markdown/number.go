package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/steadier/steadier/internal/cite/yamlfile"
)

// number gives headings, alerts and citations their ids and numbers, in the order
// of the text, after those that the page already has.
func (w *writer) number() {
	walk(w.doc.Root, func(n ast.Node) { // chosen ids first: made ones give way
		if h, ok := n.(*ast.Heading); ok {
			w.chosenID(h)
		}
	})
	walk(w.doc.Root, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Heading:
			w.heading(n)
		case *Alert:
			w.page.boxes++
			n.ID = fmt.Sprintf("box%d", w.page.boxes)
		case *Citation:
			w.citation(n)
		case *east.Table:
			w.page.tables++
			n.SetAttributeString(attrNumber, w.page.tables)
		}
	})
}

const attrNumber = "data-number" // of a table

func (w *writer) chosenID(h *ast.Heading) {
	value, ok := h.AttributeString(attrChosenID)
	if !ok {
		return
	}
	id := value.(string)
	if w.page.ids[id] || ownID.MatchString(id) {
		w.errorf(h, "the anchor #%s is taken; choose another", id)
		return
	}
	w.page.ids[id] = true
	h.SetAttributeString("id", id)
}

func (w *writer) heading(h *ast.Heading) {
	words := strings.TrimSpace(w.doc.PlainText(h))
	id, chosen := h.AttributeString("id")
	if !chosen {
		id = w.page.freeID(slug(words))
		h.SetAttributeString("id", id)
	}
	if _, inAlert := h.Parent().(*Alert); !inAlert {
		found := Heading{Level: h.Level, ID: id.(string), Text: words, Line: w.doc.LineOf(h)}
		w.doc.Headings = append(w.doc.Headings, found)
	}
}

// headingID is the id of a heading in a finished tree.
func headingID(h *ast.Heading) string {
	id, _ := h.AttributeString("id")
	s, _ := id.(string)
	return s
}

// ownID is the form of the ids that a document, and the definitions around it, give to
// what is no heading.
var ownID = regexp.MustCompile(`^((c|s|n|fig|box)\d|term-)`)

// freeID is id, or id with a number behind it that makes it the page's only one.
func (p *Page) freeID(id string) string {
	if ownID.MatchString(id) {
		id = "section-" + id
	}
	free := id
	for p.ids[free] {
		p.again[id]++
		free = fmt.Sprintf("%s-%d", id, p.again[id]+1)
	}
	p.ids[free] = true
	return free
}

// slug makes an anchor from words: lower case, letters and digits, one hyphen
// between words, accents taken off, beginning with a letter.
func slug(words string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(words)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '’', r == '\'':
		default:
			b.WriteByte(' ')
		}
	}
	id := strings.Join(strings.Fields(b.String()), "-")
	if id == "" {
		return "section"
	}
	if first := []rune(id)[0]; !unicode.IsLetter(first) {
		return "section-" + id
	}
	return id
}

// citation finds the works of a citation and numbers them.
func (w *writer) citation(c *Citation) {
	if c.Malformed {
		w.errorf(c, "%s is not a citation; write [@key], or [@key, p. 33; @other]", c.Raw)
		return
	}
	for at := c.Parent(); at != nil; at = at.Parent() {
		if at.Kind() == ast.KindLink {
			w.errorf(c, "a citation can't stand inside a link; put %s after it", c.Raw)
			c.Malformed = true // shown as written: a link in a link is no HTML
			return
		}
	}
	for i := range c.Works {
		work := &c.Works[i]
		r, known := w.page.opts.References.Get(work.Key)
		switch {
		case !known && w.page.opts.AnyCitation:
			continue
		case !known:
			w.errorf(c,
				"unknown citation @%s%s", work.Key, w.didYouMean(work.Key, w.page.opts.References.IDs()))
			continue
		case r.Unverified:
			w.errorf(c,
				"@%s is not confirmed yet (verified: false); "+
					"confirm its details and set verified: true in the bibliography, or cite "+
					"another "+
					"work", work.Key)
		}
		note := w.page.noteOf[r.ID]
		if note == nil {
			note = &Note{Number: len(w.page.notes) + 1, Reference: r}
			w.page.notes, w.page.noteOf[r.ID] = append(w.page.notes, note), note
		}
		work.Note, work.ID = note, fmt.Sprintf("c%d", note.Number)
		if len(note.Uses) > 0 {
			work.ID += fmt.Sprintf("-%d", len(note.Uses)+1)
		}
		note.Uses = append(note.Uses, work.ID)
		if !slices.Contains(w.doc.Works, r.ID) {
			w.doc.Works = append(w.doc.Works, r.ID)
		}
	}
}

// didYouMean ends a message about an unknown name.
func (w *writer) didYouMean(name string, known []string) string {
	if w.hints++; w.hints > maxHints {
		return ""
	}
	if near := yamlfile.Nearest(name, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// IDs are the anchors of all headings, those inside alerts too.
func (d *Document) IDs() []string {
	var out []string
	walk(d.Root, func(n ast.Node) {
		if h, ok := n.(*ast.Heading); ok {
			out = append(out, headingID(h))
		}
	})
	return out
}
