package newsletter

import (
	"context"
	"html"
	"strings"
	"time"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/outbox"
)

// Mailer composes the newsletter's mails. It implements [outbox.Composer] for all
// kinds of this package.
//
// The first mail arrives before anybody agreed to anything, perhaps in a mailbox
// that somebody else reads. It is dull: a neutral sender and subject, no word of
// the topic, and nothing that the asker typed.
type Mailer struct {
	Sender   Sender
	Links    Links
	From     mail.Mailbox // the neutral name and address
	Postal   string       // one line, such as a PO box; may be empty
	Site     string       // the public address, without a slash at its end
	MailSite string       // the address for links in mail, likewise
	Issue    func(slug string) (Issue, bool)
}

// Kinds are the kinds of mail that a Mailer composes.
func Kinds() []string { return []string{KindConfirm, KindFresh, KindIssue, KindCopy} }

// Compose implements [outbox.Composer].
func (m Mailer) Compose(ctx context.Context, msg outbox.Message, now time.Time) (mail.Message, error) {
	switch msg.Kind {
	case KindConfirm:
		to, err := m.Sender.SignupAddress(ctx, now, msg.Subject)
		return m.confirm(to, msg.Secret), err
	case KindFresh:
		to, err := m.Sender.SubscriberAddress(ctx, msg.Subject)
		return m.fresh(to, msg.Secret), err
	case KindCopy:
		issue, found := m.Issue(msg.Subject)
		if !found {
			return mail.Message{}, outbox.Skip("no such issue")
		}
		return m.letter(Letter{Issue: issue, To: msg.Secret}), nil
	}
	letter, err := m.Sender.LetterFor(ctx, now, msg.Batch, msg.Subject)
	if err != nil {
		return mail.Message{}, err
	}
	return m.letter(letter), nil
}

// ConfirmSubject is the subject of the first mail; the sign-up page names it.
const ConfirmSubject = "Please confirm your address"

func (m Mailer) confirm(to, token string) mail.Message {
	return mail.Message{
		From: m.From, To: to, Subject: ConfirmSubject,
		Text: `Hello,

somebody, perhaps you, asked for letters to be sent to this address.

If that was you: this link opens a page with one button. Press the button, and it is done.

` + m.MailSite + "/newsletter/confirm/" + token + `

The link works for seven days.

If it was not you, you need do nothing. Without that press nothing more is sent, and the address is erased after seven days.
`,
	}
}

func (m Mailer) fresh(to, token string) mail.Message {
	return mail.Message{
		From: m.From, To: to, Subject: "The link you asked for",
		Text: `Hello,

here is the link that you asked for. It opens a page on which you can see what is kept about this address, and have it erased.

` + m.MailSite + "/newsletter/preferences/" + token + `

The link works for one hour. If you did not ask for it, you need do nothing.
`,
	}
}

// letter is one issue for one subscriber.
func (m Mailer) letter(l Letter) mail.Message {
	foot := m.foot(l)
	l.Issue.HTML = strings.ReplaceAll(l.Issue.HTML, SiteMark, html.EscapeString(m.Site))
	l.Issue.Text = strings.ReplaceAll(l.Issue.Text, SiteMark, m.Site)
	subject := l.Issue.Subject
	if l.Plain {
		subject = l.Issue.Discreet
	}
	return mail.Message{
		From: m.From, To: l.To, Subject: subject,
		Text: letterText(l, foot),
		HTML: letterHTML(l, subject, foot),
		List: &mail.List{ID: "letters." + mail.DomainOf(m.From.Address), Unsubscribe: foot.leave},
	}
}

// Preview is an issue as it would arrive, to nobody.
func (m Mailer) Preview(i Issue) mail.Message { return m.letter(Letter{Issue: i}) }

// foot is what stands under every letter.
type foot struct {
	web, leave, choose, postal string
}

func (m Mailer) foot(l Letter) foot {
	link := func(p Purpose) string {
		return m.Links.Token(Link{Purpose: p, Subscriber: l.Subscriber, Epoch: l.Epoch})
	}
	return foot{
		web:    m.Site + "/newsletter/" + l.Issue.Slug,
		leave:  m.MailSite + "/newsletter/unsubscribe/" + link(ToLeave),
		choose: m.MailSite + "/newsletter/preferences/" + link(ToChoose),
		postal: m.Postal,
	}
}
