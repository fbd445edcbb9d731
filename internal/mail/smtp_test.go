package mail_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func letter() mail.Message {
	return mail.Message{
		ID: "0123456789abcdef@letters.example", Date: noon,
		From: mail.Mailbox{Name: "Letters", Address: "post@letters.example"},
		To:   "reader@x.example", Subject: "Hello", Text: "A line.\n.\nA dot before this.\n",
	}
}

// testLimits are short where a test waits for them, and long where it must not.
func testLimits() mail.Limits {
	return mail.Limits{Connect: 20 * time.Second, Command: 20 * time.Second, Answer: 20 * time.Second}
}

func deliver(t *testing.T, s *mail.SMTP, to string) (out mail.Outcome, began bool) {
	t.Helper()
	m := letter()
	m.To = to
	raw, err := mail.Build(m)
	if err != nil {
		t.Fatal(err)
	}
	out = s.Deliver(context.Background(), "bounces@letters.example", to, raw, func() error {
		began = true
		return nil
	})
	return out, began
}

func dial(t *testing.T, p *mailtest.Peer) *mail.SMTP {
	t.Helper()
	s := mail.NewSMTP(p.Server(), "letters.example", p.Roots(), testLimits())
	t.Cleanup(s.Idle)
	return s
}

func TestAMessageArrivesWhole(t *testing.T) {
	for name, security := range map[string]mail.Security{
		"STARTTLS": mail.StartTLS, "implicit TLS": mail.ImplicitTLS, "in the clear on loopback": mail.Clear,
	} {
		t.Run(name, func(t *testing.T) {
			p := mailtest.Start(t, mailtest.Config{Security: security, User: "us", Password: "secret word"})
			out, began := deliver(t, dial(t, p), "reader@x.example")
			if out.Verdict != mail.Taken || !began {
				t.Fatalf("outcome %v, began %v; want taken", out, began)
			}
			got := p.Messages()
			if len(got) != 1 || got[0].From != "bounces@letters.example" || got[0].To != "reader@x.example" {
				t.Fatalf("messages = %+v", got)
			}
			if !strings.Contains(string(got[0].Raw), "\r\n.\r\nA dot before this.\r\n") {
				t.Errorf("the lone dot was not kept:\n%s", got[0].Raw)
			}
			if strings.Contains(p.Transcript(), "localhost.localdomain") {
				t.Error("the machine's name is on the wire")
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	refuse := mailtest.Refuse
	tests := []struct {
		name  string
		step  mailtest.Step
		want  mail.Verdict
		began bool
	}{
		{"taken", mailtest.Step{}, mail.Taken, true},
		{"news-H16 5.1.1 at RCPT is no such mailbox", refuse(mailtest.AtRcpt, 550, "5.1.1"), mail.NoSuchBox, false},
		{"5.1.1 at the end is no such mailbox", refuse(mailtest.AtEnd, 550, "5.1.1"), mail.NoSuchBox, true},
		{"550 without a code but with the words", mailtest.Step{At: mailtest.AtRcpt, Code: 550, Text: "User unknown"}, mail.NoSuchBox, false},
		{"550 without a code or the words is no verdict on the address", mailtest.Step{At: mailtest.AtRcpt, Code: 550, Text: "go away"}, mail.Refused, false},
		{"5.1.8 speaks of the sender", refuse(mailtest.AtRcpt, 550, "5.1.8"), mail.Refused, false},
		{"5.2.2 is a full mailbox", refuse(mailtest.AtRcpt, 552, "5.2.2"), mail.BoxFull, false},
		{"5.7.1 is a refusal", refuse(mailtest.AtEnd, 554, "5.7.1"), mail.Refused, true},
		{"news-H17 4xx at RCPT", refuse(mailtest.AtRcpt, 451, "4.7.1"), mail.TryAgain, false},
		{"news-H17 4xx at the end", refuse(mailtest.AtEnd, 451, "4.7.1"), mail.TryAgain, true},
		{"broken at RCPT", mailtest.Step{At: mailtest.AtRcpt, Drop: true}, mail.TryAgain, false},
		{"news-H15 taken, but the connection closed", mailtest.Step{At: mailtest.AtEnd, Drop: true, Keep: true}, mail.Lost, true},
		{"530 means: sign in", refuse(mailtest.AtRcpt, 530, "5.7.0"), mail.Halt, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
			p.Script("reader@x.example", test.step)
			s := dial(t, p)
			out, began := deliver(t, s, "reader@x.example")
			if out.Verdict != test.want || began != test.began {
				t.Errorf("outcome %v, began %v; want %v, %v", out, began, test.want, test.began)
			}
			if out.Verdict == mail.Halt && out.Sentence == "" {
				t.Error("a halt needs a sentence")
			}
			if again, _ := deliver(t, s, "other@x.example"); again.Verdict != mail.Taken {
				t.Errorf("the next message: %v, want taken", again)
			}
		})
	}
}

func TestBrokenInTheMiddleIsNeverTaken(t *testing.T) {
	p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	p.Script("reader@x.example", mailtest.Step{At: mailtest.InBody})
	out, _ := deliver(t, dial(t, p), "reader@x.example")
	if out.Verdict != mail.Lost && out.Verdict != mail.TryAgain {
		t.Errorf("outcome %v, want lost or try again", out)
	}
}

func TestNewsH15AHangingAnswerIsLost(t *testing.T) {
	p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	p.Script("reader@x.example", mailtest.Step{At: mailtest.AtEnd, Hang: true, Keep: true})
	limits := testLimits()
	limits.Answer = 50 * time.Millisecond
	s := mail.NewSMTP(p.Server(), "letters.example", nil, limits)
	if out, _ := deliver(t, s, "reader@x.example"); out.Verdict != mail.Lost {
		t.Errorf("outcome %v, want lost", out)
	}
}

func TestMailRefusals(t *testing.T) {
	tests := []struct {
		name string
		step mailtest.Step
		want mail.Verdict
	}{
		{"4xx at MAIL is nobody's fault", mailtest.Refuse(mailtest.AtMail, 451, "4.3.2"), mail.Unreachable},
		{"421 at MAIL is nobody's fault", mailtest.Refuse(mailtest.AtMail, 421, "4.3.2"), mail.Unreachable},
		{"5xx at MAIL is about us", mailtest.Refuse(mailtest.AtMail, 550, "5.7.1"), mail.Refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
			p.ScriptMail(test.step)
			if out, _ := deliver(t, dial(t, p), "reader@x.example"); out.Verdict != test.want {
				t.Errorf("outcome %v, want %v", out, test.want)
			}
		})
	}
}

func TestAClosedConnectionIsOpenedOnceMore(t *testing.T) {
	tests := []struct {
		name   string
		config mailtest.Config
		step   mailtest.Step
	}{
		{"closed after a message", mailtest.Config{Security: mail.Clear}, mailtest.Step{At: mailtest.AfterEnd}},
		{"421 after one message", mailtest.Config{Security: mail.Clear, CloseAfter: 1}, mailtest.Step{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mailtest.Start(t, test.config)
			p.Script("a@x.example", test.step)
			s := dial(t, p)
			for _, to := range []string{"a@x.example", "b@x.example"} {
				if out, _ := deliver(t, s, to); out.Verdict != mail.Taken {
					t.Errorf("%s: %v, want taken", to, out)
				}
			}
			if p.Sessions() != 2 {
				t.Errorf("%d sessions, want 2", p.Sessions())
			}
		})
	}
}

func TestNewsH19AWrongPasswordHalts(t *testing.T) {
	p := mailtest.Start(t, mailtest.Config{User: "us", Password: "right"})
	server := p.Server()
	server.Password = "canary-password"
	out, began := deliver(t, mail.NewSMTP(server, "letters.example", p.Roots(), testLimits()), "reader@x.example")
	if out.Verdict != mail.Halt || out.Code != 535 || began {
		t.Fatalf("outcome %v, want halt with 535", out)
	}
	if !strings.Contains(out.Sentence, "user name or password") || strings.Contains(out.Sentence, "canary") {
		t.Errorf("sentence = %q", out.Sentence)
	}
}

func TestNewsH20RequiredMeansRequired(t *testing.T) {
	tests := []struct {
		name   string
		config mailtest.Config
		change func(*mail.Server)
	}{
		{"no STARTTLS offered", mailtest.Config{Security: mail.Clear, User: "us", Password: "right"}, func(s *mail.Server) { s.Security = mail.StartTLS }},
		{"a certificate for another name", mailtest.Config{CertFor: "other.example", User: "us", Password: "right"}, func(*mail.Server) {}},
		{"another name, implicit TLS", mailtest.Config{Security: mail.ImplicitTLS, CertFor: "other.example", User: "us", Password: "right"}, func(*mail.Server) {}},
		{"a server in the clear on the TLS port", mailtest.Config{Security: mail.Clear, User: "us", Password: "right"}, func(s *mail.Server) { s.Security = mail.ImplicitTLS }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mailtest.Start(t, test.config)
			server := p.Server()
			test.change(&server)
			out, began := deliver(t, mail.NewSMTP(server, "letters.example", p.Roots(), testLimits()), "reader@x.example")
			if out.Verdict != mail.Halt || began || out.Sentence == "" {
				t.Errorf("outcome %v, sentence %q; want halt", out, out.Sentence)
			}
			for _, command := range []string{"AUTH ", "MAIL "} {
				for line := range strings.Lines(p.Transcript()) {
					if strings.HasPrefix(line, command) {
						t.Errorf("on the wire: %q", line)
					}
				}
			}
		})
	}
}

func TestAServerThatIsAway(t *testing.T) {
	p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	s := mail.NewSMTP(p.Server(), "letters.example", nil, testLimits())
	p.Close()
	out, began := deliver(t, s, "reader@x.example")
	if out.Verdict != mail.Unreachable || began || out.Sentence == "" {
		t.Errorf("outcome %v, %q; want unreachable", out, out.Sentence)
	}
}

func TestAnErrorBeforeDataSendsNothing(t *testing.T) {
	p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	raw, err := mail.Build(letter())
	if err != nil {
		t.Fatal(err)
	}
	out := dial(t, p).Deliver(context.Background(), "a@letters.example", "reader@x.example", raw, func() error {
		return errors.New("the disk is full")
	})
	if diff := cmp.Diff(mail.NotTried, out.Verdict); diff != "" || len(p.Messages()) != 0 {
		t.Errorf("outcome %v, %d messages; want none", out, len(p.Messages()))
	}
}
