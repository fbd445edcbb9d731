package web

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/steadier/steadier/internal/respond"
)

// Export gives the reading part of the site to put, one file after the other, for a
// server of plain files: what a GET answers, with the compressed forms beside it, and
// the headers in the file _headers, as Netlify and Cloudflare Pages read it. A page
// /x is the file x.html. Pages with forms are not in it; links lead to them at the
// origin of this site. It ends with the first error of put, or when ctx ends.
func (s *Site) Export(ctx context.Context, put func(name string, body []byte) error) error {
	e := &exporter{site: s, handler: s.Handler(), put: put, away: []string{"/consult", "/newsletter"}}
	paths := slices.Sorted(maps.Keys(s.shelf.Load().pages))
	for _, p := range paths {
		if strings.Contains(string(s.shelf.Load().pages[p].Body()), "<form") {
			e.away = append(e.away, p)
		}
	}
	for slug := range s.sentLetters(ctx) {
		if i, ok := s.Library().Issue(slug); ok {
			paths = append(paths, i.Path())
		}
	}
	paths = append(paths, "/feed.xml", "/sitemap.xml", "/robots.txt", "/.well-known/security.txt", "/404")
	paths = append(paths, slices.Sorted(maps.Keys(s.assets))...)
	for _, p := range paths {
		if slices.Contains(e.away, p) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.page(ctx, p); err != nil {
			return err
		}
	}
	return put("_headers", s.headersFile())
}

type exporter struct {
	site    *Site
	handler http.Handler
	put     func(name string, body []byte) error
	away    []string // pages that stay at the origin
}

// page writes one file with its compressed forms.
func (e *exporter) page(ctx context.Context, p string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, origin(e.site.Base)+p, nil)
	if err != nil {
		return fmt.Errorf("export %s: %w", p, err)
	}
	w := &taken{header: http.Header{}}
	e.handler.ServeHTTP(w, r)
	want := http.StatusOK
	if p == "/404" {
		want = http.StatusNotFound
	}
	if w.status != want {
		return fmt.Errorf("export %s: status %d", p, w.status)
	}
	body, kind := w.body.Bytes(), w.header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/html") {
		body = e.elsewhere(body)
	}
	file := respond.NewCopy(kind, body)
	file.Brotli()
	for encoding, form := range file.Forms() {
		if err := e.put(fileName(p)+suffixes[encoding], form); err != nil {
			return err
		}
	}
	return nil
}

// taken is an answer that goes into a file.
type taken struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (t *taken) Header() http.Header         { return t.header }
func (t *taken) WriteHeader(status int)      { t.status = status }
func (t *taken) Write(b []byte) (int, error) { return t.body.Write(b) }

var suffixes = map[string]string{"": "", "gzip": ".gz", "br": ".br"}

func fileName(p string) string {
	switch {
	case p == "/":
		return "index.html"
	case path.Ext(p) == "":
		return p[1:] + ".html"
	}
	return p[1:]
}

var (
	anyForm  = regexp.MustCompile(`(?s)<form.*?</form>`)
	ownLinks = regexp.MustCompile(`href="(/[^"]*)"`)
)

// elsewhere turns the links to pages that stay at the origin into whole addresses. The
// only form that is left is the search of the page for addresses that lead nowhere.
func (e *exporter) elsewhere(html []byte) []byte {
	html = anyForm.ReplaceAll(html, nil)
	return ownLinks.ReplaceAllFunc(html, func(link []byte) []byte {
		p := string(link[len(`href="`) : len(link)-1])
		page, _, _ := strings.Cut(strings.ReplaceAll(p, "?", "#"), "#")
		if slices.Contains(e.away, page) || strings.HasPrefix(page, "/consult/") {
			return []byte(`href="` + origin(e.site.Base) + p + `"`)
		}
		return link
	})
}

// headersFile is what this site sends with every answer, for a server of files.
func (s *Site) headersFile() []byte {
	fixed := fixedHeaders(s.Config)
	fixed["Permissions-Policy"] = permissions
	fixed["Cache-Control"] = string(respond.Reading)
	var b strings.Builder
	b.WriteString("/*\n")
	for _, name := range slices.Sorted(maps.Keys(fixed)) {
		b.WriteString("  " + name + ": " + fixed[name] + "\n")
	}
	b.WriteString("/static/*\n  ! Cache-Control\n  Cache-Control: " + string(respond.Immutable) + "\n")
	return []byte(b.String())
}
