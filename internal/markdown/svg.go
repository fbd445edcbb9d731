package markdown

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/steadier/steadier/internal/fault"
)

// Figure is a drawing that has been checked and can be set into a page. It never
// changes and may be used by many pages at once.
type Figure struct {
	Title string // of the drawing itself; the page uses the text alternative instead
	Desc  string // longer description, read out after the text alternative
	Words int    // in its labels

	open  []piece // the attributes of the root element
	inner []piece // what is inside it, without its own title and description
}

// piece is a run of markup; with ID it is an id, to be made unique on the page.
type piece struct {
	text string
	id   bool
}

const maxSVG = 64 << 10 // bytes

// ParseSVG checks a drawing: well-formed XML of at most 64 KB, a root with a
// viewBox, and only the elements and attributes of svgnames.go. Styles, scripts,
// event attributes, links, outside references and embedded images are faults;
// the drawing takes its colours from classes of the stylesheet or from attributes
// such as fill. The figure is nil if there is any fault.
func ParseSVG(path string, data []byte) (*Figure, fault.Findings) {
	if len(data) > maxSVG {
		return nil, fault.Findings{fault.Errorf(path, 1,
			"the drawing has %d KB, at most %d; draw it with fewer "+
				"points", len(data)>>10, maxSVG>>10)}
	}
	text, findings := Decode(path, data)
	if len(findings) > 0 {
		return nil, findings
	}
	s := &svgReader{path: path, in: xml.NewDecoder(strings.NewReader(text)), figure: &Figure{}}
	s.ids, s.refs = map[string]bool{}, map[string]int{}
	s.read()
	s.finish()
	if len(s.findings) > 0 {
		return nil, s.findings.Sorted()
	}
	return s.figure, nil
}

type svgReader struct {
	path     string
	in       *xml.Decoder
	figure   *Figure
	findings fault.Findings
	depth    int
	roots    int
	viewBox  bool
	skip     int              // depth at which a refused element began, 0 outside one
	into     *strings.Builder // the root's title or description
	title    strings.Builder
	desc     strings.Builder
	ids      map[string]bool
	refs     map[string]int // line of the first use
	inText   int
	fresh    bool // the last piece ends with an opening tag: nothing is inside yet
}

func (s *svgReader) errorf(format string, args ...any) {
	line, _ := s.in.InputPos()
	s.findings = append(s.findings, fault.Errorf(s.path, line, format, args...))
}

func (s *svgReader) read() {
	for {
		token, err := s.in.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				s.findings = append(s.findings, fault.Errorf(s.path, syntax.Line,
					"not well-formed: %s", syntax.Msg))
			} else {
				s.errorf("not well-formed: %v", err)
			}
			return
		}
		s.token(token)
	}
}

func (s *svgReader) token(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		s.depth++
		if s.skip == 0 {
			s.start(t)
		}
	case xml.EndElement:
		if s.skip == 0 {
			s.end(t)
		}
		if s.skip == s.depth {
			s.skip = 0
		}
		s.depth--
	case xml.CharData:
		if s.skip == 0 {
			s.chars(string(t))
		}
	case xml.Directive:
		s.errorf("a drawing has no <!DOCTYPE> and no entities; take the line out")
	}
}

func (s *svgReader) start(t xml.StartElement) {
	name := t.Name.Local
	if t.Name.Space != "" && t.Name.Space != svgSpace || !svgElements[name] {
		s.refuseElement(name)
		s.skip = s.depth
		return
	}
	if s.depth == 1 {
		s.root(t)
		return
	}
	if s.depth == 2 && (name == "title" || name == "desc") {
		s.into = map[string]*strings.Builder{"title": &s.title, "desc": &s.desc}[name]
		return
	}
	if name == "text" {
		s.inText++
	}
	s.write("<" + name)
	s.attributes(t, &s.figure.inner)
	s.write(">")
	s.fresh = true
}

func (s *svgReader) refuseElement(name string) {
	switch name {
	case "style":
		s.errorf(
			"<style> is not allowed in a drawing; use the classes of the stylesheet (line, dot, " +
				"ring, arc, t2) or attributes such as fill")
	case "script", "a", "foreignObject", "image", "iframe", "animate", "set", "handler":
		s.errorf("<%s> is not allowed in a drawing; take it out", name)
	default:
		s.errorf("<%s> is not known here; save the drawing as plain SVG", name)
	}
}

func (s *svgReader) root(t xml.StartElement) {
	s.roots++
	if t.Name.Local != "svg" {
		s.errorf("the file begins with <%s>; a drawing begins with <svg>", t.Name.Local)
	}
	var kept xml.StartElement
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "viewBox":
			s.viewBox = true
		case "role", "aria-labelledby", "aria-describedby", "aria-label", "aria-hidden", "focusable", "id", "version", "lang":
			continue // the page sets its own
		}
		kept.Attr = append(kept.Attr, a)
	}
	s.attributes(kept, &s.figure.open)
	if !s.viewBox {
		s.errorf(
			"<svg> has no viewBox; add one, as in viewBox=\"0 0 346 206\", so that the drawing " +
				"fits any screen")
	}
}

func (s *svgReader) end(t xml.EndElement) {
	switch {
	case s.depth == 1:
	case s.into != nil && s.depth == 2:
		s.into = nil
	default:
		if t.Name.Local == "text" {
			s.inText--
		}
		s.close(t.Name.Local)
	}
}

