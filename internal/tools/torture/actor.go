//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// most is how many calls one actor keeps, so that the calendar never fills up.
const most = 25

// actor is one visitor after another at one keyboard: they book, move, cancel and sign
// up as the dice say, and remember what they were told.
type actor struct {
	n     int
	round int
	rand  *rand.Rand
	site  *visitor
	calls []*call  // theirs
	new   []*call  // booked, or asked for, in this round
	asked []string // sign-ups that were answered in this round
	count tally
	wrong []string
}

// tally counts what was done and how it was answered.
type tally struct {
	Booked, Taken, Moved, Cancelled, SignedUp, Unanswered int
}

func (t *tally) add(o tally) {
	t.Booked += o.Booked
	t.Taken += o.Taken
	t.Moved += o.Moved
	t.Cancelled += o.Cancelled
	t.SignedUp += o.SignedUp
	t.Unanswered += o.Unanswered
}

// act goes on until the site no longer answers.
func (a *actor) act(ctx context.Context) {
	defer a.site.leave()
	for serial := 0; ctx.Err() == nil; serial++ {
		err := a.step(ctx, serial)
		if errors.Is(err, errAnswer) {
			a.wrong = append(a.wrong, err.Error())
		}
		if err != nil {
			return
		}
	}
}

func (a *actor) step(ctx context.Context, serial int) error {
	mine := slices.DeleteFunc(slices.Clone(a.calls), func(c *call) bool { return c.State != held || c.Token == "" })
	dice := a.rand.IntN(100)
	switch {
	case len(mine) > 0 && (dice < 20 || len(mine) >= most):
		return a.cancel(ctx, mine[a.rand.IntN(len(mine))])
	case len(mine) > 0 && dice < 40:
		return a.move(ctx, mine[a.rand.IntN(len(mine))])
	case dice < 55:
		return a.signUp(ctx, serial)
	}
	return a.book(ctx, serial)
}

// pick takes one of the first times, where the others pick too.
func (a *actor) pick(times []time.Time) (time.Time, bool) {
	if len(times) == 0 {
		return time.Time{}, false
	}
	return times[a.rand.IntN(min(len(times), 6+a.rand.IntN(60)))], true
}

func (a *actor) book(ctx context.Context, serial int) error {
	form, times, err := a.site.form(ctx, "/consult", "/consult")
	if err != nil {
		return err
	}
	slot, ok := a.pick(times)
	if !ok {
		return nil
	}
	c := &call{Client: a.n, Name: fmt.Sprintf("Round %d Visitor %d Call %d", a.round, a.n, serial), Slot: slot, State: asked}
	if a.rand.IntN(3) > 0 {
		c.Email = fmt.Sprintf("call-%d-%d-%d@visitor.example", a.round, a.n, serial)
	}
	form.Set("slot", slot.Format(time.RFC3339))
	form.Set("name", c.Name)
	form.Set("call", "you")
	form.Set("email", c.Email)
	c.Form = form.Encode()
	a.calls, a.new = append(a.calls, c), append(a.new, c)
	return a.post(ctx, c)
}

// post sends the form of a call, for the first time or again.
func (a *actor) post(ctx context.Context, c *call) error {
	form, err := url.ParseQuery(c.Form)
	if err != nil {
		return err
	}
	res, err := a.site.post(ctx, "/consult", form)
	if err != nil {
		a.count.Unanswered++
		return err
	}
	switch res.status {
	case http.StatusSeeOther:
		c.State, c.Token = held, strings.TrimPrefix(res.leads, "/consult/")
		a.count.Booked++
		return nil
	case http.StatusConflict:
		c.State = gone
		a.count.Taken++
		return nil
	}
	return wrongAnswer("a booking", res)
}

// answerError is an answer that was not expected.
type answerError struct {
	what string
	answer
}

func (e *answerError) Error() string { return fmt.Sprintf("%v to %s: %d", errAnswer, e.what, e.status) }

func (e *answerError) Unwrap() error { return errAnswer }

func wrongAnswer(what string, a answer) error { return &answerError{what, a} }

func (a *actor) move(ctx context.Context, c *call) error {
	page := "/consult/" + c.Token
	form, times, err := a.site.form(ctx, page, page+"/move")
	if err != nil {
		return err
	}
	to, ok := a.pick(times)
	if !ok {
		return nil
	}
	form.Set("slot", to.Format(time.RFC3339))
	c.Touched, c.Pending, c.To = true, "move", to
	res, err := a.site.post(ctx, page+"/move", form)
	if err != nil {
		a.count.Unanswered++
		return err
	}
	switch res.status {
	case http.StatusSeeOther:
		c.Slot, c.Pending = to, ""
		a.count.Moved++
		return nil
	case http.StatusConflict:
		c.Pending = ""
		a.count.Taken++
		return nil
	}
	return wrongAnswer("a move", res)
}

func (a *actor) cancel(ctx context.Context, c *call) error {
	page := "/consult/" + c.Token
	form, _, err := a.site.form(ctx, page, page+"/cancel")
	if err != nil {
		return err
	}
	c.Touched, c.Pending = true, "cancel"
	res, err := a.site.post(ctx, page+"/cancel", form)
	if err != nil {
		a.count.Unanswered++
		return err
	}
	if res.status != http.StatusSeeOther {
		return wrongAnswer("a cancelling", res)
	}
	c.State, c.Pending = gone, ""
	a.count.Cancelled++
	return nil
}

func (a *actor) signUp(ctx context.Context, serial int) error {
	form, _, err := a.site.form(ctx, "/newsletter", "/newsletter/subscribe")
	if err != nil {
		return err
	}
	address := fmt.Sprintf("letter-%d-%d-%d@reader.example", a.round, a.n, serial)
	form.Set("email", address)
	res, err := a.site.post(ctx, "/newsletter/subscribe", form)
	if err != nil {
		a.count.Unanswered++
		return err
	}
	if res.status >= http.StatusBadRequest {
		return wrongAnswer("a sign-up", res)
	}
	a.asked = append(a.asked, address)
	a.count.SignedUp++
	return nil
}
