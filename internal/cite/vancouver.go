package cite

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

// maxAuthors is how many are named before "et al." (Vancouver: six).
const maxAuthors = 6

// Vancouver is the reference as one line of plain text without addresses:
//
//	Dutton DG, Painter S. Emotional attachments in abusive relationships: A test
//	of traumatic bonding theory. Violence and Victims. 1993;8(2):105–120.
//
// A work in a container with a volume is set as an article whatever its type, so
// that a guideline printed in a journal reads as one.
func (r *Reference) Vancouver() string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, sentence(s))
		}
	}
	if len(r.Authors) > 0 {
		add(names(r.Authors))
	} else {
		add(editors(r.Editors))
	}
	add(r.Title)
	switch {
	case r.Type == "chapter":
		add(r.inBook())
		add(r.imprint())
		if r.Page != "" {
			add("p. " + pages(r.Page))
		}
	case r.Container != "":
		add(r.Container)
		add(r.inJournal())
	default:
		add(edition(r.Edition))
		add(r.imprint())
	}
	return curl(strings.Join(parts, " "))
}

// Short names the work in a few words, as in "Dutton and Painter, 1993" or
// "Casassa and others, 2022".
func (r *Reference) Short() string {
	people := r.Authors
	if len(people) == 0 {
		people = r.Editors
	}
	who := ""
	switch len(people) {
	case 0:
		return r.Issued.String()
	case 1:
		who = people[0].family()
	case 2:
		who = people[0].family() + " and " + people[1].family()
	default:
		who = people[0].family() + " and others"
	}
	return curl(who + ", " + r.Issued.String())
}

// inJournal is "1993;8(2):105–120", with what there is of it.
func (r *Reference) inJournal() string {
	out := r.Issued.String()
	if r.Volume != "" || r.Issue != "" {
		out += ";" + r.Volume
	}
	if r.Issue != "" {
		out += "(" + dash(r.Issue) + ")"
	}
	if r.Page != "" {
		out += ":" + pages(r.Page)
	}
	return out
}

// inBook is "In: Editor A, editor. Book".
func (r *Reference) inBook() string {
	if len(r.Editors) == 0 || len(r.Authors) == 0 {
		return "In: " + r.Container
	}
	return "In: " + sentence(editors(r.Editors)) + " " + r.Container
}

// imprint is "New York: Basic Books; 1980". A body that publishes its own work
// is not named twice.
func (r *Reference) imprint() string {
	who := r.Publisher
	if len(r.Authors) == 1 && r.Authors[0].Literal == who {
		who = ""
	}
	if who != "" && r.Place != "" {
		who = r.Place + ": " + who
	}
	if who == "" {
		return r.Issued.String()
	}
	return who + "; " + r.Issued.String()
}

func edition(e string) string {
	if e == "" || e == "1" {
		return ""
	}
	n, err := strconv.Atoi(e)
	if err != nil {
		return e
	}
	suffix := "th"
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		suffix = "st"
	case n%10 == 2:
		suffix = "nd"
	case n%10 == 3:
		suffix = "rd"
	}
	return e + suffix + " ed"
}

func names(people []Name) string {
	var out []string
	for i, n := range people {
		if i == maxAuthors {
			out = append(out, "et al")
			break
		}
		out = append(out, n.vancouver())
	}
	return strings.Join(out, ", ")
}

func editors(people []Name) string {
	switch len(people) {
	case 0:
		return ""
	case 1:
		return names(people) + ", editor"
	}
	return names(people) + ", editors"
}

// vancouver is "van der Kolk BA" or "King ML Jr".
func (n Name) vancouver() string {
	out := n.family()
	if in := initials(n.Given); in != "" && n.Literal == "" {
		out += " " + in
	}
	if n.Suffix != "" {
		out += " " + strings.TrimSuffix(n.Suffix, ".")
	}
	return out
}

func (n Name) family() string {
	switch {
	case n.Literal != "":
		return n.Literal
	case n.Family == "":
		return n.Given
	case n.Particle != "":
		return n.Particle + " " + n.Family
	}
	return n.Family
}

// initials are the first letters of the given names: "D. G." and "Donald Gene"
// are DG, "Jean-Paul" is JP.
func initials(given string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(given, func(r rune) bool {
		return unicode.IsSpace(r) || r == '.' || r == '-' || r == '‐'
	}) {
		r, _ := utf8.DecodeRuneInString(part)
		if unicode.IsLetter(r) {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}

func pages(p string) string { return dash(p) }

// dash sets a range of numbers with an en dash.
func dash(s string) string {
	s = strings.ReplaceAll(s, "--", "-")
	return strings.ReplaceAll(s, "-", "–")
}

// curl sets straight quotes as printed ones: bibliographies hold the straight.
func curl(s string) string {
	var b strings.Builder
	before := ' '
	for _, r := range s {
		opens := unicode.IsSpace(before) || strings.ContainsRune("([“‘–", before)
		switch {
		case r == '"' && opens:
			r = '“'
		case r == '"':
			r = '”'
		case r == '\'' && opens:
			r = '‘'
		case r == '\'':
			r = '’'
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// sentence ends s with a full stop unless it ends with a mark already.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	bare := strings.TrimRight(s, "”’\"'")
	if strings.HasSuffix(bare, ".") || strings.HasSuffix(bare, "?") || strings.HasSuffix(bare, "!") {
		return s
	}
	return s + "."
}
