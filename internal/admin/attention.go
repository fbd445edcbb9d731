package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/steadier/steadier/internal/outbox"
	"github.com/steadier/steadier/templates"
)

const (
	oldBackup = 36 * time.Hour
	// dueHelpline is how long ago a helpline may have been checked (safety: help lines).
	dueHelpline = 180 * 24 * time.Hour
)

// attention is what needs a look, the most pressing first.
func (s *Site) attention(ctx context.Context) ([]templates.Attention, error) {
	var list []templates.Attention
	add := func(path, label, format string, args ...any) {
		list = append(list, templates.Attention{Text: fmt.Sprintf(format, args...), Path: path, Label: label})
	}
	trouble, err := s.Store.Trouble(ctx)
	counts, err2 := s.Store.MailCounts(ctx)
	last, err3 := s.Store.LastBackup(ctx)
	exported, err4 := s.Store.KeysAreExported(ctx)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return nil, err
	}
	if err := s.Store.Ready(ctx); err != nil {
		add("/admin/care", "See care", "Nothing can be written: the disk is full, or does not answer.")
	}
	if trouble.Sentence != "" {
		add("/admin/deliveries", "See deliveries", "%s", trouble.Sentence)
	}
	for _, c := range counts {
		switch outbox.State(c.State) {
		case outbox.Unknown:
			add("/admin/deliveries", "Decide", "%s may have been delivered: the answer was lost.", few(c.N, "message"))
		case outbox.Failed:
			add("/admin/deliveries", "See which", "%s could not be delivered.", few(c.N, "message"))
		}
	}
	switch {
	case last.IsZero():
		add("/admin/care", "See care", "No backup was ever made.")
	case s.Now().Sub(last) > oldBackup:
		add("/admin/care", "See care", "The last backup is %d days old.", int(s.Now().Sub(last)/(24*time.Hour)))
	}
	if !exported {
		add("/admin/care", "See care", "The sealing keys were not exported since they last changed: a backup alone can’t be read.")
	}
	return append(list, s.contentAttention()...), nil
}

// contentAttention is what of the content needs a look.
func (s *Site) contentAttention() []templates.Attention {
	var list []templates.Attention
	lib, now := s.Library(), s.Now()
	due := 0
	for _, country := range lib.Countries {
		for _, service := range country.Services {
			if now.Sub(service.CheckedOn) > dueHelpline {
				due++
			}
		}
	}
	if due > 0 {
		list = append(list, templates.Attention{Text: few(due, "helpline") + " not checked for half a year.", Path: "/admin/content", Label: "See content"})
	}
	unreviewed := 0
	for _, a := range lib.Articles {
		if a.Reviewed == nil {
			unreviewed++
		}
	}
	if unreviewed > 0 {
		list = append(list, templates.Attention{Text: few(unreviewed, "article") + " not reviewed by a clinician, and each says so.", Path: "/admin/content", Label: "See content"})
	}
	return list
}

// few is "1 message" or "3 messages".
func few(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
