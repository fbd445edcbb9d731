package library

import (
	"os"
	"regexp"
	"testing"
)

// The content that ships has no fault, and every numbered note leads to an entry
// that is used (reader-H34).
func TestShippedContent(t *testing.T) {
	lib := load(t, os.DirFS("../../content"))
	if len(lib.Articles) < 2 || len(lib.Pages) == 0 || len(lib.Issues) == 0 {
		t.Fatalf("%d articles, %d pages, %d issues", len(lib.Articles), len(lib.Pages), len(lib.Issues))
	}
	cites := regexp.MustCompile(`class="cite" href="#(s\d+)" id="([^"]+)"`)
	for _, a := range lib.Articles {
		t.Run("reader-H34 "+a.Slug, func(t *testing.T) {
			uses := map[string]string{} // id of a citation → id of its entry
			for _, m := range cites.FindAllStringSubmatch(a.Brief+a.Body+a.Safety, -1) {
				uses[m[2]] = m[1]
			}
			if len(a.Notes) == 0 || len(uses) == 0 {
				t.Fatal("no sources")
			}
			for i, n := range a.Notes {
				checkNote(t, i+1, n, uses)
			}
			if len(uses) > 0 {
				t.Errorf("citations without an entry: %v", uses)
			}
		})
	}
}

// checkNote checks one entry and takes its citations off uses.
func checkNote(t *testing.T, number int, n Note, uses map[string]string) {
	t.Helper()
	if n.Number != number || len(n.Uses) == 0 {
		t.Errorf("note %d: %+v", number, n)
	}
	for _, id := range n.Uses {
		if uses[id] != n.ID() {
			t.Errorf("note %d: nothing cites it at %s", number, id)
		}
		delete(uses, id)
	}
	if n.Reference.Finding == "" || n.Reference.Limits == "" || n.Reference.Evidence.Label() == "" {
		t.Errorf("note %d: what kind of evidence it is, what it found or how far that goes is missing", number)
	}
}

// Every article stands under a topic or two, and each word that is explained is used.
func TestShippedFurniture(t *testing.T) {
	lib := load(t, os.DirFS("../../content"))
	if len(lib.Terms) < 12 || len(lib.Topics) < 4 || len(lib.Paths) < 4 {
		t.Errorf("%d terms, %d topics, %d paths", len(lib.Terms), len(lib.Topics), len(lib.Paths))
	}
	for _, a := range lib.Articles {
		if n := len(a.Topics); n < 1 || n > 2 {
			t.Errorf("%s has %d topics", a.Slug, n)
		}
	}
	for _, term := range lib.Terms {
		if len(term.UsedIn) == 0 {
			t.Errorf("no article uses %s", term.ID)
		}
	}
}
