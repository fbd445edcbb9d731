package static

import (
	"regexp"
	"strings"
	"testing"
)

func body(t *testing.T, name string) string {
	t.Helper()
	for _, f := range Files() {
		if f.Name == name {
			return string(f.Body)
		}
	}
	t.Fatalf("no %s", name)
	return ""
}

// E5, E6: what stays on the screen is the exit, and what covers the page when leaving.
func TestOnlyTheExitStaysOnTheScreen(t *testing.T) {
	css := body(t, "site.css")
	rule := regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	fixed := map[string]string{}
	for _, m := range rule.FindAllStringSubmatch(css, -1) {
		if regexp.MustCompile(`position: ?(fixed|sticky)`).MatchString(m[2]) {
			fixed[strings.TrimSpace(m[1])] = m[2]
		}
	}
	if len(fixed) != 2 || fixed[".exit"] == "" || fixed[".cover"] == "" {
		t.Errorf("E5: fixed are %v, want the exit and the cover", fixed)
	}
	if !strings.Contains(fixed[".exit"], "env(safe-area-inset-bottom)") {
		t.Errorf("E6: the bar does not keep clear of the edge: %s", fixed[".exit"])
	}
	if !regexp.MustCompile(`padding-block-end: ?calc\(var\(--bar\) \+ env\(safe-area-inset-bottom\)\)`).MatchString(css) {
		t.Error("E6: the page does not keep room for the bar")
	}
}

// E11, E20, E28, E39: what no script of the site may do.
func TestScriptsStayQuiet(t *testing.T) {
	js := body(t, "site.js")
	for _, rule := range []struct{ rule, pattern string }{
		{"E11", `\b(alert|confirm|prompt)\(|beforeunload|vibrate|new Audio|AudioContext|speechSynthesis|\.play\(`},
		{"E20", `sendBeacon|\bfetch\(|XMLHttpRequest|WebSocket|EventSource|new Image`},
		{"E21", `\bopen\(|\.target\s*=|[\x60"\x27]_blank`},
		{"E28", `pushState`},
		{"E39", `serviceWorker|localStorage|sessionStorage|indexedDB|\bcaches\b|document\.cookie|Notification|PushManager|beforeinstallprompt`},
		{"booking-H27, R14", `\.submit\(|requestSubmit|\.click\(`},
	} {
		if got := regexp.MustCompile(rule.pattern).FindString(js); got != "" {
			t.Errorf("%s: the script has %q", rule.rule, got)
		}
	}
}

// E16: what leaves the site comes first, and each part fails alone.
func TestTheExitIsTheFirstScript(t *testing.T) {
	js := body(t, "site.js")
	parts := strings.Split(strings.TrimPrefix(js, "try{\n"), "}catch(e){reportError(e)}\n")
	if len(parts) != len(scripts)+1 || parts[len(parts)-1] != "" {
		t.Fatalf("E16: %d parts, want %d in try blocks of their own", len(parts)-1, len(scripts))
	}
	for i, part := range parts[:len(scripts)] {
		if i > 0 && !strings.HasPrefix(part, "try{\n") {
			t.Errorf("E16: part %d begins with %.20q", i, part)
		}
	}
	if !strings.Contains(parts[0], "data-exit") || !strings.Contains(parts[0], "location.replace(target)") {
		t.Error("E16: leaving is not in the first part")
	}
	if len(parts[0]) > 8<<10 {
		t.Errorf("E16: the part that leaves has %d bytes", len(parts[0]))
	}
}
