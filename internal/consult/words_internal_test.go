package consult

import (
	"slices"
	"strings"
	"testing"
)

func TestTheWordListIsWhole(t *testing.T) {
	words := strings.Fields(codeWords)
	if len(words) != wordCount || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != wordCount {
		t.Fatalf("%d words, sorted %v: want %d different ones in order", len(words), slices.IsSorted(words), wordCount)
	}
	for _, word := range words {
		if strings.ToLower(word) != word || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || len(word) < 3 || len(word) > 9 {
			t.Errorf("%q is not a plain short word", word)
		}
		if Banned(word) != "" {
			t.Errorf("%q tells something", word)
		}
	}
}

func TestBannedFindsWordsByTheirBeginning(t *testing.T) {
	for text, want := range map[string]string{
		"Trauma": "trauma", "pre-trauma care": "trauma", "a Therapist’s": "therapist", "counselling": "counsel",
		"James Bond": "bond", "vagabond": "", "a call": "", "recovery": "recovery", "Discoach": "",
	} {
		if got := Banned(text); got != want {
			t.Errorf("Banned(%q) = %q, want %q", text, got, want)
		}
	}
	if got := neutral("Trauma Therapy London", "Appointments"); got != "Appointments" {
		t.Errorf("neutral: %q", got)
	}
}
