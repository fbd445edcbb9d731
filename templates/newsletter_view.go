package templates

import "strconv"

// NewsletterView is the sign-up form with the letters below it. Template: Newsletter.
type NewsletterView struct {
	Key     string // form key
	Trap    string // name of the field that no person fills in
	Email   string // shown again as it was typed
	Problem Problem
	Sender  string // whom the first mail comes from
	Subject string // and its subject
	Telling bool   // links in mail show the site's own address, which may tell what it is about
	Host    string // of links in mail
	Letters []NewsletterEntry
}

// NewsletterEntry is one letter of the list, newest first.
type NewsletterEntry struct {
	Path    string // /newsletter/slug
	Title   string
	Minutes int    // to read
	Date    string // "1 December 2026"
}

// PressView is a page behind a link in a mail, with one button: nothing happens
// until it is pressed. Template: NewsletterPress.
type PressView struct {
	Path   string // where the form goes: this page
	Key    string // form key; empty: the form has none
	Title  string // the heading
	Text   string // one or two sentences
	Button string
}

// PreferencesView is what a subscriber can choose. Template: NewsletterPreferences.
// Its forms post to Path; the button's name is "do", its value "save", "fresh",
// "export" or "erase".
type PreferencesView struct {
	Path   string
	Key    string
	Active bool   // letters go out; else only a sentence is shown
	Plain  bool   // plain subject lines: field plain=yes
	Paused string // "1 March 2027": no letters until then; empty: not paused
	Pauses []PauseChoice
	Fresh  bool // opened by a freshly mailed link: what is held can be seen and erased
}

// PauseChoice is one value of the field pause.
type PauseChoice struct {
	Value  string
	Label  string
	Chosen bool
}

// HeldView is everything that is kept about one address. Template: NewsletterHeld.
type HeldView struct {
	Path  string // back to the preferences
	Facts []HeldFact
}

// HeldFact is one line of it.
type HeldFact struct{ Name, Value string }

// LetterView is one issue. Template: NewsletterIssue.
type LetterView struct {
	Path        string
	Title       string
	Description string
	Date        string // "1 December 2026"
	Minutes     int
	Body        string // HTML from the Markdown renderer
	Sources     []SourceView
	Terms       []TermView // that the text uses
	Shared      *Shared
}

// backLabel names a link back from a source to the place that cites it.
func backLabel(i int) string {
	if i == 0 {
		return "Back to the text"
	}
	return "Back to the text, place " + strconv.Itoa(i+1)
}
