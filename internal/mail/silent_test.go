package mail_test

import (
	"net"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/mail"
)

// A server that takes the connection and says nothing is away, and no reason to halt:
// booking-H32, news-H18.
func TestASilentServerIsAway(t *testing.T) {
	for name, security := range map[string]mail.Security{"STARTTLS": mail.StartTLS, "implicit TLS": mail.ImplicitTLS, "in the clear": mail.Clear} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0") // whoever connects waits in its queue
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			host, port, _ := net.SplitHostPort(l.Addr().String())
			limits := mail.Limits{Connect: 50 * time.Millisecond, Command: 50 * time.Millisecond, Answer: 50 * time.Millisecond}
			s := mail.NewSMTP(mail.Server{Host: host, Port: port, Security: security}, "letters.example", nil, limits)
			if out, began := deliver(t, s, "reader@x.example"); out.Verdict != mail.Unreachable || began || out.Sentence == "" {
				t.Errorf("outcome %v, sentence %q; want it unreachable", out, out.Sentence)
			}
		})
	}
}
