package templates

import "strconv"

// TermView is a word that the site explains.
type TermView struct {
	ID         string
	Name       string
	Definition string // HTML
	UsedIn     []Link // articles
}

// GlossaryView is the list of all words that are explained.
type GlossaryView struct {
	Terms  []TermView
	Shared *Shared
}

// TopicLink is a topic in a list.
type TopicLink struct {
	Path        string
	Title       string
	Description string
	Articles    int // how many
}

// TopicsView is the list of all topics.
type TopicsView struct {
	Topics []TopicLink
	Shared *Shared
}

// TopicView is one topic with its articles.
type TopicView struct {
	Path        string
	Title       string
	Description string
	Lead        string // HTML
	Articles    []ArticleLink
	Others      []TopicLink
	Sources     []SourceView
	Draft       bool // shown to the writer only
	Shared      *Shared
}

// PathLink is a path in a list: the question first, the title second.
type PathLink struct {
	Path     string
	Question string
	Title    string
	Articles int // how many
}

// PathsView is the list of all paths.
type PathsView struct {
	Paths  []PathLink
	Map    string // SVG: a drawing of how the paths lie; may be empty
	Shared *Shared
}

// PathView is one path: a few articles in a good order.
type PathView struct {
	Path        string
	Title       string
	Description string
	Lead        string // HTML
	Minutes     int    // to read all of it
	Steps       []StepView
	Exercises   bool   // each of them has something to try
	Figure      string // HTML: a drawing from one of them; may be empty
	FigureOf    int    // which of them, from 1
	Others      []PathLink
	Sources     []SourceView
	Draft       bool // shown to the writer only
	Shared      *Shared
}

// StepView is an article of a path.
type StepView struct {
	ArticleLink
	Exercise bool // it has something to try, and not all of them have
	Drawing  bool
}

// WayView is the path on which an article stands, and where it leads from there.
type WayView struct {
	Path   string
	Title  string
	Number int          // of the article, from 1
	Total  int          // of all of its articles
	Next   *ArticleLink // nil after the last
	Before *ArticleLink // nil before the first
}

// spelled is a small number in words, as text has it.
func spelled(n int) string {
	words := [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n < 0 || n >= len(words) {
		return strconv.Itoa(n)
	}
	return words[n]
}

// few is "one article", "five articles".
func few(n int, one string) string {
	if n != 1 {
		one += "s"
	}
	return spelled(n) + " " + one
}

// what is "7 minutes · with something to try · with a drawing".
func (s StepView) what() string {
	text := count(s.Minutes, "minute")
	if s.Exercise {
		text += " · with something to try"
	}
	if s.Drawing {
		text += " · with a drawing"
	}
	return text
}

// extent is "five articles, about 30 minutes in all, each with something to try".
func (v PathView) extent() string {
	text := few(len(v.Steps), "article") + ", about " + count(round(v.Minutes), "minute") + " in all"
	if v.Exercises {
		text += ", each with something to try"
	}
	return text
}

// round is a number of minutes for "about": whole fives, from ten on.
func round(minutes int) int {
	if minutes < 10 {
		return minutes
	}
	return (minutes + 2) / 5 * 5
}
