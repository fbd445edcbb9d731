package templates

import "strconv"

// CountView is how many of something there are.
type CountView struct {
	Words string
	N     int
}

// DeliveriesView is what is queued and why something waits.
type DeliveriesView struct {
	Off     bool
	Trouble string // why nothing is sent; empty: all is well
	Halted  bool   // it waits for the owner
	Next    string // when it is tried again by itself
	Counts  []CountView
	Rows    []MailView
}

// MailView is a message, without whom it is for.
type MailView struct {
	ID, Kind, State, Next, Reason string
	Attempts, Code                int
	Unknown                       bool
}

// LettersView are all issues.
type LettersView struct {
	Off     bool
	Letters []LetterRow
}

// LetterRow is an issue in a table.
type LetterRow struct {
	Slug, Subject, Date, State string
	Done, All                  int // letters sent, and all; 0: not started
}

// AdminLetterView is one issue as the owner sees it.
type AdminLetterView struct {
	Slug, Subject, Discreet, Preheader, From, Text string

	State     string
	Zone      string // of the practice
	Wrong     string // why it can't be sent
	Counts    []CountView
	Readers   int // who would get it now
	Unknown   int
	Off       bool
	MaySend   bool
	MayPause  bool
	MayResume bool
	Typed     LetterTyped
	Problem   Problem
}

// LetterTyped is what was typed on the page of an issue.
type LetterTyped struct{ To, At string }

// ReadersView are counts of readers, and what was found or is to be brought in.
type ReadersView struct {
	Counts  []CountView
	Months  []CountView
	Email   string // as typed
	Found   string // what a look-up came to, if it found nobody
	Facts   []Fact // about whom it found
	CSV     string // as typed
	Preview []CountView
	Problem Problem
}

// ContentView is the state of the content.
type ContentView struct {
	Findings  []string
	Weeks     []CountView // reads of all articles, the oldest week first
	Articles  []ArticleRow
	Helplines []Fact // those that are due
}

// ArticleRow is an article in a table. Dates are days, or a dash.
type ArticleRow struct {
	Title, Path, Published, Updated, Review, Grade string

	Reads  int // in the last seven days
	Faults int
}

// CareView is what the site says of itself, and what was done.
type CareView struct {
	Facts []Fact
	Deeds []DeedRow
}

// DeedRow is a line of the audit list.
type DeedRow struct{ When, Who, What, Row string }

// plotBox is the box of a plot: ten units for each bar, a hundred high.
func plotBox(list []CountView) string { return "0 0 " + strconv.Itoa(10*max(len(list), 12)) + " 100" }

// barHeight is the height of a bar: the highest is 100, and none that counts is 0.
func barHeight(list []CountView, n int) int {
	most := 1
	for _, c := range list {
		most = max(most, c.N)
	}
	if n == 0 {
		return 0
	}
	return max(2, 100*n/most)
}
