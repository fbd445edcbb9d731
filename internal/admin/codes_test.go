package admin

import (
	"strings"
	"testing"
	"time"
)

// RFC 6238, appendix B, the last six of its eight digits.
func TestCodesAreThoseOfTheStandard(t *testing.T) {
	secret := base32Plain.EncodeToString([]byte("12345678901234567890"))
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		if got, err := totpCode(secret, stepAt(time.Unix(at, 0))); err != nil || got != want {
			t.Errorf("at %d: %s, %v, want %s", at, got, err, want)
		}
	}
}

func TestTheAddressForAnApp(t *testing.T) {
	got := appAddress("Quiet Waters", "Ann O’Neil", "ABCDEFGH")
	want := "otpauth://totp/Quiet%20Waters:Ann%20O%E2%80%99Neil?issuer=Quiet%20Waters&secret=ABCDEFGH"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestReadCode(t *testing.T) {
	for typed, want := range map[string][2]string{
		"123456":                             {"123456", ""},
		" 123 456 ":                          {"123456", ""},
		"abcd-efgh-2345-mnop":                {"", "abcdefgh2345mnop"},
		"ABCD EFGH 2345 MNOP":                {"", "abcdefgh2345mnop"},
		"abcdefgh1345mnop":                   {"", ""}, // no 1 in base32
		"1234567":                            {"", ""},
		"١٢٣٤٥٦":                             {"", ""},
		"":                                   {"", ""},
		strings.Repeat(" ", 1000) + "123456": {"", ""},
	} {
		if app, recovery := readCode(typed); app != want[0] || recovery != want[1] {
			t.Errorf("readCode(%q) = %q, %q", typed, app, recovery)
		}
	}
	for _, code := range newCodes() {
		if _, recovery := readCode(written([]string{code})[0]); recovery != code {
			t.Errorf("%s does not read as it is written", code)
		}
	}
}

func TestPasswordFault(t *testing.T) {
	for _, tt := range []struct {
		password string
		ok       bool
	}{
		{annsPassword, true},
		{"violetkettleshum", true},
		{"ein Lied über Fjorde", true},
		{"密码需要很长很长很长很长很长的句子", true},
		{"kX9#vQ2!mP7$wL4", true},
		{strings.Repeat("ab cd ef gh ij ", 18), false}, // 270
		{"fourteen chars", false},
		{"               ", false},
		{"aaaaaaaaaaaaaaaaaaaa", false},
		{"abababababababababab", false},
		{"passwordpassword", false},
		{"Password12345678!", false},
		{"qwertyuiopasdfghjkl", false},
		{"quietwaters2026!!", false},
		{"AnnQuietWatersAdmin1", false},
		{"correct horse battery staple", false},
	} {
		if got := passwordFault(tt.password, "Ann", "Quiet Waters", "quiet.example"); (got == "") != tt.ok {
			t.Errorf("%q: %q", tt.password, got)
		}
	}
}

func TestOwnerNamesAreComparedAsPeopleSeeThem(t *testing.T) {
	for _, typed := range []string{"Zoë Q", " zoë  q ", "ZOE\u0308 Q"} {
		if got := ownerName(typed).Key; got != "zoë q" {
			t.Errorf("%q is compared as %q", typed, got)
		}
	}
}

func TestDeviceWords(t *testing.T) {
	for agent, want := range map[string]string{
		firefox: "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":   "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":           "Safari on Mac",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36":                 "Chrome on Android",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile Safari/604.1": "Chrome on iPhone",
		"<script>": "A browser on a device",
		"":         "A browser on a device",
	} {
		if got := deviceWords(agent); got != want {
			t.Errorf("%q: %q, want %q", agent, got, want)
		}
	}
}

func TestPendingIsBoundToItsPurposeAndEnds(t *testing.T) {
	l, now := newPendings(), time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)
	token := l.put(now, pending{purpose: forStepUp, about: "s", expires: now.Add(time.Minute)})
	for _, tt := range []struct {
		name  string
		what  purpose
		about string
		at    time.Duration
		want  bool
	}{
		{"another purpose", forAdding, "s", 0, false},
		{"another session", forStepUp, "t", 0, false},
		{"too late", forStepUp, "s", time.Minute, false},
		{"in time", forStepUp, "s", time.Minute - time.Second, true},
	} {
		if _, got := l.find(now.Add(tt.at), token, tt.what, tt.about); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if _, ok := l.take(now, token, forStepUp, "s"); !ok {
		t.Error("take found nothing")
	}
	if _, ok := l.take(now, token, forStepUp, "s"); ok {
		t.Error("one challenge, two answers")
	}
	own := l.put(now, pending{purpose: forPasskey, from: "owner", expires: now.Add(time.Minute)})
	for range 5 * pendingEach {
		l.put(now, pending{purpose: forPasskey, from: "flood", expires: now.Add(2 * time.Minute)})
	}
	if len(l.all) != pendingEach+1 || !l.is(now, own, forPasskey) {
		t.Errorf("%d pending after a flood from one client; the owner's among them: %v", len(l.all), l.is(now, own, forPasskey))
	}
}
