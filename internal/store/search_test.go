package store

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shelfOfDocs are pages short enough to see why each is found.
var shelfOfDocs = []Doc{
	{
		Path: "/articles/what-a-trauma-bond-is", Title: "What a trauma bond is, and what it is not",
		Question: "Is there a name for what I feel?", Description: "Two ingredients, and what was found.",
		Headings: []string{"Two ingredients", "What it is not"},
		Body:     "A trauma bond is a strong attachment to somebody who hurts you. It isn’t weakness, and you don’t choose it.",
	},
	{
		Path: "/articles/the-pull-of-not-knowing", Title: "The pull of not knowing",
		Question: "Why did the rare good moments hold me so hard?", Description: "Rewards that come now and then.",
		Headings: []string{"What animals showed"},
		Body:     "A reward that comes now and then can hold. Forgiveness is another matter. One study from Zürich is older than the bond it names.",
	},
	{
		Path: "/articles/no-contact", Title: "No contact, some contact",
		Question: "Do I have to stop talking?", Description: "Considerations, and no rule.",
		Body: "Some people stop all contact. Others can’t, because of children, work or money. Missing them is not a mistake.",
	},
	{
		Path: "/safety", Title: "Reading more safely", Description: "What leaving this site can’t do.",
		Body: "A shared phone keeps a history. The partner’s account may see it.",
	},
}

func newTestIndex(t testing.TB) *Index {
	t.Helper()
	x, err := NewIndex(ctx, shelfOfDocs)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func search(t testing.TB, x *Index, typed string) Results {
	t.Helper()
	found, err := x.Search(ctx, typed, 10)
	if err != nil {
		t.Fatalf("search %.40q: %v", typed, err)
	}
	return found
}

func paths(r Results) string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.Path[strings.LastIndex(h.Path, "/")+1:])
	}
	return strings.Join(out, " ")
}

// whole leaves the pages that hold all of the words.
func whole(r Results) Results { r.Hits = r.Hits[:r.Whole]; return r }

