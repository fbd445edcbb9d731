package newsletter

import (
	"html"
	"strings"
)

// plainHead begins a letter for those who asked for plain subject lines, so that
// nothing of the letter shows in a list of messages or on a locked screen: it is
// longer than the 300 characters that those show.
const plainHead = "Here is the letter that you asked for. It begins a little further down, so that nothing of it " +
	"shows in a list of messages. If this is not a good moment, you can close it now and come back to it later. " +
	"You can stop these letters at any time with the link at the end. Nobody is told, and nothing reports back when you read."

// plainPreheader is what the inbox shows of such a letter.
const plainPreheader = "The letter that you asked for."

func letterText(l Letter, f foot) string {
	var b strings.Builder
	if l.Plain {
		b.WriteString("Hello,\n\n" + plainHead + "\n\n\n")
	}
	b.WriteString(strings.TrimSpace(l.Issue.Text))
	b.WriteString("\n\n-- \nOn the web:\n" + f.web)
	b.WriteString("\n\nStop these letters:\n" + f.leave)
	b.WriteString("\n\nPause, plain subject lines, what is kept:\n" + f.choose + "\n")
	if f.postal != "" {
		b.WriteString("\n" + f.postal + "\n")
	}
	return b.String()
}

// The look of a letter: a plain sheet. Text and ground are always given together,
// so that a program that darkens the page darkens both.
const (
	letterSheet = "margin:0;background-color:#faf6ef;color:#2b2420"
	letterWidth = "max-width:600px;margin:0 auto;padding:24px 20px;background-color:#faf6ef;color:#2b2420;" +
		"font-family:Georgia,'Times New Roman',serif;font-size:17px;line-height:1.6"
	letterFoot = "padding-top:16px;border-top:1px solid #8a7d70;background-color:#faf6ef;" +
		"color:#5a4f46;font-size:14px"
	letterLink = "color:#2b2420;background-color:#faf6ef"
	letterHide = "display:none;font-size:1px;color:#2b2420;background-color:#faf6ef"
	letterDark = "@media (prefers-color-scheme:dark){body,.hide,.sheet,.sheet *" +
		"{background-color:#171412!important;color:#e9dfd3!important}}"
)

// padding keeps what follows the preheader out of a preview: characters that take
// no place, and more of them than any preview shows.
func padding() string { return strings.Repeat("\u00a0\u200c", 120) }

func letterHTML(l Letter, subject string, f foot) string {
	preheader := l.Issue.Preheader
	if l.Plain {
		preheader = plainPreheader
	}
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html>` + "\n" + `<html lang="en"><head><meta charset="utf-8">` + "\n")
	b.WriteString(`<meta name="viewport" content="width=device-width, initial-scale=1">` + "\n")
	b.WriteString(`<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">` + "\n")
	b.WriteString(`<title>` + html.EscapeString(subject) + `</title><style>` + letterDark + `</style></head>` + "\n")
	b.WriteString(`<body style="` + letterSheet + `">` + "\n")
	b.WriteString(`<div class="hide" style="` + letterHide + `">` + html.EscapeString(preheader) + padding() + `</div>` + "\n")
	b.WriteString(`<div class="sheet" style="` + letterWidth + `">` + "\n")
	if l.Plain {
		b.WriteString(`<p>Hello,<br><br>` + html.EscapeString(plainHead) + `<br><br><br></p>` + "\n")
	}
	b.WriteString(strings.TrimSpace(l.Issue.HTML) + "\n")
	b.WriteString(`<div style="` + letterFoot + `">`)
	for _, link := range [][2]string{
		{f.web, "Read this on the web"}, {f.leave, "Stop these letters"}, {f.choose, "Pause, plain subject lines, what is kept"},
	} {
		b.WriteString(`<a href="` + html.EscapeString(link[0]) + `" style="` + letterLink + `">` + link[1] + `</a><br>` + "\n")
	}
	b.WriteString(html.EscapeString(f.postal) + `</div></div></body></html>` + "\n")
	return b.String()
}
