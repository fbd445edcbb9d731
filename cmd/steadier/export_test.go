package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestExport(t *testing.T) {
	d := newDesk(t)
	d.env["STEADIER_CONTENT"] = filepath.Join("..", "..", "content")
	if code, _, log := d.run("", "export", d.path("out")); code != exitFault || !strings.Contains(log, "STEADIER_BASE_URL") {
		t.Errorf("without an origin: %d %s", code, log)
	}
	d.env["STEADIER_BASE_URL"], d.env["STEADIER_SMTP"] = "https://site.example", "smtp://127.0.0.1:9?tls=none"
	d.do("", "export", d.path("out"))
	d.do("", "export", d.path("out")) // again
	d.write("other/file", "x")
	if code, _, log := d.run("", "export", d.path("other")); code != exitFault || !strings.Contains(log, "empty folder") {
		t.Errorf("into another folder: %d %s", code, log)
	}
	walkExport(t, d.path("out"))
}

var exportedLink = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// walkExport follows every link from the first page on a server of plain files.
func walkExport(t *testing.T, dir string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := filepath.Join(dir, r.URL.Path)
		if info, err := os.Stat(path); err != nil || info.IsDir() && r.URL.Path != "/" {
			path += ".html"
		}
		http.ServeFile(w, r, path)
	}))
	defer server.Close()
	seen, next := map[string]bool{"/": true}, []string{"/"}
	for len(next) > 0 {
		path := next[0]
		next = next[1:]
		code, body := get(t, server.URL+path)
		if code != http.StatusOK {
			t.Errorf("%s: %d", path, code)
		}
		if !strings.HasPrefix(body, "<!doctype html>") {
			continue
		}
		if strings.Contains(body, "<form") || !strings.Contains(body, "data-exit") {
			t.Errorf("%s has a form or no exit", path)
		}
		for _, m := range exportedLink.FindAllStringSubmatch(body, -1) {
			link, _, _ := strings.Cut(m[1], "#")
			if strings.HasPrefix(link, "/") && !seen[link] {
				seen[link] = true
				next = append(next, link)
			}
		}
	}
	if !seen["/articles/what-a-trauma-bond-is"] || seen["/consult"] || seen["/newsletter"] || seen["/search"] {
		t.Errorf("met %v", seen)
	}
	for _, name := range []string{"_headers", "404.html", "feed.xml.br", ".well-known/security.txt", "articles/what-a-trauma-bond-is.html.gz"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if page, _ := os.ReadFile(filepath.Join(dir, "index.html")); !strings.Contains(string(page), `href="https://site.example/consult"`) {
		t.Error("the times are not linked at the origin")
	}
}
