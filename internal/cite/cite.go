// Package cite knows how works are cited: Pandoc's citations in a text, a
// bibliography in CSL as Zotero and Pandoc write it, and references formatted in
// the Vancouver style.
//
// # Citations
//
// [ParseGroup] reads one bracket: `[@dutton1993]`, `[@dutton1993; @fisher2010]`,
// `[see @dutton1993, p. 33; also @nevin1988]`, `[-@key]`, `[@{odd key}]`. A key
// is what Pandoc takes for one: it begins with a letter, a digit or _, and may
// hold single marks of :.#$%&-+?<>~/ inside.
//
// # Bibliography
//
// [Load] reads a CSL bibliography in YAML: a mapping with the list `references`,
// or the bare list. Every CSL variable is allowed and those that a formatted
// reference needs are kept; what a reference can't do without (id, type, title,
// author or editor, issued) and whatever is malformed (DOI, PMID, URL, a second
// entry with the same id) is a finding with the line in the file.
//
// Under `custom`, CSL's own place for such things, an entry says what kind of
// evidence it is, what it found, how far that goes, and whether its details were
// confirmed: evidence, finding, limits, verified, note, checked-at, checked-on.
//
// # References
//
// [Reference.Vancouver] is the reference as one line of text, after Citing
// Medicine (the NLM style guide): up to six authors, then et al.; titles of
// journals are written out. [Reference.Links] are its addresses: the DOI, PubMed,
// or else the entry's URL.
package cite

import (
	"net/url"
	"strings"
	"time"
)

// Name is a person or, with Literal, a body.
type Name struct {
	Family   string
	Given    string
	Particle string // "van der", when it is kept apart from the family name
	Suffix   string // "Jr"
	Literal  string // the name of a body, or one written as a whole
}

// Date is when a work appeared. Month and Day are 0 where they are not known.
type Date struct {
	Year, Month, Day int
	Literal          string // "in press", when there is no year
}

// String is the date as a reference shows it: the year.
func (d Date) String() string {
	if d.Year == 0 {
		return d.Literal
	}
	return itoa(d.Year)
}

// Reference is one work of the bibliography.
type Reference struct {
	ID        string
	Type      string // CSL: article-journal, book, chapter, report, …
	Title     string
	Authors   []Name
	Editors   []Name
	Issued    Date
	Container string // journal, or book of a chapter
	Publisher string
	Place     string // of the publisher
	Edition   string
	Volume    string
	Issue     string
	Page      string
	Number    string // of a report
	DOI       string // without https://doi.org/
	PMID      string
	ISBN      string
	URL       string

	Evidence   Evidence  // custom.evidence
	Finding    string    // custom.finding: what it found, in our words
	Limits     string    // custom.limits: how far that goes
	Note       string    // custom.note: for the owner, not shown to readers
	Unverified bool      // custom.verified is false: not to be cited yet
	CheckedAt  string    // custom.checked-at: where its details were confirmed
	CheckedOn  time.Time // custom.checked-on: the day of that, midnight UTC

	Line int // in the bibliography
}

// Evidence is the kind of study, one of the words of custom.evidence.
type Evidence string

// evidenceLabels are the kinds and the words for a reader.
var evidenceLabels = map[Evidence]string{
	"randomised-trial":  "Randomised trial",
	"systematic-review": "Review of studies",
	"meta-analysis":     "Meta-analysis",
	"cohort":            "Follow-up study",
	"cross-sectional":   "Survey at one point in time",
	"lab-study":         "Laboratory study",
	"qualitative":       "Interview study",
	"theory":            "Theory",
	"clinical-book":     "Book from clinical practice",
	"guideline":         "Guideline",
	"report":            "Report",
}

// Label is the kind of study in words for a reader; "" where none is given.
func (e Evidence) Label() string { return evidenceLabels[e] }

// Link is an address of a work and the text that names it.
type Link struct {
	Label string // doi.org/10.1891/…, PubMed 9054347, or the address
	URL   string
}

// Links are the addresses of the work: DOI and PubMed where it has them, else
// its URL. An entry that has none gives none.
func (r *Reference) Links() []Link {
	var out []Link
	if r.DOI != "" {
		out = append(out, Link{Label: "doi.org/" + r.DOI, URL: r.DOIURL()})
	}
	if r.PMID != "" {
		out = append(out, Link{Label: "PubMed " + r.PMID, URL: r.PMIDURL()})
	}
	if len(out) == 0 && r.URL != "" {
		_, label, _ := strings.Cut(r.URL, "://")
		label = strings.TrimSuffix(label, "/")
		out = append(out, Link{Label: label, URL: r.URL})
	}
	return out
}

// DOIURL is the address of the DOI, "" without one. Old DOIs hold < > and the
// like, which are escaped.
func (r *Reference) DOIURL() string {
	if r.DOI == "" {
		return ""
	}
	u := url.URL{Scheme: "https", Host: "doi.org", Path: "/" + r.DOI}
	return u.String()
}

// PMIDURL is the address at PubMed, "" without a PMID.
func (r *Reference) PMIDURL() string {
	if r.PMID == "" {
		return ""
	}
	return "https://pubmed.ncbi.nlm.nih.gov/" + r.PMID + "/"
}

// Bibliography is the works by id, in the order of the file. It never changes
// after Load and may be read by many at once; a nil one is empty.
type Bibliography struct {
	all  []*Reference
	byID map[string]*Reference
}

// Get gives the work with an id.
func (b *Bibliography) Get(id string) (*Reference, bool) {
	if b == nil {
		return nil, false
	}
	r, ok := b.byID[id]
	return r, ok
}

// All gives the works in the order of the file.
func (b *Bibliography) All() []*Reference {
	if b == nil {
		return nil
	}
	return b.all
}

// IDs gives the ids in the order of the file.
func (b *Bibliography) IDs() []string {
	var out []string
	for _, r := range b.All() {
		out = append(out, r.ID)
	}
	return out
}
