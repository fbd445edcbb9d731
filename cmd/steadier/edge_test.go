package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// edgeHost is the name under which the site behind nginx is known.
const edgeHost = "example.org"

// edge is the shipped nginx before the program, with a counter between the two.
type edge struct {
	t       *testing.T
	address string // of nginx
	cache   string // its folder
	client  http.Client
	mu      sync.Mutex
	fetched map[string]int // how often each path was asked for in each form
	status  map[string]int // of those, by status
}

// newEdge starts the shipped content behind the shipped nginx.conf, in which only the
// addresses, TLS and the folders are others, and keep in place of five minutes.
func newEdge(t *testing.T, keep string) *edge {
	tool := orSkip(t, "nginx")
	d := newDesk(t)
	d.env["STEADIER_CONTENT"] = "../../content"
	d.env["STEADIER_BASE_URL"] = "http://" + edgeHost
	d.env["STEADIER_SMTP"] = "smtp://127.0.0.1:9?tls=none"
	d.env["STEADIER_TRUSTED_PROXY"] = "127.0.0.1/32"
	d.env["STEADIER_LOG"] = "quiet"
	site, _, _ := d.start()
	e := &edge{t: t, cache: d.path("cache"), fetched: make(map[string]int), status: make(map[string]int)}
	origin := httptest.NewServer(e.count(site))
	t.Cleanup(origin.Close)
	e.client.Transport = &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	e.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	e.startNginx(tool, d, strings.TrimPrefix(origin.URL, "http://"), keep)
	return e
}

// count stands for the origin, and notes what it is asked for.
func (e *edge) count(site string) http.Handler {
	target, err := url.Parse(site)
	if err != nil {
		e.t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
		},
		ModifyResponse: func(res *http.Response) error {
			e.mu.Lock()
			defer e.mu.Unlock()
			key := res.Request.URL.Path + " " + res.Request.Header.Get("Accept-Encoding")
			e.fetched[key]++
			e.status[fmt.Sprint(key, " ", res.StatusCode)]++
			return nil
		},
	}
	return proxy
}

var elsewhereLines = regexp.MustCompile(`(?m)^\s*(ssl_.*|listen \[::\].*|access_log off;.*|error_log .*)\n`)

// startNginx runs the shipped file on a free port until the test ends.
func (e *edge) startNginx(tool string, d *desk, origin, keep string) {
	e.t.Helper()
	e.address = freeAddress(e.t)
	text := deployFiles(e.t)["nginx.conf"]
	for old, now := range map[string]string{
		"listen 80;": "listen " + freeAddress(e.t) + ";", "listen 443 ssl http2;": "listen " + e.address + ";",
		"http://127.0.0.1:8080": "http://" + origin, "/var/cache/nginx/steadier": e.cache, "proxy_cache_valid 200 5m;": "proxy_cache_valid 200 " + keep + ";",
	} {
		if !strings.Contains(text, old) {
			e.t.Fatalf("nginx.conf has no %q", old)
		}
		text = strings.ReplaceAll(text, old, now)
	}
	text = elsewhereLines.ReplaceAllString(text, "")
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;\n" // the folders of a test are its own
	}
	temp := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temp += fmt.Sprintf("%s_temp_path %s;\n", kind, d.path("nginx-"+kind))
	}
	d.write("nginx.conf", fmt.Sprintf("%sdaemon off;\nworker_processes 2;\npid %s;\nerror_log stderr crit;\nevents { worker_connections 1024; }\nhttp {\naccess_log off;\n%s%s}\n",
		user, d.path("nginx.pid"), temp, text))
	cmd := exec.Command(tool, "-p", d.dir, "-c", d.path("nginx.conf"))
	cmd.Stderr = &lockedBuffer{}
	if err := cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	e.t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); <-gone })
	for {
		conn, err := net.Dial("tcp", e.address)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case err := <-gone:
			gone <- err
			e.t.Fatalf("nginx: %v\n%s", err, cmd.Stderr)
		default:
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// get asks nginx for a path as a browser does, and gives the answer with its body.
func (e *edge) get(ctx context.Context, path, accept string) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+e.address+path, nil)
	if err != nil {
		return nil, nil, err
	}
	req.Host = edgeHost
	if accept != "" {
		req.Header.Set("Accept-Encoding", accept)
	}
	res, err := e.client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, body, err
}

func (e *edge) must(path, accept string) (*http.Response, []byte) {
	e.t.Helper()
	res, body, err := e.get(e.t.Context(), path, accept)
	if err != nil {
		e.t.Fatal(err)
	}
	return res, body
}

func (e *edge) times(path, form string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fetched[path+" "+form]
}

