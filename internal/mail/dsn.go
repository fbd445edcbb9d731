package mail

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"net/textproto"
	"strings"
)

// maxReport is how much of a report is read: it may carry the whole message back.
const maxReport = 4 << 20

// ErrNotReport is returned for a message that is no delivery status notification.
var ErrNotReport = errors.New("not a delivery status notification (RFC 3464)")

// Report is what a delivery status notification says of one recipient.
type Report struct {
	MessageID string // of the message that it is about, without angle brackets; "" if it does not say
	Action    string // failed, delayed, delivered, relayed, expanded
	Status    string // enhanced code, such as "5.1.1"
}

// Bad reports whether the recipient does not exist, as far as the report says.
func (r Report) Bad() bool {
	return r.Action == "failed" && noSuchBox(PhaseData, 550, r.Status, "")
}

// Full reports whether the recipient's mailbox had no room.
func (r Report) Full() bool { return r.Action == "failed" && r.Status == "5.2.2" }

// ParseReport reads a delivery status notification (RFC 3464): what it says of
// each recipient. The recipient's address is passed over: anybody can send such a
// report, and only the id of a message that we sent proves something.
func ParseReport(r io.Reader) ([]Report, error) {
	m, err := netmail.ReadMessage(bufio.NewReader(io.LimitReader(r, maxReport)))
	if err != nil {
		return nil, ErrNotReport
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/report" || params["boundary"] == "" {
		return nil, ErrNotReport
	}
	reports, id, err := readReport(multipart.NewReader(m.Body, params["boundary"]))
	if err != nil {
		return nil, err
	}
	if len(reports) == 0 {
		return nil, ErrNotReport
	}
	for i := range reports {
		reports[i].MessageID = id
	}
	return reports, nil
}

func readReport(parts *multipart.Reader) (reports []Report, id string, err error) {
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return reports, id, nil
		}
		if err != nil {
			return nil, "", fmt.Errorf("%w: it is cut off", ErrNotReport)
		}
		body, err := io.ReadAll(part)
		if err != nil {
			return nil, "", fmt.Errorf("%w: it is cut off", ErrNotReport)
		}
		kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		switch kind {
		case "message/delivery-status", "message/global-delivery-status":
			reports = append(reports, readStatus(body)...)
		case "message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers":
			id = messageID(body)
		}
	}
}

// readStatus reads the groups of fields for the recipients; the first is for the
// whole message.
func readStatus(body []byte) (out []Report) {
	body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	for group := range bytes.SplitSeq(body, []byte("\n\n")) {
		head := fields(group)
		if action := strings.ToLower(strings.TrimSpace(head.Get("Action"))); action != "" {
			status, _, _ := strings.Cut(strings.TrimSpace(head.Get("Status")), " ")
			out = append(out, Report{Action: action, Status: status})
		}
	}
	return out
}

func messageID(body []byte) string {
	head, _, _ := bytes.Cut(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	return strings.Trim(strings.TrimSpace(fields(head).Get("Message-Id")), "<>")
}

func fields(group []byte) textproto.MIMEHeader {
	group = append(bytes.TrimLeft(group, "\n"), "\n\n"...)
	head, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(group))).ReadMIMEHeader()
	return head
}
