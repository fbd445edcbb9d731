package consult

import (
	"fmt"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/slots"
)

// Card is what is in front of whoever makes the call, as text: when, whom to ask
// for, who calls whom, and what may and may not be done. Every no is written out in
// words, since a missing line could be read as a yes.
func Card(b Booking, practice *time.Location, p Practice) string {
	var out strings.Builder
	line := func(label, text string) { fmt.Fprintf(&out, "  %-25s %s\n", label, text) }
	fmt.Fprintf(&out, "%s, %s  (%s)\n", DayWords(b.Start, practice), ClockRange(b, practice), b.Ref())
	line("in the practice", Spoken(b.Start, practice))
	c := b.Contact
	if c == nil {
		line("contact", "erased: there is nobody to call")
		return out.String()
	}
	if zone, err := slots.LoadZone(c.Zone); err == nil && zone.String() != practice.String() {
		line("where they are", Spoken(b.Start, zone))
	}
	line("ask for", c.Name)
	if c.Call == ICall {
		line("who calls", "will call you")
		line("number", "none was asked for: do not call")
	} else {
		line("who calls", "you call them")
		line("number", numberCard(*c))
		line("voicemail", voicemailCard(*c))
		line("if somebody else answers", answerCard(*c))
		line("say you are", p.CallerWords(*c))
	}
	line("stop word", stopCard(*c))
	line("if the line drops", droppedCard(*c))
	line("e-mail", emailCard(*c))
	return out.String()
}

// ClockRange is "13:30–13:45".
func ClockRange(b Booking, zone *time.Location) string {
	return Clock24(b.Start, zone) + "–" + Clock24(b.End, zone)
}

// numberCard is the number to dial, and what was typed where it differs.
func numberCard(c Contact) string {
	text := c.Phone
	if c.Extension != "" {
		text += ", extension " + c.Extension
	}
	if c.RawPhone != c.Phone {
		text += "  (typed: " + c.RawPhone + ")"
	}
	return text
}

func voicemailCard(c Contact) string {
	if c.Voicemail {
		return "you may leave a message"
	}
	return "do not leave a message"
}

func answerCard(c Contact) string {
	switch c.Answer {
	case AskFor:
		return "ask for " + c.Name
	case WrongNumber:
		return "say it is a wrong number"
	}
	return "hang up without a word"
}

func stopCard(c Contact) string {
	if c.StopWord == "" {
		return "none was agreed on"
	}
	return "“" + c.StopWord + "”: close with an ordinary sentence and hang up"
}

func droppedCard(c Contact) string {
	switch c.Dropped {
	case CallOnce:
		return "call once more after two minutes"
	case Wait:
		return "wait for them to call"
	}
	return "leave it there, do not call back"
}

func emailCard(c Contact) string {
	if c.Email == "" {
		return "none: do not write"
	}
	return "confirmations go to the address they gave"
}
