package mail_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/mail"
)

const report = "From: MAILER-DAEMON@mx.example\r\nTo: bounces@letters.example\r\nSubject: Undelivered\r\n" +
	"Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n" +
	"--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n" +
	"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n" +
	"Final-Recipient: rfc822; reader@x.example\r\nAction: failed\r\nStatus: 5.1.1 (no such user)\r\nDiagnostic-Code: smtp; 550 5.1.1\r\n\r\n" +
	"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nFrom: post@letters.example\r\nMessage-ID:\r\n <0123@letters.example>\r\n\r\n" +
	"--b--\r\n"

func TestParseReport(t *testing.T) {
	for name, text := range map[string]string{"as sent": report, "through a pipe": strings.ReplaceAll(report, "\r\n", "\n")} {
		got, err := mail.ParseReport(strings.NewReader(text))
		want := []mail.Report{{MessageID: "0123@letters.example", Action: "failed", Status: "5.1.1"}}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

func TestWhatAReportSaysOfAnAddress(t *testing.T) {
	for _, test := range []struct {
		report    mail.Report
		bad, full bool
	}{
		{mail.Report{Action: "failed", Status: "5.1.1"}, true, false},
		{mail.Report{Action: "failed", Status: "5.1.8"}, false, false},
		{mail.Report{Action: "failed", Status: "5.2.2"}, false, true},
		{mail.Report{Action: "failed", Status: "5.7.1"}, false, false},
		{mail.Report{Action: "failed", Status: ""}, false, false},
		{mail.Report{Action: "delayed", Status: "5.1.1"}, false, false},
	} {
		if test.report.Bad() != test.bad || test.report.Full() != test.full {
			t.Errorf("%+v: bad %v, full %v", test.report, test.report.Bad(), test.report.Full())
		}
	}
}

func TestWhatIsNoReport(t *testing.T) {
	for _, text := range []string{"", "x", "Subject: hello\r\n\r\nText\r\n", strings.Replace(report, "Action: failed", "X: y", 1), report[:len(report)/2]} {
		if _, err := mail.ParseReport(strings.NewReader(text)); !errors.Is(err, mail.ErrNotReport) {
			t.Errorf("%.40q: %v, want it refused", text, err)
		}
	}
}

func FuzzParseReport(f *testing.F) {
	f.Add(report)
	f.Fuzz(func(t *testing.T, text string) {
		reports, err := mail.ParseReport(strings.NewReader(text))
		if (err == nil) != (len(reports) > 0) {
			t.Errorf("%d reports and %v", len(reports), err)
		}
	})
}
