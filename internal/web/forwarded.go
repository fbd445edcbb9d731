package web

import (
	"net/http"
	"net/netip"
	"strings"
)

const xForwardedFor = "X-Forwarded-For"

// plainForwarded brings what proxies say into the one form that is read further on: a
// list of bare addresses in X-Forwarded-For. Some add ports, some speak RFC 7239. Whom
// to believe is decided later.
func plainForwarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list := r.Header.Values(xForwardedFor)
		if len(list) == 0 {
			list = forwardedFor(r.Header.Values("Forwarded"))
		}
		if len(list) > 0 {
			r.Header[xForwardedFor] = []string{bareAddresses(strings.Join(list, ","))}
		}
		next.ServeHTTP(w, r)
	})
}

// forwardedFor takes the for= of each element of a Forwarded header (RFC 7239, 5.2).
func forwardedFor(header []string) (list []string) {
	for _, line := range header {
		for element := range strings.SplitSeq(line, ",") {
			for pair := range strings.SplitSeq(element, ";") {
				name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
				if strings.EqualFold(name, "for") {
					list = append(list, strings.Trim(value, `"`))
				}
			}
		}
	}
	return list
}

func bareAddresses(list string) string {
	parts := strings.Split(list, ",")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if with, err := netip.ParseAddrPort(part); err == nil {
			part = with.Addr().String()
		}
		parts[i] = strings.Trim(part, "[]")
	}
	return strings.Join(parts, ", ")
}
