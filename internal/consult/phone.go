package consult

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"
)

// checkPhone says what is wrong with a number and gives one in the right form.
func checkPhone(country string) string {
	const message = "Check the phone number. With the country code it looks like +44 20 7946 0018"
	example := phonenumbers.GetExampleNumber(country)
	if example == nil {
		return message + "."
	}
	return message + ", within " + CountryWords(country) + " like " + phonenumbers.Format(example, phonenumbers.NATIONAL) + "."
}

// phone reads the number we are to call (rule R23). A number that could exist is
// taken; one that no country has given out is asked about once, because the lists
// of given numbers are never complete.
func (r *reading) phone(c *Contact, q Request, country string) {
	typed := strings.TrimSpace(q.Phone)
	switch {
	case typed == "":
		r.wrong("phone", "Give a number we can call, or choose “I will call you”.")
		return
	case hasControl(typed) || utf8.RuneCountInString(typed) > maxPhone:
		r.wrong("phone", checkPhone(country))
		return
	}
	number, ok := parsePhone(typed, country)
	if !ok {
		r.wrong("phone", checkPhone(country))
		return
	}
	if !phonenumbers.IsValidNumber(number) && strings.TrimSpace(q.PhoneOK) != typed {
		r.wrong("phone", "Please look at this number once more: "+unusual(number, typed, country)+" If it is right, send the form again.")
		return
	}
	c.RawPhone = typed
	c.Phone = phonenumbers.Format(number, phonenumbers.E164)
	c.Extension = number.GetExtension()
}

// parsePhone reads a number in any common way of writing; letters are no digits
// here, though the library would take them for such.
func parsePhone(typed, country string) (*phonenumbers.PhoneNumber, bool) {
	if !phoneText(typed) {
		return nil, false
	}
	number, err := phonenumbers.Parse(typed, country)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return nil, false
	}
	return number, true
}

// phoneText refuses text with words in it, but for those that begin an extension.
func phoneText(typed string) bool {
	main := strings.ToLower(typed)
	for _, word := range []string{";ext=", "extension", "ext.", "ext", "x"} {
		if before, _, found := strings.Cut(main, word); found {
			main = before
			break
		}
	}
	main = strings.TrimPrefix(strings.TrimSpace(main), "tel:")
	return !strings.ContainsFunc(main, func(r rune) bool { return r >= 'a' && r <= 'z' })
}

// unusual says what is odd about a number, and which country was assumed.
func unusual(number *phonenumbers.PhoneNumber, typed, country string) string {
	if strings.HasPrefix(typed, "+") || strings.HasPrefix(typed, "00") {
		return "it is not one we know of in the country with the code +" + strconv.Itoa(int(number.GetCountryCode())) + "."
	}
	return "it has no country code, so we read it as a number in " + CountryWords(country) + ", and there it looks unusual."
}

// CountryWords names a country by its ISO 3166 code, with the article where
// English wants one.
func CountryWords(code string) string {
	names := map[string]string{
		"AT": "Austria", "AU": "Australia", "BE": "Belgium", "CA": "Canada", "CH": "Switzerland", "CZ": "Czechia",
		"DE": "Germany", "DK": "Denmark", "ES": "Spain", "FI": "Finland", "FR": "France", "GB": "the United Kingdom",
		"IE": "Ireland", "IN": "India", "IT": "Italy", "NL": "the Netherlands", "NO": "Norway", "NZ": "New Zealand",
		"PL": "Poland", "PT": "Portugal", "SE": "Sweden", "SG": "Singapore", "US": "the United States", "ZA": "South Africa",
	}
	if name, ok := names[strings.ToUpper(code)]; ok {
		return name
	}
	return "the country " + strings.ToUpper(code)
}

func itoa(n int) string { return strconv.Itoa(n) }
