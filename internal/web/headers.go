package web

import (
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
var permissions = strings.Join(refusedFeatures, "=(), ") + "=()"

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
// failures carry them too.
func (s *Site) securityHeaders(next http.Handler) http.Handler {
	fixed := fixedHeaders(s.Config)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range fixed {
			h.Set(name, value)
		}
		next.ServeHTTP(&htmlHeaders{ResponseWriter: w}, r)
	})
}

// htmlHeaders adds what HTML alone carries, once it is known to be HTML.
type htmlHeaders struct {
	http.ResponseWriter
	done bool
}

func (w *htmlHeaders) WriteHeader(status int) {
	if !w.done {
		w.done = true
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			w.Header().Set("Permissions-Policy", permissions)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *htmlHeaders) Write(b []byte) (int, error) {
	if !w.done {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *htmlHeaders) Unwrap() http.ResponseWriter { return w.ResponseWriter }
