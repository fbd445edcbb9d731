package cite

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
)

// Load reads the bibliography at path. The findings are all there are; with an
// error among them the bibliography holds the entries that could be read, so
// that a broken entry does not make every citation of the others unknown.
func Load(path string, data []byte) (*Bibliography, fault.Findings) {
	b := &Bibliography{byID: map[string]*Reference{}}
	root, findings := yamlfile.Parse(path, data, 1)
	if root == nil {
		return b, findings
	}
	l := loader{path: path}
	for _, entry := range l.entries(root) {
		r := l.reference(entry)
		if r == nil || r.ID == "" {
			continue
		}
		if first, twice := b.byID[r.ID]; twice {
			l.errorf(r.Line,
				"the id %s is taken by the entry on line %d; "+
					"give this one another", r.ID, first.Line)
			continue
		}
		b.byID[r.ID] = r
		b.all = append(b.all, r)
	}
	return b, l.findings
}

type loader struct {
	path     string
	findings fault.Findings
}

func (l *loader) errorf(line int, format string, args ...any) {
	l.findings = append(l.findings, fault.Errorf(l.path, line, format, args...))
}

// entries finds the list of entries: under `references`, or the document itself.
func (l *loader) entries(root *yamlfile.Node) []*yamlfile.Node {
	list := root
	if root.Kind == yamlfile.Map {
		list = nil
		for _, p := range root.Pairs {
			if p.Key == "references" {
				list = p.Value
			}
		}
	}
	switch {
	case root.Kind == yamlfile.Null, list != nil && list.Kind == yamlfile.Null:
		return nil
	case list == nil || list.Kind != yamlfile.List:
		l.errorf(root.Line,
			"no list of references; the file begins with `references:`, and each entry with `- "+
				"id:`")
		return nil
	}
	return list.Items
}

// reference reads one entry; nil if it is no mapping.
func (l *loader) reference(n *yamlfile.Node) *Reference {
	rec := yamlfile.Open(l.path, "a reference", n, nil, &l.findings)
	if rec == nil {
		return nil
	}
	r := &Reference{
		ID: rec.Need("id",
			"a short name to cite it by, such as "+
				"dutton1993"), Type: rec.Need("type", "such as article-journal, book or report"),
		Title: rec.Need("title", "the title of the work"), Container: rec.Text("container-title"),
		Publisher: rec.Text("publisher"), Place: rec.Text("publisher-place"), Edition: rec.Text("edition"),
		Volume: rec.Text("volume"), Issue: rec.Text("issue"), Page: rec.Text("page"), Number: rec.Text("number"),
		DOI: rec.Text("DOI"), PMID: rec.Text("PMID"), ISBN: rec.Text("ISBN"), URL: rec.Text("URL"),
		Line: rec.LineOf("id"),
	}
	if r.ID != "" && !ValidKey(r.ID) {
		rec.Errorf("id",
			"the id %q can't be cited; write letters, digits and single marks such as - or _", r.ID)
	}
	r.Authors, r.Editors = l.names(rec, "author"), l.names(rec, "editor")
	if !rec.Has("author") && !rec.Has("editor") {
		rec.Errorf("author",
			"author is missing; give `family` and `given`, or `literal` for a body, or an editor")
	}
	r.Issued = l.date(rec)
	l.identifiers(rec, r)
	l.custom(rec, r)
	return r
}

var (
	doiForm  = regexp.MustCompile(`^10\.\d{4,9}(\.\d+)*/[^\s\p{C}]+$`)
	pmidForm = regexp.MustCompile(`^[1-9]\d{0,8}$`)
)

func (l *loader) identifiers(rec *yamlfile.Record, r *Reference) {
	if r.DOI != "" && !doiForm.MatchString(r.DOI) {
		rec.Errorf("DOI",
			"the DOI %q is malformed; it begins with 10. and a number, as in "+
				"10.1891/0886-6708.8.2.105, without https://doi.org/", r.DOI)
		r.DOI = ""
	}
	if r.PMID != "" && !pmidForm.MatchString(r.PMID) {
		rec.Errorf("PMID", "the PMID %q is malformed; it is a number of up to nine digits", r.PMID)
		r.PMID = ""
	}
	if r.URL != "" && !webAddress(r.URL) {
		rec.Errorf("URL", "the URL %q is no web address; it begins with https:// or http://", r.URL)
		r.URL = ""
	}
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	web := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	return web && !strings.ContainsAny(s, " \\")
}

var customKeys = []string{"evidence", "finding", "limits", "verified", "note", "checked-at", "checked-on"}