// Ten thousand requests for reading pages, in every spelling of what a browser can read
// and with queries that mean nothing, cost the program one fetch a page and form.
func TestTheEdgeFetchesEachPageOnce(t *testing.T) {
	e := newEdge(t, "5m")
	_, home := e.must("/about", "")
	sheet := regexp.MustCompile(`/static/[^"]+\.css`).FindString(string(home))
	pages := []string{"/", "/articles", "/articles/what-a-trauma-bond-is", "/support", "/search", "/glossary", "/sources", "/feed.xml", sheet}
	forms := map[string]string{"gzip, deflate, br": "br", "br;q=1.0, gzip": "br", "gzip": "gzip", "deflate, gzip;q=0.5": "gzip", "br;q=0, gzip;q=0.8": "gzip", "": "", "identity": ""}
	const requests, readers = 10_000, 64
	var next, wrong atomic.Int64
	var wait sync.WaitGroup
	accepts := make([]string, 0, len(forms))
	for accept := range forms {
		accepts = append(accepts, accept)
	}
	for range readers {
		wait.Go(func() {
			for n := next.Add(1); n <= requests; n = next.Add(1) {
				path := pages[int(n)%len(pages)]
				if n%3 == 0 {
					path += fmt.Sprint("?utm_source=", n)
				}
				accept := accepts[int(n/7)%len(accepts)]
				res, _, err := e.get(t.Context(), path, accept)
				if err != nil || res.StatusCode != http.StatusOK || res.Header.Get("Content-Encoding") == "br" && forms[accept] != "br" {
					wrong.Add(1)
				}
			}
		})
	}
	wait.Wait()
	if wrong.Load() > 0 {
		t.Errorf("%d of %d answers are wrong", wrong.Load(), requests)
	}
	total := 0
	for _, page := range pages {
		for _, form := range []string{"br", "gzip", ""} {
			n := e.times(page, form)
			if total += n; n != 1 {
				t.Errorf("%s %q: fetched %d times", page, form, n)
			}
		}
	}
	t.Logf("%d requests, %d fetches", requests, total)
}

// What is somebody's own is fetched each time, and no byte of it is in the cache.
func TestTheEdgeKeepsNothingOfAnybody(t *testing.T) {
	e := newEdge(t, "5m")
	key := regexp.MustCompile(`<input type="hidden" name="key" value="([^"]+)"`)
	var secrets []string
	own := []string{"/consult", "/newsletter", "/consult/find"}
	for _, path := range own {
		for range 5 {
			res, body := e.must(path, "")
			m := key.FindSubmatch(body)
			if m == nil {
				t.Fatalf("%s holds no key", path)
			}
			secrets = append(secrets, string(m[1]))
			if got := res.Header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("%s holds a key and says %q", path, got)
			}
		}
	}
	for _, path := range []string{
		"/consult/AAAAAAAAAAAAAAAAAAAAAAAAAA", "/consult/AAAAAAAAAAAAAAAAAAAAAAAAAA/invite.ics", "/newsletter/confirm/AAAA", "/newsletter/done",
		"/consult?zone=UTC", "//consult", "/articles/../consult", "/%63onsult", "/none", "/healthz", "/readyz", "/admin", "/calendar/AAAA.ics",
	} {
		before := e.total()
		for range 5 {
			e.must(path, "")
		}
		if n := e.total() - before; n != 5 && !strings.HasPrefix(path, "//") {
			t.Errorf("%s: 5 requests, %d fetches", path, n)
		}
	}
	e.must("/articles", "")
	for i, a := range secrets[:len(secrets)-1] {
		if a == secrets[i+1] {
			t.Error("two visitors got one key")
		}
	}
	held := e.kept()
	if !strings.Contains(held, "KEY: http"+edgeHost+"/articles\n") {
		t.Error("the cache does not even hold a page")
	}
	for _, secret := range secrets {
		if strings.Contains(held, secret) {
			t.Errorf("the cache holds the key of a form")
		}
	}
	for _, path := range []string{"/consult", "/newsletter\n", "/admin", "/readyz"} {
		if strings.Contains(held, "KEY: http"+edgeHost+path) {
			t.Errorf("the cache holds %s", path)
		}
	}
}

func (e *edge) total() (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.fetched {
		n += m
	}
	return n
}

// kept is everything in the folder of the cache, unpacked where it is packed.
func (e *edge) kept() string {
	var all strings.Builder
	err := filepath.WalkDir(e.cache, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		if at := strings.Index(string(text), "\x1f\x8b"); at >= 0 {
			if zip, err := gzip.NewReader(strings.NewReader(string(text[at:]))); err == nil {
				_, _ = io.Copy(&all, zip) // to its end or as far as it goes
			}
		}
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return all.String()
}

// Once its time is over, a page is asked for again, by its ETag, and only once however
// many readers there are; they get the last one meanwhile.
func TestTheEdgeAsksAgainByETag(t *testing.T) {
	e := newEdge(t, "1s")
	const page = "/articles/what-a-trauma-bond-is"
	for e.times(page, "gzip") < 3 {
		if res, _ := e.must(page, "gzip"); res.StatusCode != http.StatusOK {
			t.Fatal(res.Status)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if whole, same := e.status[page+" gzip 200"], e.status[page+" gzip 304"]; whole != 1 || same < 2 {
		t.Errorf("fetched whole %d times, found the same %d times; want 1 and the others", whole, same)
	}
}
