//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// errAnswer is an answer that the site never ought to give.
var errAnswer = errors.New("a wrong answer")

// state is what a visitor knows of a call.
type state string

const (
	asked state = "asked" // no answer came to the form
	held  state = "held"
	gone  state = "gone" // cancelled, or never booked
)

// call is one call, as far as the answers tell.
type call struct {
	Client      int
	Name, Email string
	Token       string // "": the answer that names it was lost
	Form        string // what was posted, so that it can be posted again
	Slot        time.Time
	State       state
	Pending     string    // move or cancel: asked for, and no answer came
	To          time.Time // of a pending move
	Touched     bool      // moved, or cancelled, or tried
}

// ledger is what was acknowledged, and what may or may not have happened.
type ledger struct {
	Calls []*call
	Asked []string // addresses whose sign-up was answered
	Kills int      // processes that were ended without a word
}

// card is a line of the practice's list of calls.
type card struct {
	name string
	when string
}

const cardTime = "Monday 2 January, 15:04"

// readCards reads what steadier calls prints.
func readCards(text string) (cards []card) {
	for block := range strings.SplitSeq(text, "\n\n") {
		first, rest, _ := strings.Cut(block, "\n")
		when, _, ok := strings.Cut(first, "–")
		if !ok {
			continue
		}
		c := card{when: when}
		for line := range strings.Lines(rest) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "ask for"); ok {
				c.name = strings.TrimSpace(name)
			}
		}
		cards = append(cards, c)
	}
	return cards
}

// settle compares the ledger with the practice's list, settles what was pending, and
// returns what cannot be.
func (l *ledger) settle(cards []card) (wrong []string) {
	at := make(map[string][]string)
	taken := make(map[string]string)
	for _, c := range cards {
		at[c.name] = append(at[c.name], c.when)
		if other, twice := taken[c.when]; twice {
			wrong = append(wrong, fmt.Sprintf("R1: %s is sold twice, to %s and to %s", c.when, other, c.name))
		}
		taken[c.when] = c.name
	}
	for _, c := range l.Calls {
		if fault := c.settle(at[c.Name]); fault != "" {
			wrong = append(wrong, "R3: "+fault)
		}
		delete(at, c.Name)
	}
	for name := range at {
		wrong = append(wrong, fmt.Sprintf("R3: %s has a call that nobody asked for", name))
	}
	return wrong
}

// settle compares one call with where it stands in the practice's list.
func (c *call) settle(found []string) (fault string) {
	slot, to := c.Slot.UTC().Format(cardTime), c.To.UTC().Format(cardTime)
	may := []string{slot}
	none := false
	switch {
	case c.State == gone:
		may, none = nil, true
	case c.State == asked, c.Pending == "cancel":
		none = true
	case c.Pending == "move":
		may = append(may, to)
	}
	switch {
	case len(found) > 1:
		return fmt.Sprintf("%s stands there %d times", c.Name, len(found))
	case len(found) == 0 && !none:
		return fmt.Sprintf("%s was told of %s, and it is not there", c.Name, slot)
	case len(found) == 1 && !slices.Contains(may, found[0]):
		return fmt.Sprintf("%s stands at %s, and knows of %s (%s %s)", c.Name, found[0], slot, c.State, c.Pending)
	}
	if len(found) == 0 {
		if c.State == held {
			c.State = gone
		}
	} else {
		if c.Pending == "move" && found[0] == to {
			c.Slot = c.To
		}
		if c.State != asked {
			c.State = held
		}
	}
	c.Pending = ""
	return ""
}

// untouched are the addresses to which exactly one message is due: calls that were
// acknowledged and left alone, and sign-ups.
func (l *ledger) untouched() []string {
	due := slices.Clone(l.Asked)
	for _, c := range l.Calls {
		if c.State == held && !c.Touched && c.Email != "" {
			due = append(due, c.Email)
		}
	}
	return due
}
