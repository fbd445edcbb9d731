package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestWhatProxiesSay(t *testing.T) {
	b := newReadingBench(t, nil, func(c *Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	for _, tt := range []struct{ peer, name, value, want string }{
		{"10.0.0.1:1", "X-Forwarded-For", "203.0.113.1", "203.0.113.1"},
		{"10.0.0.1:1", "X-Forwarded-For", "203.0.113.1:1234", "203.0.113.1"},
		{"10.0.0.1:1", "X-Forwarded-For", "198.51.100.9, 203.0.113.1:1234, 10.1.1.1", "203.0.113.1"},
		{"10.0.0.1:1", "X-Forwarded-For", "[2001:db8:1:2::1]:99", "2001:db8:1:2::/64"},
		{"10.0.0.1:1", "Forwarded", `for="[2001:db8:1:2::1]:99";proto=https`, "2001:db8:1:2::/64"},
		{"10.0.0.1:1", "Forwarded", "for=203.0.113.1;by=10.0.0.1", "203.0.113.1"},
		{"10.0.0.1:1", "Forwarded", "for=_hidden", "10.0.0.1"},
		{"192.0.2.7:1", "X-Forwarded-For", "203.0.113.1", "192.0.2.7"}, // SEC: nobody else is believed
		{"192.0.2.7:1", "Forwarded", "for=203.0.113.1", "192.0.2.7"},
	} {
		var got string
		h := b.site.clientAddress(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = clientKey(r) }))
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.peer
		r.Header.Set(tt.name, tt.value)
		h.ServeHTTP(httptest.NewRecorder(), r)
		if got != tt.want {
			t.Errorf("%s %s: %s from %s: %q, want %q", tt.name, tt.value, tt.value, tt.peer, got, tt.want)
		}
	}
}
