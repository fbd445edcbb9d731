//go:build linux

package main

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// visitor speaks to the site as a browser does: it fetches a page, and posts its form
// with the hidden fields that it found there.
type visitor struct {
	base string
	http *http.Client
}

func newVisitor(base string) *visitor {
	return &visitor{base: base, http: &http.Client{
		Timeout:       20 * time.Second,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 4},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (v *visitor) leave() { v.http.CloseIdleConnections() }

// answer is what came back.
type answer struct {
	status int
	leads  string
	body   string
}

func (v *visitor) get(ctx context.Context, path string) (answer, error) {
	return v.do(ctx, http.MethodGet, path, nil)
}

func (v *visitor) post(ctx context.Context, path string, form url.Values) (answer, error) {
	return v.do(ctx, http.MethodPost, path, form)
}

func (v *visitor) do(ctx context.Context, method, path string, form url.Values) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, v.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := v.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header.Get("Location"), string(body)}, err
}

var (
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
	offered     = regexp.MustCompile(`name="slot" value="([^"]+)"`)
)

// form fetches the page and reads the form that posts to action: its hidden fields and
// the times that it offers.
func (v *visitor) form(ctx context.Context, page, action string) (url.Values, []time.Time, error) {
	a, err := v.get(ctx, page)
	if err != nil {
		return nil, nil, err
	}
	_, rest, ok := strings.Cut(a.body, `action="`+action+`"`)
	if a.status != http.StatusOK || !ok {
		return nil, nil, fmt.Errorf("%w: %s: %d, and no form for it", errAnswer, hideToken(page), a.status)
	}
	text, _, _ := strings.Cut(rest, "</form>")
	fields := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(text, -1) {
		fields.Set(m[1], html.UnescapeString(m[2]))
	}
	var times []time.Time
	for _, m := range offered.FindAllStringSubmatch(text, -1) {
		at, err := time.Parse(time.RFC3339, m[1])
		if err != nil {
			return nil, nil, fmt.Errorf("%w: offered %q", errAnswer, m[1])
		}
		times = append(times, at)
	}
	return fields, times, nil
}

// hideToken keeps a report free of addresses that open something.
func hideToken(path string) string {
	if rest, ok := strings.CutPrefix(path, "/consult/"); ok && len(rest) > 10 {
		return "/consult/…"
	}
	return path
}
