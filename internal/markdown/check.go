package markdown

import (
	"bytes"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
)

// check walks the finished tree and tells what is wrong with it.
func (w *writer) check() {
	walk(w.doc.Root, w.checkNode)
	w.checkFootnotes()
}

func (w *writer) checkNode(n ast.Node) {
	if w.brief && !inBrief(n) {
		w.errorf(n, "a short passage holds only paragraphs, lists, links and citations")
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.checkHeading(n)
	case *ast.HTMLBlock, *ast.RawHTML:
		w.errorf(n,
			"raw HTML (and <!-- comments -->) is not read; write it as Markdown, or &lt; "+
				"for a plain <")
	case *ast.Link:
		w.checkLink(n, target(n.Destination), strings.TrimSpace(w.doc.PlainText(n)))
	case *ast.AutoLink:
		w.checkLink(n, autoTarget(n, w.doc.Source), string(n.Label(w.doc.Source)))
	case *ast.Image:
		w.errorf(n, "an image stands alone in its paragraph; put an empty line before and after it")
	case *ast.List, *ast.Blockquote, *Alert:
		w.checkNesting(n)
	case *ast.Text:
		w.checkText(n)
	}
}

// inBrief reports whether a node may stand in a short passage.
func inBrief(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindHeading, ast.KindBlockquote, KindAlert, KindFigure, ast.KindImage, east.KindTable,
		east.KindFootnoteList, ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindThematicBreak, east.KindDefinitionList:
		return false
	}
	return true
}

func (w *writer) checkHeading(h *ast.Heading) {
	if bad, ok := h.AttributeString(attrBadID); ok {
		w.errorf(h,
			"{%s} is not read after a heading; only an anchor of small letters, digits and "+
				"hyphens is, as in {#a-name}", bad)
	}
	if strings.TrimSpace(w.doc.PlainText(h)) == "" {
		w.errorf(h, "the heading has no words")
	}
	before := max(w.level, 1)
	w.level = h.Level
	switch {
	case h.Level == 1:
		w.errorf(h, "the title is the page's only heading of level 1; begin with ##")
		w.level = 2
	case h.Level > before+1:
		w.errorf(h,
			"the heading skips a level, from %d to %d; "+
				"use %s", before, h.Level, strings.Repeat("#", before+1))
	}
}

func (w *writer) checkNesting(n ast.Node) {
	depth := 0
	for at := n; at != nil; at = at.Parent() {
		switch at.Kind() {
		case ast.KindList, ast.KindBlockquote, KindAlert:
			depth++
		}
	}
	if depth == maxNesting+1 {
		w.errorf(n, "lists and quotes stand in one another more than %d deep", maxNesting)
	}
}

func (w *writer) checkLink(n ast.Node, address, words string) {
	if words == "" {
		w.errorf(n, "the link has no words; say between [ and ] where it leads")
	}
	if problem := badAddress(address); problem != "" {
		w.errorf(n, "the link “%s” to %q %s", words, address, problem)
		return
	}
	link := Link{URL: address, Text: words, Line: w.doc.LineOf(n)}
	w.doc.Links = append(w.doc.Links, link)
	if strings.HasPrefix(address, "#") {
		w.page.anchors = append(w.page.anchors, anchor{path: w.doc.Path, link: link})
	}
}

// CheckAnchors tells the links to anchors of the page that nothing on it has. It is
// called when all passages are parsed: one may link to a heading of the next. The
// ids of citations and of the page around the text count too.
func (p *Page) CheckAnchors() fault.Findings {
	var findings fault.Findings
	known := slices.Sorted(maps.Keys(p.ids))
	for _, a := range p.anchors {
		id := a.link.URL[1:]
		if p.ids[id] || ownID.MatchString(id) {
			continue
		}
		near := ""
		if len(findings) < maxHints {
			near = yamlfile.Nearest(id, known)
		}
		if near != "" {
			near = "; did you mean #" + near + "?"
		}
		findings = append(findings, fault.Errorf(a.path, a.link.Line,
			"no heading of the page has the anchor #%s%s", id, near))
	}
	return findings
}

// maxHints is how many suggestions are made for one page: each compares a name with
// all that are known.
const maxHints = 50

// target is the address of a link as a browser would take it: escapes and
// entities decoded, the control characters that browsers skip left out.
func target(destination []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.TrimSpace(plain(destination)))
}

func autoTarget(n *ast.AutoLink, source []byte) string {
	if n.AutoLinkType == ast.AutoLinkEmail {
		return "mailto:" + string(n.URL(source))
	}
	return target(n.URL(source))
}

var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)

