package web

import (
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/assess"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// questionsPath is where the questions are asked for.
const questionsPath = library.AssessmentPath + "/questions"

// routeAssess is the self-assessment. Its first page is one to read, and stands on the
// shelf. The questions and the result are answers to a post, which no browser keeps and
// no address leads to (safety rules A5, A8). Their forms have no key: they change nothing,
// and a post from another site could only show its own visitor a page.
func (s *Site) routeAssess(r chi.Router) {
	h := s.errors.Handle
	r.Post(library.AssessmentPath, h(s.assessed(s.reflect)))
	r.Post(questionsPath, h(s.assessed(s.questions)))
	r.Get(questionsPath, h(s.assessed(s.startAssess)))
}

func isAssess(pattern string) bool {
	return pattern == library.AssessmentPath || pattern == questionsPath
}

// offered is the self-assessment of a library; nil if the owner does not offer it.
func offered(lib *library.Library) *library.Assessment {
	if !lib.Site.SelfAssessment {
		return nil
	}
	return lib.Assessment
}

// assessed is a handler of the self-assessment, which is not there unless it is offered.
// All of one request works with the same library.
func (s *Site) assessed(next func(http.ResponseWriter, *http.Request, *library.Library) error) respond.Func {
	return func(w http.ResponseWriter, r *http.Request) error {
		noIndex(w)
		lib := s.Library()
		if offered(lib) == nil {
			return fault.New(fault.NotFound, "")
		}
		return next(w, r, lib)
	}
}

// startAssess leads whoever opens the address of the questions by itself to the first page.
func (s *Site) startAssess(w http.ResponseWriter, _ *http.Request, _ *library.Library) error {
	respond.SeeOther(w, library.AssessmentPath)
	return nil
}

// questions shows the form, empty. What was posted with it is not looked at.
func (s *Site) questions(w http.ResponseWriter, r *http.Request, lib *library.Library) error {
	if err := s.spendLook(w, r); err != nil {
		return err
	}
	return s.questionsPage(w, r, http.StatusOK, assessForm(lib.Assessment, nil, nil))
}

func (s *Site) questionsPage(w http.ResponseWriter, r *http.Request, status int, v templates.AssessFormView) error {
	return respond.Page(w, r, status, templates.AssessForm(s.chrome(r), v), respond.NoStore)
}

// reflect answers with the result. The answers live in this call alone (A6).
func (s *Site) reflect(w http.ResponseWriter, r *http.Request, lib *library.Library) error {
	q := questionsOf(lib.Assessment)
	answers, err := s.readAnswers(w, r, q)
	if err == nil {
		v := s.reflection(lib, q.Reflect(answers))
		return respond.Page(w, r, http.StatusOK, templates.Reflection(s.chrome(r), v), respond.NoStore)
	}
	if !showsForm(err) {
		return err
	}
	respond.RetryAfter(w.Header(), err)
	return s.questionsPage(w, r, respond.Status(err), assessForm(lib.Assessment, answers, err))
}

// readAnswers gives what could be read of the answers with an error too.
func (s *Site) readAnswers(w http.ResponseWriter, r *http.Request, q assess.Questions) ([]assess.Answer, error) {
	values, err := respond.ParseForm(w, r, q.Fields())
	if values == nil {
		values = url.Values{}
	}
	answers, wrong := q.Read(values.Get)
	if limit := s.spendLook(w, r); limit != nil {
		return answers, limit
	}
	if err != nil {
		return answers, err
	}
	return answers, wrong
}

// questionsOf is what the rules need of the words.
func questionsOf(a *library.Assessment) assess.Questions {
	q := assess.Questions{General: slugOf(a.None.Path)}
	for _, item := range a.Items {
		q.Items = append(q.Items, assess.Item{Line: item.Line, Themes: item.Themes})
	}
	for _, l := range a.Lines {
		q.Lines = append(q.Lines, assess.Line{ID: l.ID, Path: slugOf(l.Path)})
	}
	for _, t := range a.Themes {
		q.Themes = append(q.Themes, assess.Theme{ID: t.ID, Path: slugOf(t.Path)})
	}
	return q
}

func slugOf(p *library.Path) string {
	if p == nil {
		return ""
	}
	return p.Slug
}

// assess is the first page, where it is offered.
func (m reading) assess(c templates.Chrome) map[string]templ.Component {
	a := offered(m.lib)
	if a == nil {
		return nil
	}
	return map[string]templ.Component{library.AssessmentPath: templates.Assess(c, templates.AssessView{
		Path:        library.AssessmentPath,
		Title:       a.Title,
		Description: a.Description,
		Minutes:     a.Minutes,
		Lead:        a.Lead,
		Scoring:     scoringOf(a),
		Review:      reviewView(a.Reviewed),
		Shared:      m.share(a.Title, library.AssessmentPath),
	})}
}

// assessMinutes is how long it takes; 0 where it is not offered.
func assessMinutes(lib *library.Library) int {
	if a := offered(lib); a != nil {
		return a.Minutes
	}
	return 0
}
