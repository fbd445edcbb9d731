package library

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
)

// A check of a helpline grows old: after so many days it is a warning, then words
// on the page. Safety rules of the site; case reader-H36.
const (
	checkStale = 180
	checkOld   = 365
)

// Country is a country of the helplines.
type Country struct {
	ISO       string // two letters, upper case
	Name      string
	Emergency string // the number, with a word on it where one is needed
	Note      string
	Services  []Service // those that were confirmed once, in the order of the file
}

// ID is the anchor of the country on a page.
func (c *Country) ID() string { return strings.ToLower(c.ISO) }

// ServiceKind is what a service is for.
type ServiceKind string

// The kinds of service.
const (
	DomesticAbuse ServiceKind = "domestic-abuse"
	Crisis        ServiceKind = "crisis"
	Victims       ServiceKind = "victims"
)

// Label is the kind in words for a reader.
func (k ServiceKind) Label() string {
	switch k {
	case DomesticAbuse:
		return "Domestic abuse"
	case Crisis:
		return "Crisis, suicide and distress"
	case Victims:
		return "Victims of crime"
	}
	return ""
}

// Service is one helpline. Fields that the file leaves out are empty.
type Service struct {
	Name  string
	Kind  ServiceKind
	Who   string // whom it is for
	Phone string
	Text  string
	Chat  bool
	Hours string
	Free  string // "Free", "Not free", words of its own, or "" for unknown
	Bill  string // what a source says about phone bills
	URL   string
	Note  string

	CheckedOn       time.Time // midnight UTC; never zero on a service that is shown
	CheckedAt       string    // the page that confirmed it
	CheckThisNumber bool      // confirmed more than 365 days ago
}

var (
	helplineKeys = []string{"general", "countries"}
	countryKeys  = []string{"iso", "name", "emergency", "note", "services"}
	serviceKeys  = []string{
		"name", "kind", "who", "phone", "text", "chat", "hours", "free", "bill", "url", "note",
		"checked-on", "checked-at",
	}
)

// helplines reads helplines.yaml; nothing if there is no such file.
func (l *loader) helplines() (general []string, countries []*Country) {
	text, ok := l.yaml(helplinesFile)
	if !ok {
		return nil, nil
	}
	node, findings := yamlfile.Parse(helplinesFile, []byte(text), 1)
	if node == nil || node.Kind == yamlfile.Null {
		l.report(findings...)
		return nil, nil
	}
	r := helplineReader{findings: &findings, now: l.opts.Now, seen: map[string]int{}}
	rec := yamlfile.Open(helplinesFile, "the helplines", node, helplineKeys, r.findings)
	for _, item := range rec.Texts("general") {
		general = append(general, item.Text)
	}
	for _, n := range list(rec, "countries") {
		if c := r.country(n); c != nil {
			countries = append(countries, c)
		}
	}
	slices.SortStableFunc(countries, func(a, b *Country) int {
		return cmp.Compare(fold(a.Name), fold(b.Name))
	})
	l.report(findings...)
	return general, countries
}

type helplineReader struct {
	findings *fault.Findings
	now      time.Time
	seen     map[string]int // countries, with the lines of their codes
}

// list is the entries of a list, none where there is no list.
func list(rec *yamlfile.Record, key string) []*yamlfile.Node {
	n := rec.Node(key)
	if n == nil {
		return nil
	}
	if n.Kind != yamlfile.List {
		rec.Errorf(key, "%s must be a list; begin each entry with a hyphen", key)
	}
	return n.Items
}

func (r helplineReader) country(n *yamlfile.Node) *Country {
	rec := yamlfile.Open(helplinesFile, "a country", n, countryKeys, r.findings)
	if rec == nil {
		return nil
	}
	c := &Country{
		ISO: strings.ToUpper(rec.Need("iso",
			"two letters, such as GB")), Name: rec.Need("name", "the country"),
		Emergency: rec.Text("emergency"), Note: rec.Text("note"),
	}
	if c.ISO != "" && !countryForm.MatchString(c.ISO) {
		rec.Errorf("iso", "iso: %q is no country code; write two letters, such as GB", c.ISO)
	}
	if first, twice := r.seen[c.ISO]; twice && c.ISO != "" {
		rec.Errorf("iso",
			"the country %s stands on line %d already; put its services together", c.ISO, first)
	}
	r.seen[c.ISO] = rec.LineOf("iso")
	for _, s := range list(rec, "services") {
		service, ok := r.service(s, c)
		if ok && !service.CheckedOn.IsZero() {
			c.Services = append(c.Services, service)
		}
	}
	return c
}

func (r helplineReader) service(n *yamlfile.Node, c *Country) (Service, bool) {
	rec := yamlfile.Open(helplinesFile, "a service", n, serviceKeys, r.findings)
	if rec == nil {
		return Service{}, false
	}
	s := Service{
		Name: rec.Need("name", "what the service is called"),
		Kind: ServiceKind(rec.Need("kind", "domestic-abuse, crisis or victims")),
		Who:  rec.Text("who"), Phone: rec.Text("phone"), Text: rec.Text("text"), Chat: rec.Bool("chat"),
		Hours: rec.Text("hours"), Free: free(rec.Text("free")), Bill: rec.Text("bill"),
		URL: rec.Text("url"), Note: rec.Text("note"),
		CheckedOn: rec.Date("checked-on"), CheckedAt: rec.Text("checked-at"),
	}
	if s.Kind != "" && s.Kind.Label() == "" {
		rec.Errorf("kind", "unknown kind %q; known are domestic-abuse, crisis and victims", s.Kind)
	}
	for _, key := range []string{"url", "checked-at"} {
		if address := rec.Text(key); address != "" && !webAddress(address) {
			rec.Errorf(key,
				"%s: %q is no web address; it begins with https:// or http://", key, address)
		}
	}
	if s.Phone == "" && s.Text == "" && !s.Chat && s.URL == "" {
		rec.Errorf("name", "%s has no way to reach it; give phone, text or url", s.Name)
	}
	r.age(rec, &s, c)
	return s, true
}

// age looks at how long ago a service was confirmed.
func (r helplineReader) age(rec *yamlfile.Record, s *Service, c *Country) {
	if s.CheckedOn.IsZero() {
		return
	}
	days := int(r.now.UTC().Truncate(24*time.Hour).Sub(s.CheckedOn) / (24 * time.Hour))
	s.CheckThisNumber = days > checkOld
	if days > checkStale {
		*r.findings = append(*r.findings, fault.Warnf(helplinesFile, rec.LineOf("checked-on"),
			"%s (%s) was last checked %d days ago, on %s; "+
				"confirm it on the service's own page and set "+
				"checked-on", s.Name, c.Name, days, s.CheckedOn.Format(time.DateOnly)))
	}
}

// free puts what the file says about the price into words for a reader.
func free(text string) string {
	switch strings.ToLower(text) {
	case "true", "yes":
		return "Free"
	case "false", "no":
		return "Not free"
	case "unknown":
		return ""
	}
	return text
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	web := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	return web && !strings.ContainsAny(s, " \\\"<>")
}
