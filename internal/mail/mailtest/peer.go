// Package mailtest is an SMTP server for tests: it listens on a free port of this
// machine, follows a script for each recipient, keeps what it took, and writes
// down the whole conversation.
package mailtest

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	ours "github.com/steadier/steadier/internal/mail"
)

// Config says what kind of server the peer is. The zero value speaks in the clear
// and asks for no sign-in.
type Config struct {
	Security   ours.Security // with Clear, no STARTTLS is offered. The zero value is StartTLS
	CertFor    string        // the host in the certificate; empty: 127.0.0.1
	User       string        // with Password: the sign-in that it takes
	Password   string
	SMTPUTF8   bool
	Slow       time.Duration // how long it takes to answer the final dot
	CloseAfter int           // answers 421 to MAIL after so many messages on one connection; 0: never
}

// Message is what the peer took.
type Message struct {
	From, To string
	Raw      []byte
}

// Header returns the message's parsed header.
func (m Message) Header(t testing.TB) mail.Header {
	t.Helper()
	parsed, err := mail.ReadMessage(bytes.NewReader(m.Raw))
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Header
}

// Peer is a running server. It is safe for concurrent use.
type Peer struct {
	config   Config
	listener net.Listener
	server   *smtp.Server
	roots    *x509.CertPool
	done     chan struct{}

	mu         sync.Mutex
	messages   []Message
	scripts    map[string][]Step
	atMail     []Step
	tried      map[string]int
	sessions   int
	transcript bytes.Buffer
}

// Start runs a peer until the test ends.
func Start(t testing.TB, config Config) *Peer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Peer{
		config: config, listener: listener, done: make(chan struct{}),
		scripts: make(map[string][]Step), tried: make(map[string]int),
	}
	p.server = smtp.NewServer(smtp.BackendFunc(p.session))
	p.server.Domain = "peer.example"
	p.server.AllowInsecureAuth = true
	p.server.EnableSMTPUTF8 = config.SMTPUTF8
	p.server.MaxLineLength = 4000
	p.server.ErrorLog = log.New(io.Discard, "", 0)
	p.server.Debug = (*transcriber)(p)
	p.secure(t)
	go func() { _ = p.server.Serve(p.listener) }() // ends with Close
	t.Cleanup(p.Close)
	return p
}

func (p *Peer) secure(t testing.TB) {
	if p.config.Security == ours.Clear {
		return
	}
	host := p.config.CertFor
	if host == "" {
		host = "127.0.0.1"
	}
	cert, roots := certificate(t, host)
	p.roots = roots
	p.server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	if p.config.Security == ours.ImplicitTLS {
		p.listener = tls.NewListener(p.listener, p.server.TLSConfig)
	}
}

// Close stops the peer and lets go of whoever hangs.
func (p *Peer) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
	default:
		close(p.done)
		_, _ = p.listener.Close(), p.server.Close() // a test does not care how its peer went
	}
}

// Addr is the host and port where it listens.
func (p *Peer) Addr() string { return p.listener.Addr().String() }

// Server is the peer as a setting, with its sign-in.
func (p *Peer) Server() ours.Server {
	host, port, _ := net.SplitHostPort(p.Addr())
	return ours.Server{
		Host: host, Port: port, User: p.config.User, Password: p.config.Password, Security: p.config.Security,
	}
}

// URL is the peer as a value of STEADIER_SMTP.
func (p *Peer) URL() string {
	u := url.URL{Scheme: "smtp", Host: p.Addr()}
	if p.config.User != "" {
		u.User = url.UserPassword(p.config.User, p.config.Password)
	}
	switch p.config.Security {
	case ours.ImplicitTLS:
		u.Scheme = "smtps"
	case ours.Clear:
		u.RawQuery = "tls=none"
	}
	return u.String()
}

// Roots are the authorities that vouch for the peer's certificate.
func (p *Peer) Roots() *x509.CertPool { return p.roots }

// Messages returns what it took so far, oldest first.
func (p *Peer) Messages() []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.messages)
}

// To returns what it took for one recipient.
func (p *Peer) To(address string) []Message {
	return slices.DeleteFunc(p.Messages(), func(m Message) bool { return m.To != address })
}

// Tried tells how often a recipient was named in RCPT.
func (p *Peer) Tried(address string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tried[address]
}

// Sessions tells how many connections it had.
func (p *Peer) Sessions() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions
}

// Transcript is the whole conversation of all connections, after decryption.
func (p *Peer) Transcript() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.transcript.String()
}

type transcriber Peer

// Write keeps a piece of the conversation.
func (t *transcriber) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.transcript.Write(b)
}

func (p *Peer) session(conn *smtp.Conn) (smtp.Session, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions++
	return &session{peer: p, conn: conn}, nil
}

type session struct {
	peer     *Peer
	conn     *smtp.Conn
	from, to string
	step     Step
	taken    int
	dropNext bool
}

var errGone = errors.New("the peer is gone")

// AuthMechanisms implements smtp.AuthSession.
func (s *session) AuthMechanisms() []string {
	if s.peer.config.User == "" {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth implements smtp.AuthSession.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.peer.config.User || password != s.peer.config.Password {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "no"}
		}
		return nil
	}), nil
}

// Reset implements smtp.Session.
func (s *session) Reset() { s.from, s.to, s.step = "", "", Step{} }

// Logout implements smtp.Session.
func (s *session) Logout() error { return nil }

// Mail implements smtp.Session.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.dropNext {
		_ = s.conn.Conn().Close() // that is the point
		return errGone
	}
	if n := s.peer.config.CloseAfter; n > 0 && s.taken >= n {
		defer func() { s.dropNext = true }()
		return &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 7, 0}, Message: "enough for one connection"}
	}
	s.from = from
	return s.play(s.peer.nextAtMail(), AtMail)
}

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to, s.step = to, s.peer.next(to)
	return s.play(s.step, AtRcpt)
}

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	if s.step.At == InBody {
		_, _ = io.CopyN(io.Discard, r, 10) // a little of it, then
		_ = s.conn.Conn().Close()          // it breaks
		return errGone
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.step.At != AtEnd || s.step.Keep {
		s.peer.keep(Message{From: s.from, To: s.to, Raw: raw})
		s.taken++
	}
	if s.peer.config.Slow > 0 {
		select {
		case <-time.After(s.peer.config.Slow):
		case <-s.peer.done:
		}
	}
	s.dropNext = s.step.At == AfterEnd
	return s.play(s.step, AtEnd)
}

func (s *session) play(step Step, at At) error {
	if step.At != at {
		return nil
	}
	switch {
	case step.Hang:
		<-s.peer.done
		return errGone
	case step.Drop:
		_ = s.conn.Conn().Close() // that is the point
		return errGone
	}
	return &smtp.SMTPError{Code: step.Code, EnhancedCode: enhanced(step.Enhanced), Message: step.Text}
}

func (p *Peer) keep(m Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages = append(p.messages, m)
}

func enhanced(code string) smtp.EnhancedCode {
	if code == "" {
		return smtp.NoEnhancedCode
	}
	var out smtp.EnhancedCode
	for i, part := range strings.SplitN(code, ".", 3) {
		for _, r := range part {
			out[i] = out[i]*10 + int(r-'0')
		}
	}
	return out
}
