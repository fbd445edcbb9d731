package mail

import (
	"bytes"
	"fmt"
	"time"

	gomail "github.com/wneessen/go-mail"
)

const (
	headerListID     gomail.Header = "List-Id"
	headerAuto       gomail.Header = "Auto-Submitted"
	headerSuppress   gomail.Header = "X-Auto-Response-Suppress"
	headerOneClick   gomail.Header = "List-Unsubscribe-Post"
	headerLeave      gomail.Header = "List-Unsubscribe"
	headerPrecedence gomail.Header = "Precedence"
)

// Build turns m into the bytes that go over the wire, with CRLF line ends. The
// error wraps [ErrMessage] and names the field at fault.
func Build(m Message) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	msg := gomail.NewMsg(
		gomail.WithCharset(gomail.CharsetUTF8),
		gomail.WithEncoding(gomail.EncodingQP),
		gomail.WithNoDefaultUserAgent(),
	)
	if err := setHeaders(msg, m); err != nil {
		return nil, err
	}
	setParts(msg, m)
	var out bytes.Buffer
	out.Grow(2 * (len(m.Text) + len(m.HTML) + 1024)) // what quoted-printable seldom goes beyond
	if _, err := msg.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("build message: %w", err)
	}
	return out.Bytes(), nil
}

func setHeaders(msg *gomail.Msg, m Message) error {
	if err := msg.FromFormat(m.From.Name, m.From.Address); err != nil {
		return fmt.Errorf("sender: %w", ErrMessage)
	}
	if err := msg.To(m.To); err != nil {
		return fmt.Errorf("recipient: %w", ErrMessage)
	}
	if m.ReplyTo != "" {
		if err := msg.ReplyTo(m.ReplyTo); err != nil {
			return fmt.Errorf("reply address: %w", ErrMessage)
		}
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID)
	msg.SetGenHeader(gomail.HeaderDate, m.Date.Format(time.RFC1123Z))
	msg.SetGenHeader(headerSuppress, "All")
	if m.List == nil {
		msg.SetGenHeader(headerAuto, "auto-generated")
		return nil
	}
	msg.SetGenHeader(headerListID, "<"+m.List.ID+">")
	msg.SetGenHeader(headerLeave, "<"+m.List.Unsubscribe+">")
	msg.SetGenHeader(headerOneClick, "List-Unsubscribe=One-Click")
	msg.SetGenHeader(headerPrecedence, "bulk")
	return nil
}

func setParts(msg *gomail.Msg, m Message) {
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	if m.Invite != nil {
		kind := gomail.ContentType("text/calendar; method=" + m.Invite.Method)
		msg.AddAlternativeString(kind, m.Invite.Data)
	}
}
