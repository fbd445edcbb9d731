package respond

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/steadier/steadier/internal/fault"
)

// The bounds of a form (reliability: a post is small, and each field is there once).
const (
	MaxBody   = 32 << 10 // bytes
	MaxFields = 40
)

// Fields names the fields that a form may carry. The form key and the button that
// was pressed are known to every form.
type Fields []string

// KeyField and DoField are the fields of every form: its key, and which of its
// buttons was pressed.
const (
	KeyField = "key"
	DoField  = "do"
)

// ParseForm reads an urlencoded body, and nothing else: a field in the address
// does not count. Each field may stand once and must be known, be UTF-8 and hold no
// NUL. It returns fault.TooLarge over [MaxBody] and fault.Invalid for the rest.
func ParseForm(w http.ResponseWriter, r *http.Request, known Fields) (url.Values, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, fault.New(fault.Invalid, "This form arrived in a way we cannot read. Please go back and send it again.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		if tooLarge(err) {
			return nil, fault.Wrap(fault.TooLarge, err)
		}
		return nil, fault.Wrap(fault.Invalid, err)
	}
	if strings.Count(string(body), "&") >= MaxFields {
		return nil, fault.New(fault.Invalid, "This form has more fields than it can have.")
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err)
	}
	return values, checkFields(values, known)
}

func tooLarge(err error) bool {
	_, ok := err.(*http.MaxBytesError)
	return ok
}

func checkFields(values url.Values, known Fields) error {
	for name, all := range values {
		switch {
		case name != KeyField && name != DoField && !slices.Contains(known, name):
			return fault.New(fault.Invalid, "This form has a field that does not belong to it.")
		case len(all) != 1:
			return fault.New(fault.Invalid, "A field of this form arrived twice.")
		case !utf8.ValidString(all[0]) || strings.ContainsRune(all[0], 0):
			return fault.BadFields(fault.Field{Name: name, Message: "This holds characters that cannot be read."})
		}
	}
	return nil
}
