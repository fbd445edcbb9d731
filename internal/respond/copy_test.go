package respond

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

const html = "text/html; charset=utf-8"

var body = []byte(strings.Repeat("<p>Plain words on why a bond can hold.</p>\n", 200))

func serve(c *Copy, method string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "/", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.Serve(w, r, Reading)
	return w.Result()
}

func decode(t *testing.T, res *http.Response) []byte {
	t.Helper()
	var r io.Reader = res.Body
	switch res.Header.Get("Content-Encoding") {
	case "gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = z
	case "br":
		r = brotli.NewReader(r)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCopyTakesTheBestFormThatTheClientAccepts(t *testing.T) {
	c := NewCopy(html, body)
	c.Brotli()
	for _, tt := range []struct{ name, accept, want string }{
		{"a browser", "gzip, deflate, br, zstd", "br"},
		{"an older one", "gzip, deflate", "gzip"},
		{"no header", "", ""},
		{"anything", "*", "br"},
		{"brotli refused", "br;q=0, gzip", "gzip"},
		{"brotli refused with zeros", "br;q=0.000, gzip;q=0.5", "gzip"},
		{"everything refused", "*;q=0", ""},
		{"everything but gzip refused", "gzip, *;q=0", "gzip"},
		{"identity alone", "identity", ""},
		{"spaces and capitals", " GZIP ; q=0.8 ", "gzip"},
		{"a weight that is none", "br;q=x, gzip", "gzip"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := serve(c, "GET", "Accept-Encoding", tt.accept)
			if got := res.Header.Get("Content-Encoding"); got != tt.want {
				t.Errorf("encoding %q, want %q", got, tt.want)
			}
			if got := decode(t, res); !bytes.Equal(got, body) {
				t.Error("the decoded body is another one")
			}
			if res.Header.Get("Vary") != "Accept-Encoding" {
				t.Error("Vary is missing")
			}
		})
	}
}

func TestCopyIsRevalidated(t *testing.T) {
	c := NewCopy(html, body)
	etag := serve(c, "GET", "Accept-Encoding", "gzip").Header.Get("ETag")
	plain := serve(c, "GET").Header.Get("ETag")
	if etag == plain || etag == "" || strings.HasPrefix(etag, "W/") {
		t.Fatalf("ETags %q and %q: want a strong one for each form", etag, plain)
	}
	for _, tt := range []struct {
		name, match string
		want        int
	}{
		{"the same", etag, 304},
		{"made weak on the way", "W/" + etag, 304},
		{"in a list", `"x", ` + etag, 304},
		{"any", "*", 304},
		{"another form's", plain, 200},
		{"another", `"x"`, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := serve(c, "GET", "Accept-Encoding", "gzip", "If-None-Match", tt.match)
			if res.StatusCode != tt.want {
				t.Errorf("status %d, want %d", res.StatusCode, tt.want)
			}
			if res.Header.Get("ETag") != etag || res.Header.Get("Cache-Control") != "no-cache" || res.Header.Get("CDN-Cache-Control") != "max-age=300" {
				t.Errorf("headers %v", res.Header)
			}
			if n := len(decodeAny(t, res)); tt.want == 304 && n != 0 {
				t.Errorf("304 with %d bytes", n)
			}
		})
	}
}

func decodeAny(t *testing.T, res *http.Response) []byte {
	t.Helper()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestHeadSaysWhatGetWouldWithoutTheBody(t *testing.T) {
	c := NewCopy(html, body)
	get, head := serve(c, "GET", "Accept-Encoding", "gzip"), serve(c, "HEAD", "Accept-Encoding", "gzip")
	if n := len(decodeAny(t, head)); n != 0 {
		t.Errorf("HEAD has %d bytes of body", n)
	}
	for name := range get.Header {
		if get.Header.Get(name) != head.Header.Get(name) {
			t.Errorf("%s: GET %q, HEAD %q", name, get.Header.Get(name), head.Header.Get(name))
		}
	}
}

func TestSmallAndPackedAnswersAreLeftPlain(t *testing.T) {
	for _, c := range []*Copy{NewCopy(html, []byte("ok")), NewCopy("image/png", body)} {
		c.Brotli()
		res := serve(c, "GET", "Accept-Encoding", "br, gzip")
		if res.Header.Get("Content-Encoding") != "" || res.Header.Get("Vary") != "" {
			t.Errorf("headers %v: want the plain form and no Vary", res.Header)
		}
	}
}
