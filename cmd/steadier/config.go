package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/seal"
	"github.com/steadier/steadier/internal/web"
)

// config is what the environment says, checked.
type config struct {
	addr      string
	base      *url.URL // nil: http:// and the real listen address
	content   string   // "": ./content if it is there, else the copy inside the program
	data      string
	keyFile   string // "": in the data folder, made at the first start
	smtp      string // "", "off" or an address that mail.ParseURL took
	mailFrom  string
	mailBase  *url.URL
	signer    *mail.Signer // nil: mail is not signed here
	proxies   []netip.Prefix
	rate      web.Rate
	hsts      web.HSTS
	metrics   string // loopback address of the metrics; "": none
	recipient string // of backups and exported keys; "": a passphrase is asked for
	log       string
}

// setting is one variable of the environment: the table below is all of them.
type setting struct {
	name    string
	initial string // what stands for an unset or empty variable
	means   string // for the usage text
	want    string // what is accepted, for the one line that refuses a value
	set     func(c *config, value string) error
}

var settings = []setting{
	{
		"STEADIER_ADDR", "127.0.0.1:8080", "listen address; port 0 takes a free one",
		"host:port, such as 127.0.0.1:8080", setAddr,
	},
	{
		"STEADIER_BASE_URL", "", "public origin of the site; needed unless the address is loopback",
		"an origin without a path, such as https://example.org",
		func(c *config, v string) (err error) { c.base, err = parseOrigin(v); return err },
	},
	{
		"STEADIER_CONTENT", "", "content folder; ./content, else the copy inside the program",
		"a folder", func(c *config, v string) error { c.content = v; return nil },
	},
	{
		"STEADIER_DATA", "data", "folder of the database, the keys and captured mail",
		"a folder", func(c *config, v string) error { c.data = v; return nil },
	},
	{
		"STEADIER_KEY_FILE", "", "sealing keys; in the data folder, made at the first start",
		"a file", func(c *config, v string) error { c.keyFile = v; return nil },
	},
	{
		"STEADIER_SMTP", "", "mail server, or off; unset on loopback: files in the data folder",
		"smtp://user:password@host:587, smtps://host:465, smtp://127.0.0.1:1025?tls=none, or off", setSMTP,
	},
	{
		"STEADIER_MAIL_FROM", "", "sender address; from site.yaml",
		"an address, such as post@example.org", setMailFrom,
	},
	{
		"STEADIER_MAIL_BASE_URL", "", "neutral origin for links in mail; the base URL",
		"an origin without a path, such as https://example.net",
		func(c *config, v string) (err error) { c.mailBase, err = parseOrigin(v); return err },
	},
	{
		"STEADIER_DKIM", "", "signs mail: selector and key file; unset: the mail server does",
		"selector:file, with a private key in PEM (PKCS #8, Ed25519 or RSA)", setDKIM,
	},
	{
		"STEADIER_TRUSTED_PROXY", "", "networks of proxies whose forwarding headers are believed",
		"networks, such as 127.0.0.1/32 or 10.0.0.0/8, separated by commas", setProxies,
	},
	{
		"STEADIER_RATE", "20/m", "posts that store or send, per client; 0 is no limit",
		"a number and s, m or h, such as 20/m, or 0", setRate,
	},
	{
		"STEADIER_HSTS", "", "strict transport with an https base: one year; full, or off",
		"full or off", setHSTS,
	},
	{
		"STEADIER_BACKUP_RECIPIENT", "", "age recipient of backups and exported keys; unset: asks for a passphrase",
		"an age recipient, such as age1…", setRecipient,
	},
	{
		"STEADIER_METRICS", "", "loopback address that tells counts to Prometheus; unset: none",
		"a loopback address with a port, such as 127.0.0.1:9100", setMetrics,
	},
	{
		"STEADIER_LOG", "", "log format; text on a terminal, else json; quiet: json without a line a request",
		"text, json or quiet", setLog,
	},
}

// readConfig reads and checks the environment. The error is one line that names the
// variable, what it held and what is accepted.
func readConfig(getenv func(string) string) (config, error) {
	var c config
	for _, s := range settings {
		value := strings.TrimSpace(getenv(s.name))
		shown := value
		if value == "" {
			value = s.initial
		}
		if value == "" {
			continue
		}
		if err := s.set(&c, value); err != nil {
			return c, fmt.Errorf("%s is %q: want %s%s", s.name, withoutPassword(shown), s.want, detail(err))
		}
	}
	return c, c.check()
}

