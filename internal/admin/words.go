package admin

import "strings"

// The words by which a device is told from others in the list of sessions, in the order
// in which they are looked for: many browsers also name the ones they descend from.
var (
	browserWords = [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome", "Chrome"},
		{"Safari", "Safari"},
	}
	systemWords = [][2]string{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"CrOS", "ChromeOS"},
		{"Windows", "Windows"},
		{"Mac OS", "Mac"},
		{"Linux", "Linux"},
	}
)

// deviceWords says in a few words what a browser says of itself: "Firefox on Linux".
// Nothing else of it is kept.
func deviceWords(userAgent string) string {
	return wordFor(browserWords, userAgent, "A browser") + " on " + wordFor(systemWords, userAgent, "a device")
}

func wordFor(words [][2]string, text, otherwise string) string {
	for _, w := range words {
		if strings.Contains(text, w[0]) {
			return w[1]
		}
	}
	return otherwise
}
