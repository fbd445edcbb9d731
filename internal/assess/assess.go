// Package assess is the self-assessment: from the answers of a reader to what the site
// says and where it leads. It is a pure function of both; it keeps nothing, and knows
// neither the words on the page nor where they are shown.
//
// The rules, by their numbers among the safety rules of the site:
//
//   - Every item may be left out, and “not sure” and “rather not say” are answers (A4).
//     What is no answer at all is refused.
//   - Safety items come first and count to no theme (A13). One that is marked calls for
//     the line that fits it, which stands before everything else (A14), and there is then
//     no offer (A17). There is no level of danger.
//   - Of the others, a yes counts [YesCounts] and an “in a way” [SomeCounts] to each theme
//     of the item; everything else counts nothing. A theme shows from [ShowsAt] on, and
//     any number of themes can show (A10, A12). Those that show stand in the order of the
//     file: none is ranked above another, and the counts do not leave this package.
//   - Whatever was answered leads to a path to read (A11); nothing at all leads to the
//     general one (A12).
//
// The same answers always have the same result.
package assess

import (
	"slices"
	"strconv"

	"github.com/steadier/steadier/internal/fault"
)

// Answer is what was chosen for an item, as the form sends it.
type Answer string

// The answers. An item that was left alone has the empty one.
const (
	None   Answer = ""
	Yes    Answer = "yes"
	Some   Answer = "some" // in a way
	No     Answer = "no"
	Unsure Answer = "unsure"
	Skip   Answer = "skip" // rather not say
)

// What an answer counts to a theme, and from which count on a theme shows. The page
// says so in words (A10).
const (
	YesCounts  = 2
	SomeCounts = 1
	ShowsAt    = 3
)

// Answers are those that a reader can choose from, in the order of the page.
func Answers() []Answer { return []Answer{Yes, Some, No, Unsure, Skip} }

func (a Answer) known() bool { return a == None || slices.Contains(Answers(), a) }

// marked reports whether a safety item is to be taken as a yes. “In a way” is one: to
// say it of a danger takes something.
func (a Answer) marked() bool { return a == Yes || a == Some }

func (a Answer) counts() int {
	switch a {
	case Yes:
		return YesCounts
	case Some:
		return SomeCounts
	}
	return 0
}

// Item is one thing that is asked. It has either a line or themes.
type Item struct {
	Line   string   // of a safety item: the id of the line that a yes calls for
	Themes []string // of any other: the ids of the themes to which it counts
}

// Line is what is said first when a safety item was marked.
type Line struct {
	ID   string
	Path string // the path to read after it; may be empty
}

// Theme is one thing that answers can have in common.
type Theme struct {
	ID   string
	Path string // the path to read
}

// Questions are a whole self-assessment.
type Questions struct {
	Items   []Item  // in the order of the page, those of safety first
	Lines   []Line  // in the order in which they are said
	Themes  []Theme // in the order in which they are shown
	General string  // the path to read where nothing else leads to one
}

// Field is the name of the field of the i-th item, counted from 0: q1 is the first.
func Field(i int) string { return "q" + strconv.Itoa(i+1) }

// Fields are the names of all fields, in order.
func (q Questions) Fields() []string {
	names := make([]string, len(q.Items))
	for i := range q.Items {
		names[i] = Field(i)
	}
	return names
}

// Read takes the answers out of a form; value gives what a field holds, "" for one that
// is not there. A value that is no answer is fault.Invalid, with the fields; the answers
// then come back too, without those values.
func (q Questions) Read(value func(field string) string) ([]Answer, error) {
	answers := make([]Answer, len(q.Items))
	var wrong []fault.Field
	for i := range answers {
		a := Answer(value(Field(i)))
		if !a.known() {
			wrong = append(wrong, fault.Field{
				Name: Field(i), Message: "Choose one of the answers here, or none.",
			})
			continue
		}
		answers[i] = a
	}
	if len(wrong) > 0 {
		return answers, fault.BadFields(wrong...)
	}
	return answers, nil
}

// Result is what answers lead to. It holds no answer and no count.
type Result struct {
	Lines  []string // ids of what is said first
	Themes []string // ids of the themes that show
	Paths  []string // to read, in this order; never empty if there is a general one
	Offer  bool     // whether a call or letters may be offered, last of all
}

// Reflect gives the result. Answers beyond those of the items do not count; missing ones
// are none.
func (q Questions) Reflect(answers []Answer) Result {
	var called []string
	counts := map[string]int{}
	for i, item := range q.Items {
		if i >= len(answers) {
			break
		}
		if item.Line != "" && answers[i].marked() {
			called = append(called, item.Line)
		}
		for _, theme := range item.Themes {
			counts[theme] += answers[i].counts()
		}
	}
	r := Result{Offer: len(called) == 0}
	for _, line := range q.Lines {
		if slices.Contains(called, line.ID) {
			r.Lines = append(r.Lines, line.ID)
			r.lead(line.Path)
		}
	}
	for _, theme := range q.Themes {
		if counts[theme.ID] >= ShowsAt {
			r.Themes = append(r.Themes, theme.ID)
			r.lead(theme.Path)
		}
	}
	if len(r.Paths) == 0 {
		r.lead(q.General)
	}
	return r
}

// lead adds a path that is not there yet.
func (r *Result) lead(path string) {
	if path != "" && !slices.Contains(r.Paths, path) {
		r.Paths = append(r.Paths, path)
	}
}

// CountingTo are the numbers of the items that count to a theme, the first item being 1.
func (q Questions) CountingTo(theme string) []int {
	var numbers []int
	for i, item := range q.Items {
		if slices.Contains(item.Themes, theme) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}
