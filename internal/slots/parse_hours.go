package slots

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

const windowExample = `["10:00-12:00", "14:00-17:00"]`

var weekdays = map[string]time.Weekday{
	"mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday,
	"fri": time.Friday, "sat": time.Saturday, "sun": time.Sunday,
}

func (p *fileParser) week(node ast.Node, _ string) {
	p.each(node, "week", `mon: `+windowExample, func(key string, at *token.Token, value ast.Node) {
		day, known := weekdays[key]
		if !known {
			p.fail(at, "unknown weekday %q: write mon, tue, wed, thu, fri, sat or sun", key)
			return
		}
		p.got.Week[day] = p.windows(value, key)
	})
}

func (p *fileParser) dates(node ast.Node, _ string) {
	p.each(node, "dates", `2026-12-31: `+windowExample, func(key string, at *token.Token, value ast.Node) {
		date, err := ParseDate(key)
		if err != nil {
			p.fail(at, "%v", err)
			return
		}
		if _, twice := p.got.Dates[date]; twice {
			p.fail(at, "%s stands here a second time: put all of its times on one line", key)
			return
		}
		p.got.Dates[date] = p.windows(value, key)
	})
}

// windows reads the times of one day. An empty list closes it.
func (p *fileParser) windows(node ast.Node, day string) []Window {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		p.fail(node.GetToken(), "%s must have a list of times, such as %s, or [] for none", day, windowExample)
		return nil
	}
	out := make([]Window, 0, len(list.Values))
	for _, item := range list.Values {
		if w, ok := p.window(item, day); ok {
			out = p.place(out, w, item.GetToken(), day)
		}
	}
	slices.SortFunc(out, func(a, b Window) int { return cmp.Compare(a.From, b.From) })
	return out
}

// place adds w unless it shares a minute with another window of the day.
func (p *fileParser) place(out []Window, w Window, at *token.Token, day string) []Window {
	for _, other := range out {
		if w.From < other.To && other.From < w.To {
			p.fail(at, "%s: %s overlaps %s: write them as one, or apart", day, w, other)
			return out
		}
	}
	return append(out, w)
}

var windowForm = regexp.MustCompile(`^([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})$`)

func (p *fileParser) window(node ast.Node, day string) (Window, bool) {
	written, _ := text(node)
	part := windowForm.FindStringSubmatch(written)
	if part == nil {
		p.fail(node.GetToken(), "%s: %.40q is no stretch of time: write it as \"10:00-12:00\"", day, written)
		return Window{}, false
	}
	w := Window{From: clockMinutes(part[1], part[2]), To: clockMinutes(part[3], part[4])}
	switch {
	case w.From < 0 || w.To < 0 || w.From == 24*60:
		p.fail(node.GetToken(), "%s: %q has a time that no clock shows: a day goes from 00:00 to 24:00", day, written)
	case w.From >= w.To:
		p.fail(node.GetToken(), "%s: %q ends before it begins: write the earlier time first; past midnight, "+
			"\"22:30-24:00\" here and \"00:00-02:00\" on the next day", day, written)
	default:
		return w, true
	}
	return Window{}, false
}

// clockMinutes is the reading in minutes after midnight, up to 24:00; -1 if no
// clock shows it.
func clockMinutes(hours, minutes string) int {
	h, _ := strconv.Atoi(hours) // both are two digits at most
	m, _ := strconv.Atoi(minutes)
	if m > 59 || h*60+m > 24*60 {
		return -1
	}
	return h*60 + m
}

// String is the window as the file writes it.
func (w Window) String() string {
	return fmt.Sprintf("%02d:%02d-%02d:%02d", w.From/60, w.From%60, w.To/60, w.To%60)
}
