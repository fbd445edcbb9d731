package templates

import "testing"

func TestWordsOfPaths(t *testing.T) {
	steps := make([]StepView, 5)
	tests := []struct{ got, want string }{
		{few(0, "article"), "no articles"},
		{few(1, "article"), "one article"},
		{few(12, "path"), "twelve paths"},
		{few(13, "path"), "13 paths"},
		{StepView{ArticleLink: ArticleLink{Minutes: 1}}.what(), "1 minute"},
		{StepView{ArticleLink: ArticleLink{Minutes: 7}, Exercise: true, Drawing: true}.what(), "7 minutes · with something to try · with a drawing"},
		{PathView{Steps: steps, Minutes: 9}.extent(), "five articles, about 9 minutes in all"},
		{PathView{Steps: steps, Minutes: 33, Exercises: true}.extent(), "five articles, about 35 minutes in all, each with something to try"},
		{PathView{Steps: steps[:1], Minutes: 12}.extent(), "one article, about 10 minutes in all"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
