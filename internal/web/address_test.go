package web

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// raw sends request lines as they stand, and gives the answer and all of its text.
func raw(t *testing.T, server *httptest.Server, lines ...string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	lines = append(lines, "Connection: close", "", "")
	if _, err := io.WriteString(conn, strings.Join(lines, "\r\n")); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(strings.NewReader(string(all))), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, all)
	}
	return res, string(all)
}

func TestAForeignHostGetsNothing(t *testing.T) {
	server := httptest.NewServer(newFoundBench(t, Rate{}).http)
	defer server.Close()
	for _, tt := range []struct {
		name  string
		lines []string
		codes string
	}{
		{"SEC-H09 another Host", []string{"GET /articles/ HTTP/1.1", "Host: evil.example"}, "421"},
		{"SEC-H09 another Host for a form", []string{"GET /search HTTP/1.1", "Host: evil.example"}, "421"},
		{
			"SEC-H09 our Host, another forwarded one",
			[]string{"GET /articles/ HTTP/1.1", "Host: site.example", "X-Forwarded-Host: evil.example"},
			"200 301 308 404",
		},
		{"SEC-H09 our Host, a slash too many", []string{"GET /articles/ HTTP/1.1", "Host: site.example"}, "200 301 308 404"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, all := raw(t, server, tt.lines...)
			if !strings.Contains(tt.codes, res.Status[:3]) || strings.Contains(all, "evil.example") {
				t.Errorf("got %s\n%s", res.Status, all)
			}
			if to := res.Header.Get("Location"); to != "" && (to[0] != '/' || strings.HasPrefix(to, "//")) {
				t.Errorf("Location: %s", to)
			}
		})
	}
}

func TestNoAddressLeadsElsewhere(t *testing.T) {
	server := httptest.NewServer(newFoundBench(t, Rate{}).http)
	defer server.Close()
	for _, target := range []string{
		`/\evil.example/`, `//evil.example/`, `/%5Cevil.example/`, `/%2F%2Fevil.example/`, `/./\evil.example//`,
		`/articles/%0d%0aX-A:%201`, `/search/\evil.example`, `/feed.xml//evil.example`,
	} {
		t.Run("SEC-H10 "+target, func(t *testing.T) {
			res, all := raw(t, server, "GET "+target+" HTTP/1.1", "Host: site.example")
			if res.Header.Get("X-A") != "" {
				t.Errorf("a header was made:\n%s", all)
			}
			to := res.Header.Get("Location")
			if to == "" {
				if res.StatusCode != http.StatusNotFound && res.StatusCode != http.StatusBadRequest {
					t.Errorf("got %s", res.Status)
				}
				return
			}
			u, err := foundBase.Parse(to)
			if err != nil || u.Host != foundBase.Host || strings.Contains(to, `\`) {
				t.Errorf("Location: %s", to)
			}
		})
	}
}

func TestOddQueriesChangeNothing(t *testing.T) {
	b := newFoundBench(t, Rate{})
	for path, want := range map[string]int{
		"/articles?sort=" + url.QueryEscape("1;DROP"): http.StatusOK,
		"/articles?sort=1;DROP":                       http.StatusOK,
		"/topics/x'--":                                http.StatusNotFound,
		"/search?q='+OR+1=1--":                        http.StatusOK,
	} {
		t.Run("SEC-H11 "+path, func(t *testing.T) {
			res := b.do("GET", path, "")
			if body := read(t, res); res.StatusCode != want || insides.MatchString(body) {
				t.Errorf("got %d\n%s", res.StatusCode, body)
			}
		})
	}
}
