// Package respond turns what a handler made into an answer: a page rendered to a
// buffer before its status is sent, a copy that was rendered and compressed long
// ago, or an error as the page of its kind.
//
// It also reads forms, strictly, and makes the keys that they carry.
package respond

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/steadier/steadier/internal/fault"
)

// Cache says who may keep an answer, and for how long.
type Cache string

// The ways of keeping an answer.
const (
	NoStore      Cache = "no-store"                            // it holds a form key, a token, an answer or a result
	Reading      Cache = "no-cache"                            // the same for everybody: kept, and asked about each time
	SearchAnswer Cache = "private, max-age=300"                // kept by the browser alone, so that Back works
	Immutable    Cache = "max-age=31536000, public, immutable" // its content hash is in its address
)

// cdnReading lets a CDN answer for five minutes by itself (RFC 9213).
const cdnReading = "max-age=300"

var (
	readingValue    = []string{string(Reading)}
	cdnReadingValue = []string{cdnReading}
)

func (c Cache) set(h http.Header) {
	if c != Reading {
		h.Set("Cache-Control", string(c))
		return
	}
	h["Cache-Control"], h["Cdn-Cache-Control"] = readingValue, cdnReadingValue
}

// Page renders c to a buffer and then answers with it, so that a page that fails
// half-way is an error and not half a page.
func Page(w http.ResponseWriter, r *http.Request, status int, c templ.Component, cache Cache) error {
	var buf bytes.Buffer
	if err := c.Render(r.Context(), &buf); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	Bytes(w, r, status, "text/html; charset=utf-8", buf.Bytes(), cache)
	return nil
}

// Bytes answers with a body that is at hand whole.
func Bytes(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte, cache Cache) {
	h := w.Header()
	cache.set(h)
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may have gone; there is nobody to tell
	}
}

// SeeOther sends the client on to a path of this site after a POST. The path must
// be one that the program made, never one that came in.
func SeeOther(w http.ResponseWriter, path string) {
	NoStore.set(w.Header())
	w.Header().Set("Location", path)
	w.WriteHeader(http.StatusSeeOther)
}

// Func is a handler that leaves its errors to [Errors].
type Func func(w http.ResponseWriter, r *http.Request) error

// Errors answers for handlers that returned an error.
type Errors struct {
	// Page makes the page for a status. The sentence is the visitor's, and may be empty.
	Page func(r *http.Request, status int, sentence string) templ.Component
	Log  *slog.Logger
}

// statuses is the one table from kinds of failure to HTTP.
var statuses = map[fault.Kind]int{
	fault.NotFound:    http.StatusNotFound,
	fault.Invalid:     http.StatusUnprocessableEntity,
	fault.Taken:       http.StatusConflict,
	fault.Forbidden:   http.StatusForbidden,
	fault.TooLarge:    http.StatusRequestEntityTooLarge,
	fault.TooMany:     http.StatusTooManyRequests,
	fault.Unavailable: http.StatusServiceUnavailable,
}

// Status returns the HTTP status of an error: that of its kind, or 500.
func Status(err error) int {
	if status, ok := statuses[fault.KindOf(err)]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Handle makes a handler of fn.
func (e *Errors) Handle(fn Func) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := fn(w, r); err != nil {
			e.Respond(w, r, err)
		}
	}
}

// Respond answers with the page of err's kind. Only what is our fault is logged:
// a visitor's slip is no error of the program.
func (e *Errors) Respond(w http.ResponseWriter, r *http.Request, err error) {
	status := Status(err)
	if status >= http.StatusInternalServerError {
		e.Log.ErrorContext(r.Context(), "request failed", "status", status, "cause", Cause(err))
	}
	var sentence string
	if f, ok := errors.AsType[*fault.Error](err); ok {
		sentence = f.Public
	}
	RetryAfter(w.Header(), err)
	e.Status(w, r, status, sentence)
}

// Status answers with the page of a status.
func (e *Errors) Status(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	if err := Page(w, r, status, e.Page(r, status, sentence), NoStore); err != nil {
		e.Log.ErrorContext(r.Context(), "error page failed", "status", status, "cause", Cause(err))
		Bytes(w, r, status, "text/plain; charset=utf-8", []byte(http.StatusText(status)+"\n"), NoStore)
	}
}

// RetryAfter tells the client when to try again, in whole seconds, if err knows.
func RetryAfter(h http.Header, err error) {
	f, ok := errors.AsType[*fault.Error](err)
	if ok && f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
	}
}

// Cause describes an error for the log by the types in its chain and not by its
// text, because the text of parsers and drivers can repeat what a visitor typed.
func Cause(err error) string {
	var types string
	for ; err != nil; err = errors.Unwrap(err) {
		if types != "" {
			types += " < "
		}
		types += fmt.Sprintf("%T", err)
	}
	return types
}

// Since is a duration for the log, in milliseconds.
func Since(start, end time.Time) float64 {
	return math.Round(float64(end.Sub(start))/float64(time.Microsecond)) / 1000
}
