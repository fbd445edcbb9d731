package admin

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/store"
	"github.com/steadier/steadier/templates"
)

// mostDeeds bounds the audit list on the page.
const mostDeeds = 100

// routeCare are the pages about the content and about what runs the site.
func (s *Site) routeCare(r chi.Router) {
	h := s.errors.Handle
	r.Get("/content", h(s.content))
	r.Get("/care", h(s.care))
}

// content is every article with its dates and grade, and what check has to say.
func (s *Site) content(w http.ResponseWriter, r *http.Request) error {
	health, err := s.Health()
	if err != nil {
		return err
	}
	read, err := s.Store.ReadsByWeek(r.Context(), s.Now(), readWeeks)
	if err != nil {
		return err
	}
	v := templates.ContentView{Findings: health.Findings, Weeks: weeksOf(read)}
	for _, a := range s.Library().Articles {
		row := templates.ArticleRow{Title: a.Title, Path: "/articles/" + a.Slug, Published: day(a.Published), Updated: day(a.Updated), Review: "not yet"}
		if grade, ok := health.Grades["articles/"+a.Slug+".md"]; ok {
			row.Grade = fmt.Sprintf("%.1f", grade)
		}
		if a.Reviewed != nil {
			row.Review = "due " + day(a.Reviewed.Due)
		}
		row.Reads = readsOf(read, a.Slug)
		row.Faults = count(health.Findings, "articles/"+a.Slug+".md:")
		v.Articles = append(v.Articles, row)
	}
	now := s.Now()
	for _, country := range s.Library().Countries {
		for _, service := range country.Services {
			if now.Sub(service.CheckedOn) > dueHelpline {
				v.Helplines = append(v.Helplines, templates.Fact{Label: service.Name + ", " + country.Name, Text: "checked on " + day(service.CheckedOn)})
			}
		}
	}
	return s.page(w, r, http.StatusOK, templates.AdminContent(s.chrome(r), v))
}

// readWeeks is how many weeks of reads the page tells of.
const readWeeks = 12

// weeksOf sums the reads of all articles by week, the oldest first.
func weeksOf(read []store.Reads) []templates.CountView {
	weeks := make([]templates.CountView, readWeeks)
	for i := range weeks {
		weeks[i].Words = "this week"
		if ago := readWeeks - 1 - i; ago > 0 {
			weeks[i].Words = few(ago, "week") + " ago"
		}
	}
	for _, r := range read {
		weeks[readWeeks-1-r.Week].N += int(r.N)
	}
	return weeks
}

// readsOf is how often an article was read in the last seven days.
func readsOf(read []store.Reads, slug string) int {
	for _, r := range read {
		if r.Slug == slug && r.Week == 0 {
			return int(r.N)
		}
	}
	return 0
}

// count counts the lines that begin so.
func count(lines []string, prefix string) (n int) {
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

// day is a date, or a dash for none.
func day(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Format(time.DateOnly)
}

// care is what the site says of itself, what keeps it safe, and what was done.
func (s *Site) care(w http.ResponseWriter, r *http.Request) error {
	last, err := s.Store.LastBackup(r.Context())
	if err != nil {
		return err
	}
	exported, err := s.Store.KeysAreExported(r.Context())
	if err != nil {
		return err
	}
	deeds, err := s.Store.Deeds(r.Context(), mostDeeds)
	if err != nil {
		return err
	}
	zone, practice := s.Hours().Zone, s.Practice()
	backup := "none was ever made: run steadier backup FILE on the server"
	if !last.IsZero() {
		backup = consult.Spoken(last, zone)
	}
	keys := "not exported since they last changed: run steadier keys export FILE on the server"
	if exported {
		keys = "exported"
	}
	v := templates.CareView{Facts: []templates.Fact{
		{Label: "practice’s zone", Text: zone.String()},
		{Label: "number shown to visitors", Text: cmp.Or(practice.Phone, "none")},
		{Label: "who we say is calling", Text: cmp.Or(practice.Caller, consult.DefaultCaller)},
		{Label: "sender of mail", Text: practice.From.Name + " <" + practice.From.Address + ">"},
		{Label: "where you are told", Text: cmp.Or(practice.Notify, "nowhere: set notify in site.yaml")},
		{Label: "links in mail lead to", Text: practice.Links},
		{Label: "last backup", Text: backup},
		{Label: "sealing keys", Text: keys},
	}}
	for _, d := range deeds {
		v.Deeds = append(v.Deeds, templates.DeedRow{When: d.At.In(zone).Format("2006-01-02 15:04"), Who: d.Who, What: d.What, Row: d.Row[:min(6, len(d.Row))]})
	}
	return s.page(w, r, http.StatusOK, templates.AdminCare(s.chrome(r), v))
}
