package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Limits are the longest times that a step may take. RFC 5321 §4.5.3.2 suggests
// minutes for relays between strangers; this is one known submission server.
type Limits struct {
	Connect time.Duration // until the greeting was answered, with TLS and sign-in
	Command time.Duration // one command and its answer; also writing the message
	Answer  time.Duration // the answer after the final dot
}

// DefaultLimits are the limits that serve uses.
func DefaultLimits() Limits {
	return Limits{Connect: 30 * time.Second, Command: time.Minute, Answer: 5 * time.Minute}
}

// SMTP delivers over one connection, which it opens when needed and keeps. It is
// for one goroutine.
type SMTP struct {
	server Server
	hello  string
	roots  *x509.CertPool
	limits Limits

	conn   net.Conn
	client *smtp.Client
}

// NewSMTP returns a transport to a server. hello is the name with which it
// greets: a domain of ours, never the machine's. roots are the authorities to
// trust; nil means the system's.
func NewSMTP(server Server, hello string, roots *x509.CertPool, limits Limits) *SMTP {
	return &SMTP{server: server, hello: hello, roots: roots, limits: limits}
}

// Deliver implements [Transport]. A kept connection that the server has closed
// meanwhile is opened once more before that counts as trouble.
func (s *SMTP) Deliver(ctx context.Context, from, to string, raw []byte, inData func() error) Outcome {
	kept := s.client != nil
	out := s.attempt(ctx, from, to, raw, inData)
	if kept && s.client == nil && out.Verdict == Unreachable && out.Phase == PhaseMail {
		out = s.attempt(ctx, from, to, raw, inData)
	}
	return out
}

// Idle says goodbye to the server and closes the connection.
func (s *SMTP) Idle() {
	if s.client == nil {
		return
	}
	s.client.CommandTimeout = time.Second // a goodbye is not worth more
	_ = s.client.Quit()                   // nothing depends on it
	s.drop()
}

func (s *SMTP) drop() {
	if s.conn != nil {
		_ = s.conn.Close() // whatever it was, it is over
	}
	s.conn, s.client = nil, nil
}

func (s *SMTP) attempt(ctx context.Context, from, to string, raw []byte, inData func() error) Outcome {
	if s.client == nil {
		if out := s.connect(ctx); out.Verdict != NotTried {
			s.drop()
			return out
		}
	}
	stop := closeWhenDone(ctx, s.conn)
	defer stop()
	if err := s.client.Mail(from, nil); err != nil {
		return s.failed(PhaseMail, err)
	}
	if err := s.client.Rcpt(to, nil); err != nil {
		return s.failed(PhaseRcpt, err)
	}
	if err := inData(); err != nil {
		s.reset()
		return Outcome{Verdict: NotTried, Phase: PhaseData}
	}
	return s.data(ctx, raw)
}

// data sends the message. Until the final dot is written the server cannot have
// taken it; from then on only its answer tells.
func (s *SMTP) data(ctx context.Context, raw []byte) Outcome {
	writing, cancel := context.WithTimeout(ctx, s.limits.Command)
	defer cancel()
	stop := closeWhenDone(writing, s.conn)
	defer stop()
	body, err := s.client.Data()
	if err != nil {
		return s.failed(PhaseData, err)
	}
	if _, err := body.Write(raw); err != nil {
		return s.failed(PhaseData, err)
	}
	stop()
	if err := body.Close(); err != nil {
		if _, _, _, answered := reply(err); !answered {
			s.drop()
			return Outcome{Verdict: Lost, Phase: PhaseData}
		}
		return s.failed(PhaseData, err)
	}
	return Outcome{Verdict: Taken, Phase: PhaseData, Code: 250}
}

// failed turns an error of a command into an outcome, and leaves a connection
// that can be used again, or none.
func (s *SMTP) failed(phase Phase, err error) Outcome {
	code, enhanced, text, answered := reply(err)
	if !answered {
		s.drop()
		out := Outcome{Verdict: Unreachable, Phase: phase, Sentence: s.sentence("does not answer")}
		if phase != PhaseMail {
			out.Verdict = TryAgain // charged, so that one message cannot block the queue for good
		}
		return out
	}
	out := Outcome{Verdict: judge(phase, code, enhanced, text), Phase: phase, Code: code, Enhanced: enhanced}
	switch out.Verdict {
	case Unreachable:
		out.Sentence = s.sentence(fmt.Sprintf("takes no mail for now (answer %d)", code))
	case Halt:
		out.Sentence = s.sentence(fmt.Sprintf(
			"wants us to sign in first (answer %d): give user name and password in STEADIER_SMTP", code))
	}
	if code == 421 {
		s.drop()
	} else {
		s.reset()
	}
	return out
}

