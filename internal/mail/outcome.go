package mail

import (
	"fmt"
	"strings"
)

// Verdict says what an attempt to send means for the message, its recipient and
// the queue.
type Verdict int

// The verdicts. The zero value means that no server was asked.
const (
	NotTried    Verdict = iota
	Taken               // 250 after DATA: the server has it
	Unreachable         // the server cannot be reached or refuses everybody for now: nobody's fault, try later
	Halt                // sign-in refused, or TLS missing or wrong: nothing may be sent until somebody looks
	TryAgain            // 4xx for this message: try again later
	NoSuchBox           // the address does not exist: never again
	BoxFull             // the mailbox is full: counts against the address, softly
	Refused             // refused for what it is or where it comes from: says nothing about the address
	Lost                // the answer to DATA never came: it may have been delivered
)

// String names the verdict for a log line.
func (v Verdict) String() string {
	names := [...]string{
		"not tried", "taken", "unreachable", "halt", "try again", "no such mailbox", "mailbox full", "refused", "answer lost",
	}
	if v < 0 || int(v) >= len(names) {
		return "invalid"
	}
	return names[v]
}

// Phase is the step of the conversation in which it ended.
type Phase string

// The phases, in their order.
const (
	PhaseConnect Phase = "connect"
	PhaseTLS     Phase = "tls"
	PhaseAuth    Phase = "auth"
	PhaseMail    Phase = "mail"
	PhaseRcpt    Phase = "rcpt"
	PhaseData    Phase = "data"
)

// Outcome is what became of one attempt. It holds nothing personal: the server's
// text is kept out, because servers echo addresses.
type Outcome struct {
	Verdict  Verdict
	Phase    Phase
	Code     int    // the reply code, 0 if there was none
	Enhanced string // the enhanced code such as "5.1.1" (RFC 3463), or ""
	Sentence string // with Unreachable and Halt: one plain sentence for the owner
}

// String gives the outcome for a log line.
func (o Outcome) String() string {
	s := fmt.Sprintf("%s at %s", o.Verdict, o.Phase)
	if o.Code != 0 {
		s += strings.TrimRight(fmt.Sprintf(" (%d %s", o.Code, o.Enhanced), " ") + ")"
	}
	return s
}
