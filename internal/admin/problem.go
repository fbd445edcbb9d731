package admin

import (
	"errors"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/templates"
)

// problemAt puts an error with fields into the words of the summary above a form.
func problemAt(err error) templates.Problem {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return templates.Problem{}
	}
	p := templates.Problem{Title: "Something to put right", Text: f.Public}
	for _, field := range f.Fields {
		p.Fields = append(p.Fields, templates.ProblemField(field))
	}
	return p
}
