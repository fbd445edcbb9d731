package admin

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/newsletter"
	"github.com/steadier/steadier/internal/respond"
	"github.com/steadier/steadier/templates"
)

// mostMonths bounds the plot of readers.
const mostMonths = 24

// routeReaders are the pages about who gets the letters.
func (s *Site) routeReaders(r chi.Router) {
	h := s.errors.Handle
	r.Get("/subscribers", h(s.readers))
	r.Post("/subscribers/find", h(s.findReader))
	r.Post("/subscribers/import", h(s.importReaders))
	r.With(s.requireFresh).Post("/subscribers/export", h(s.exportReaders))
}

// readers are counts, and ways to find, bring in and take out.
func (s *Site) readers(w http.ResponseWriter, r *http.Request) error {
	return s.readersPage(w, r, http.StatusOK, templates.ReadersView{})
}

func (s *Site) readersPage(w http.ResponseWriter, r *http.Request, status int, v templates.ReadersView) error {
	counts, err := s.Store.ReaderCounts(r.Context())
	if err != nil {
		return err
	}
	months, err := s.Store.ReadersByMonth(r.Context(), mostMonths)
	if err != nil {
		return err
	}
	for _, c := range counts {
		words := c.State
		if c.Reason != "" {
			words += " (" + c.Reason + ")"
		}
		v.Counts = append(v.Counts, templates.CountView{Words: words, N: c.N})
	}
	for _, m := range months {
		v.Months = append(v.Months, templates.CountView{Words: m.Month, N: m.N})
	}
	return s.page(w, r, status, templates.AdminReaders(s.chrome(r), v))
}

// findReader tells what is held about one address. It is posted, so that no address
// stands in a URL.
func (s *Site) findReader(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "email")
	if err != nil {
		return err
	}
	v := templates.ReadersView{Email: form.Get("email")}
	address, err := mail.ParseAddress(v.Email)
	if err != nil {
		v.Problem = problem("", templates.ProblemField{Name: "email", Message: "Enter one e-mail address, like name@example.org."})
		return s.readersPage(w, r, http.StatusUnprocessableEntity, v)
	}
	held, err := s.Store.ReaderAt(r.Context(), address)
	if fault.Is(err, fault.NotFound) {
		v.Found = "Nothing is held about this address."
		return s.readersPage(w, r, http.StatusOK, v)
	}
	if err != nil {
		return err
	}
	zone := s.Hours().Zone
	v.Facts = []templates.Fact{
		{Label: "state", Text: string(held.State) + ", since " + consult.Spoken(held.Since, zone)},
		{Label: "letters delivered", Text: few(held.Letters, "letter")},
	}
	for _, c := range held.Consents {
		v.Facts = append(v.Facts, templates.Fact{Label: "agreed on " + consult.Spoken(c.Given, zone), Text: c.Wording})
	}
	return s.readersPage(w, r, http.StatusOK, v)
}

// importReaders shows what would become of a list, and then does it.
func (s *Site) importReaders(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(w, r, "csv", "sure")
	if err != nil {
		return err
	}
	v := templates.ReadersView{CSV: form.Get("csv")}
	file, err := newsletter.ReadImport(strings.NewReader(v.CSV))
	if err != nil {
		v.Problem = problem("", templates.ProblemField{Name: "csv", Message: "The list can’t be read: " + err.Error()})
		return s.readersPage(w, r, http.StatusUnprocessableEntity, v)
	}
	sure := form.Get("sure") == "yes"
	counts, err := s.Store.ImportSubscribers(r.Context(), s.Now(), file.Rows, sure)
	if err != nil {
		return err
	}
	if sure {
		respond.SeeOther(w, "/admin/subscribers")
		return nil
	}
	v.Preview = []templates.CountView{
		{Words: "new, with proof of consent: get the letters", N: counts.Active},
		{Words: "new, without it: are asked to confirm", N: counts.Pending},
		{Words: "known: stay as they are", N: counts.Kept},
		{Words: "asked to be forgotten: passed over", N: counts.Forgotten},
		{Words: "lines without an address that can be used", N: len(file.Bad)},
	}
	return s.readersPage(w, r, http.StatusOK, v)
}

// exportReaders is everybody who gets the letters, as a file.
func (s *Site) exportReaders(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.form(w, r); err != nil {
		return err
	}
	rows, err := s.Store.ExportSubscribers(r.Context())
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := newsletter.WriteExport(&out, rows); err != nil {
		return err
	}
	s.event(r, "exported", "subscribers")
	w.Header().Set("Content-Disposition", `attachment; filename="subscribers.csv"`)
	respond.Bytes(w, r, http.StatusOK, "text/csv; charset=utf-8", out.Bytes(), respond.NoStore)
	return nil
}
