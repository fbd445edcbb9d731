package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVancouver(t *testing.T) {
	year := Date{Year: 1993}
	dutton := []Name{{Family: "Dutton", Given: "D. G."}, {Family: "Painter", Given: "S."}}
	seven := []Name{{Family: "A", Given: "A"}, {Family: "B", Given: "B"}, {Family: "C", Given: "C"}, {Family: "D", Given: "D"}, {Family: "E", Given: "E"}, {Family: "F", Given: "F"}, {Family: "G", Given: "G"}}
	tests := []struct {
		name, want string
		ref        Reference
	}{
		{
			"an article", "Dutton DG, Painter S. A test. Violence and Victims. 1993;8(2):105–120.",
			Reference{Type: "article-journal", Authors: dutton, Title: "A test", Container: "Violence and Victims", Volume: "8", Issue: "2", Page: "105-120", Issued: year},
		},
		{
			"an article with no issue", "Dutton DG, Painter S. A test. Science. 1993;8:1.",
			Reference{Type: "article-journal", Authors: dutton, Title: "A test", Container: "Science", Volume: "8", Page: "1", Issued: year},
		},
		{
			"an article with an article number only", "Dutton DG, Painter S. A test. Science. 1993:109003.",
			Reference{Type: "article-journal", Authors: dutton, Title: "A test", Container: "Science", Page: "109003", Issued: year},
		},
		{
			"a title that asks", "Dutton DG, Painter S. Is it so? Science. 1993.",
			Reference{Type: "article-journal", Authors: dutton, Title: "Is it so?", Container: "Science", Issued: year},
		},
		{
			"quotes and brackets in a title", "O’Hara A. “A Stalker’s Paradise” (2nd ed.). ‘So’. 1993.",
			Reference{Type: "book", Authors: []Name{{Family: "O'Hara", Given: "A"}}, Title: `"A Stalker's Paradise" (2nd ed.)`, Edition: "'So'", Issued: year},
		},
		{
			"seven authors", "A A, B B, C C, D D, E E, F F, et al. T. J. 1993.",
			Reference{Type: "article-journal", Authors: seven, Title: "T", Container: "J", Issued: year},
		},
		{
			"six authors", "A A, B B, C C, D D, E E, F F. T. J. 1993.",
			Reference{Type: "article-journal", Authors: seven[:6], Title: "T", Container: "J", Issued: year},
		},
		{
			"a book", "Dutton DG, Painter S. A book. 2nd ed. New York: Basic Books; 1993.",
			Reference{Type: "book", Authors: dutton, Title: "A book", Publisher: "Basic Books", Place: "New York", Edition: "2", Issued: year},
		},
		{
			"an edited book", "Dutton DG, Painter S, editors. A book. Basic Books; 1993.",
			Reference{Type: "book", Editors: dutton, Title: "A book", Publisher: "Basic Books", Issued: year},
		},
		{
			"a chapter", "Dutton DG. A part. In: Painter S, editor. A book. Guilford Press; 1993. p. 1–9.",
			Reference{Type: "chapter", Authors: dutton[:1], Editors: dutton[1:], Title: "A part", Container: "A book", Publisher: "Guilford Press", Page: "1-9", Issued: year},
		},
		{
			"a report by a body that prints it itself", "NICE. PTSD. 1993.",
			Reference{Type: "report", Authors: []Name{{Literal: "NICE"}}, Title: "PTSD", Publisher: "NICE", Issued: year},
		},
		{
			"a guideline in a journal", "NICE. PTSD. American Psychologist. 1993;74(5):596–607.",
			Reference{Type: "report", Authors: []Name{{Literal: "NICE"}}, Title: "PTSD", Container: "American Psychologist", Volume: "74", Issue: "5", Page: "596-607", Issued: year},
		},
		{
			"names of many shapes", "van der Kolk BA, King ML Jr, Dupont JP, O’Hara É, Plato. T. J. in press.",
			Reference{Type: "article-journal", Title: "T", Container: "J", Issued: Date{Literal: "in press"}, Authors: []Name{
				{Family: "Kolk", Particle: "van der", Given: "Bessel A."},
				{Family: "King", Given: "Martin Luther", Suffix: "Jr."},
				{Family: "Dupont", Given: "Jean-Paul"},
				{Family: "O’Hara", Given: "élise"},
				{Literal: "Plato"},
			}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.ref.Vancouver()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestShort(t *testing.T) {
	people := []Name{{Family: "Dutton"}, {Family: "Painter"}, {Family: "Kolk", Particle: "van der"}}
	for n, want := range []string{"1993", "Dutton, 1993", "Dutton and Painter, 1993", "Dutton and others, 1993"} {
		r := Reference{Authors: people[:n], Issued: Date{Year: 1993}}
		if got := r.Short(); got != want {
			t.Errorf("Short with %d authors = %q, want %q", n, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	tests := []struct {
		name string
		ref  Reference
		want []Link
	}{
		{"DOI and PMID", Reference{DOI: "10.1126/science.1077349", PMID: "12649484", URL: "https://x.example/"}, []Link{
			{"doi.org/10.1126/science.1077349", "https://doi.org/10.1126/science.1077349"},
			{"PubMed 12649484", "https://pubmed.ncbi.nlm.nih.gov/12649484/"},
		}},
		{"an address only", Reference{URL: "https://www.nice.org.uk/guidance/ng116/"}, []Link{{"www.nice.org.uk/guidance/ng116", "https://www.nice.org.uk/guidance/ng116/"}}},
		{"an old DOI with marks", Reference{DOI: "10.1002/(SICI)17:15<1661::AID>3.0.CO;2-2"}, []Link{
			{"doi.org/10.1002/(SICI)17:15<1661::AID>3.0.CO;2-2", "https://doi.org/10.1002/%28SICI%2917:15%3C1661::AID%3E3.0.CO;2-2"},
		}},
		{"none", Reference{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.ref.Links()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
