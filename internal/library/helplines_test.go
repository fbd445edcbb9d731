package library

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const oneLine = `countries:
- iso: GB
  name: United Kingdom
  services:
  - name: The Line
    kind: crisis
    phone: '116 123'
    CHECKED
`

// reader-H36: a check that grew old is a warning, then words on the page; a line
// that was never checked is not shown.
func TestTheAgeOfACheck(t *testing.T) {
	now := time.Date(2026, 12, 1, 23, 59, 0, 0, time.FixedZone("west", -5*3600)) // 2 December, UTC
	today := day("2026-12-02")
	tests := []struct {
		name    string
		checked string
		shown   bool
		ask     bool
		warning string
	}{
		{name: "reader-H36 today", checked: dated(today, 0), shown: true},
		{name: "reader-H36 180 days ago", checked: dated(today, 180), shown: true},
		{
			name: "reader-H36 181 days ago", checked: dated(today, 181), shown: true,
			warning: "helplines.yaml:8: warning: The Line (United Kingdom) was last checked 181 days ago, on 2026-06-04; confirm it on the service's own page and set checked-on",
		},
		{
			name: "reader-H36 365 days ago", checked: dated(today, 365), shown: true,
			warning: "helplines.yaml:8: warning: The Line (United Kingdom) was last checked 365 days ago, on 2025-12-02; confirm it on the service's own page and set checked-on",
		},
		{
			name: "reader-H36 366 days ago", checked: dated(today, 366), shown: true, ask: true,
			warning: "helplines.yaml:8: warning: The Line (United Kingdom) was last checked 366 days ago, on 2025-12-01; confirm it on the service's own page and set checked-on",
		},
		{name: "reader-H36 never", checked: "note: nobody knows"},
		{name: "a check that lies ahead", checked: dated(today, -3), shown: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lib, findings := Load(folder(map[string]string{"helplines.yaml": strings.Replace(oneLine, "CHECKED", tt.checked, 1)}), Options{Now: now})
			got := strings.Join(lines(findings), "\n")
			if diff := cmp.Diff(tt.warning, got); diff != "" || lib == nil {
				t.Fatal(diff)
			}
			services := lib.Countries[0].Services
			if shown := len(services) == 1; shown != tt.shown || shown && services[0].CheckThisNumber != tt.ask {
				t.Errorf("services: %+v", services)
			}
		})
	}
}

func dated(today time.Time, ago int) string {
	return "checked-on: '" + today.AddDate(0, 0, -ago).Format(time.DateOnly) + "'"
}

func TestHelplineFaults(t *testing.T) {
	in := `general:
- One thing.
contries: []
countries:
- iso: Britain
  name: United Kingdom
  services:
  - name: A
    kind: krisis
    phone: 1
    chekced-on: 2026-12-01
  - kind: crisis
    url: www.example.org
  - name: C
    kind: crisis
    checked-on: 2026-12-32
    chat: often
- iso: IE
  services: none
- iso: IE
  name: Ireland
`
	_, findings := Load(folder(map[string]string{"helplines.yaml": in}), Options{Now: now})
	want := []string{
		`helplines.yaml:3: error: unknown key "contries" in the helplines; did you mean countries?`,
		`helplines.yaml:5: error: iso: "BRITAIN" is no country code; write two letters, such as GB`,
		`helplines.yaml:9: error: unknown kind "krisis"; known are domestic-abuse, crisis and victims`,
		`helplines.yaml:11: error: unknown key "chekced-on" in a service; did you mean checked-on?`,
		"helplines.yaml:12: error: name is missing; what the service is called",
		`helplines.yaml:13: error: url: "www.example.org" is no web address; it begins with https:// or http://`,
		"helplines.yaml:14: error: C has no way to reach it; give phone, text or url",
		"helplines.yaml:16: error: checked-on: 2026-12-32 is not a day of the calendar",
		"helplines.yaml:17: error: chat must be true or false",
		"helplines.yaml:18: error: name is missing; the country",
		"helplines.yaml:19: error: services must be a list; begin each entry with a hyphen",
		"helplines.yaml:20: error: the country IE stands on line 18 already; put its services together",
	}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Error(diff)
	}
}

func TestASiteInACountryWithoutHelplines(t *testing.T) {
	_, findings := Load(folder(map[string]string{"site.yaml": goodSite + "country: FR\n", "helplines.yaml": strings.Replace(oneLine, "CHECKED", "note: x", 1)}), Options{Now: now})
	want := []string{"site.yaml:3: warning: country: FR has no helplines in helplines.yaml; add some, or choose another country"}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Error(diff)
	}
}

func TestThePriceInWords(t *testing.T) {
	for in, want := range map[string]string{"true": "Free", "false": "Not free", "unknown": "", "": "", "local call rate": "local call rate"} {
		if got := free(in); got != want {
			t.Errorf("free(%q) = %q, want %q", in, got, want)
		}
	}
}

// The helplines that ship read without a fault, and those that nobody confirmed
// stay out.
func TestShippedHelplines(t *testing.T) {
	data, err := os.ReadFile("../../content/helplines.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lib := load(t, folder(map[string]string{"helplines.yaml": string(data)}))
	n := 0
	for _, c := range lib.Countries {
		if c.Emergency == "" {
			t.Errorf("%s has no emergency number", c.Name)
		}
		for _, s := range c.Services {
			n++
			if s.CheckedOn.IsZero() || s.Kind.Label() == "" || s.Name == "Assaulted Women's Helpline (Ontario)" {
				t.Errorf("shown: %+v", s)
			}
		}
	}
	if len(lib.Countries) < 30 || n < 80 || len(lib.General) == 0 {
		t.Errorf("%d countries, %d services, %d general", len(lib.Countries), n, len(lib.General))
	}
}

// A file that can't be read is a fault of that file, not of the folder.
func TestUnreadableFiles(t *testing.T) {
	_, findings := Load(unreadable{folder(nil)}, Options{Now: now})
	want := []string{
		"articles/a.md:1: error: the file can't be read: permission denied",
		"assessment.yaml:1: error: the file can't be read: permission denied",
		"glossary.yaml:1: error: the file can't be read: permission denied",
		"helplines.yaml:1: error: the file can't be read: permission denied",
		"references.yaml:1: error: the file can't be read: permission denied",
		"site.yaml:1: error: the file can't be read: permission denied",
	}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Error(diff)
	}
}

type unreadable struct{ fs.FS }

func (u unreadable) Open(name string) (fs.File, error) {
	if strings.Contains(name, ".") && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("permission denied")}
	}
	return u.FS.Open(name)
}
