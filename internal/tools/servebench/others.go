package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// serveBare serves the answer that the file holds, whatever is asked for, with nothing
// between net/http and the bytes.
func serveBare(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	header, body, err := parts(raw)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), header)
		_, _ = w.Write(body)
	}))
}

// parts takes an answer apart, without the date: each server writes its own.
func parts(raw []byte) (http.Header, []byte, error) {
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), nil)
	if err != nil {
		return nil, nil, err
	}
	res.Header.Del("Date")
	body, err := io.ReadAll(res.Body)
	return res.Header, body, err
}

const brotliModule = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so"

// startNginx serves the same page from a file; nil where nginx or its module is missing.
func startNginx(ctx context.Context, raw []byte, dir string, out io.Writer) (*server, error) {
	program, err := exec.LookPath("nginx")
	if _, missing := os.Stat(brotliModule); err != nil || missing != nil {
		fmt.Fprintln(out, "SKIPPED: nginx with brotli_static is not installed (Debian: nginx, libnginx-mod-http-brotli-static)")
		return nil, nil
	}
	header, body, err := parts(raw)
	if err != nil {
		return nil, err
	}
	addr, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := writeTree(dir, map[string][]byte{
		"nginx.conf": []byte(nginxConfig(addr, dir, header)), article: {}, article + ".br": body,
	}); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "-e", filepath.Join(dir, "errors"), "-c", filepath.Join(dir, "nginx.conf"))
	if err := begin(cmd); err != nil {
		return nil, err
	}
	s := newServer("nginx", addr, cmd)
	if err := s.listening(ctx); err != nil {
		s.stop()
		return nil, err
	}
	_, err = s.settle(ctx)
	return s, err
}

// nginxConfig serves dir with the headers of the program, as far as nginx does not
// make them itself.
func nginxConfig(addr, dir string, header http.Header) string {
	var add strings.Builder
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if !slices.Contains([]string{"Content-Encoding", "Content-Length", "Content-Type", "Etag"}, name) {
			fmt.Fprintf(&add, "add_header %s %q;\n", name, header.Get(name))
		}
	}
	return "load_module " + brotliModule + ";\nworker_processes auto;\ndaemon off;\npid " + dir + "/pid;\n" +
		"events { worker_connections 1024; }\n" +
		"http {\naccess_log off;\nkeepalive_requests 1000000000;\ndefault_type \"" + header.Get("Content-Type") + "\";\n" +
		"brotli_static on;\nopen_file_cache max=10;\n" + add.String() + "server { listen " + addr + "; root " + dir + "; }\n}\n"
}

// freePort is an address on which nobody listens.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// writeTree writes files that the workers of nginx, which run as another account, may read.
func writeTree(dir string, files map[string][]byte) error {
	errs := []error{os.Chmod(dir, 0o755)}
	for name, text := range files {
		path := filepath.Join(dir, name)
		errs = append(errs, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644))
	}
	return errors.Join(errs...)
}

// listening waits until the server takes connections.
func (s *server) listening(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not start: %w", s.name, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
