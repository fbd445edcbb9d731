package mail

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/emersion/go-smtp"
)

// reply returns the server's negative answer in err, if it is one, with its
// enhanced code as text.
func reply(err error) (code int, enhanced, text string, ok bool) {
	answer, ok := errors.AsType[*smtp.SMTPError](err)
	if !ok {
		return 0, "", "", false
	}
	if e := answer.EnhancedCode; e[0] > 0 {
		enhanced = fmt.Sprintf("%d.%d.%d", e[0], e[1], e[2])
	} else {
		enhanced = loneCode.FindString(answer.Message)
	}
	return answer.Code, enhanced, answer.Message, true
}

// loneCode finds an enhanced code that no text follows.
var loneCode = regexp.MustCompile(`^[245]\.\d{1,3}\.\d{1,3}\b`)

// judge says what a negative answer means, by the phase in which it came.
func judge(phase Phase, code int, enhanced, text string) Verdict {
	switch {
	case code == 530 || code == 535:
		return Halt
	case phase == PhaseConnect || phase == PhaseMail:
		if code >= 500 && phase == PhaseMail {
			return Refused
		}
		return Unreachable
	case code < 500:
		return TryAgain
	case noSuchBox(phase, code, enhanced, text):
		return NoSuchBox
	case enhanced == "5.2.2":
		return BoxFull
	}
	return Refused
}

// noSuchBox reports whether an answer says that the recipient does not exist.
// 5.1.7 and 5.1.8 speak of the sender (RFC 3463), and say nothing about readers.
func noSuchBox(phase Phase, code int, enhanced, text string) bool {
	if code != 550 && code != 551 && code != 553 {
		return false
	}
	if enhanced == "" {
		return code == 550 && phase == PhaseRcpt && unknownUser.MatchString(text)
	}
	return strings.HasPrefix(enhanced, "5.1.") && enhanced != "5.1.7" && enhanced != "5.1.8"
}

// unknownUser matches what servers without enhanced codes say of a mailbox that
// does not exist.
var unknownUser = regexp.MustCompile(`(?i)\b(` +
	`unknown (user|recipient|mailbox|local part)|` +
	`(user|recipient|mailbox|account|address) (is )?(unknown|not found|unavailable|does not exist|doesn't exist|rejected)|` +
	`no such (user|recipient|mailbox|person|account)|` +
	`invalid (recipient|mailbox)|` +
	`not a known user)\b`)
