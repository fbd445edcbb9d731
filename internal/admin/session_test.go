package admin

import "testing"

func TestLocalPathIsOneOfOurs(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"/admin", "/admin"},
		{"/admin/letters/a-slug", "/admin/letters/a-slug"},
		{"", "/admin"},
		{"/", "/admin"},
		{"//evil.example", "/admin"},
		{`/\evil.example`, "/admin"},
		{"/admin//evil.example", "/admin"},
		{"/admin/../consult", "/admin"},
		{"/adminx", "/admin"},
		{"/admin/a?b=c", "/admin"},
		{"/admin/a\n", "/admin"},
		{"https://evil.example/admin", "/admin"},
		{"/admin/step-up", "/admin"},
		{"/admin/sign-in", "/admin"},
	} {
		if got := localPath(tt.in); got != tt.want {
			t.Errorf("localPath(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
