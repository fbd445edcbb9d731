package templates

import (
	"strconv"
	"strings"
)

// AssessView is the first page of the self-assessment. It asks nothing yet.
type AssessView struct {
	Path        string
	Title       string
	Description string
	Minutes     int    // that it takes, about
	Lead        string // HTML
	Scoring     ScoringView
	Review      *ReviewView // nil: no clinician has read it
	Shared      *Shared
}

// ScoringView is how a result comes about, which both the first page and the result say.
type ScoringView struct {
	Safety int // how many questions come first and count to nothing
	Yes    int // what an answer counts
	Some   int
	ShowAt int // from which count on a theme shows
	Themes []ThemeCount
}

// ThemeCount is a theme with the numbers of the questions that count to it.
type ThemeCount struct {
	Title   string
	Numbers []int
}

// AssessFormView is the questions. Answers stand in them only where the form could not be
// taken, for then nothing may be lost.
type AssessFormView struct {
	Why      string // HTML: why those of safety are asked
	Safety   []AssessItem
	Others   []AssessItem
	Answered bool // answers stand in the form
	Problem  Problem
}

// AssessItem is one question.
type AssessItem struct {
	Field   string
	Number  int // from 1
	Text    string
	Choices []Choice
}

// Choice is one of the answers to a question.
type Choice struct {
	Value  string
	Label  string
	Chosen bool
}

// ReflectionView is the result. It holds no answer: only what they lead to.
type ReflectionView struct {
	First    []FirstView   // what is said before all else; empty: nothing of safety was marked
	Services []ServiceView // for what was marked, in one country
	Country  string
	Themes   []ThemeView
	None     string // HTML: what is said where no theme shows
	Paths    []PathLink
	Scoring  ScoringView
	Review   *ReviewView
	Again    string // the path of the first page
	Call     int    // minutes of a call that may be offered; 0: none
	Letters  bool   // letters may be offered
}

// FirstView is what is said of one kind of help.
type FirstView struct {
	Texts []string     // HTML
	Call  *ServiceView // a line to call; nil: none is known
}

// ThemeView is a theme that shows.
type ThemeView struct {
	ID       string
	Title    string
	Text     string // HTML
	Articles []ArticleLink
}

// numbers is "1, 2 and 3".
func (t ThemeCount) numbers() string {
	var b strings.Builder
	for i, n := range t.Numbers {
		switch {
		case i > 0 && i == len(t.Numbers)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
