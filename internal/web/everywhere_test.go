package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/consult"
)

// E1, E3, E29, E30: what every answer of the site has, refusals and failures too.
func TestEveryAnswerCanBeLeft(t *testing.T) {
	b := londonMondays(t)
	b.serve(Rate{N: 20, Per: time.Minute}, consult.DefaultBudget())
	form := b.ask("2026-06-08T09:00:00Z")
	path := b.book("2026-06-08T09:30:00Z")
	b.book("2026-06-08T09:00:00Z")
	for _, a := range []struct {
		name string
		want int
		got  callAnswer
	}{ // in this order: the last is met when the budget is spent
		{"a list to read", http.StatusOK, b.get("/articles")},
		{"the form", http.StatusOK, b.get("/consult")},
		{"the confirmation", http.StatusOK, b.get(path)},
		{"nothing there", http.StatusNotFound, b.get("/no/such/page")},
		{"a forgotten booking", http.StatusNotFound, b.get("/consult/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")},
		{"not this method", http.StatusMethodNotAllowed, b.do("POST", "/articles", "a=b", "Sec-Fetch-Site", "same-origin")},
		{"from another site", http.StatusForbidden, b.do("POST", "/consult", form.Encode(), "Origin", "https://evil.example")},
		{"too much", http.StatusRequestEntityTooLarge, b.do("POST", "/consult", "name="+strings.Repeat("a", 100_000), "Sec-Fetch-Site", "same-origin")},
		{"a wrong form", http.StatusUnprocessableEntity, b.post("/consult", b.ask(""))},
		{"a time that is gone", http.StatusConflict, b.post("/consult", form)},
		{"too often", http.StatusTooManyRequests, b.postUntil(http.StatusTooManyRequests, "/consult", form)},
	} {
		t.Run(a.name, func(t *testing.T) {
			if a.got.code != a.want {
				t.Fatalf("%d, want %d\n%s", a.got.code, a.want, a.got.body)
			}
			checkLeaving(t, a.got)
			if a.name != "a list to read" && a.got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("E30: Cache-Control %q", a.got.header.Get("Cache-Control"))
			}
		})
	}
}

// postUntil posts a form again and again, and returns the answer of that status.
func (b *callBench) postUntil(code int, action string, form url.Values) (got callAnswer) {
	b.t.Helper()
	for range 50 {
		if got = b.post(action, form); got.code == code {
			break
		}
	}
	return got
}

func checkLeaving(t *testing.T, got callAnswer) {
	t.Helper()
	const exit = `<a href="https://exit.example" rel="noreferrer" `
	if strings.Count(got.body, exit+`data-exit>Leave this site</a>`) != 1 || strings.Count(got.body, exit) != 2 {
		t.Errorf("E1, E3: no exit, or not one, in\n%s", got.body)
	}
	if got.header.Get("Referrer-Policy") != "no-referrer" || !strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none'; ") {
		t.Errorf("E29: headers %v", got.header)
	}
	for _, name := range []string{"Set-Cookie", "Link", "Clear-Site-Data"} {
		if value := got.header.Get(name); value != "" {
			t.Errorf("E29: %s: %s", name, value)
		}
	}
}
