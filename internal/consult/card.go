package consult

import (
	"fmt"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/slots"
)

// CardLine is one line of a call card.
type CardLine struct{ Label, Text string }

// Card is what is in front of whoever makes the call, as text: when, whom to ask
// for, who calls whom, and what may and may not be done.
func Card(b Booking, practice *time.Location, p Practice) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %s  (%s)\n", DayWords(b.Start, practice), ClockRange(b, practice), b.Ref())
	for _, line := range CardLines(b, practice, p) {
		fmt.Fprintf(&out, "  %-25s %s\n", line.Label, line.Text)
	}
	return out.String()
}

// CardLines are the lines of a card below its heading. Every no is written out in
// words, since a missing line could be read as a yes.
func CardLines(b Booking, practice *time.Location, p Practice) []CardLine {
	lines := []CardLine{{"in the practice", Spoken(b.Start, practice)}}
	c := b.Contact
	if c == nil {
		return append(lines, CardLine{"contact", "erased: there is nobody to call"})
	}
	if zone, err := slots.LoadZone(c.Zone); err == nil && zone.String() != practice.String() {
		lines = append(lines, CardLine{"where they are", Spoken(b.Start, zone)})
	}
	lines = append(lines, CardLine{"ask for", c.Name})
	if c.Call == ICall {
		lines = append(lines, CardLine{"who calls", "will call you"}, CardLine{"number", "none was asked for: do not call"})
	} else {
		lines = append(lines,
			CardLine{"who calls", "you call them"},
			CardLine{"number", numberCard(*c)},
			CardLine{"voicemail", voicemailCard(*c)},
			CardLine{"if somebody else answers", answerCard(*c)},
			CardLine{"say you are", p.CallerWords(*c)})
	}
	return append(lines,
		CardLine{"stop word", stopCard(*c)},
		CardLine{"if the line drops", droppedCard(*c)},
		CardLine{"e-mail", emailCard(*c)})
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