func TestSearchFinds(t *testing.T) {
	x := newTestIndex(t)
	for _, tt := range []struct{ name, typed, want string }{
		{"a word of a title before a word of a text", "bond", "what-a-trauma-bond-is the-pull-of-not-knowing"},
		{"another form of the word", "hurting", "what-a-trauma-bond-is"},
		{"several words in one page", "trauma weakness", "what-a-trauma-bond-is"},
		{"a question in full", "Why do I miss them?", "no-contact"},
		{"words of a reader’s question", "good moments", "the-pull-of-not-knowing"},
		{"a heading", "animals", "the-pull-of-not-knowing"},
		{"a description", "ingredients", "what-a-trauma-bond-is"},
		{"capitals", "TRAUMA Bond", "what-a-trauma-bond-is"},
		{"without the accent", "zurich", "the-pull-of-not-knowing"},
		{"with the accent", "Zürich", "the-pull-of-not-knowing"},
		{"with the accent as a sign of its own", "Zu\u0308rich", "the-pull-of-not-knowing"},
		{"an apostrophe that is straight", "don't", "what-a-trauma-bond-is"},
		{"an apostrophe that is curly", "don’t", "what-a-trauma-bond-is"},
		{"an apostrophe left out", "dont", "what-a-trauma-bond-is"},
		{"a possessive without its apostrophe", "partners account", "safety"},
		{"punctuation around the words", "«trauma», (bond)?!", "what-a-trauma-bond-is"},
		{"punctuation between the words", "bond/trauma", "what-a-trauma-bond-is"},
		{"the beginning of the last word", "forgiv", "the-pull-of-not-knowing"},
		{"a beginning that the stemmer would cut", "forgivenes", "the-pull-of-not-knowing"},
		{"only the last word may be a beginning", "forgiv matter", "the-pull-of-not-knowing"},
		{"nothing but common words", "is there a", "what-a-trauma-bond-is"},
		{"nothing typed", "", ""},
		{"nothing but spaces", " \t\r\n ", ""},
		{"nothing but punctuation", "?!… – ’ ' \"", ""},
		{"a word that is nowhere", "photosynthesis", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, paths(whole(search(t, x, tt.typed)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSearchShowsPagesWithSomeOfTheWordsWhereFewHaveAll(t *testing.T) {
	x := newTestIndex(t)
	for _, tt := range []struct {
		name, typed, want string
		whole             int
	}{
		{"all of the words in one page", "trauma weakness", "what-a-trauma-bond-is", 1},
		{"all of them first, then some", "feel bond", "what-a-trauma-bond-is the-pull-of-not-knowing", 1},
		{"no page has all", "history weakness", "what-a-trauma-bond-is safety", 0},
		{"one word: there is no some of it", "bond", "what-a-trauma-bond-is the-pull-of-not-knowing", 2},
		{"nothing", "photosynthesis chlorophyll", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := search(t, x, tt.typed)
			if paths(found) != tt.want || found.Whole != tt.whole {
				t.Errorf("got %q, %d of them whole", paths(found), found.Whole)
			}
		})
	}
}

func TestSearchPutsListsAfterWhatIsWritten(t *testing.T) {
	x, err := NewIndex(ctx, []Doc{
		{Path: "/sources", Title: "Sources", Description: "Works.", Lists: "Love and loss. Love. Love again. Loving."},
		{Path: "/articles/a", Title: "An article", Body: strings.Repeat("Some words. ", 20) + "Once it says love."},
	})
	if err != nil {
		t.Fatal(err)
	}
	found := search(t, x, "love")
	if got := paths(found); got != "a sources" {
		t.Errorf("got %q", got)
	}
	want := []Segment{{"Love", true}, {Text: " and loss. "}, {"Love", true}, {Text: ". "}, {"Love", true}, {Text: " again. "}, {"Loving", true}, {Text: "."}}
	if diff := cmp.Diff(want, found.Hits[1].Excerpt); diff != "" {
		t.Error(diff)
	}
}

func TestSearchSuggestsTheNearestKnownWord(t *testing.T) {
	x := newTestIndex(t)
	for _, tt := range []struct{ name, typed, want string }{
		{"a letter wrong", "traumq", "trauma"},
		{"a letter missing", "tauma", "trauma"},
		{"a letter too many", "forgivenness", "forgiveness"},
		{"two neighbours exchanged", "truama", "trauma"},
		{"the first letter wrong", "vistory", "history"},
		{"one word of several", "the truama bond", "the trauma bond"},
		{"a whole word, not the stem of one", "weaknes is", "weakness is"},
		{"two letters wrong: too far", "traxxa", ""},
		{"a short word: too much is near", "bonx", ""},
		{"a known word", "trauma", ""},
		{"another form of a known word", "rewarding", ""},
		{"the beginning of a known word", "attach", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := search(t, x, tt.typed).Suggestion; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOneSlip(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"bonds", "bonds", false},
		{"bonds", "bands", true},
		{"bonds", "bond", true},
		{"bonds", "abonds", true},
		{"bonds", "bonsd", true},
		{"bonds", "nobds", false},
		{"bonds", "obnds", true},
		{"bonds", "bo", false},
		{"bonds", "bandz", false},
		{"über", "uber", true},
	} {
		if got := oneSlip([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("%q, %q: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
		if got := oneSlip([]rune(tt.b), []rune(tt.a)); got != tt.want {
			t.Errorf("%q, %q: got %v, want %v", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestSearchMarksWhatItFound(t *testing.T) {
	found := search(t, newTestIndex(t), "trauma bond")
	want := []Hit{{
		Path:  "/articles/what-a-trauma-bond-is",
		Title: []Segment{{Text: "What a "}, {"trauma bond", true}, {Text: " is, and what it is not"}},
		Excerpt: []Segment{
			{Text: "A "},
			{"trauma bond", true},
			{Text: " is a strong attachment to somebody who hurts you. It isn’t weakness, and you don’t choose it."},
		},
	}}
	if diff := cmp.Diff(want, whole(found).Hits); diff != "" {
		t.Error(diff)
	}
}

func TestSearchShowsTheDescriptionWhereTheTextHoldsNone(t *testing.T) {
	found := search(t, newTestIndex(t), "considerations")
	want := []Segment{{"Considerations", true}, {Text: ", and no rule."}}
	if diff := cmp.Diff(want, found.Hits[0].Excerpt); diff != "" {
		t.Error(diff)
	}
}

func TestSearchTakesTextAsText(t *testing.T) {
	x, err := NewIndex(ctx, []Doc{{
		Path: "/a", Title: "A <b>title</b> & \x01more\x02\x00", Body: "One\nword \x01here\x02 and <script>there</script>",
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Hit{{
		Path: "/a", Title: []Segment{{Text: "A <b>title</b> & more"}},
		Excerpt: []Segment{{Text: "One word here and <script>"}, {"there", true}, {Text: "</script>"}},
	}}
	if diff := cmp.Diff(want, search(t, x, "there").Hits); diff != "" {
		t.Error(diff)
	}
}

func TestSearchPrefersTheWordsAsTheyWereTyped(t *testing.T) {
	x, err := NewIndex(ctx, []Doc{
		{Path: "/apart", Body: "Knowing is one thing. Not all of it, not ever, not knowing-wise. Knowing, knowing, not, not."},
		{Path: "/together", Body: "It is the pull of it, and of much else that goes with the not knowing of it all, and so on and on."},
		{Path: "/else", Body: "Something else."},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(search(t, x, "the not knowing of")); got != "together apart" {
		t.Errorf("got %q", got)
	}
}

func TestSearchGivesNoMoreThanAskedFor(t *testing.T) {
	found, err := newTestIndex(t).Search(ctx, "bond", 1)
	if err != nil || paths(found) != "what-a-trauma-bond-is" {
		t.Errorf("got %q, %v", paths(found), err)
	}
}

// hostileQueries are what attackers type (SEC-H11).
var hostileQueries = []string{
	`"`, `'`, `a"b`, `a*`, `NEAR(`, `NEAR("a" "b", 3)`, `a OR b`, `a AND`, `NOT`, `title:x`, `^`, `^bond`, `-x`,
	`{a b}:c`, `(`, `)`, `' OR 1=1--`, "\x00", "bond\x00trauma", "\xff", "\xff\xfe bond", `"bond" *`, `+`, `:`, `path:safety`,
	`"""`, `bond" OR path : "safety`, strings.Repeat("a ", 10_000), strings.Repeat("\U0001F60A", 300),
	strings.Repeat("a", 30_000), strings.Repeat("’a", 200), "\u0301\u0301", "\u200d", "\ufffd", "bond\u202etrauma",
}

func TestSearchIsNoErrorWhateverIsTyped(t *testing.T) {
	x := newTestIndex(t)
	for _, typed := range hostileQueries {
		t.Run("SEC-H11 "+firstRunes(typed, 20), func(t *testing.T) {
			search(t, x, typed)
			search(t, x, "bond "+typed+" trauma")
		})
	}
}

func TestSearchHasNoOperators(t *testing.T) {
	x := newTestIndex(t)
	for _, tt := range []struct{ name, typed, want string }{
		{"SEC-H11 a column is a word that no page holds", "title:bond", ""},
		{"SEC-H11 a minus is punctuation", "-trauma bond", "what-a-trauma-bond-is"},
		{"SEC-H11 quotes are punctuation", `"bond trauma"`, "what-a-trauma-bond-is"},
		{"SEC-H11 NOT is a word like not", "weakness NOT choose", "what-a-trauma-bond-is"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, paths(whole(search(t, x, tt.typed)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSearchReadsABoundedPartOfWhatWasTyped(t *testing.T) {
	x := newTestIndex(t)
	if got := len(x.parse(strings.Repeat("ab ", 10_000)).words); got != maxWords {
		t.Errorf("got %d words", got)
	}
	if got := len([]rune(x.parse(strings.Repeat("é", 30_000)).typed[0])); got != maxTyped {
		t.Errorf("got %d letters", got)
	}
}

// A visitor who hangs up must not take the only connection, and with it the index,
// away from the others.
func TestSearchOutlivesThoseWhoHangUp(t *testing.T) {
	x := newTestIndex(t)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			if i%2 == 0 {
				_, _ = x.Search(gone, "bond", 10)
				return
			}
			if found, err := x.Search(ctx, "bond", 10); err != nil || len(found.Hits) != 2 {
				t.Errorf("got %d hits, %v", len(found.Hits), err)
			}
		})
	}
	wg.Wait()
}

func TestIndexesDoNotShareTheirPages(t *testing.T) {
	first := newTestIndex(t)
	second, err := NewIndex(ctx, []Doc{{Path: "/other", Title: "Another bond"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(search(t, second, "bond")); got != "other" {
		t.Errorf("the second holds %q", got)
	}
	if got := paths(search(t, first, "another bond")); strings.Contains(got, "other ") {
		t.Errorf("the first holds %q", got)
	}
	runtime.KeepAlive(first)
}

func TestIndexCannotBeWritten(t *testing.T) {
	if _, err := newTestIndex(t).db.ExecContext(ctx, `DELETE FROM page`); err == nil {
		t.Error("a page was deleted")
	}
}

func TestIndexOfNothing(t *testing.T) {
	x, err := NewIndex(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found := search(t, x, "trauma bond"); len(found.Hits) != 0 || found.Suggestion != "" {
		t.Errorf("got %+v", found)
	}
}

func FuzzSearchQuery(f *testing.F) {
	for _, q := range hostileQueries {
		f.Add(q)
	}
	for _, q := range []string{"trauma bond", "don’t", "truama", "Zu\u0308rich", "forgivenes"} {
		f.Add(q)
	}
	x := newTestIndex(f)
	f.Fuzz(func(t *testing.T, typed string) {
		found := search(t, x, typed)
		if len(found.Hits) > len(shelfOfDocs) {
			t.Errorf("a page was found twice: %s", paths(found))
		}
		for _, h := range found.Hits {
			for _, s := range append(h.Title, h.Excerpt...) {
				if s.Text == "" || strings.Contains(s.Text, markOn) || strings.Contains(s.Text, markOff) {
					t.Errorf("odd segment %q", s.Text)
				}
			}
		}
	})
}