// badAddress says what is wrong with the address of a link, "" if it may be used.
func badAddress(address string) string {
	kind := strings.ToLower(scheme.FindString(address))
	switch {
	case address == "" || address == "#":
		return "leads nowhere; give an address"
	case strings.ContainsAny(address, "\\ \"<>`{}|^"):
		return "holds a character that no address has; write it as the browser shows it"
	case kind == "http:" || kind == "https:":
		if u, err := url.Parse(address); err != nil || u.Host == "" {
			return "is not a whole web address; write it as https://example.org/page"
		}
	case kind == "mailto:":
		if _, domain, ok := strings.Cut(address, "@"); !ok || domain == "" {
			return "is not a mail address; write mailto:name@example.org"
		}
	case kind == "tel:":
		if strings.Trim(address[len(kind):], "+0123456789-.()") != "" || !strings.ContainsAny(address, "0123456789") {
			return "is not a telephone number; write tel: and digits, as in tel:+442079460000"
		}
	case kind != "":
		return "has a scheme that is not used here; use https, http, mailto, tel, a /path of this site or an #anchor"
	case strings.HasPrefix(address, "//"):
		return "leaves out the scheme; write https: before it"
	case !strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "#"):
		return "is relative; write a /path from the root of this site, such as /articles/name, or https:// for another site"
	}
	return ""
}

// external reports whether a checked address leads to another site.
func external(address string) bool {
	kind := strings.ToLower(scheme.FindString(address))
	return kind == "http:" || kind == "https:"
}

var (
	bareKey    = regexp.MustCompile(`(?:^|[\s(])@(\w+)`)
	openedNote = regexp.MustCompile(`\[\^[^\]\s]+\]`)
)

// checkText finds what looks like a mark and was read as plain words.
func (w *writer) checkText(t *ast.Text) {
	value := t.Segment.Value(w.doc.Source)
	if t.IsRaw() || !bytes.ContainsAny(value, "@") {
		return
	}
	for _, m := range bareKey.FindAllSubmatch(value, -1) {
		if _, known := w.page.opts.References.Get(string(m[1])); known {
			w.errorf(t, "@%s is not in brackets; write [@%s]", m[1], m[1])
		}
	}
}

// checkFootnotes tells footnotes that are used and not written, or written and
// not used: the parser leaves the first as words and drops the second.
func (w *writer) checkFootnotes() {
	used, code := map[string]bool{}, w.codeLines()
	defined := map[string]bool{}
	walk(w.doc.Root, func(n ast.Node) {
		if f, ok := n.(*east.Footnote); ok {
			used[string(f.Ref)] = true
		}
	})
	for i, start := range w.doc.lines.starts {
		if code[i] {
			continue
		}
		end := len(w.doc.Source)
		if i+1 < len(w.doc.lines.starts) {
			end = w.doc.lines.starts[i+1]
		}
		line := w.doc.Source[start:end]
		for _, m := range openedNote.FindAllIndex(line, -1) {
			name := string(line[m[0]+2 : m[1]-1])
			if m[0] > 0 && line[m[0]-1] == '\\' {
				continue
			}
			definition := m[1] < len(line) && line[m[1]] == ':' && len(bytes.Trim(line[:m[0]], " >")) == 0
			at := w.doc.lines.first + i
			switch {
			case definition && defined[name]:
				w.errorAt(at, "the footnote [^%s] is written twice", name)
			case definition && !used[name]:
				w.errorAt(at, "the footnote [^%s] is never used; put [^%s] where it belongs, or take it out", name, name)
			case !definition && !used[name]:
				w.errorAt(at, "the footnote [^%s] is not written; add a line [^%s]: with its words", name, name)
			}
			defined[name] = defined[name] || definition
		}
	}
}

// codeLines are the indexes of the lines that hold code.
func (w *writer) codeLines() map[int]bool {
	out := map[int]bool{}
	walk(w.doc.Root, func(n ast.Node) {
		switch n.Kind() {
		case ast.KindCodeBlock, ast.KindFencedCodeBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				out[w.doc.lines.of(s.Start)-w.doc.lines.first] = true
			}
		case ast.KindCodeSpan:
			if offset := offsetOf(n); offset >= 0 {
				out[w.doc.lines.of(offset)-w.doc.lines.first] = true
			}
		}
	})
	return out
}

func (w *writer) warnf(n ast.Node, format string, args ...any) {
	w.findings = append(w.findings, fault.Warnf(w.doc.Path, w.doc.LineOf(n), format, args...))
}

// plain decodes the escapes and entities of a text.
func plain(b []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b))))
}
