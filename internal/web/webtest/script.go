// Package webtest runs page scripts: plain text that says what to ask of the site
// and what must come back.
//
//	# a comment
//	GET /consult
//	header Accept-Encoding: gzip
//	code == 200
//	head Cache-Control == no-store
//	body contains Choose a time
//	body !contains trauma
//	hint why this matters
//
//	POST /consult
//	form name=Ann&call=you
//	code == 422
//
// A block begins with a request and ends at the next. In a POST the hidden fields of
// the page that was fetched last are sent too, as a browser would; "bare" leaves them
// out. What a body holds is compared with its white space folded.
package webtest

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// Run carries out a script against a handler, as a client on the loopback address.
func Run(t *testing.T, h http.Handler, host, script string) {
	t.Helper()
	c := &client{t: t, handler: h, host: host}
	for i, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c.line = i + 1
		c.do(line)
	}
}

type client struct {
	t       *testing.T
	handler http.Handler
	host    string
	line    int

	hidden url.Values // of the page fetched last
	hint   string
	next   *request
	answer *http.Response
	body   string
}

type request struct {
	method, path string
	header       http.Header
	form         string
	bare         bool
}

func (c *client) do(line string) {
	c.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "GET", "HEAD", "POST", "PUT", "TRACE":
		c.next = &request{method: word, path: rest, header: http.Header{}}
		c.answer, c.hint = nil, ""
	case "header":
		name, value, _ := strings.Cut(rest, ":")
		c.next.header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	case "form":
		c.next.form = rest
	case "bare":
		c.next.bare = true
	case "hint":
		c.hint = rest
	case "code", "head", "body":
		c.send()
		c.check(word, rest)
	default:
		c.t.Fatalf("line %d: no such word: %s", c.line, line)
	}
}

func (c *client) send() {
	if c.answer != nil {
		return
	}
	r := httptest.NewRequest(c.next.method, c.next.path, strings.NewReader(c.payload()))
	r.Host = c.host
	r.RemoteAddr = "127.0.0.1:40000"
	r.Header = c.next.header
	if c.next.method == http.MethodPost && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	c.answer, c.body = w.Result(), w.Body.String()
	if c.next.method == http.MethodGet {
		c.hidden = HiddenFields(c.body)
	}
}

func (c *client) payload() string {
	if c.next.method != http.MethodPost {
		return ""
	}
	values, err := url.ParseQuery(c.next.form)
	if err != nil {
		c.t.Fatalf("line %d: form: %v", c.line, err)
	}
	if c.next.bare {
		return c.next.form
	}
	for name, all := range c.hidden {
		if !values.Has(name) {
			values[name] = all
		}
	}
	return values.Encode()
}

func (c *client) check(what, rest string) {
	c.t.Helper()
	got, rest := c.subject(what, rest)
	op, want, _ := strings.Cut(rest, " ")
	ok := false
	switch op {
	case "==":
		ok = got == want
	case "!=":
		ok = got != want
	case "contains":
		ok = strings.Contains(got, want)
	case "!contains":
		ok = !strings.Contains(got, want)
	case "~":
		ok = regexp.MustCompile(want).MatchString(got)
	case "!~":
		ok = !regexp.MustCompile(want).MatchString(got)
	default:
		c.t.Fatalf("line %d: no such comparison: %s", c.line, op)
	}
	if !ok {
		c.t.Errorf("line %d: %s %s: %s %s %s\n%s\ngot: %.2000s", c.line, c.next.method, c.next.path, what, op, want, c.hint, got)
	}
}

func (c *client) subject(what, rest string) (got, tail string) {
	switch what {
	case "code":
		return fmt.Sprint(c.answer.StatusCode), rest
	case "head":
		name, tail, _ := strings.Cut(rest, " ")
		return c.answer.Header.Get(name), tail
	}
	return strings.Join(strings.Fields(c.body), " "), rest
}

var (
	hiddenInput = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*>`)
	nameOf      = regexp.MustCompile(`\bname="([^"]*)"`)
	valueOf     = regexp.MustCompile(`\bvalue="([^"]*)"`)
)

// HiddenFields returns the hidden fields of the forms in a page: what a client that
// fetched it sends back.
func HiddenFields(page string) url.Values {
	values := url.Values{}
	for _, input := range hiddenInput.FindAllString(page, -1) {
		name := nameOf.FindStringSubmatch(input)
		if name == nil {
			continue
		}
		value := ""
		if m := valueOf.FindStringSubmatch(input); m != nil {
			value = html.UnescapeString(m[1])
		}
		values.Set(html.UnescapeString(name[1]), value)
	}
	return values
}
