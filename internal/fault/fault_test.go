package fault

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKindIsThatOfTheFirstFaultInTheChain(t *testing.T) {
	inner := New(Taken, "gone")
	for _, tt := range []struct {
		name string
		err  error
		want Kind
	}{
		{"a plain error is ours", errors.New("x"), Internal},
		{"a fault", inner, Taken},
		{"a fault, wrapped", fmt.Errorf("book: %w", inner), Taken},
		{"a fault around another", &Error{Kind: Unavailable, Err: inner}, Unavailable},
		{"one of several", errors.Join(errors.New("x"), inner), Taken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := KindOf(tt.err); got != tt.want {
				t.Errorf("KindOf = %v, want %v", got, tt.want)
			}
		})
	}
	if Is(nil, Internal) {
		t.Error("no error is of no kind")
	}
}

func TestFindingsAreOneLineEachInOrder(t *testing.T) {
	fs := Findings{
		Warnf("b.md", 2, "long"),
		Errorf("b.md", 2, "unknown key %q", "titel"),
		Errorf("a.md", 0, "two\nlines"),
		Errorf("a.md", 0, "two\nlines"),
	}
	var got []string
	for _, f := range fs.Sorted() {
		got = append(got, f.String())
	}
	want := []string{
		"a.md:1: error: two lines",
		`b.md:2: error: unknown key "titel"`,
		"b.md:2: warning: long",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if n := fs.Sorted().Errors(); n != 2 {
		t.Errorf("Errors = %d, want 2", n)
	}
}