// errForm says no more than that a value has not the wanted form.
var errForm = errors.New("")

func detail(err error) string {
	if err.Error() == "" {
		return ""
	}
	return " (" + err.Error() + ")"
}

// withoutPassword keeps the secret of an address out of the message.
func withoutPassword(value string) string {
	scheme, rest, ok := strings.Cut(value, "://")
	at := strings.LastIndexByte(rest, '@')
	if !ok || at < 0 {
		return value
	}
	user, _, secret := strings.Cut(rest[:at], ":")
	if !secret {
		return value
	}
	return scheme + "://" + user + ":…" + rest[at:]
}

// check looks at what must fit together.
func (c config) check() error {
	host, _, _ := net.SplitHostPort(c.addr)
	if c.base == nil && !isLoopback(host) {
		return fmt.Errorf("STEADIER_BASE_URL is not set: want the public origin, such as https://example.org, because STEADIER_ADDR %s is not loopback", c.addr)
	}
	if c.smtp == "" && c.base != nil && !isLoopback(c.base.Hostname()) {
		return fmt.Errorf("STEADIER_SMTP is not set: want a mail server, such as smtp://user:password@host:587, or off, because the base URL %s is public", c.base)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func setAddr(c *config, v string) error {
	_, port, err := net.SplitHostPort(v)
	if err != nil {
		return errForm
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return errForm
	}
	c.addr = v
	return nil
}

func parseOrigin(v string) (*url.URL, error) {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return nil, errForm
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return nil, errForm
	}
	if strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, errors.New("a name with other letters is written in its xn-- form")
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, errForm
		}
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}, nil
}

func setSMTP(c *config, v string) error {
	if v != "off" {
		if _, err := mail.ParseURL(v); err != nil {
			return err
		}
	}
	c.smtp = v
	return nil
}

func setMailFrom(c *config, v string) error {
	if _, err := mail.ParseAddress(v); err != nil {
		return errForm
	}
	c.mailFrom = v
	return nil
}

func setProxies(c *config, v string) error {
	for part := range strings.SplitSeq(v, ",") {
		p, err := netip.ParsePrefix(strings.TrimSpace(part))
		if err != nil {
			return errForm
		}
		c.proxies = append(c.proxies, p.Masked())
	}
	return nil
}

func setRate(c *config, v string) error {
	if v == "0" {
		c.rate = web.Rate{}
		return nil
	}
	count, unit, _ := strings.Cut(v, "/")
	per := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
	n, err := strconv.ParseUint(count, 10, 31)
	if err != nil || n == 0 || per == 0 {
		return errForm
	}
	c.rate = web.Rate{N: int(n), Per: per}
	return nil
}

func setHSTS(c *config, v string) error {
	switch web.HSTS(v) {
	case web.HSTSFull, web.HSTSOff:
		c.hsts = web.HSTS(v)
		return nil
	}
	return errForm
}

func setMetrics(c *config, v string) error {
	if err := setAddr(&config{}, v); err != nil {
		return err
	}
	if host, _, _ := net.SplitHostPort(v); !isLoopback(host) {
		return errForm
	}
	c.metrics = v
	return nil
}

func setRecipient(c *config, v string) error {
	if !seal.ValidRecipient(v) {
		return errForm
	}
	c.recipient = v
	return nil
}

func setLog(c *config, v string) error {
	if v != "text" && v != "json" && v != "quiet" {
		return errForm
	}
	c.log = v
	return nil
}

// keyPath is where the sealing keys are, and whether the operator put them there.
func (c config) keyPath() (path string, chosen bool) {
	if c.keyFile != "" {
		return c.keyFile, true
	}
	return filepath.Join(c.data, "keys", "ring"), false
}

// contentDir is the folder to read, or "" for the copy inside the program.
func (c config) contentDir() string {
	if c.content != "" {
		return c.content
	}
	if info, err := os.Stat("content"); err == nil && info.IsDir() {
		return "content"
	}
	return ""
}
