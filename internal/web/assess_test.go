package web

import (
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/assess"
	"github.com/steadier/steadier/internal/library"
	"github.com/steadier/steadier/internal/web/webtest"
)

// newAssessBench is the site with the content that ships, and the self-assessment on or off.
func newAssessBench(t *testing.T, on string, rate Rate) *foundBench {
	t.Helper()
	b := newFoundBench(t, rate)
	b.lib = shippedWith(t, on)
	if err := b.site.Refresh(b.lib); err != nil {
		t.Fatal(err)
	}
	return b
}

func shippedWith(t *testing.T, on string) *library.Library {
	t.Helper()
	folder := fstest.MapFS{}
	shipped := os.DirFS("../../content")
	err := fs.WalkDir(shipped, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(shipped, path)
		folder[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	setting := regexp.MustCompile(`(?m)^self_assessment: \w+`)
	site := folder["site.yaml"]
	site.Data = setting.ReplaceAll(site.Data, []byte("self_assessment: "+on))
	lib, findings := library.Load(folder, library.Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	if lib == nil {
		t.Fatal(findings)
	}
	return lib
}

// answer posts answers as the form does, and gives the page.
func (b *foundBench) answer(form string) (*http.Response, string) {
	b.t.Helper()
	res := b.do("POST", library.AssessmentPath, form, "Sec-Fetch-Site", "same-origin", "Origin", "null",
		"Content-Type", "application/x-www-form-urlencoded")
	return res, read(b.t, res)
}

// mainOf is what is between the heading of a page and its foot, as text with its tags.
func mainOf(page string) string {
	_, page, _ = strings.Cut(page, "</h1>")
	page, _, _ = strings.Cut(page, "</main>")
	return page
}

var tags = regexp.MustCompile(`<[^>]*>`)

// textOf is the words of a piece of HTML.
func textOf(html string) string {
	return strings.Join(strings.Fields(tags.ReplaceAllString(html, " ")), " ")
}

const cardHeading = "Call the emergency number if you are in danger now"

func TestAssessPages(t *testing.T) {
	b := newAssessBench(t, "true", Rate{})
	webtest.Run(t, b.http, foundBase.Host, `
# The first page is one to read, and has nothing to fill in.
GET /self-assessment
code == 200
head Cache-Control == no-cache
head ETag ~ ^"
head X-Robots-Tag ==
body contains <title>What keeps pulling me back? – Steadier</title>
body contains `+cardHeading+`
body contains <form method="post" action="/self-assessment/questions"><button type="submit">Begin</button></form>
body !contains type="hidden"
body !contains type="radio"
hint reader-H29 A1
body contains no diagnosis, of you or of anyone else
body contains about ten minutes
body contains You can stop at any point
body contains Nothing is kept
hint A22
body contains No clinician has reviewed these questions yet.

GET /self-assessment?q1=yes&q6=canary
hint reader-H24 A5 values in the address are not echoed
code == 200
body !contains canary
body contains Begin

GET /self-assessment/questions
hint whoever opens the address of the questions by itself begins at the beginning
code == 303
head Location == /self-assessment

POST /self-assessment/questions
bare
code == 200
head Cache-Control == no-store
head X-Robots-Tag == noindex
head Set-Cookie ==
head Location ==
body contains <form class="form" method="post" action="/self-assessment" autocomplete="off"
hint A9
body !contains <textarea
body !contains type="text"
hint A4
body contains name="q16" value="skip"
body !contains name="q17"
body !contains checked
body !contains required
hint A19
body ~ type="reset".*type="submit".*type="reset"

POST /self-assessment
form
hint reader-H26 A12 an empty post has the general path
bare
code == 200
head Cache-Control == no-store
head X-Robots-Tag == noindex
head Set-Cookie ==
body contains <title>Your reflection – Steadier</title>
body contains <h1>Your reflection</h1>
body contains `+cardHeading+`
body contains does not mean that nothing happened
body contains href="/paths/why-it-holds"
body !contains class="summary

POST /self-assessment?q6=yes
form q7=yes&q9=yes
bare
hint reader-H24 only the body counts
code == 200
body contains id="t-pull"
body !contains id="t-days"
body !contains thoughts of ending your life:

POST /self-assessment
form q7=maybe&q8=yes
bare
hint what is no answer is refused, and the others are kept
code == 422
head Cache-Control == no-store
body contains <a href="#q7">
body ~ name="q8" value="yes" checked
body contains data-typed="yes"
hint A19 a reset would bring back what the server wrote
body !contains type="reset"
body contains formaction="/self-assessment/questions"

POST /self-assessment
form q7=yes&name=Ann
bare
hint A3 A9 it has no other field
code == 422
body !contains Ann
`)
}

// Nothing of it is there while it is not offered.
func TestAssessIsNotThereWhileOff(t *testing.T) {
	b := newAssessBench(t, "false", Rate{})
	for _, tt := range []struct{ method, path string }{
		{"GET", library.AssessmentPath},
		{"POST", library.AssessmentPath},
		{"GET", questionsPath},
		{"POST", questionsPath},
		{"PUT", library.AssessmentPath},
	} {
		if res := b.do(tt.method, tt.path, "q1=yes"); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s %s: %d", tt.method, tt.path, res.StatusCode)
		}
	}
	for _, path := range []string{"/", "/paths", "/articles", "/sitemap.xml", "/no/such/page"} {
		if page := read(t, b.do("GET", path, "")); strings.Contains(page, library.AssessmentPath) {
			t.Errorf("%s offers it", path)
		}
	}
	if page := b.search("self-assessment"); strings.Contains(page, library.AssessmentPath) {
		t.Error("the search finds it")
	}
}

func TestAssessIsFound(t *testing.T) {
	b := newAssessBench(t, "true", Rate{})
	for _, path := range []string{"/", "/sitemap.xml"} {
		if page := read(t, b.do("GET", path, "")); !strings.Contains(page, library.AssessmentPath) {
			t.Errorf("%s does not lead there", path)
		}
	}
	for _, words := range []string{"self-assessment", "quiz", "what keeps pulling me back"} {
		page := b.search(words)
		if !strings.Contains(page, `href="`+library.AssessmentPath+`"`) || !strings.Contains(page, "Some questions, 10 minutes") {
			t.Errorf("%q does not find it", words)
		}
	}
}

// reader-H27, A14, A15, A17: each item of safety, marked by itself.
func TestASafetyItemHasItsLineFirst(t *testing.T) {
	b := newAssessBench(t, "true", Rate{})
	for i, want := range []struct{ line, service string }{
		{"An advocate knows about danger", "0808 2000 247"},
		{"An advocate knows about danger", "0808 2000 247"},
		{"An advocate knows about danger", "0808 2000 247"},
		{"Before you read on: another device", "0808 2000 247"},
		{"If a child may come to harm", "0808 2000 247"},
		{"You don’t have to be alone with thoughts of ending your life", "116 123"},
	} {
		for _, value := range []string{"yes", "some"} {
			field := assess.Field(i)
			_, page := b.answer(field + "=" + value)
			main := strings.ReplaceAll(mainOf(page), "\u00a0", " ")
			if text := textOf(main); !strings.HasPrefix(text, want.line) {
				t.Errorf("reader-H27 A14 %s=%s begins with %.80s", field, value, text)
			}
			if first, _, _ := strings.Cut(main, cardHeading); !strings.Contains(first, want.service) || !strings.Contains(first, `href="tel:`) {
				t.Errorf("A15 %s: no %s before the card", field, want.service)
			}
			if strings.Contains(main, `href="/consult"`) || strings.Contains(main, `href="/newsletter"`) {
				t.Errorf("A17 %s: there is an offer", field)
			}
			if regexp.MustCompile(`(?i)level|high risk|severe|score`).MatchString(textOf(main)) {
				t.Errorf("A14 %s: a level of danger", field)
			}
		}
	}
	_, page := b.answer("q7=yes")
	if !strings.Contains(mainOf(page), `href="/newsletter"`) || !strings.HasPrefix(textOf(mainOf(page)), "Urgent: "+cardHeading) {
		t.Errorf("A14 A17 without an item of safety the card is first and the offer last:\n%s", textOf(mainOf(page)))
	}
}

// Two kinds of help stand apart, each line once.
func TestSafetyLinesOfTwoKinds(t *testing.T) {
	b := newAssessBench(t, "true", Rate{})
	_, page := b.answer("q1=yes&q2=yes&q4=yes&q6=yes")
	card, _, _ := strings.Cut(textOf(mainOf(page)), cardHeading)
	var at []int
	for _, words := range []string{"You don’t have to be alone", "116 123", "An advocate knows", "Before you read on", "0808 2000 247"} {
		at = append(at, strings.Index(card, words))
		if strings.Count(card, words) != 1 {
			t.Errorf("%q stands %d times in %s", words, strings.Count(card, words), card)
		}
	}
	if !slices.IsSorted(at) {
		t.Errorf("A14 order %v in %s", at, card)
	}
}

// reader-H25, A6, A7: what was answered is in no file of the database, no line of the
// log, no header, and nowhere in the page but in what it leads to.
func TestAnswersAreKeptNowhere(t *testing.T) {
	b := newAssessBench(t, "true", Rate{})
	before := filesOf(t, b.dir)
	form := url.Values{}
	for i := range b.lib.Assessment.Items {
		form.Set(assess.Field(i), []string{"yes", "some", "no", "unsure", "skip"}[i%5])
	}
	res, page := b.answer(form.Encode())
	b.answer("q1=canarybird&q2=yes")
	b.answer("q1=yes&canarybird=yes")
	if diff := cmp.Diff(before, filesOf(t, b.dir)); diff != "" {
		t.Error("reader-H25 the database changed")
	}
	if odd := regexp.MustCompile(`canarybird|\bq\d+\b|yes|unsure|skip`).FindString(b.log.String()); odd != "" {
		t.Errorf("reader-H25 the log holds %q:\n%s", odd, b.log.String())
	}
	if res.Header.Get("Cache-Control") != "no-store" || len(res.Cookies()) > 0 || res.Header.Get("ETag") != "" {
		t.Errorf("reader-H25 %v", res.Header)
	}
	head, _, _ := strings.Cut(page, "</head>")
	if odd := regexp.MustCompile(`(?i)pull|afraid|danger|og:|description|canonical`).FindString(head); odd != "" {
		t.Errorf("A7 %q in the head of the result", odd)
	}
	if odd := regexp.MustCompile(`\bq\d+\b|unsure|"yes"`).FindString(page); odd != "" {
		t.Errorf("A7 %q in the result", odd)
	}
}

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files in %s: %v", len(names), dir, err)
	}
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil {
			files[name] = string(data)
		}
	}
	return files
}

