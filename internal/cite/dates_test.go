package cite

import "testing"

func TestDatesThatCannotBe(t *testing.T) {
	tests := []struct {
		name string
		date Date
		want string
	}{
		{"a year", Date{Year: 1993}, ""},
		{"a season", Date{Year: 1993, Month: 21}, ""},
		{"a leap day", Date{Year: 2028, Month: 2, Day: 29}, ""},
		{"words", Date{Literal: "in press"}, ""},
		{"nothing", Date{}, "no year; write it as `issued: 1993`"},
		{"a short year", Date{Year: 93}, "93 is not a year of four digits"},
		{"a long year", Date{Year: 19930}, "19930 is not a year of four digits"},
		{"a month too many", Date{Year: 1993, Month: 25}, "there is no month 25"},
		{"a day too many", Date{Year: 1993, Month: 2, Day: 29}, "1993-02-29 is not a day of the calendar"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.date.problem(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEdition(t *testing.T) {
	tests := map[string]string{
		"": "", "1": "", "2": "2nd ed", "3": "3rd ed", "4": "4th ed", "11": "11th ed", "21": "21st ed", "112": "112th ed", "Revised edition": "Revised edition",
	}
	for in, want := range tests {
		if got := edition(in); got != want {
			t.Errorf("edition(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWithoutIdentifiers(t *testing.T) {
	r := &Reference{Title: "T", Issued: Date{Year: 1993}}
	if r.DOIURL() != "" || r.PMIDURL() != "" || r.Vancouver() != "T. 1993." || Evidence("hearsay").Label() != "" {
		t.Errorf("%q %q %q", r.DOIURL(), r.PMIDURL(), r.Vancouver())
	}
}
