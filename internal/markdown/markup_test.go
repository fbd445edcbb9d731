package markdown

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	tags       = regexp.MustCompile(`<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*/?>`)
	attributes = regexp.MustCompile(`\s+([^\s=>"]+)(?:="([^"]*)")?`)
	ids        = regexp.MustCompile(` id="([^"]*)"`)
	refs       = regexp.MustCompile(` (?:href="#|aria-labelledby="|aria-describedby=")([^"]*)"`)
)

const knownElements = `p h2 h3 h4 h5 h6 a em strong code pre br hr ul ol li dl dt dd blockquote sup section div span aside b
	figure figcaption table thead tbody tr th td
	svg title desc g defs marker path circle text tspan use`

const knownAttributes = `id class href rel role tabindex type start scope
	viewBox d x y r cx cy refX refY orient fill marker-end width height`

// checkMarkup fails on anything in the output that we do not write ourselves:
// SEC-H12, SEC-H13.
func checkMarkup(t testing.TB, html string) {
	t.Helper()
	if !utf8.ValidString(html) {
		t.Error("the page is not UTF-8")
	}
	elements, names := strings.Fields(knownElements), strings.Fields(knownAttributes)
	rest := tags.ReplaceAllStringFunc(html, func(tag string) string {
		m := tags.FindStringSubmatch(tag)
		if !slices.Contains(elements, m[2]) {
			t.Errorf("element %s in %s", m[2], tag)
		}
		for _, a := range attributes.FindAllStringSubmatch(m[3], -1) {
			if !slices.Contains(names, a[1]) && !strings.HasPrefix(a[1], "aria-") {
				t.Errorf("attribute %s in %s", a[1], tag)
			}
			if a[1] == "href" && !regexp.MustCompile(`^(https?://[^/]|mailto:|tel:|#|/[^/\\]|/$)`).MatchString(strings.ToLower(a[2])) {
				t.Errorf("address in %s", tag)
			}
		}
		return ""
	})
	if i := strings.IndexAny(rest, "<>"); i >= 0 {
		t.Errorf("a bare < or > at %q", rest[i:min(len(rest), i+40)])
	}
}

// checkIDs fails on ids that stand twice or that a checker refuses, and on
// references within the text to ids that are not there (sources are in the page
// around it).
func checkIDs(t testing.TB, html string) {
	t.Helper()
	form := regexp.MustCompile(`^[\p{L}][\p{L}\p{N}_-]*$`)
	seen := map[string]bool{}
	for _, m := range ids.FindAllStringSubmatch(html, -1) {
		if seen[m[1]] || !form.MatchString(m[1]) {
			t.Errorf("id %q stands twice or is no id", m[1])
		}
		seen[m[1]] = true
	}
	for _, m := range refs.FindAllStringSubmatch(html, -1) {
		for _, id := range strings.Fields(m[1]) {
			if !seen[id] && !regexp.MustCompile(`^s\d+$`).MatchString(id) && !slices.Contains(ReservedIDs(), id) {
				t.Errorf("nothing has the id %q that is referred to", id)
			}
		}
	}
}
