package library

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page about what leaving can't do says all that it has to, and promises nothing.
func TestShippedLimitsPage(t *testing.T) {
	lib := load(t, os.DirFS("../../content"))
	var text string
	for _, p := range lib.Pages {
		if p.Slug == "safety" {
			text = strings.ToLower(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(p.Body, ""))
		}
	}
	for what, pattern := range map[string]string{
		"E25 one press of Back":          `earlier pages of this site may be one press of back away`,
		"E33 where leaving leads":        `opens .*wikipedia`,
		"reader-H21 what it is for":      `does not hide where you have been`,
		"reader-H21 history":             `history`,
		"reader-H21 the address bar":     `address bar`,
		"reader-H21 devices":             `other devices`,
		"reader-H21 routers":             `router`,
		"reader-H21 work":                `job|employer|work`,
		"reader-H21 school":              `school`,
		"reader-H21 family apps":         `family`,
		"reader-H21 spying":              `spying apps|monitoring software`,
		"reader-H21 another device":      `library`,
		"reader-H21 private windows":     `private window[^.]*nothing else`,
		"reader-H21 deleting":            `empty history can look odd`,
		"reader-H21 cookies":             `signed out`,
		"reader-H21 calls and mail":      `calls, texts, emails`,
		"reader-H21 other tabs":          `another tab`,
		"reader-H21 the Shift key":       `shift key three times`,
		"reader-H21 try it":              `try it once now`,
		"reader-H21 without script":      `no scripts`,
		"reader-H21 what the site keeps": `what this site keeps`,
		"reader-H21 help with devices":   `refuge`,
	} {
		if !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("%s: no %q", what, pattern)
		}
	}
	for _, claim := range []string{"untraceable", "no trace", "anonymous", "completely private", "keeps you safe", "you are safe"} {
		if strings.Contains(text, claim) {
			t.Errorf("reader-H21: it says %q", claim)
		}
	}
}
