package templates

// AdminChrome is what stands around each of the owner's pages.
type AdminChrome struct {
	Name     string // of the site
	Lang     string // BCP 47
	CSS      string // addresses of the assets
	AdminCSS string
	Icon     string
	Owner    string // who is signed in; empty: nobody
	Nav      []NavItem
}

// AdminPage is what one of the owner's pages tells the layout.
type AdminPage struct {
	Title   string
	Section string // which word of the navigation it belongs to
	Class   string // of the main element
	Script  string // address of a script of its own; empty: none
}

// adminProblemTitle is the heading of a status that is no success.
func adminProblemTitle(status int) string {
	switch status {
	case 404:
		return "There is nothing at this address"
	case 403:
		return "That was not done"
	case 429:
		return "Please wait a little"
	case 503:
		return "It could not be written just now"
	case 500:
		return "Something went wrong here"
	}
	return "That did not work"
}