func (s *SMTP) reset() {
	if err := s.client.Reset(); err != nil {
		s.drop()
	}
}

func (s *SMTP) sentence(what string) string {
	return fmt.Sprintf("The mail server %s %s.", s.server.Host, what)
}

// closeWhenDone closes conn when ctx ends, which unblocks whoever waits for it.
// The caller calls stop when the connection must stay.
func closeWhenDone(ctx context.Context, conn net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() { _ = conn.Close() })
}

// connect opens the connection, encrypts it and signs in. A verdict of NotTried
// means that the connection stands.
func (s *SMTP) connect(ctx context.Context) Outcome {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Connect)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(s.server.Host, s.server.Port))
	if err != nil {
		return Outcome{Verdict: Unreachable, Phase: PhaseConnect, Sentence: s.sentence("cannot be reached")}
	}
	s.conn = conn
	stop := closeWhenDone(ctx, conn)
	defer stop()
	if out := s.greet(ctx); out.Verdict != NotTried {
		return out
	}
	return s.signIn()
}

func (s *SMTP) greet(ctx context.Context) Outcome {
	config := &tls.Config{ServerName: s.server.Host, RootCAs: s.roots, MinVersion: tls.VersionTLS12}
	switch s.server.Security {
	case ImplicitTLS:
		secure := tls.Client(s.conn, config)
		if err := secure.HandshakeContext(ctx); err != nil {
			return s.tlsTrouble(err)
		}
		s.client = smtp.NewClient(secure)
	case StartTLS:
		client, err := smtp.NewClientStartTLS(s.conn, config)
		if err != nil {
			return s.startTrouble(err)
		}
		s.client = client
	case Clear:
		s.client = smtp.NewClient(s.conn)
	}
	s.client.CommandTimeout, s.client.SubmissionTimeout = s.limits.Command, s.limits.Answer
	if err := s.client.Hello(s.hello); err != nil {
		return s.tlsTrouble(err)
	}
	return Outcome{}
}

// startTrouble tells apart a server without STARTTLS from one that is away.
func (s *SMTP) startTrouble(err error) Outcome {
	if code, _, _, answered := reply(err); answered {
		return s.unreachable(PhaseConnect, code)
	}
	if isNetwork(err) {
		return s.unreachable(PhaseConnect, 0)
	}
	return s.halt(PhaseTLS, "offers no encryption (STARTTLS). Nothing was sent; smtps:// on port 465 may work instead")
}

// tlsTrouble tells apart a wrong certificate from a connection that broke.
func (s *SMTP) tlsTrouble(err error) Outcome {
	if code, _, _, answered := reply(err); answered {
		return s.unreachable(PhaseConnect, code)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return s.halt(PhaseTLS, "shows a certificate that is not its own or not trusted. "+
			"Nothing was sent; please check the host name in STEADIER_SMTP")
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return s.halt(PhaseTLS, "does not speak TLS on that port. Nothing was sent; smtp:// on port 587 may work instead")
	}
	return s.unreachable(PhaseTLS, 0)
}

func (s *SMTP) halt(phase Phase, what string) Outcome {
	return Outcome{Verdict: Halt, Phase: phase, Sentence: s.sentence(what)}
}

func (s *SMTP) unreachable(phase Phase, code int) Outcome {
	what := "does not answer"
	if code != 0 {
		what = fmt.Sprintf("takes no mail for now (answer %d)", code)
	}
	return Outcome{Verdict: Unreachable, Phase: phase, Code: code, Sentence: s.sentence(what)}
}

func isNetwork(err error) bool {
	_, ok := errors.AsType[net.Error](err)
	return ok || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

func (s *SMTP) signIn() Outcome {
	if s.server.User == "" {
		return Outcome{}
	}
	if !s.client.SupportsAuth(sasl.Plain) {
		return s.halt(PhaseAuth, "offers no sign-in with a password (AUTH PLAIN)")
	}
	err := s.client.Auth(sasl.NewPlainClient("", s.server.User, s.server.Password))
	if err == nil {
		return Outcome{}
	}
	code, enhanced, _, answered := reply(err)
	if !answered || code < 500 {
		return s.unreachable(PhaseAuth, code)
	}
	out := s.halt(PhaseAuth, fmt.Sprintf("refuses the user name or password in STEADIER_SMTP (answer %d). "+
		"Some providers want an app password", code))
	out.Code, out.Enhanced = code, enhanced
	return out
}

// Probe connects and signs in, and says goodbye. The error is a sentence for the owner.
func (s *SMTP) Probe(ctx context.Context) error {
	out := s.connect(ctx)
	defer s.Idle()
	if out.Verdict != NotTried {
		s.drop()
		return errors.New(out.Sentence)
	}
	return nil
}
