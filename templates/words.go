package templates

import (
	"strings"

	"github.com/a-h/templ"
)

// tel is the address that dials the first number in a text: "112", "0808 2000 247",
// "116 016 (free)". Letters end it; without a digit there is no number to dial, and
// the result is empty.
func tel(text string) templ.SafeURL {
	var digits strings.Builder
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9', r == '+' && digits.Len() == 0:
			digits.WriteRune(r)
		case strings.ContainsRune(" -–.()/\u00a0", r) && digits.Len() < 1:
		case strings.ContainsRune(" -–.\u00a0", r):
		default:
			if digits.Len() > 0 {
				return templ.SafeURL("tel:" + digits.String())
			}
		}
	}
	if digits.Len() == 0 {
		return ""
	}
	return templ.SafeURL("tel:" + digits.String())
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
