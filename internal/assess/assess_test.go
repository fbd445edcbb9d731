package assess

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/fault"
)

// small are questions of each kind: q1 to q3 are of safety, q5 counts twice.
func small() Questions {
	return Questions{
		Items: []Item{
			{Line: "partner"},
			{Line: "devices"},
			{Line: "self"},
			{Themes: []string{"pull"}},
			{Themes: []string{"pull", "days"}},
			{Themes: []string{"pull"}},
			{Themes: []string{"days"}},
			{Themes: []string{"days"}},
		},
		Lines:   []Line{{ID: "self"}, {ID: "partner", Path: "not-safe"}, {ID: "devices"}},
		Themes:  []Theme{{ID: "pull", Path: "why"}, {ID: "days", Path: "apart"}},
		General: "why",
	}
}

// of are answers by their first letters: y, s, n, u, k (rather not say) and - (none).
func of(letters string) []Answer {
	known := map[rune]Answer{'y': Yes, 's': Some, 'n': No, 'u': Unsure, 'k': Skip, '-': None}
	var answers []Answer
	for _, r := range letters {
		answers = append(answers, known[r])
	}
	return answers
}

func TestReflect(t *testing.T) {
	for _, tt := range []struct {
		name, answers string
		want          Result
	}{
		{"reader-H26 A12 nothing leads to the general path", "", Result{Paths: []string{"why"}, Offer: true}},
		{"A12 all left alone", "--------", Result{Paths: []string{"why"}, Offer: true}},
		{"A12 all skipped", "kkkkkkkk", Result{Paths: []string{"why"}, Offer: true}},
		{"A10 no, not sure and rather not say count nothing", "nnnunkun", Result{Paths: []string{"why"}, Offer: true}},
		{"A10 a yes alone does not show a theme", "nnnynnnn", Result{Paths: []string{"why"}, Offer: true}},
		{"A10 a yes and an in a way do", "nnnysnnn", Result{Themes: []string{"pull"}, Paths: []string{"why"}, Offer: true}},
		{"A10 three times in a way over two themes do not", "nnnnnsss", Result{Paths: []string{"why"}, Offer: true}},
		{"A10 three times in a way in one theme", "nnnnsnss", Result{Themes: []string{"days"}, Paths: []string{"apart"}, Offer: true}},
		{"A12 two themes show side by side, in the order of the file", "nnnyynny", Result{
			Themes: []string{"pull", "days"}, Paths: []string{"why", "apart"}, Offer: true,
		}},
		{"A14 A17 fear: the line, its path, and no offer", "y-------", Result{Lines: []string{"partner"}, Paths: []string{"not-safe"}}},
		{"A15 devices: the line alone, and the general path", "-y------", Result{Lines: []string{"devices"}, Paths: []string{"why"}}},
		{"A15 thoughts of dying: their own line", "--y-----", Result{Lines: []string{"self"}, Paths: []string{"why"}}},
		{"A14 in a way is a yes of safety", "--s-----", Result{Lines: []string{"self"}, Paths: []string{"why"}}},
		{"A14 lines have the order of the file, and no theme comes before them", "yyy----y", Result{
			Lines: []string{"self", "partner", "devices"}, Paths: []string{"not-safe"},
		}},
		{"A14 a line does not hide the themes", "y--yy---", Result{
			Lines: []string{"partner"}, Themes: []string{"pull"}, Paths: []string{"not-safe", "why"},
		}},
		{"not sure and rather not say call for no line", "ukn-----", Result{Paths: []string{"why"}, Offer: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, small().Reflect(of(tt.answers))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A line that two items call for is said once, and a path that two themes share stands once.
func TestReflectSaysNothingTwice(t *testing.T) {
	q := small()
	q.Items[1].Line = "partner"
	q.Themes[1].Path = "why"
	got := q.Reflect(of("yy-yyy-y"))
	want := Result{Lines: []string{"partner"}, Themes: []string{"pull", "days"}, Paths: []string{"not-safe", "why"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// every calls check with each way of answering five items in a row; all eight at once
// would be 1.7 million ways.
func every(check func(answers []Answer)) {
	all := append(Answers(), None)
	for start := range len(small().Items) - 4 {
		answers := make([]Answer, len(small().Items))
		var fill func(i int)
		fill = func(i int) {
			if i == start+5 {
				check(answers)
				return
			}
			for _, a := range all {
				answers[i] = a
				fill(i + 1)
			}
		}
		fill(start)
	}
}

func TestRulesHoldForEveryAnswer(t *testing.T) {
	q := small()
	every(func(answers []Answer) {
		r := q.Reflect(answers)
		safe := append(make([]Answer, 3), answers[3:]...)
		switch {
		case !reflect.DeepEqual(r, q.Reflect(answers)):
			t.Fatalf("A12 %v: two results", answers)
		case len(r.Paths) == 0:
			t.Fatalf("A11 %v leads nowhere", answers)
		case !slices.Equal(r.Themes, q.Reflect(safe).Themes):
			t.Fatalf("A13 %v: the safety items changed the themes", answers)
		case r.Offer != (len(r.Lines) == 0):
			t.Fatalf("A17 %v: offer %v with lines %v", answers, r.Offer, r.Lines)
		}
	})
}

// To say more yes never takes a theme or a line away.
func TestMoreYesShowsNoLess(t *testing.T) {
	q, rnd := small(), rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		answers := make([]Answer, len(q.Items))
		for i := range answers {
			answers[i] = Answers()[rnd.IntN(len(Answers()))]
		}
		before := q.Reflect(answers)
		answers[rnd.IntN(len(answers))] = Yes
		after := q.Reflect(answers)
		for _, id := range append(before.Themes, before.Lines...) {
			if !slices.Contains(append(after.Themes, after.Lines...), id) {
				t.Fatalf("%s is gone with %v", id, answers)
			}
		}
	}
}

// A result says which themes show, and nothing that could be compared (A10).
func TestAResultHoldsNoNumber(t *testing.T) {
	r := reflect.TypeFor[Result]()
	for field := range r.Fields() {
		switch field.Type.Kind() {
		case reflect.Bool, reflect.Slice:
		default:
			t.Errorf("A10 %s is a %s", field.Name, field.Type)
		}
	}
}

func TestRead(t *testing.T) {
	q := small()
	form := map[string]string{"q1": "yes", "q2": "some", "q3": "no", "q4": "unsure", "q5": "skip"}
	got, err := q.Read(func(field string) string { return form[field] })
	if diff := cmp.Diff(of("ysnuk---"), got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, value := range []string{"Yes", " yes", "maybe", "1", "on"} {
		form["q8"] = value
		got, err = q.Read(func(field string) string { return form[field] })
		if !fault.Is(err, fault.Invalid) || fmt.Sprint(got) != fmt.Sprint(of("ysnuk---")) {
			t.Errorf("%q: %v, %v", value, got, err)
		}
	}
}

func TestFieldsAndWhatTheyCountTo(t *testing.T) {
	q := small()
	if got := q.Fields(); len(got) != 8 || got[0] != "q1" || got[7] != "q8" {
		t.Errorf("fields: %v", got)
	}
	if got := q.CountingTo("days"); !slices.Equal(got, []int{5, 7, 8}) {
		t.Errorf("A10 days: %v", got)
	}
}
