package mail_test

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
)

func build(t *testing.T, m mail.Message) (raw []byte, parsed *netmail.Message) {
	t.Helper()
	raw, err := mail.Build(m)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err = netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return raw, parsed
}

func parts(t *testing.T, m *netmail.Message) (types, bodies []string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	reader := multipart.NewReader(m.Body, params["boundary"])
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return types, bodies
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(part.Header.Get("Content-Type"), ";")
		types, bodies = append(types, kind), append(bodies, string(body))
	}
}

func TestHeadersOfASingleMessage(t *testing.T) {
	_, m := build(t, letter())
	want := netmail.Header{
		"Auto-Submitted":            {"auto-generated"},
		"Content-Transfer-Encoding": {"quoted-printable"},
		"Content-Type":              {"text/plain; charset=UTF-8"},
		"Date":                      {"Tue, 01 Dec 2026 12:00:00 +0000"},
		"From":                      {`"Letters" <post@letters.example>`},
		"Message-Id":                {"<0123456789abcdef@letters.example>"},
		"Mime-Version":              {"1.0"},
		"Subject":                   {"Hello"},
		"To":                        {"<reader@x.example>"},
		"X-Auto-Response-Suppress":  {"All"},
	}
	if diff := cmp.Diff(want, m.Header); diff != "" {
		t.Error(diff)
	}
}

func TestHeadersOfAListMessage(t *testing.T) {
	m := letter()
	m.List = &mail.List{ID: "letters.letters.example", Unsubscribe: "https://letters.example/newsletter/unsubscribe/x"}
	m.ReplyTo = "answers@letters.example"
	_, got := build(t, m)
	for name, want := range map[string]string{
		"List-Id":               "<letters.letters.example>",
		"List-Unsubscribe":      "<https://letters.example/newsletter/unsubscribe/x>",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		"Precedence":            "bulk",
		"Reply-To":              "<answers@letters.example>",
		"Auto-Submitted":        "",
		"User-Agent":            "",
		"X-Mailer":              "",
	} {
		if got := got.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestNewsH28TextComesBeforeHTML(t *testing.T) {
	m := letter()
	m.HTML = "<p>A line.</p>"
	m.Invite = &mail.Calendar{Method: "REQUEST", Data: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"}
	_, got := build(t, m)
	if kind, _, _ := strings.Cut(got.Header.Get("Content-Type"), ";"); kind != "multipart/alternative" {
		t.Errorf("type = %q", kind)
	}
	types, bodies := parts(t, got)
	if diff := cmp.Diff([]string{"text/plain", "text/html", "text/calendar"}, types); diff != "" {
		t.Error(diff)
	}
	if bodies[1] != m.HTML || bodies[2] != m.Invite.Data {
		t.Errorf("bodies = %q", bodies)
	}
}

func TestNewsH24NoLineIsTooLong(t *testing.T) {
	m := letter()
	m.Text = strings.Repeat("word ", 4000) + "\n" + "https://x.example/" + strings.Repeat("a", 3000) + "\n" + strings.Repeat("| é ", 500) + "\n"
	m.HTML = "<p>" + m.Text + "</p>"
	raw, got := build(t, m)
	if bytes.Contains(bytes.ReplaceAll(raw, []byte("\r\n"), nil), []byte("\n")) {
		t.Error("a line ends without CR")
	}
	for line := range bytes.SplitSeq(raw, []byte("\r\n")) {
		if len(line) > 78 {
			t.Errorf("%d octets in a line: %.40q", len(line), line)
		}
	}
	_, bodies := parts(t, got)
	wire := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	if wire(m.Text) != wire(strings.ReplaceAll(bodies[0], "\r\n", "\n")) || wire(m.HTML) != wire(strings.ReplaceAll(bodies[1], "\r\n", "\n")) {
		t.Error("a part changed on its way")
	}
}

func TestNewsH25LongSubject(t *testing.T) {
	m := letter()
	m.Subject = strings.TrimSpace(strings.Repeat("Тихий вечер 静かな夜 🌙 ", 9))
	raw, got := build(t, m)
	decoded, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	if err != nil || decoded != m.Subject {
		t.Errorf("subject = %q, %v; want %q", decoded, err, m.Subject)
	}
	for _, word := range strings.Fields(got.Header.Get("Subject")) {
		one, err := new(mime.WordDecoder).Decode(word)
		if err != nil || !utf8.ValidString(one) || len(word) > 75 {
			t.Errorf("encoded word %q: %v", word, err)
		}
	}
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	for line := range bytes.SplitSeq(head, []byte("\r\n")) {
		if len(line) > 78 {
			t.Errorf("%d octets in a header line: %q", len(line), line)
		}
	}
}

func TestNewsH26HeadersCannotBeInjected(t *testing.T) {
	bad := []string{"a\r\nBcc: v@x.example", "a\rb", "a\nb", "a\x00b", "a\u2028Bcc: x", "a\u0085b"}
	fields := map[string]func(*mail.Message, string){
		"subject":     func(m *mail.Message, s string) { m.Subject = s },
		"sender name": func(m *mail.Message, s string) { m.From.Name = s },
		"sender":      func(m *mail.Message, s string) { m.From.Address = s + "@x.example" },
		"recipient":   func(m *mail.Message, s string) { m.To = s + "@x.example" },
		"reply":       func(m *mail.Message, s string) { m.ReplyTo = s + "@x.example" },
		"bounce":      func(m *mail.Message, s string) { m.Bounce = s + "@x.example" },
		"id":          func(m *mail.Message, s string) { m.ID = s },
		"list":        func(m *mail.Message, s string) { m.List = &mail.List{ID: s} },
		"unsubscribe": func(m *mail.Message, s string) { m.List = &mail.List{ID: "x", Unsubscribe: s} },
		"method":      func(m *mail.Message, s string) { m.Invite = &mail.Calendar{Method: s} },
	}
	for name, set := range fields {
		for _, value := range bad {
			m := letter()
			set(&m, value)
			if _, err := mail.Build(m); !errors.Is(err, mail.ErrMessage) {
				t.Errorf("%s = %q: %v, want it refused", name, value, err)
			}
		}
	}
}

func TestAddressesOfAMessageArePlain(t *testing.T) {
	for _, address := range []string{
		"", "a", "a@", "@x", "a b@x.example", "a@x.example,b@x.example", "<a@x.example>", "a@b@x.example",
		`"a"@x.example`, "jana@bücher.example", "a@x.example\r\nRCPT TO:<b@x.example>",
	} {
		m := letter()
		m.To = address
		if _, err := mail.Build(m); !errors.Is(err, mail.ErrMessage) {
			t.Errorf("to %q: %v, want it refused", address, err)
		}
	}
}

func FuzzMIME(f *testing.F) {
	f.Add("Hello", "A line.\n.\n", "<p>x</p>")
	f.Add("=?utf-8?q?A=0d=0aBcc:_x=40y?=", "", "")
	f.Add("é", strings.Repeat("é", 600), "\r\n\r\n")
	f.Fuzz(func(t *testing.T, subject, text, html string) {
		m := letter()
		m.Subject, m.Text, m.HTML = subject, text, html
		raw, err := mail.Build(m)
		if err != nil {
			return
		}
		got, err := netmail.ReadMessage(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got.Header.Get("Bcc") != "" || len(got.Header["To"]) != 1 || len(got.Header["Subject"]) != 1 {
			t.Errorf("headers = %v", got.Header)
		}
		for line := range bytes.SplitSeq(raw, []byte("\r\n")) {
			if len(line) > 998 {
				t.Errorf("a line of %d octets", len(line))
			}
		}
	})
}
