package library

import "testing"

func TestSlugOf(t *testing.T) {
	tests := map[string]string{
		"Two Words": "two-words", "CAFÉ": "cafe", "cafe\u0301": "cafe", "a_b.c": "a-b-c", "--": "name", "日本": "name", "Straße": "strasse", "ﬁne": "fine",
	}
	for in, want := range tests {
		if got := slugOf(in); got != want {
			t.Errorf("slugOf(%q) = %q, want %q", in, got, want)
		}
		if got := slugOf(in); !slugForm.MatchString(got) {
			t.Errorf("slugOf(%q) = %q is no slug itself", in, got)
		}
	}
}

func TestJunk(t *testing.T) {
	for _, name := range []string{".DS_Store", ".a.md.swp", "a.md~", "#a.md#", "a.md.bak", "a.md.ORIG", "Thumbs.db", "desktop.ini", ".#a.md", "a.md.tmp"} {
		if !junk(name) {
			t.Errorf("%s is read", name)
		}
	}
	for _, name := range []string{"a.md", "_a.md", "a~b.md", "a.svg", "bak.md", "swp"} {
		if junk(name) {
			t.Errorf("%s is passed over", name)
		}
	}
}

func TestExitAddress(t *testing.T) {
	tests := map[string]bool{
		"https://www.wikipedia.org/": true, "https://a.example": true, "http://localhost:8080/": true, "http://127.0.0.1": true, "http://127.9.9.9/x": true, "http://[::1]/": true,
		"http://a.example": false, "http://localhost.example": false, "http://127.0.0.1.example": false, "https://": false, "https:a": false, "//a.example": false,
		"": false, "javascript:x": false, "https://user@a.example": false, `https://a.example\b`: false, "https://a.example/\"x": false, "ftp://a.example": false,
	}
	for in, want := range tests {
		if got := exitAddress(in); got != want {
			t.Errorf("exitAddress(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestMailForm(t *testing.T) {
	for in, want := range map[string]bool{
		"a@b.example": true, "a.b+c@d.e.example": true, "a@b": false, "a": false, "@b.example": false, "a b@c.example": false, "A <a@b.example>": false, "a@b.example,c@d.example": false, "a@b.": false,
	} {
		if got := mailForm.MatchString(in); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}
