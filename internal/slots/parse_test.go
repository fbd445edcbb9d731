package slots_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/slots"
)

const goodFile = `zone: Europe/London
length: 15m        # of a call
step: 30m
before: 0m
after: 10m
notice: 12h
notice_days: 0
horizon: 28
per_day: 4
week:
  mon: ["14:00-17:00", "10:00-12:00"]
  tue: ["22:30-24:00"]
dates:
  2026-12-25: []
  2026-12-31: ["10:00-11:00"]
`

func TestParseReadsTheFileOfTheContract(t *testing.T) {
	for name, text := range map[string]string{
		"as written":      goodFile,
		"with CRLF":       strings.ReplaceAll(goodFile, "\n", "\r\n"),
		"with a BOM":      "\ufeff" + goodFile,
		"with quoted key": strings.ReplaceAll(goodFile, "2026-12-25:", `"2026-12-25":`),
	} {
		t.Run(name, func(t *testing.T) {
			got, findings := slots.Parse("availability.yaml", []byte(text))
			if len(findings) > 0 {
				t.Fatalf("findings: %v", findings)
			}
			want := slots.Availability{
				Zone: got.Zone, Length: 15 * time.Minute, Step: 30 * time.Minute, After: 10 * time.Minute,
				Notice: 12 * time.Hour, Horizon: 28, PerDay: 4,
				Dates: map[slots.Date][]slots.Window{
					{Year: 2026, Month: 12, Day: 25}: {},
					{Year: 2026, Month: 12, Day: 31}: at("10:00-11:00"),
				},
			}
			want.Week[time.Monday] = at("10:00-12:00", "14:00-17:00")
			want.Week[time.Tuesday] = at("22:30-24:00")
			if got.Zone.String() != "Europe/London" {
				t.Errorf("zone %v", got.Zone)
			}
			got.Zone, want.Zone = nil, nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseNamesEachFaultWithItsLineAndTheRightForm(t *testing.T) {
	const head = "zone: Europe/London\nlength: 15m\nstep: 30m\n"
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", head + "lenght: 15m\n", `4: error: unknown key "lenght"`},
		{"unknown weekday", head + "week:\n  monday: []\n", `5: error: unknown weekday "monday": write mon`},
		{"reversed window", head + "week:\n  mon: [\"12:00-10:00\"]\n", `5: error: mon: "12:00-10:00" ends before it begins`},
		{"window over midnight", head + "week:\n  mon: [\"22:00-02:00\"]\n", `5: error: mon: "22:00-02:00" ends before it begins`},
		{"empty window", head + "week:\n  mon: [\"10:00-10:00\"]\n", `5: error: mon: "10:00-10:00" ends before it begins`},
		{"overlapping windows", head + "week:\n  mon:\n    - \"10:00-12:00\"\n    - \"11:00-13:00\"\n", `7: error: mon: 11:00-13:00 overlaps 10:00-12:00`},
		{"window after 24:00", head + "week:\n  mon: [\"23:00-24:30\"]\n", `5: error: mon: "23:00-24:30" has a time that no clock shows`},
		{"window of a minute 60", head + "week:\n  mon: [\"09:60-10:00\"]\n", `5: error: mon: "09:60-10:00" has a time that no clock shows`},
		{"window in words", head + "week:\n  mon: [\"ten to twelve\"]\n", `5: error: mon: "ten to twelve" is no stretch of time: write it as "10:00-12:00"`},
		{"window that is not a list", head + "week:\n  mon: \"10:00-12:00\"\n", `5: error: mon must have a list of times`},
		{"day without a list", head + "week:\n  mon:\n", `5: error: mon must have a list of times`},
		{"zero step", "zone: Europe/London\nlength: 15m\nstep: 0m\n", `3: error: step must be between 1m and 12h`},
		{"zero length", "zone: Europe/London\nlength: 0m\nstep: 5m\n", `2: error: length must be between 1m and 12h`},
		{"negative buffer", head + "after: -5m\n", `4: error: after must be between 0m and 24h`},
		{"length in seconds", "zone: Europe/London\nlength: 90s\nstep: 5m\n", `2: error: length must be whole minutes`},
		{"bare number", "zone: Europe/London\nlength: 15\nstep: 5m\n", `2: error: length must be a time such as 15m`},
		{"unknown zone", "zone: Europe/Londn\nlength: 15m\nstep: 30m\n", `1: error: unknown time zone "Europe/Londn": write a name such as Europe/London`},
		{"empty zone", "zone: \"\"\nlength: 15m\nstep: 30m\n", `1: error: unknown time zone ""`},
		{"local zone", "zone: Local\nlength: 15m\nstep: 30m\n", `1: error: unknown time zone "Local"`},
		{"zone that is a path", "zone: ../../etc/passwd\nlength: 15m\nstep: 30m\n", `1: error: unknown time zone`},
		{"impossible date", head + "dates:\n  2026-02-30: []\n", `5: error: "2026-02-30" is no date`},
		{"date in words", head + "dates:\n  christmas: []\n", `5: error: "christmas" is no date: write one such as 2026-12-31`},
		{"date written twice", head + "dates:\n  2026-12-31: []\n  \"2026-12-31\": [\"10:00-11:00\"]\n", `6: error:`},
		{"horizon below zero", head + "horizon: -1\n", `4: error: horizon must be a whole number between 0 and 366`},
		{"cap that is no number", head + "per_day: few\n", `4: error: per_day must be a whole number`},
		{"key written twice", head + "step: 15m\n", `4: error:`},
		{"nothing in it", "", `1: error: the file is empty`},
		{"a list", "- zone\n", `1: error: the file must be a list of keys and values`},
		{"no zone", "length: 15m\nstep: 30m\n", `1: error: zone is missing: write a line such as "zone: Europe/London"`},
		{"not YAML", "zone: [\n", `1: error:`},
		{"two documents", head + "---\n" + head, `4: error: a second document begins here`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, findings := slots.Parse("availability.yaml", []byte(c.text))
			if len(findings) != 1 {
				t.Fatalf("%d findings, want 1: %v", len(findings), findings)
			}
			if got := findings[0].String(); !strings.HasPrefix(got, "availability.yaml:"+c.want) {
				t.Errorf("got  %s\nwant availability.yaml:%s…", got, c.want)
			}
		})
	}
}

func TestParseReportsAllFaultsAtOnce(t *testing.T) {
	_, findings := slots.Parse("a.yaml", []byte("zone: Nowhere\nlength: 0m\nstep: x\nhue: 3\nweek:\n  mon: [\"a\", \"b\"]\n"))
	if got, want := len(findings), 6; got != want {
		t.Errorf("%d findings, want %d: %v", got, want, findings)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(goodFile)
	f.Add("week: {mon: &a [\"10:00-11:00\"], tue: *a}\n")
	f.Fuzz(func(t *testing.T, text string) {
		a, findings := slots.Parse("a.yaml", []byte(text))
		if len(findings) == 0 && (a.Zone == nil || a.Length <= 0 || a.Step <= 0) {
			t.Errorf("accepted without zone, length or step: %+v", a)
		}
		var _ fault.Findings = findings
	})
}

func TestLoadZone(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
	}{
		{"Europe/Kyiv", true},
		{"Europe/Kiev", true},
		{"Asia/Kolkata", true},
		{"Asia/Calcutta", true},
		{"UTC", true},
		{"", false},
		{"Local", false},
		{"Europe/Atlantis", false},
		{"../etc/localtime", false},
		{"/etc/localtime", false},
		{strings.Repeat("a", 65), false},
	} {
		t.Run("booking-H18 "+c.name, func(t *testing.T) {
			zone, err := slots.LoadZone(c.name)
			if (err == nil) != c.ok {
				t.Fatalf("error %v, want ok = %v", err, c.ok)
			}
			if c.ok && zone.String() != c.name {
				t.Errorf("the name did not survive: %s", zone)
			}
		})
	}
}
