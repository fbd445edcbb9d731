package admin

import (
	"crypto/rand"
	"strings"
)

// Recovery codes: ten of 80 bits, each good once, for who has lost their app.
const (
	codeCount = 10
	codeBytes = 10
)

// newCodes returns recovery codes in the form in which they are compared.
func newCodes() []string {
	codes := make([]string, codeCount)
	for i := range codes {
		b := make([]byte, codeBytes)
		rand.Read(b) // never fails since Go 1.24
		codes[i] = strings.ToLower(base32Plain.EncodeToString(b))
	}
	return codes
}

// readCode reads what was typed for a code: six digits of an app, or a recovery code,
// with whatever spaces and dashes. What is neither is empty.
func readCode(typed string) (app, recovery string) {
	if len(typed) > 100 {
		return "", ""
	}
	code := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '\u00a0' {
			return -1
		}
		return r
	}, strings.ToLower(typed))
	switch {
	case len(code) == totpDigits && strings.Trim(code, "0123456789") == "":
		return code, ""
	case len(code) == codeBytes*8/5 && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz234567") == "":
		return "", code
	}
	return "", ""
}

// written are recovery codes as they are shown.
func written(codes []string) []string {
	out := make([]string, len(codes))
	for i, code := range codes {
		out[i] = grouped(code, "-")
	}
	return out
}
