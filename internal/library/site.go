package library

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/steadier/steadier/internal/cite/yamlfile"
	"github.com/steadier/steadier/internal/fault"
)

var (
	siteKeys = []string{
		"name", "tagline", "language", "practice", "sender", "notify", "country", "exit",
		"self_assessment",
	}
	practiceKeys = []string{"name", "phone", "email", "post"}
	senderKeys   = []string{"name", "address"}
	languageForm = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
	countryForm  = regexp.MustCompile(`^[A-Z]{2}$`)
	phoneForm    = regexp.MustCompile(`^\+?[0-9](?:[-0-9 ()./]*[0-9])?$`)
	mailForm     = regexp.MustCompile(`^[^\s@<>,;:"()\[\]\\]+@[^\s@<>,;:"()\[\]\\]+\.[^\s@<>,;:"()\[\]\\.]+$`)
)

// site reads site.yaml. Required are a name and the address to leave to: no page
// is served without them.
func (l *loader) site() Site {
	text, ok := l.yaml(siteFile)
	if !ok {
		if !l.broken[siteFile] {
			l.report(fault.Errorf(siteFile, 1,
				"site.yaml is missing; it says at least `name:`, what the site is called, and "+
					"`exit:`, the https address that “Leave this site” leads to"))
		}
		return Site{}
	}
	node, findings := yamlfile.Parse(siteFile, []byte(text), 1)
	if node == nil {
		l.report(findings...)
		return Site{}
	}
	rec := yamlfile.Open(siteFile, "the settings of the site", node, siteKeys, &findings)
	s := Site{
		Name: rec.Need("name", "what the site is called"), Tagline: rec.Text("tagline"),
		Language: rec.Text("language"), Notify: rec.Text("notify"), Country: strings.ToUpper(rec.Text("country")),
		Exit: rec.Need("exit",
			"the https address that “Leave this site” leads "+
				"to"), SelfAssessment: rec.Bool("self_assessment"),
	}
	l.countryLine, l.assessmentLine = rec.LineOf("country"), rec.LineOf("self_assessment")
	checkSite(rec, &s)
	s.Practice, s.Sender = sitePeople(rec, &findings)
	fillSite(&s)
	l.report(findings...)
	return s
}

func checkSite(rec *yamlfile.Record, s *Site) {
	if s.Exit != "" && !exitAddress(s.Exit) {
		rec.Errorf("exit",
			"exit: %q can't be left to; write a whole https address, such as "+
				"https://www.wikipedia.org/", s.Exit)
	}
	if s.Language != "" && !languageForm.MatchString(s.Language) {
		rec.Errorf("language",
			"language: %q is no language code; write one such as en or en-GB", s.Language)
	}
	if s.Country != "" && !countryForm.MatchString(s.Country) {
		rec.Errorf("country",
			"country: %q is no country code; write two letters, such as GB", s.Country)
	}
	if s.Country != "" && countryForm.MatchString(s.Country) {
		checkCountryCode(rec, s.Country)
	}
	checkAddress(rec, "notify", s.Notify)
}

// checkCountryCode wants a code of ISO 3166 as it is, not another name for it.
func checkCountryCode(rec *yamlfile.Record, code string) {
	region, err := language.ParseRegion(code)
	switch {
	case err != nil || !region.IsCountry():
		rec.Errorf("country", "country: there is no country %s; write its two letters, such as GB", code)
	case region.Canonicalize().String() != code:
		rec.Errorf("country", "country: %s is not its code; write %s", code, region.Canonicalize())
	}
}

// checkAddress wants an address that any mail server takes: ASCII before the @.
func checkAddress(rec *yamlfile.Record, key, address string) {
	if address == "" {
		return
	}
	local, _, _ := strings.Cut(address, "@")
	if !mailForm.MatchString(address) || strings.ContainsFunc(local, func(r rune) bool { return r > unicode.MaxASCII }) {
		rec.Errorf(key, "%s: %q is no e-mail address that every mail server takes; write one such as post@example.org", key, address)
	}
}

func sitePeople(rec *yamlfile.Record, findings *fault.Findings) (p Practice, s Sender) {
	if n := rec.Node("practice"); n != nil {
		r := yamlfile.Open(siteFile, "practice", n, practiceKeys, findings)
		p = Practice{Name: r.Text("name"), Phone: r.Text("phone"), Email: r.Text("email")}
		p.Post, _ = r.Passage("post")
		checkAddress(r, "email", p.Email)
		if p.Phone != "" && !phoneForm.MatchString(p.Phone) {
			r.Errorf("phone", "phone: %q is no phone number; write one such as +44 20 7946 0958", p.Phone)
		}
	}
	if n := rec.Node("sender"); n != nil {
		r := yamlfile.Open(siteFile, "sender", n, senderKeys, findings)
		s = Sender{Name: r.Text("name"), Address: r.Text("address")}
		checkAddress(r, "address", s.Address)
	}
	return p, s
}

func fillSite(s *Site) {
	if s.Language == "" {
		s.Language = "en"
	}
	if s.Practice.Name == "" {
		s.Practice.Name = s.Name
	}
	if s.Sender.Name == "" {
		s.Sender.Name = s.Name
	}
}

// exitAddress reports whether an address may be left to: https, or http on this
// machine, for tests.
func exitAddress(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.ContainsAny(s, "\\\"<> ") {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
