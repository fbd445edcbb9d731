package web

import (
	"net/http"
	"strings"
)

// answer is the one wrapper around a response: it knows what the log and the counts ask
// for, and adds the header that goes with HTML alone, once it is known to be HTML.
type answer struct {
	http.ResponseWriter
	route  string // pattern of the route, once it is known
	status int    // 0 until something was sent
	bytes  int
}

func (w *answer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		h := w.Header()
		isHTML := strings.HasPrefix(h.Get("Content-Type"), "text/html")
		if _, chosen := h["Permissions-Policy"]; isHTML && !chosen {
			h["Permissions-Policy"] = permissionsHeader
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answer) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *answer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
