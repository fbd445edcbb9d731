package templates

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumbersThatCanBeDialled(t *testing.T) {
	for text, want := range map[string][]piece{
		"112":                       {{"112", "tel:112"}},
		"112 or 999":                {{"112", "tel:112"}, {" or ", ""}, {"999", "tel:999"}},
		"17 (police), 112; SMS 114": {{"17", "tel:17"}, {" (police), ", ""}, {"112", "tel:112"}, {"; SMS 114", ""}},
		"999 (press 55 when asked)": {{"999", "tel:999"}, {" (press 55 when asked)", ""}},
		"1 800 363-9010":            {{"1\u00a0800\u00a0363\u20119010", "tel:18003639010"}},
		"+44 20 7946 0958":          {{"+44\u00a020\u00a07946\u00a00958", "tel:+442079460958"}},
		"0800 111 0 111, 0800 111 0 222 or 116 123": {
			{"0800\u00a0111\u00a00\u00a0111", "tel:08001110111"},
			{", ", ""},
			{"0800\u00a0111\u00a00\u00a0222", "tel:08001110222"},
			{" or ", ""},
			{"116\u00a0123", "tel:116123"},
		},
		"by chat": {{"by chat", ""}},
		"":        nil,
	} {
		if diff := cmp.Diff(want, numbers(text), cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("%q: -want +got\n%s", text, diff)
		}
	}
}
