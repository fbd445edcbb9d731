package outbox

import (
	"context"
	"time"

	"github.com/steadier/steadier/internal/mail"
)

// KindNotice is the kind of the mail that tells the owner of a notice. Its
// subject is the notice's kind.
const KindNotice = "owner-notice"

// NoticeKind names what the owner is told.
type NoticeKind string

// The kinds of notice.
const (
	NoticeUnknown  NoticeKind = "unknown"  // a message may or may not have been delivered
	NoticeFailed   NoticeKind = "failed"   // a single message was given up
	NoticeHalted   NoticeKind = "halted"   // nothing is sent until somebody looks
	NoticeBudget   NoticeKind = "budget"   // more sign-ups than the site answers in an hour
	NoticeRefused  NoticeKind = "refused"  // an issue was paused: too many servers refuse it
	NoticeEdited   NoticeKind = "edited"   // an issue's file was changed while it is being sent
	NoticeComplete NoticeKind = "complete" // an issue has reached everybody it could
	NoticeCalls    NoticeKind = "calls"    // more calls were booked in a day than the site takes
	NoticeAccess   NoticeKind = "access"   // how an owner signs in was set up or changed
	NoticeCopied   NoticeKind = "copied"   // a passkey was refused: somebody may have a copy of it
)

// Sentence says the notice in words for the owner, without anything personal.
func (k NoticeKind) Sentence() string {
	switch k {
	case NoticeUnknown:
		return "A message may or may not have been delivered: the mail server’s answer was lost. " +
			"It is not sent again by itself."
	case NoticeFailed:
		return "A message could not be delivered and was given up."
	case NoticeHalted:
		return "Nothing is being sent: the mail server refuses our sign-in, " +
			"or its encryption is missing or wrong. Please check the mail settings."
	case NoticeBudget:
		return "There are more newsletter sign-ups than the site answers in an hour. " +
			"The rest wait; readers see no difference."
	case NoticeRefused:
		return "An issue of the newsletter was paused, because too many mail servers refuse it."
	case NoticeEdited:
		return "The file of an issue was changed while it is being sent. " +
			"The mails still to go keep the words they began with."
	case NoticeCalls:
		return "More calls were booked within a day than the site takes by itself. " +
			"For now, visitors are asked to call or write instead. Please look at the coming calls."
	case NoticeAccess:
		return "Somebody set up or changed how an owner of the site signs in, or used a recovery code. " +
			"If that was not you, make a new way in on the machine with `steadier owner add NAME`: it ends all the others."
	case NoticeCopied:
		return "A passkey was refused, because its counter went back: somebody may have a copy of it. " +
			"Please remove it, and make another one."
	case NoticeComplete:
		return "An issue of the newsletter has been sent to everybody."
	}
	return "Something about the mail needs a look."
}

// place says where to look.
func (k NoticeKind) place() string {
	if k == NoticeAccess || k == NoticeCopied {
		return "Once you are signed in, “How you sign in” shows your passkeys and where you are signed in."
	}
	return "On the machine itself, `steadier newsletter list` shows where things stand."
}

// Notice is one thing that the owner was told.
type Notice struct {
	Kind        NoticeKind
	Sentence    string
	Times       int // how often on that day
	First, Last time.Time
}

// NoticeMail composes the mail that tells the owner of a notice: a sentence and a
// place to look, and nothing about anybody.
type NoticeMail struct {
	From, To mail.Mailbox
	Site     string // the site's public address
}

// Compose implements [Composer].
func (n NoticeMail) Compose(_ context.Context, m Message, _ time.Time) (mail.Message, error) {
	if n.To.Address == "" {
		return mail.Message{}, Skip("nobody to tell")
	}
	return mail.Message{
		From:    n.From,
		To:      n.To.Address,
		Subject: "A note from your website",
		Text: NoticeKind(m.Subject).Sentence() + "\n\n" +
			NoticeKind(m.Subject).place() + "\n\n" +
			n.Site + "\n",
	}, nil
}
