package templates

import "github.com/steadier/steadier/internal/consult"

// GalleryView is what the gallery shows of the content; the rest are samples.
type GalleryView struct {
	CSS      string // address of the style sheet that shows both themes
	Markdown string // HTML: an article's body
	Source   SourceView
	Articles []ArticleLink
	Found    SearchView
}

var galleryProblem = Problem{
	Title: "Two things to put right",
	Fields: []ProblemField{
		{"slot", "Choose a time."},
		{"phone", "Check the phone number. With the country code it looks like +44 20 7946 0018."},
	},
}

var galleryTimesView = consult.Times{
	Zone: "Europe/London", City: "London", Offset: "UTC+0", Unknown: true, Earlier: true, Later: true,
	Kept: &consult.Time{Value: "k", Clock: "09:00", Spoken: "Friday 4 December, 09:00 (9:00 am), London time, UTC+0"},
	Days: []consult.Day{{
		Weekday: "Thursday", Date: "3 December", Count: "4 times are free",
		Times: []consult.Time{
			{Value: "a", Clock: "10:00", Note: "am", Spoken: "Thursday 3 December, 10:00 (10:00 am), London time, UTC+0"},
			{Value: "b", Clock: "13:30", Note: "1:30 pm", Chosen: true},
			{Value: "c", Clock: "14:00", Present: true},
			{Value: "d", Clock: "01:00", Note: "am", Offset: "UTC−5"},
		},
	}},
}