// reader-H29, A2, A10, A20: how it is worked out stands on both pages, and neither has
// anything to compare, nor a name for the other person.
func TestScoringIsShown(t *testing.T) {
	b := newAssessBench(t, "true", Rate{})
	_, result := b.answer("q1=yes&q7=yes&q8=yes&q9=yes&q10=yes&q12=some&q14=yes&q15=yes")
	for name, page := range map[string]string{"intro": read(t, b.do("GET", library.AssessmentPath, "")), "result": result} {
		text := textOf(mainOf(page))
		for _, want := range []string{
			"no diagnosis, of you or of anyone else", "The first six questions", "four themes", "“Yes” counts two, “In a way” counts one",
			"A theme shows from three on", "The pull: questions 7, 8 and 9", "Not away, or not for good: questions 9, 12 and 13", "none is more than another", "There is no total",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("reader-H29 A10 %s: no “%s” in\n%s", name, want, text)
			}
		}
		if odd := regexp.MustCompile(`(?i)\d ?%|per cent|severity|severe|narciss|abuser|toxic|most people|people like you|\bhe\b|\bshe\b|out of \d`).FindString(text); odd != "" {
			t.Errorf("reader-H29 A2 A20 %s: %q", name, odd)
		}
	}
	if n := strings.Count(result, `id="t-`); n != 4 {
		t.Errorf("A12 %d themes show", n)
	}
}

// A limit is told on the form itself, with what was chosen.
func TestAssessSpendsTheBudgetForLooking(t *testing.T) {
	b := newAssessBench(t, "true", Rate{N: 1, Per: time.Minute})
	for range lookFactor {
		b.answer("q7=yes")
	}
	res, page := b.answer("q7=unsure")
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "60" {
		t.Errorf("got %d, Retry-After %q", res.StatusCode, res.Header.Get("Retry-After"))
	}
	if !strings.Contains(page, `name="q7" value="unsure" checked`) || !strings.Contains(page, cardHeading) {
		t.Error("what was chosen is lost")
	}
	if res := b.do("POST", questionsPath, ""); res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("questions: %d", res.StatusCode)
	}
}

func TestAssessRefusesOtherSites(t *testing.T) {
	b := newAssessBench(t, "true", Rate{})
	for _, path := range []string{library.AssessmentPath, questionsPath} {
		res := b.do("POST", path, "q1=yes", "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
		if res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
}
