package templates

import (
	"regexp"
	"strings"

	"github.com/a-h/templ"
)

// piece is a part of a text that names phone numbers: words, or a number with the
// address that dials it.
type piece struct {
	text string
	tel  templ.SafeURL // "" for words
}

// dialled finds what can be dialled. What stands in parentheses is said of a number
// ("press 55 when asked"), and one for text messages is not for calls.
var dialled = regexp.MustCompile(`\([^)]*\)|(?:SMS|text) [\d ]+|\+?\d(?:[\d \-–]*\d)?`)

// unbroken keeps a number on one line.
var unbroken = strings.NewReplacer(" ", "\u00a0", "-", "\u2011")

// numbers parts a text such as "112 or 999", "17 (police), 112; SMS 114" or
// "1 800 363-9010".
func numbers(text string) []piece {
	var pieces []piece
	at := 0
	for _, found := range dialled.FindAllStringIndex(text, -1) {
		number := text[found[0]:found[1]]
		if number[0] != '+' && (number[0] < '0' || number[0] > '9') {
			continue
		}
		if found[0] > at {
			pieces = append(pieces, piece{text: text[at:found[0]]})
		}
		pieces = append(pieces, piece{unbroken.Replace(number), tel(number)})
		at = found[1]
	}
	if at < len(text) {
		pieces = append(pieces, piece{text: text[at:]})
	}
	return pieces
}

// tel is the address that dials a number (RFC 3966, without its visual separators).
func tel(number string) templ.SafeURL {
	return templ.SafeURL("tel:" + strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number))
}

// bare is an address as it is read and printed: without its scheme, "www." and a
// slash at its end.
func bare(address string) string {
	for _, prefix := range []string{"https://", "http://", "www."} {
		address = strings.TrimPrefix(address, prefix)
	}
	return strings.TrimSuffix(address, "/")
}

// sentence ends a text with a full stop where it has no end of its own.
func sentence(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".?!") {
		return text
	}
	return text + "."
}

// study is what there is to say of a work: its kind, what it found, how far that goes.
func (s SourceView) study() string {
	var parts []string
	for _, text := range []string{s.Kind, s.Finding, s.Limits} {
		if text != "" {
			parts = append(parts, sentence(text))
		}
	}
	return strings.Join(parts, " ")
}

// facts is what to know of a service, in short sentences.
func (s ServiceView) facts() string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, sentence(text))
		}
	}
	add(s.Kind)
	add(s.Who)
	add(s.Hours)
	switch s.Free {
	case "Free":
		add("Free to call")
	case "Not free":
		add("The call is not free")
	default:
		add(s.Free)
	}
	add(s.Bill)
	if s.Text != "" {
		add("By text: " + s.Text)
	}
	if s.Chat {
		add("There is a web chat too")
	}
	return strings.Join(parts, " ")
}
