package mail

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Bounds of RFC 5321 §4.5.3.1, in bytes, checked before anything is parsed.
const (
	maxAddress = 254
	maxLocal   = 64
)

var (
	// ErrAddress is what is not one address of the form local@domain.example.
	ErrAddress = errors.New("not an e-mail address")
	// ErrForeignLocal is an address whose part before the @ is not plain ASCII.
	// Most servers still refuse to deliver to one (RFC 6531 is optional).
	ErrForeignLocal = fmt.Errorf("%w: the part before the @ is not ASCII", ErrAddress)
)

// Address is an e-mail address that a person typed.
type Address struct {
	Spelling string // as typed, without spaces around it
	Local    string // before the @, as typed
	Domain   string // after it, in lower-case A-labels (RFC 5890)
	Key      string // equal for two spellings of one address: all in lower case
}

// Wire is the address as it stands in envelopes and headers.
func (a Address) Wire() string { return a.Local + "@" + a.Domain }

// ParseAddress reads one bare address, more strictly than [net/mail] does: a
// dot-atom (RFC 5321 §4.1.2) at a domain with a dot in it. Not taken are display
// names, comments, quoted local parts, address literals and single-label hosts.
// A plus sign and dots in the local part count; letter case does not. It
// returns [ErrForeignLocal] or [ErrAddress]; neither holds what was typed.
func ParseAddress(s string) (Address, error) {
	s = strings.Trim(s, " \t\r\n")
	if len(s) > maxAddress {
		return Address{}, ErrAddress
	}
	local, domain, found := strings.Cut(s, "@")
	if !found || strings.Contains(domain, "@") {
		return Address{}, ErrAddress
	}
	if err := checkLocal(local); err != nil {
		return Address{}, err
	}
	ascii, ok := asciiDomain(domain)
	if !ok || len(local)+1+len(ascii) > maxAddress {
		return Address{}, ErrAddress
	}
	return Address{
		Spelling: s,
		Local:    local,
		Domain:   ascii,
		Key:      strings.ToLower(local) + "@" + ascii,
	}, nil
}

// checkLocal accepts a dot-atom.
func checkLocal(local string) error {
	if local == "" || len(local) > maxLocal {
		return ErrAddress
	}
	foreign := false
	for atom := range strings.SplitSeq(local, ".") {
		if atom == "" {
			return ErrAddress
		}
		for _, r := range atom {
			switch {
			case r > unicode.MaxASCII && unicode.IsGraphic(r) && !unicode.IsSpace(r):
				foreign = true
			case !isAtomText(r):
				return ErrAddress
			}
		}
	}
	if foreign {
		return ErrForeignLocal
	}
	return nil
}

// isAtomText reports whether r is atext of RFC 5322 §3.2.3.
func isAtomText(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
		strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
}

// asciiDomain returns the domain in lower-case A-labels. What a look-up would map
// away in silence, such as full-width letters and invisible characters, is refused.
func asciiDomain(domain string) (string, bool) {
	for _, r := range domain {
		plain := r == '.' || r == '-' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		if !plain || r >= 0xff00 && r <= 0xffef {
			return "", false
		}
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return "", false
	}
	labels := strings.Split(ascii, ".")
	if len(labels) < 2 || len(ascii) > 253 {
		return "", false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return "", false
		}
	}
	_, err = netip.ParseAddr(ascii)
	return ascii, err != nil && !allDigits(labels[len(labels)-1])
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}