// custom reads our own part of an entry. CSL lets anything stand there, so an
// unknown key is passed over unless it looks like a slip in one of ours.
func (l *loader) custom(entry *yamlfile.Record, r *Reference) {
	n := entry.Node("custom")
	if n == nil {
		return
	}
	rec := yamlfile.Open(l.path, "custom", n, nil, &l.findings)
	if rec == nil {
		return
	}
	for _, p := range n.Pairs {
		if near := yamlfile.Nearest(p.Key, customKeys); near != "" && !slices.Contains(customKeys, p.Key) {
			l.errorf(p.Line, "unknown key %q in custom; did you mean %s?", p.Key, near)
		}
	}
	r.Evidence = Evidence(rec.Text("evidence"))
	if r.Evidence != "" && r.Evidence.Label() == "" {
		known := slices.Sorted(maps.Keys(evidenceLabels))
		rec.Errorf("evidence",
			"unknown kind of evidence %q; known are %s", r.Evidence, joinEvidence(known))
	}
	r.Finding, _ = rec.Passage("finding")
	r.Limits, _ = rec.Passage("limits")
	r.Note, _ = rec.Passage("note")
	r.CheckedAt, r.CheckedOn = rec.Text("checked-at"), rec.Date("checked-on")
	if rec.Has("verified") {
		r.Unverified = !rec.Bool("verified")
	}
}

func joinEvidence(known []Evidence) string {
	words := make([]string, len(known))
	for i, e := range known {
		words[i] = string(e)
	}
	return strings.Join(words, ", ")
}

// names reads a list of people: mappings with family and given, or literal; a
// bare text is taken as a whole.
func (l *loader) names(rec *yamlfile.Record, key string) []Name {
	n := rec.Node(key)
	if n == nil {
		return nil
	}
	items := n.Items
	if n.Kind != yamlfile.List {
		items = []*yamlfile.Node{n}
	}
	var out []Name
	for _, item := range items {
		if item.Kind == yamlfile.Scalar {
			out = append(out, Name{Literal: strings.TrimSpace(item.Text)})
			continue
		}
		p := yamlfile.Open(l.path, "a name", item, nil, &l.findings)
		if p == nil {
			continue
		}
		name := Name{
			Family: p.Text("family"), Given: p.Text("given"), Suffix: p.Text("suffix"), Literal: p.Text("literal"),
			Particle: strings.TrimSpace(p.Text("dropping-particle") + " " + p.Text("non-dropping-particle")),
		}
		if name.Family == "" && name.Literal == "" && name.Given == "" {
			l.errorf(item.Line, "a name without `family` or `literal`")
			continue
		}
		out = append(out, name)
	}
	return out
}

// date reads issued, in each of the forms that CSL tools write: date-parts, a
// mapping of year, month and day, a list of such, `raw` or `literal`, or a plain
// 1993, 1993-05 or 1993-05-01.
func (l *loader) date(rec *yamlfile.Record) Date {
	n := rec.Node("issued")
	if n == nil {
		rec.Errorf("issued", "issued is missing; give the year, as in `issued: 1993`")
		return Date{}
	}
	if n.Kind == yamlfile.List && len(n.Items) > 0 {
		n = n.Items[0]
	}
	var d Date
	switch n.Kind {
	case yamlfile.Scalar:
		d = plainDate(n.Text)
	case yamlfile.Map:
		p := yamlfile.Open(l.path, "issued", n, nil, &l.findings)
		d = mappedDate(p)
	}
	if problem := d.problem(); problem != "" {
		rec.Errorf("issued", "issued: %s", problem)
	}
	return d
}

func mappedDate(p *yamlfile.Record) Date {
	if parts := p.Node("date-parts"); parts != nil {
		for len(parts.Items) > 0 && parts.Items[0].Kind == yamlfile.List {
			parts = parts.Items[0]
		}
		var texts []string
		for _, item := range parts.Items {
			texts = append(texts, item.Text)
		}
		return plainDate(strings.Join(texts, "-"))
	}
	if p.Has("year") {
		text := p.Text("year")
		for _, key := range []string{"month", "day"} {
			if p.Has(key) {
				text += "-" + p.Text(key)
			}
		}
		return plainDate(text)
	}
	if p.Has("raw") {
		return plainDate(p.Text("raw"))
	}
	return Date{Literal: p.Text("literal")}
}

// plainDate reads 1993, 1993-5, 1993-05-01; anything else is kept as words.
func plainDate(text string) Date {
	text = strings.TrimSpace(text)
	var d Date
	for i, part := range strings.Split(text, "-") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || i > 2 {
			return Date{Literal: text}
		}
		*[]*int{&d.Year, &d.Month, &d.Day}[i] = n
	}
	return d
}

// time is midnight UTC of a date with a day; one that the month has not got is in
// the next month.
func (d Date) time() time.Time {
	return time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC)
}

// problem says what is wrong with a date, "" if nothing is.
func (d Date) problem() string {
	switch {
	case d.Year == 0 && d.Literal == "":
		return "no year; write it as `issued: 1993`"
	case d.Year == 0:
		return "" // in press, undated
	case d.Year < 1000 || d.Year > 9999:
		return fmt.Sprintf("%d is not a year of four digits", d.Year)
	case d.Month > 24: // 21 to 24 are CSL's seasons
		return fmt.Sprintf("there is no month %d", d.Month)
	case d.Month <= 12 && d.Day > 0 && d.time().Day() != d.Day:
		return fmt.Sprintf("%04d-%02d-%02d is not a day of the calendar", d.Year, d.Month, d.Day)
	}
	return ""
}
