package consult

import (
	"errors"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"github.com/steadier/steadier/internal/mail"
)

// Person is one way in which somebody is known here: by a phone number or by an
// e-mail address.
type Person struct {
	Phone   string       // E.164, or ""
	Address mail.Address // its zero value, if known by phone
}

// Erased counts what was removed about a person.
type Erased struct {
	Contacts  int      // calls whose contact was erased
	Cancelled int      // of those, calls that were still to come
	Addresses []string // e-mail addresses in them, for what lies outside the database
}

// ReadPerson reads what an owner types to say who is to be erased: an address, or a
// number in any way of writing, which is read as one of the country if it has no
// country code. The error does not repeat what was typed.
func ReadPerson(typed, country string) (Person, error) {
	typed = strings.TrimSpace(typed)
	if strings.Contains(typed, "@") {
		address, err := mail.ParseAddress(typed)
		return Person{Address: address}, err
	}
	number, ok := parsePhone(typed, country)
	if !ok {
		return Person{}, errors.New("neither an e-mail address nor a phone number: write one such as name@example.org or +44 20 7946 0018")
	}
	return Person{Phone: phonenumbers.Format(number, phonenumbers.E164)}, nil
}
