package web

import (
	"maps"
	"net/http"
	"strings"
)

// policy is the Content-Security-Policy: nothing is allowed but what the site
// itself serves, and no script may turn text into markup.
var policy = []string{
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"font-src 'self'",
	"connect-src 'self'",
	"manifest-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types 'none'",
}

// refusedFeatures are what no page of the site asks a browser for.
var refusedFeatures = strings.Fields(`accelerometer autoplay browsing-topics camera clipboard-read display-capture
	encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection
	interest-cohort local-fonts magnetometer microphone midi otp-credentials payment picture-in-picture
	private-state-token-issuance private-state-token-redemption publickey-credentials-create
	publickey-credentials-get screen-wake-lock serial storage-access usb window-management xr-spatial-tracking`)

// The header Permissions-Policy goes with HTML alone; everything else with every answer.
var (
	permissions       = strings.Join(refusedFeatures, "=(), ") + "=()"
	permissionsHeader = []string{permissions}
)

// HSTS says how strictly browsers are told to come back over https only.
type HSTS string

// The settings of STEADIER_HSTS.
const (
	HSTSHost HSTS = ""     // this host, for a year
	HSTSFull HSTS = "full" // with all hosts below it, and for the browsers' lists
	HSTSOff  HSTS = "off"
)

var hstsValues = map[HSTS]string{
	HSTSHost: "max-age=31536000",
	HSTSFull: "max-age=63072000; includeSubDomains; preload",
}

// fixedHeaders are the same for every answer of this site.
func fixedHeaders(c Config) map[string]string {
	csp := strings.Join(policy, "; ")
	h := map[string]string{
		"X-Content-Type-Options":            "nosniff",
		"X-Frame-Options":                   "DENY",
		"Referrer-Policy":                   "no-referrer",
		"Cross-Origin-Opener-Policy":        "same-origin",
		"Cross-Origin-Embedder-Policy":      "require-corp",
		"Cross-Origin-Resource-Policy":      "same-origin",
		"Origin-Agent-Cluster":              "?1",
		"X-DNS-Prefetch-Control":            "off",
		"X-Permitted-Cross-Domain-Policies": "none",
	}
	if c.Base.Scheme == "https" {
		csp += "; upgrade-insecure-requests"
		if value, ok := hstsValues[c.HSTS]; ok {
			h["Strict-Transport-Security"] = value
		}
	}
	h["Content-Security-Policy"] = csp
	return h
}

// securityHeaders sets them before anything else can answer, so that refusals and
// failures carry them too. The values are made once, under the names as net/http writes
// them: a request has nothing to convert.
func (s *Site) securityHeaders(next http.Handler) http.Handler {
	fixed := http.Header{}
	for name, value := range fixedHeaders(s.Config) {
		fixed.Set(name, value)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), fixed)
		next.ServeHTTP(w, r)
	})
}
