package templates

// ErrorView is a page in place of the one that was asked for.
type ErrorView struct {
	Status   int           // HTTP
	Sentence string        // what there is to say to the visitor; empty: the usual words
	Articles []ArticleLink // a few, for who meant to read; may be empty
}

type problemWords struct{ title, text, more string }

// The words for each HTTP status. They say what is so, what it means for what was typed,
// and what can be done. None says that it is anybody's fault.
var problems = map[int]problemWords{
	403: {
		"This came from another place",
		"The form was not sent from this site, so nothing was done with it.",
		"If you did fill it in here, open the page again and send it once more.",
	},
	404: {
		"There is no page here",
		"The address may be old, or mistyped. Nothing is wrong with your device.",
		"",
	},
	405: {
		"This address is for forms",
		"It can’t be opened by itself. Nothing was changed.",
		"",
	},
	409: {
		"This could not be done",
		"Somebody was faster, or the time has come. Nothing was changed.",
		"Please go back, load the page again, and choose once more.",
	},
	413: {
		"That was too much at once",
		"What was sent is longer than any form here. Nothing was saved.",
		"Please go back and shorten what you typed.",
	},
	421: {
		"This site has another address",
		"The address that led here belongs to no page of ours.",
		"",
	},
	422: {
		"Something is missing",
		"The form could not be read, so nothing was done with it.",
		"Please open the page again and fill it in once more.",
	},
	429: {
		"Please wait a moment",
		"There were many requests in a short time, perhaps from others on the same network.",
		"Nothing was changed. Reading works all the while; the form will work again in a few minutes.",
	},
	503: {
		"Nothing can be saved just now",
		"The site can’t write anything down at the moment. Nothing of what you sent was kept.",
		"Reading works all the while. Please try again in a few minutes.",
	},
}

var somethingWrong = problemWords{
	"Something went wrong here",
	"It is our fault and not yours. If you sent something, it may not have been saved.",
	"Please try again in a few minutes.",
}

func (v ErrorView) words() problemWords {
	if words, ok := problems[v.Status]; ok {
		return words
	}
	return somethingWrong
}
