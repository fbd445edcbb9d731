package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSVGRefuses(t *testing.T) {
	svg := func(inside string) string {
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">\n" + inside + "\n</svg>"
	}
	tests := []struct {
		name, in string
		want     []string
	}{
		{"a script", svg("<script>alert(1)</script>"), []string{"x.svg:2: error: <script> is not allowed in a drawing; take it out"}},
		{"a style element", svg("<style>.a{fill:url(//e)}</style>"), []string{"x.svg:2: error: <style> is not allowed in a drawing; use the classes of the stylesheet (line, dot, ring, arc, t2) or attributes such as fill"}},
		{"a style attribute", svg(`<path style="fill:red"/>`), []string{"x.svg:2: error: style= is not allowed in a drawing; use a class of the stylesheet or attributes such as fill and stroke"}},
		{"an event", svg(`<path onclick="x()"/>`), []string{"x.svg:2: error: onclick= is not allowed in a drawing; take it out"}},
		{"an event on the root", `<svg viewBox="0 0 1 1" onload="x()"/>`, []string{"x.svg:1: error: onload= is not allowed in a drawing; take it out"}},
		{"foreign content and what is in it", svg("<foreignObject><b onclick='x'>b</b></foreignObject>"), []string{"x.svg:2: error: <foreignObject> is not allowed in a drawing; take it out"}},
		{"a script of another name space", svg(`<h:script xmlns:h="http://www.w3.org/1999/xhtml">x</h:script>`), []string{"x.svg:2: error: <script> is not allowed in a drawing; take it out"}},
		{"an editor's own elements", svg(`<namedview xmlns="http://sodipodi"/>`), []string{"x.svg:2: error: <namedview> is not known here; save the drawing as plain SVG"}},
		{"an editor's own attributes", svg(`<g xmlns:i="http://inkscape" i:label="x"/>`), []string{"x.svg:2: error: the attribute label of <g> is not known here; save the drawing as plain SVG, or take it out"}},
		{"a link out", svg(`<use href="https://e.example/x.svg#a"/>`), []string{`x.svg:2: error: href="https://e.example/x.svg#a" leads out of the drawing; only #id of something inside is allowed`}},
		{"a link to code", svg(`<use xlink:href="javascript:x" xmlns:xlink="http://www.w3.org/1999/xlink"/>`), []string{`x.svg:2: error: href="javascript:x" leads out of the drawing; only #id of something inside is allowed`}},
		{"paint from elsewhere", svg(`<path fill="url(//e.example/x)"/>`), []string{`x.svg:2: error: fill="url(//e.example/x)" leads out of the drawing; only url(#id) of something inside is allowed`}},
		{"paint from elsewhere, hidden", svg(`<path fill="red URL (#a) url(//e)"/>`), []string{`x.svg:2: error: fill="red URL (#a) url(//e)" leads out of the drawing; only url(#id) of something inside is allowed`}},
		{"a missing id", svg(`<path fill="url(#a)"/>`), []string{`x.svg:2: error: nothing in the drawing has the id "a" that is used here`}},
		{"an id twice", svg(`<g id="a"/><g id="a"/>`), []string{`x.svg:2: error: the id "a" stands twice in the drawing`}},
		{"not well-formed", svg("<g>\n<path></g>"), []string{"x.svg:3: error: not well-formed: element <path> closed by </g>"}},
		{"an entity", "<!DOCTYPE svg [\n<!ENTITY a 'x'>]>\n" + svg("<text>&a;</text>"), []string{
			"x.svg:2: error: a drawing has no <!DOCTYPE> and no entities; take the line out", "x.svg:4: error: not well-formed: invalid character entity &a;",
		}},
		{"no viewBox", "<svg/>", []string{`x.svg:1: error: <svg> has no viewBox; add one, as in viewBox="0 0 346 206", so that the drawing fits any screen`}},
		{"another document", "<html><body/></html>", []string{"x.svg:1: error: <html> is not known here; save the drawing as plain SVG"}},
		{"nothing", "", []string{"x.svg:1: error: the file holds no <svg>"}},
		{"words outside of text", svg("words"), []string{"x.svg:3: error: words stand outside of <text>; put them into one"}},
		{"not UTF-8", svg("\n<text>\xff</text>"), []string{"x.svg:3: error: not UTF-8 on this line; save the file as UTF-8"}},
		{"too large", svg(strings.Repeat("<g/>", 20_000)), []string{"x.svg:1: error: the drawing has 78 KB, at most 64; draw it with fewer points"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, fs := ParseSVG("x.svg", []byte(tt.in))
			var got []string
			for _, found := range fs {
				got = append(got, found.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || f != nil {
				t.Errorf("figure %v, findings:\n%s", f, diff)
			}
		})
	}
}

func TestParseSVGAccepts(t *testing.T) {
	f, fs := ParseSVG("x.svg", []byte("\uFEFF<svg viewBox=\"0 0 1 1\" width=\"1\" xml:space=\"preserve\">\r\n<title>A\n title</title><text x=\"0\">Two <tspan>words</tspan></text><g aria-hidden=\"true\"/></svg>"))
	if len(fs) > 0 {
		t.Fatal(fs)
	}
	want := `<svg viewBox="0 0 1 1" width="1" role="img" aria-labelledby="f-t"><title id="f-t">a &lt; b</title><text x="0">Two <tspan>words</tspan></text><g aria-hidden="true"/></svg>`
	if diff := cmp.Diff(want, f.Inline("f", "a < b")); diff != "" {
		t.Error(diff)
	}
	if f.Title != "A title" || f.Desc != "" || f.Words != 2 {
		t.Errorf("title %q, description %q, %d words", f.Title, f.Desc, f.Words)
	}
}

func FuzzParseSVG(f *testing.F) {
	for _, s := range []string{"<svg viewBox='0'><g id='a'/><use href='#a'/></svg>", "<svg><script/></svg>", "<svg viewBox=''><text>x</text></svg>", "<a:svg xmlns:a='http://www.w3.org/2000/svg'/>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		figure, fs := ParseSVG("x.svg", []byte(in))
		if (figure == nil) == (len(fs) == 0) {
			t.Fatalf("figure %v with findings %v", figure, fs)
		}
		if figure == nil {
			return
		}
		out := strings.ToLower(figure.Inline("f", "alt"))
		for _, bad := range []string{"<script", "<style", "style=\"", "<foreign", "href=\"h", "href=\"j", "url(/", "<a "} {
			if strings.Contains(out, bad) {
				t.Fatalf("%q in %s", bad, out)
			}
		}
	})
}
