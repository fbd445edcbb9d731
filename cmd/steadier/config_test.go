package main

import (
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/web"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return m[name] }
}

func TestAWrongValueStopsTheStartWithOneLine(t *testing.T) {
	for _, tt := range []struct{ name, value string }{
		{"STEADIER_ADDR", "8080"},
		{"STEADIER_ADDR", "127.0.0.1:http"},
		{"STEADIER_ADDR", "127.0.0.1:70000"},
		{"STEADIER_ADDR", "127.0.0.1:-1"},
		{"STEADIER_BASE_URL", "example.org"},
		{"STEADIER_BASE_URL", "ftp://example.org"},
		{"STEADIER_BASE_URL", "https://example.org/site"},
		{"STEADIER_BASE_URL", "https://user@example.org"},
		{"STEADIER_BASE_URL", "https://example.org?x=1"},
		{"STEADIER_BASE_URL", "https://:443"},
		{"STEADIER_BASE_URL", "https://example.org:99999"},
		{"STEADIER_BASE_URL", "https://example.org:"},
		{"STEADIER_BASE_URL", "https://bücher.example"},
		{"STEADIER_METRICS", "9100"},
		{"STEADIER_METRICS", "0.0.0.0:9100"},
		{"STEADIER_BACKUP_RECIPIENT", "age1nonsense"},
		{"STEADIER_MAIL_BASE_URL", "post.example.org"},
		{"STEADIER_SMTP", "mail.example.org"},
		{"STEADIER_SMTP", "smtp://mail.example.org?tls=none"},
		{"STEADIER_SMTP", "OFF"},
		{"STEADIER_MAIL_FROM", "Steadier <post@example.org>"},
		{"STEADIER_TRUSTED_PROXY", "127.0.0.1"},
		{"STEADIER_TRUSTED_PROXY", "127.0.0.1/33"},
		{"STEADIER_TRUSTED_PROXY", "10.0.0.0/8,"},
		{"STEADIER_RATE", "20"},
		{"STEADIER_RATE", "0/m"},
		{"STEADIER_RATE", "-1/m"},
		{"STEADIER_RATE", "20/d"},
		{"STEADIER_RATE", "20/m/m"},
		{"STEADIER_HSTS", "on"},
		{"STEADIER_LOG", "xml"},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			_, err := readConfig(env(tt.name, tt.value))
			if err == nil {
				t.Fatal("accepted")
			}
			line := err.Error()
			if !strings.Contains(line, tt.name) || !strings.Contains(line, tt.value) || !strings.Contains(line, "want ") || strings.Contains(line, "\n") {
				t.Errorf("error %q: want one line with the name, the value and what is accepted", line)
			}
		})
	}
}

func TestAPasswordIsKeptOutOfTheMessage(t *testing.T) {
	_, err := readConfig(env("STEADIER_SMTP", "smtp://ann:s3cret@mail.example.org:x"))
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("error %v", err)
	}
}

func TestWhatMustFitTogether(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		env        func(string) string
	}{
		{"a public address without a base URL", "STEADIER_BASE_URL", env("STEADIER_ADDR", "0.0.0.0:8080")},
		{"a public address, all interfaces", "STEADIER_BASE_URL", env("STEADIER_ADDR", ":8080")},
		{"a public base URL without mail", "STEADIER_SMTP", env("STEADIER_BASE_URL", "https://example.org")},
		{"a public base URL without mail, written as off", "", env("STEADIER_BASE_URL", "https://example.org", "STEADIER_SMTP", "off")},
		{"nothing set", "", env()},
		{"loopback by its other names", "", env("STEADIER_ADDR", "[::1]:0", "STEADIER_BASE_URL", "http://localhost:9000")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readConfig(tt.env)
			if got := err == nil; got != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that names %q", err, tt.want)
			}
		})
	}
}

func TestConfigIsRead(t *testing.T) {
	c, err := readConfig(env(
		"STEADIER_ADDR", " 127.0.0.1:0 ", "STEADIER_BASE_URL", "https://Example.org/", "STEADIER_SMTP", "off",
		"STEADIER_TRUSTED_PROXY", "10.1.2.3/8, ::1/128", "STEADIER_RATE", "5/s", "STEADIER_HSTS", "full"))
	if err != nil {
		t.Fatal(err)
	}
	if c.addr != "127.0.0.1:0" || c.base.String() != "https://example.org" || len(c.proxies) != 2 || c.proxies[0].String() != "10.0.0.0/8" {
		t.Errorf("config %+v", c)
	}
	if (c.rate != web.Rate{N: 5, Per: time.Second}) || c.hsts != web.HSTSFull || !c.mailOff() {
		t.Errorf("config %+v", c)
	}
	if c, _ := readConfig(env()); (c.rate != web.Rate{N: 20, Per: time.Minute}) || c.data != "data" {
		t.Errorf("without anything set: %+v", c)
	}
	if c, _ := readConfig(env("STEADIER_RATE", "0")); c.rate.N != 0 {
		t.Errorf("rate 0 is %+v", c.rate)
	}
}
