package templates

// TodayView is the owner's first page.
type TodayView struct {
	Day       string // today, in words
	Days      int    // how many days ahead the calls are
	Calls     []CallView
	Attention []Attention
}

// Attention is one thing that needs a look, and where.
type Attention struct{ Text, Path, Label string }

// CallView is one call.
type CallView struct {
	ID, Ref    string
	Status     string // confirmed, cancelled, done, no-show
	Day, Clock string // in the practice's zone
	Begun      bool
	Open       bool   // can be moved or cancelled
	Shown      bool   // its lines may be seen now
	Lines      []Fact // the card
}

// Fact is a word and what it stands for.
type Fact struct{ Label, Text string }

// BookingsView are all calls, and the times without any.
type BookingsView struct {
	Zone         string
	Coming, Past []CallRow
	Ahead, Back  int // days
	Busy         []BusyView
	Typed        BlockView
	Problem      Problem
}

// CallRow is a call in a table.
type CallRow struct{ ID, Ref, Day, Clock, Status string }

// BusyView is a time without calls.
type BusyView struct{ ID, From, To string }

// BlockView is what was typed to close a time.
type BlockView struct{ From, To string }

// BookingView is the page of one call.
type BookingView struct {
	Call    CallView
	Times   []TimeChoice // other free times
	Range   string       // the days of Times, in words
	Back    string       // path of this page
	Problem Problem
}

// TimeChoice is a free time: the form's value and its words.
type TimeChoice struct{ Value, Words string }

// callWords are the words for a state of a call.
func callWords(status string) string {
	switch status {
	case "confirmed":
		return "Confirmed"
	case "cancelled":
		return "Cancelled"
	case "done":
		return "Held"
	case "no-show":
		return "Nobody came"
	}
	return status
}
