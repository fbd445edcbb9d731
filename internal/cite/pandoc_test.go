package cite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseGroup(t *testing.T) {
	tests := []struct {
		name, in string
		want     []Citation
		result   Result
		rest     string
	}{
		{name: "one work", in: "[@dutton1993] and", want: []Citation{{Key: "dutton1993"}}, result: IsCitation, rest: " and"},
		{name: "two works", in: "[@a; @b]", want: []Citation{{Key: "a"}, {Key: "b"}}, result: IsCitation},
		{
			name: "prefix and locator", in: "[see @a, p. 33; also  @b, chap. 2 and *passim*]", result: IsCitation,
			want: []Citation{{Key: "a", Prefix: "see", Locator: "p. 33"}, {Key: "b", Prefix: "also", Locator: "chap. 2 and *passim*"}},
		},
		{name: "author left out", in: "[-@a]", want: []Citation{{Key: "a", SuppressAuthor: true}}, result: IsCitation},
		{name: "locator without a comma", in: "[@a p. 3]", want: []Citation{{Key: "a", Locator: "p. 3"}}, result: IsCitation},
		{name: "locator in brackets", in: "[@a [p. 3]]", want: []Citation{{Key: "a", Locator: "p. 3"}}, result: IsCitation},
		{name: "key in braces", in: "[@{https://x.example/a b}]", want: []Citation{{Key: "https://x.example/a b"}}, result: IsCitation},
		{name: "marks inside a key", in: "[@doe:2001/a-b_c.d]", want: []Citation{{Key: "doe:2001/a-b_c.d"}}, result: IsCitation},
		{name: "a mark at the end is not of the key", in: "[@doe2001.]", want: []Citation{{Key: "doe2001", Locator: "."}}, result: IsCitation},
		{name: "two marks end a key", in: "[@a--b]", want: []Citation{{Key: "a", Locator: "--b"}}, result: IsCitation},
		{name: "letters of any script", in: "[@müller2020]", want: []Citation{{Key: "müller2020"}}, result: IsCitation},
		{name: "a line break inside", in: "[@a;\n@b]", want: []Citation{{Key: "a"}, {Key: "b"}}, result: IsCitation},
		{name: "a citation may follow at once", in: "[@a][@b]", want: []Citation{{Key: "a"}}, result: IsCitation, rest: "[@b]"},
		{name: "a footnote may follow at once", in: "[@a][^1]", want: []Citation{{Key: "a"}}, result: IsCitation, rest: "[^1]"},

		{name: "an e-mail address", in: "[write to a@b.example]", result: NotCitation},
		{name: "a link", in: "[@home](https://x.example)", result: NotCitation},
		{name: "a reference link", in: "[@home][x]", result: NotCitation},
		{name: "a footnote", in: "[^1]", result: NotCitation},
		{name: "plain brackets", in: "[sic]", result: NotCitation},
		{name: "never closed", in: "[@a", result: NotCitation},
		{name: "nothing", in: "", result: NotCitation},
		{name: "no bracket", in: "@a]", result: NotCitation},
		{name: "a key far away", in: "[" + strings.Repeat("x", 2000) + "@a]", result: NotCitation},

		{name: "SEC-H13 markup for a key", in: `[@"><b>]`, result: BadCitation},
		{name: "no key at all", in: "[@]", result: BadCitation},
		{name: "a comma instead of a semicolon", in: "[@a, @b]", result: BadCitation},
		{name: "a part without a key", in: "[@a; p. 33]", result: BadCitation},
		{name: "an empty part", in: "[@a;]", result: BadCitation},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, result := ParseGroup(tt.in)
			if result != tt.result {
				t.Fatalf("result = %v, want %v (%+v)", result, tt.result, g)
			}
			if diff := cmp.Diff(tt.want, g.Citations); diff != "" {
				t.Error(diff)
			}
			if result == IsCitation && tt.in[g.Len:] != tt.rest {
				t.Errorf("rest = %q, want %q", tt.in[g.Len:], tt.rest)
			}
		})
	}
}

func TestValidKey(t *testing.T) {
	for id, want := range map[string]bool{"dutton1993": true, "a:b": true, "_x": true, "": false, "a b": false, "a.": false, "{a}": false, "-a": false} {
		if got := ValidKey(id); got != want {
			t.Errorf("ValidKey(%q) = %v, want %v", id, got, want)
		}
	}
}

func FuzzParseGroup(f *testing.F) {
	for _, s := range []string{"[@a; see @b, p. 3]", "[@{a}]", `[@"><b>]`, "[-@a [x]]", "[a@b]", "[@a\xff]", "[[[@a]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		g, result := ParseGroup(in)
		if result == NotCitation {
			return
		}
		if g.Len < 2 || g.Len > len(in) || in[g.Len-1] != ']' {
			t.Fatalf("%q: group of %d bytes", in, g.Len)
		}
		if (result == IsCitation) != (len(g.Citations) > 0) {
			t.Fatalf("%q: %v with %d citations", in, result, len(g.Citations))
		}
	})
}