// close ends an element, an empty one in the short form.
func (s *svgReader) close(name string) {
	if s.fresh {
		last := &s.figure.inner[len(s.figure.inner)-1]
		last.text = strings.TrimSuffix(last.text, ">") + "/>"
		s.fresh = false
		return
	}
	s.write("</" + name + ">")
}

func (s *svgReader) chars(text string) {
	switch {
	case s.into != nil:
		s.into.WriteString(text)
	case s.inText > 0:
		s.figure.Words += CountWords(text)
		s.write(escape(text))
	case strings.TrimSpace(text) != "" && s.depth > 0:
		s.errorf("words stand outside of <text>; put them into one")
	}
}

func (s *svgReader) write(text string) {
	s.fresh = false
	s.add(&s.figure.inner, piece{text: text})
}

func (s *svgReader) add(to *[]piece, p piece) {
	if last := len(*to) - 1; last >= 0 && !p.id && !(*to)[last].id {
		(*to)[last].text += p.text
		return
	}
	*to = append(*to, p)
}

// localURL is the only form in which an attribute may refer to something.
var localURL = regexp.MustCompile(`^url\(\s*['"]?#([A-Za-z_][\w.-]*)['"]?\s*\)$`)

func (s *svgReader) attributes(t xml.StartElement, to *[]piece) {
	seen := map[string]bool{}
	for _, a := range t.Attr {
		name, value := a.Name.Local, a.Value
		if name == "xmlns" || a.Name.Space == "xmlns" || a.Name.Space == "xml" || a.Name.Space == xmlSpace {
			continue // names of spaces, xml:space and the like: HTML has no use for them
		}
		if a.Name.Space == xlinkSpace && name == "href" {
			a.Name.Space = ""
		}
		known := svgAttributes[name] || strings.HasPrefix(name, "aria-")
		if a.Name.Space != "" || !known || seen[name] {
			s.refuseAttribute(t.Name.Local, name)
			continue
		}
		seen[name] = true
		s.add(to, piece{text: " " + name + `="`})
		s.value(name, value, to)
		s.add(to, piece{text: `"`})
	}
}

func (s *svgReader) refuseAttribute(element, name string) {
	switch {
	case name == "style":
		s.errorf(
			"style= is not allowed in a drawing; use a class of the stylesheet or attributes " +
				"such as fill and stroke")
	case strings.HasPrefix(strings.ToLower(name), "on"):
		s.errorf("%s= is not allowed in a drawing; take it out", name)
	default:
		s.errorf(
			"the attribute %s of <%s> is not known here; "+
				"save the drawing as plain SVG, or take it out", name, element)
	}
}

// value writes an attribute's value, with ids and references to them apart.
func (s *svgReader) value(name, value string, to *[]piece) {
	line, _ := s.in.InputPos()
	refer := func(id string) {
		if _, used := s.refs[id]; !used {
			s.refs[id] = line
		}
		s.add(to, piece{text: id, id: true})
	}
	switch {
	case name == "id":
		if s.ids[value] {
			s.errorf("the id %q stands twice in the drawing", value)
		}
		s.ids[value] = true
		s.add(to, piece{text: value, id: true})
	case name == "href":
		id, local := strings.CutPrefix(value, "#")
		if !local {
			s.errorf(
				"href=%q leads out of the drawing; only #id of something inside is allowed", value)
			return
		}
		s.add(to, piece{text: "#"})
		refer(id)
	case strings.Contains(strings.ToLower(value), "url("):
		m := localURL.FindStringSubmatch(strings.TrimSpace(value))
		if m == nil {
			s.errorf(
				"%s=%q leads out of the drawing; only url(#id) of something inside is "+
					"allowed", name, value)
			return
		}
		s.add(to, piece{text: "url(#"})
		refer(m[1])
		s.add(to, piece{text: ")"})
	case name == "aria-labelledby" || name == "aria-describedby":
		for i, id := range strings.Fields(value) {
			if i > 0 {
				s.add(to, piece{text: " "})
			}
			refer(id)
		}
	default:
		s.add(to, piece{text: escape(value)})
	}
}

func (s *svgReader) finish() {
	s.figure.Title = strings.Join(strings.Fields(s.title.String()), " ")
	s.figure.Desc = strings.Join(strings.Fields(s.desc.String()), " ")
	if s.roots == 0 && len(s.findings) == 0 {
		s.findings = append(s.findings, fault.Errorf(s.path, 1, "the file holds no <svg>"))
	}
	for id, line := range s.refs {
		if !s.ids[id] {
			s.findings = append(s.findings, fault.Errorf(s.path, line,
				"nothing in the drawing has the id %q that is used here", id))
		}
	}
}

// Inline is the drawing as an element for a page. prefix makes its ids unique;
// alt, the text alternative, becomes its name, and its own description follows.
func (f *Figure) Inline(prefix, alt string) string {
	var b bytes.Buffer
	names := prefix + "-t"
	if f.Desc != "" {
		names += " " + prefix + "-d"
	}
	b.WriteString("<svg")
	render(&b, f.open, prefix)
	fmt.Fprintf(&b,
		` role="img" aria-labelledby="%s"><title id="%s-t">%s</title>`, names, prefix, escape(alt))
	if f.Desc != "" {
		fmt.Fprintf(&b, `<desc id="%s-d">%s</desc>`, prefix, escape(f.Desc))
	}
	render(&b, f.inner, prefix)
	b.WriteString("</svg>")
	return b.String()
}

func render(b *bytes.Buffer, pieces []piece, prefix string) {
	for _, p := range pieces {
		if p.id {
			b.WriteString(prefix + "-" + escape(p.text))
			continue
		}
		b.WriteString(p.text)
	}
}
