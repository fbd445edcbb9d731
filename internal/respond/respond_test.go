package respond

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/steadier/steadier/internal/fault"
)

func text(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	})
}

func TestErrorsBecomeThePageOfTheirKind(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    error
		status int
		retry  string
		logged bool
	}{
		{"nothing there", fault.New(fault.NotFound, "Nothing here."), 404, "", false},
		{"a wrapped one", fmt.Errorf("look up: %w", fault.New(fault.Taken, "")), 409, "", false},
		{"too many", &fault.Error{Kind: fault.TooMany, RetryAfter: 90*time.Second + 1}, 429, "91", false},
		{"nothing can be written", &fault.Error{Kind: fault.Unavailable, RetryAfter: time.Minute}, 503, "60", true},
		{"a defect", errors.New("secret detail"), 500, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			e := &Errors{
				Page: func(_ *http.Request, status int, sentence string) templ.Component {
					return text(fmt.Sprint(status, " ", sentence))
				},
				Log: slog.New(slog.NewTextHandler(&log, nil)),
			}
			w := httptest.NewRecorder()
			e.Handle(func(http.ResponseWriter, *http.Request) error { return tt.err })(w, httptest.NewRequest("GET", "/", nil))
			if w.Code != tt.status || w.Header().Get("Retry-After") != tt.retry || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("status %d, headers %v", w.Code, w.Header())
			}
			if (log.Len() > 0) != tt.logged {
				t.Errorf("log %q, want one: %v", log.String(), tt.logged)
			}
			if all := w.Body.String() + log.String(); strings.Contains(all, "secret detail") {
				t.Errorf("the detail got out: %q", all)
			}
		})
	}
}

func TestAPageThatFailsHalfWayIsNotSent(t *testing.T) {
	half := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, _ = io.WriteString(w, "half a page")
		return errors.New("no more")
	})
	w := httptest.NewRecorder()
	if err := Page(w, httptest.NewRequest("GET", "/", nil), 200, half, NoStore); err == nil || w.Body.Len() != 0 {
		t.Errorf("Page = %v with %q sent", err, w.Body)
	}
}

func TestABrokenErrorPageStillAnswers(t *testing.T) {
	e := &Errors{
		Page: func(*http.Request, int, string) templ.Component {
			return templ.ComponentFunc(func(context.Context, io.Writer) error { return errors.New("no") })
		},
		Log: slog.New(slog.DiscardHandler),
	}
	w := httptest.NewRecorder()
	e.Status(w, httptest.NewRequest("GET", "/", nil), 404, "")
	if w.Code != 404 || w.Body.String() != "Not Found\n" {
		t.Errorf("status %d, body %q", w.Code, w.Body)
	}
}

func TestCauseNamesTypesAndNotWords(t *testing.T) {
	err := fmt.Errorf("parse ann@example.org: %w", errors.New("bad ann@example.org"))
	if got := Cause(err); strings.Contains(got, "ann") || !strings.Contains(got, "*errors.errorString") {
		t.Errorf("Cause = %q", got)
	}
}
