package consult

import (
	"regexp"
	"strings"
)

// bannedWords may not begin a word of anything that a mail program, a calendar or a
// lock screen could show (rule R22).
var bannedWords = []string{
	"trauma", "abuse", "abusive", "bond", "recovery", "therapy", "therapist", "counsel", "coach",
	"survivor", "victim", "domestic", "violence", "narcissist",
}

var bannedForm = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(` + strings.Join(bannedWords, "|") + `)`)

// Banned returns the first word in text that would tell why somebody calls, in
// lower case, or "".
func Banned(text string) string {
	if found := bannedForm.FindStringSubmatch(text); found != nil {
		return strings.ToLower(found[1])
	}
	return ""
}

// neutral returns text if it tells nothing, else instead.
func neutral(text, instead string) string {
	if text == "" || Banned(text) != "" {
		return instead
	}
	return text
}
