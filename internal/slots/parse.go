package slots

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/steadier/steadier/internal/fault"
)

// Bounds of what a file may say. They keep a slip of the pen, such as 15h for
// 15m, from becoming a promise.
const (
	maxLength  = 12 * time.Hour
	maxBuffer  = 24 * time.Hour
	maxNotice  = 60 * 24 * time.Hour
	maxHorizon = 366
	maxPerDay  = 200
)

// Closed is the availability of a practice that has not said when it takes calls: no
// time is ever free.
func Closed() Availability {
	return Availability{Zone: time.UTC, Length: 15 * time.Minute, Step: 30 * time.Minute, Horizon: 28}
}

// Parse reads an availability file. Path is only repeated in the findings, each
// of which names a line and the right form; with any of them the Availability is
// not to be used. Keys that are left out: zone, length and step are needed, the
// horizon is 28 days, all else is nothing.
func Parse(path string, data []byte) (Availability, fault.Findings) {
	p := &fileParser{path: path, got: Availability{Horizon: 28, Dates: map[Date][]Window{}}}
	file, err := parser.ParseBytes(bytes.TrimPrefix(data, []byte("\ufeff")), 0)
	if err != nil {
		p.syntax(err)
		return p.got, p.findings
	}
	switch {
	case len(file.Docs) > 1:
		p.fail(file.Docs[1].Start, "a second document begins here: keep one in the file")
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		p.failAt(1, "the file is empty: it needs at least zone, length and step")
	default:
		p.file(file.Docs[0].Body)
	}
	return p.got, p.findings.Sorted()
}

type fileParser struct {
	path     string
	got      Availability
	findings fault.Findings
}

func (p *fileParser) failAt(line int, format string, args ...any) {
	p.findings = append(p.findings, fault.Errorf(p.path, line, format, args...))
}

func (p *fileParser) fail(at *token.Token, format string, args ...any) {
	line := 1
	if at != nil && at.Position != nil {
		line = at.Position.Line
	}
	p.failAt(line, format, args...)
}

// syntax reports what the YAML parser could not read.
func (p *fileParser) syntax(err error) {
	var located interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &located) {
		p.fail(located.GetToken(), "%s", located.GetMessage())
		return
	}
	p.failAt(1, "not readable as YAML: %v", err)
}

// file reads the mapping that the whole file is.
func (p *fileParser) file(body ast.Node) {
	readers := map[string]func(ast.Node, string){
		"zone":        p.zone,
		"length":      p.duration(&p.got.Length, time.Minute, maxLength, "15m"),
		"step":        p.duration(&p.got.Step, time.Minute, maxLength, "30m"),
		"before":      p.duration(&p.got.Before, 0, maxBuffer, "0m"),
		"after":       p.duration(&p.got.After, 0, maxBuffer, "10m"),
		"notice":      p.duration(&p.got.Notice, 0, maxNotice, "12h"),
		"notice_days": p.count(&p.got.NoticeDays, 60),
		"horizon":     p.count(&p.got.Horizon, maxHorizon),
		"per_day":     p.count(&p.got.PerDay, maxPerDay),
		"week":        p.week,
		"dates":       p.dates,
	}
	seen := map[string]bool{}
	ok := p.each(body, "the file", "zone: Europe/London", func(key string, at *token.Token, value ast.Node) {
		read, known := readers[key]
		if !known {
			p.fail(at, "unknown key %q: the keys are zone, length, step, before, after, notice, notice_days, "+
				"horizon, per_day, week and dates", key)
			return
		}
		seen[key] = true
		read(value, key)
	})
	for _, need := range [][2]string{{"zone", "Europe/London"}, {"length", "15m"}, {"step", "30m"}} {
		if ok && !seen[need[0]] {
			p.failAt(1, "%s is missing: write a line such as %q", need[0], need[0]+": "+need[1])
		}
	}
}

// each calls fn for the pairs of a mapping; anything else is a finding, but for
// nothing at all, which is a mapping whose lines were taken out. It reports
// whether the node was one.
func (p *fileParser) each(node ast.Node, what, example string, fn func(key string, at *token.Token, value ast.Node)) bool {
	pairs, ok := pairsOf(node)
	if !ok {
		p.fail(node.GetToken(), "%s must be a list of keys and values, such as %q", what, example)
		return false
	}
	for _, pair := range pairs {
		at := pair.Key.GetToken()
		if _, plain := pair.Key.(ast.ScalarNode); !plain {
			p.fail(at, "%s: a key must be plain text, such as in %q", what, example)
			continue
		}
		fn(at.Value, at, pair.Value)
	}
	return true
}

func pairsOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := node.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	case *ast.NullNode:
		return nil, true
	}
	return nil, false
}

// text returns the scalar as it was written.
func text(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func (p *fileParser) zone(node ast.Node, _ string) {
	name, ok := text(node)
	if !ok {
		p.fail(node.GetToken(), "zone must be the name of a time zone, such as Europe/London")
		return
	}
	zone, err := LoadZone(name)
	if err != nil {
		p.fail(node.GetToken(), "%v", err)
		return
	}
	p.got.Zone = zone
}

// duration reads whole minutes between least and most.
func (p *fileParser) duration(into *time.Duration, least, most time.Duration, example string) func(ast.Node, string) {
	return func(node ast.Node, key string) {
		written, _ := text(node)
		d, err := time.ParseDuration(written)
		switch {
		case err != nil:
			p.fail(node.GetToken(), "%s must be a time such as %s, in minutes (m) or hours (h)", key, example)
		case d%time.Minute != 0:
			p.fail(node.GetToken(), "%s must be whole minutes, such as %s", key, example)
		case d < least || d > most:
			p.fail(node.GetToken(), "%s must be between %s and %s, such as %s", key, minutes(least), minutes(most), example)
		default:
			*into = d
		}
	}
}

func minutes(d time.Duration) string {
	if d >= time.Hour && d%time.Hour == 0 {
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dm", d/time.Minute)
}

// count reads a whole number between 0 and most.
func (p *fileParser) count(into *int, most int) func(ast.Node, string) {
	return func(node ast.Node, key string) {
		written, _ := text(node)
		n, err := strconv.Atoi(written)
		if err != nil || n < 0 || n > most {
			p.fail(node.GetToken(), "%s must be a whole number between 0 and %d", key, most)
			return
		}
		*into = n
	}
}
