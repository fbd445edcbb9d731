package templates

import "strconv"

// SearchView is the search form, with what was found below it once something was
// asked for. Template: Search.
type SearchView struct {
	Typed      string      // shown again in the field as it was typed
	Wrong      string      // why it could not be looked for; empty: nothing is wrong
	Asked      bool        // something was looked for
	More       bool        // there are more pages than are shown
	Hits       []SearchHit // pages that hold all of the words
	Some       []SearchHit // pages that hold some of them
	Suggestion string      // the words with an unknown one put right; empty: none
}

// SearchHit is a page that was found.
type SearchHit struct {
	Path    string
	What    string // "Article, 6 minutes"; may be empty
	Title   []SearchText
	Excerpt []SearchText
}

// SearchText is a piece of a text; Marked pieces are what was looked for.
type SearchText struct {
	Text   string
	Marked bool
}

// title says how it went, without the words: it stays in the browser's history.
func (v SearchView) title() string {
	if v.Asked {
		return "Search results"
	}
	return "Search"
}

// count is the heading over what was found.
func (v SearchView) count() string {
	switch n := len(v.Hits); {
	case n == 0 && len(v.Some) == 0:
		return "Nothing found"
	case n == 0:
		return "Some of these words"
	case v.More:
		return "The nearest " + strconv.Itoa(n) + " pages"
	case n == 1:
		return "One page"
	default:
		return strconv.Itoa(n) + " pages"
	}
}
