//go:build e2e

package newsletter_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/steadier/steadier/internal/mail/mailtest"
)

// mostSpam is the highest score that a mail of ours may have.
const mostSpam = 0.5

var spamScore = regexp.MustCompile(`(?m)^Content analysis details:\s+\((-?[0-9.]+) points`)

// TestNewsH28NoMailLooksLikeSpam asks SpamAssassin, without the network, about each
// kind of mail. An answer without rules is none.
func TestNewsH28NoMailLooksLikeSpam(t *testing.T) {
	path, err := exec.LookPath("spamassassin")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("spamassassin is missing")
		}
		t.Skip("spamassassin is missing: apt-get install --no-install-recommends spamassassin")
	}
	confirm, letter, fresh := mails(t)
	for name, m := range map[string]mailtest.Message{
		"confirm": confirm, "letter": letter, "fresh": fresh, "plain letter": plainLetter(t),
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(path, "-L", "-t")
			cmd.Stdin = bytes.NewReader(m.Raw)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			report := string(out[bytes.LastIndex(out, []byte("Content analysis")):])
			found := spamScore.FindStringSubmatch(report)
			if found == nil || !strings.Contains(report, "NO_RELAYS") {
				t.Fatalf("no answer: %s", report)
			}
			score, err := strconv.ParseFloat(found[1], 64)
			if err != nil || score > mostSpam {
				t.Errorf("%v points, want %v at most: %s", score, mostSpam, report)
			}
			for _, rule := range []string{"MIME_HTML_ONLY", "MPART_ALT_DIFF"} {
				if strings.Contains(report, rule) {
					t.Errorf("%s: %s", rule, report)
				}
			}
		})
	}
}
