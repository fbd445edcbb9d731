package mail_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
)

// What the peer took, as it went over the wire.
func TestNewsH24LinesOnTheWire(t *testing.T) {
	m := letter()
	m.Text = strings.Repeat("Wörter und ", 1800) + "\nhttps://x.example/" + strings.Repeat("a", 3000) + "\n" + strings.Repeat("| é ", 500) + "\n"
	m.HTML = "<p>" + m.Text + "</p>"
	raw, err := mail.Build(m)
	if err != nil {
		t.Fatal(err)
	}
	p := mailtest.Start(t, mailtest.Config{Security: mail.Clear})
	if out := dial(t, p).Deliver(t.Context(), "post@letters.example", m.To, raw, func() error { return nil }); out.Verdict != mail.Taken {
		t.Fatal(out)
	}
	got := p.Messages()[0].Raw
	_, body, _ := bytes.Cut(got, []byte("\r\n\r\n"))
	for line := range bytes.SplitSeq(body, []byte("\r\n")) {
		if len(line) > 76 && !bytes.HasPrefix(line, []byte("--")) && !bytes.HasPrefix(line, []byte("Content-")) {
			t.Errorf("%d octets in an encoded line: %.40q", len(line), line)
		}
		if bytes.ContainsAny(line, "\r\n") {
			t.Errorf("a lone CR or LF in %.40q", line)
		}
	}
}
