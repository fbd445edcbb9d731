package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/static"
)

// Every answer carries these, to the letter (security, 3).
var wantHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
		"manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
		"trusted-types 'none'; upgrade-insecure-requests",
	"Strict-Transport-Security":         "max-age=31536000",
	"X-Content-Type-Options":            "nosniff",
	"X-Frame-Options":                   "DENY",
	"Referrer-Policy":                   "no-referrer",
	"Cross-Origin-Opener-Policy":        "same-origin",
	"Cross-Origin-Embedder-Policy":      "require-corp",
	"Cross-Origin-Resource-Policy":      "same-origin",
	"Origin-Agent-Cluster":              "?1",
	"X-DNS-Prefetch-Control":            "off",
	"X-Permitted-Cross-Domain-Policies": "none",
	"Server":                            "",
	"X-Powered-By":                      "",
	"Access-Control-Allow-Origin":       "",
	"Report-To":                         "",
	"Set-Cookie":                        "",
}

const wantPermissions = "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), clipboard-read=(), display-capture=(), encrypted-media=(), " +
	"fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), identity-credentials-get=(), idle-detection=(), interest-cohort=(), " +
	"local-fonts=(), magnetometer=(), microphone=(), midi=(), otp-credentials=(), payment=(), picture-in-picture=(), " +
	"private-state-token-issuance=(), private-state-token-redemption=(), publickey-credentials-create=(), publickey-credentials-get=(), " +
	"screen-wake-lock=(), serial=(), storage-access=(), usb=(), window-management=(), xr-spatial-tracking=()"

func TestHeadersToTheLetter(t *testing.T) {
	b := londonMondays(t)
	b.serve(Rate{N: 20, Per: time.Minute}, consult.DefaultBudget())
	path := b.book("2026-06-08T09:00:00Z")
	for name, got := range map[string]callAnswer{
		"a page":         b.get("/"),
		"a form":         b.get("/consult"),
		"a private page": b.get(path),
		"a download":     b.get(path + "/invite.ics"),
		"an asset":       b.get(static.URL("site.css")),
		"a redirect":     b.press(path, "cancel"),
		"the feed":       b.get("/feed.xml"),
		"nothing there":  b.get("/none"),
		"a refusal":      b.do("POST", "/consult", "a=b", "Origin", "https://evil.example"),
		"a wrong form":   b.post("/consult", b.ask("")),
		"health":         b.get("/healthz"),
	} {
		t.Run("E29 "+name, func(t *testing.T) {
			for header, want := range wantHeaders {
				if value := strings.Join(got.header.Values(header), " | "); value != want {
					t.Errorf("%d %s: %q, want %q", got.code, header, value, want)
				}
			}
			want := ""
			if strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
				want = wantPermissions
			}
			if value := got.header.Get("Permissions-Policy"); value != want {
				t.Errorf("Permissions-Policy %q, want %q", value, want)
			}
		})
	}
	if got := b.get("/"); got.code != http.StatusOK || got.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%d %s", got.code, got.header.Get("Content-Type"))
	}
}
