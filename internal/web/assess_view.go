package web

import (
	"slices"

	"github.com/steadier/steadier/internal/assess"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/templates"
)

// answerLabels are the answers in words for a reader.
var answerLabels = map[assess.Answer]string{
	assess.Yes:    "Yes",
	assess.Some:   "In a way",
	assess.No:     "No",
	assess.Unsure: "Not sure",
	assess.Skip:   "Rather not say",
}

// assessForm is the questions, with the answers that could not be taken.
func assessForm(a *library.Assessment, answers []assess.Answer, err error) templates.AssessFormView {
	v := templates.AssessFormView{Why: a.Why}
	if err != nil {
		v.Problem = problemOf(err)
	}
	for i, item := range a.Items {
		chosen := assess.None
		if i < len(answers) {
			chosen = answers[i]
		}
		v.Answered = v.Answered || chosen != assess.None
		view := templates.AssessItem{Field: assess.Field(i), Number: i + 1, Text: item.Text}
		for _, answer := range assess.Answers() {
			view.Choices = append(view.Choices, templates.Choice{
				Value: string(answer), Label: answerLabels[answer], Chosen: answer == chosen,
			})
		}
		if item.Safety() {
			v.Safety = append(v.Safety, view)
		} else {
			v.Others = append(v.Others, view)
		}
	}
	return v
}

// scoringOf is how a result comes about.
func scoringOf(a *library.Assessment) templates.ScoringView {
	v := templates.ScoringView{Yes: assess.YesCounts, Some: assess.SomeCounts, ShowAt: assess.ShowsAt}
	for _, item := range a.Items {
		if item.Safety() {
			v.Safety++
		}
	}
	q := questionsOf(a)
	for _, t := range a.Themes {
		v.Themes = append(v.Themes, templates.ThemeCount{Title: t.Title, Numbers: q.CountingTo(t.ID)})
	}
	return v
}

// reflection puts a result into words.
func (s *Site) reflection(lib *library.Library, r assess.Result) templates.ReflectionView {
	a := lib.Assessment
	v := templates.ReflectionView{
		Scoring: scoringOf(a),
		Review:  reviewView(a.Reviewed),
		Again:   library.AssessmentPath,
	}
	sayFirst(&v, lib, r.Lines)
	for _, id := range r.Themes {
		if t, ok := a.Theme(id); ok {
			v.Themes = append(v.Themes, templates.ThemeView{
				ID: t.ID, Title: t.Title, Text: t.Text, Articles: articleLinks(t.Articles),
			})
		}
	}
	if len(v.Themes) == 0 {
		v.None = a.None.Text
	}
	for _, slug := range r.Paths {
		if p, ok := lib.Path(slug); ok {
			v.Paths = append(v.Paths, pathLink(p))
		}
	}
	if r.Offer {
		v.Letters = !s.MailOff
		if s.takesCalls() {
			v.Call = s.Consult.Minutes()
		}
	}
	return v
}

// sayFirst puts the lines of safety at the head: those for one kind of help together, with
// the first of the services for it in the site's own country that can be called. All of
// these services follow below. Where there is none, the list of all countries stands there.
func sayFirst(v *templates.ReflectionView, lib *library.Library, ids []string) {
	var kinds []library.ServiceKind
	for _, id := range ids {
		line, ok := lib.Assessment.Line(id)
		if !ok {
			continue
		}
		at := slices.Index(kinds, line.Service)
		if at < 0 {
			at = len(kinds)
			kinds = append(kinds, line.Service)
			first := templates.FirstView{}
			if services := servicesOf(lib, line.Service); len(services) > 0 {
				first.Call = &services[0]
				v.Services = append(v.Services, services...)
			}
			v.First = append(v.First, first)
		}
		v.First[at].Texts = append(v.First[at].Texts, line.Text)
	}
	if c, ok := lib.Country(lib.Site.Country); ok {
		v.Country = c.Name
	}
}

// servicesOf are those of a kind in the site's own country that can be called.
func servicesOf(lib *library.Library, kind library.ServiceKind) []templates.ServiceView {
	c, ok := lib.Country(lib.Site.Country)
	if !ok || kind == "" {
		return nil
	}
	var services []templates.ServiceView
	for i, s := range countryView(c).Services {
		if c.Services[i].Kind == kind && s.Phone != "" {
			services = append(services, s)
		}
	}
	return services
}
