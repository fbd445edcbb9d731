package editor

import (
	"strings"
	"testing"
)

func TestSyllables(t *testing.T) {
	tests := map[int]string{
		1: "a the me be you they who my by eye time whole these made asked looked don’t can't yes true through friends shame months there were years guilt once house learn",
		2: "table little people danger reading leaving houses wanted needed didn’t couldn't someone something safety lonely careful being trying saying quiet create letter idle " +
			"quickly helpline somewhere movement café half-way changes wishes study lion basis yourself",
		3: "evidence attachment easier idea area however easiest physical another anyone usual continued already half-hourly wonderful remember radio",
		4: "EMDR especially definition material psychology television intermittent separated",
		5: "individual psychological university unpredictable",
	}
	for want, words := range tests {
		for _, word := range strings.Fields(words) {
			if got := Syllables(word); got != want {
				t.Errorf("Syllables(%q) = %d, want %d", word, got, want)
			}
		}
	}
	if Syllables("") != 0 || Syllables("-") != 0 || Syllables("hm") != 1 {
		t.Error("no word has none, and any word has one")
	}
}
