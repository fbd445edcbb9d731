package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func glossary() *Terms {
	return NewTerms([]Term{
		{"bond", []string{"trauma bond", "trauma bonds", "trauma-bonding"}},
		{"trauma", []string{"trauma"}},
		{"post", []string{"post-traumatic stress"}},
		{"complex", []string{"complex post-traumatic stress"}},
		{"emdr", []string{"EMDR"}},
		{"guilt", []string{"survivor’s guilt"}},
		{"control", []string{"control"}},
		{"cafe", []string{"café talk"}},
		{"stockholm", []string{"Stockholm syndrome"}},
	})
}

// linked parses a text and gives what is linked, as form=id, and the plain text.
func linked(t *testing.T, text string) (links []string, html string) {
	t.Helper()
	opts := options(t)
	opts.Terms = glossary()
	p := NewPage(opts)
	doc, fs := p.Parse(Source{Path: "x.md", Text: text, Line: 1})
	if fs.Errors() > 0 {
		t.Fatal(fs)
	}
	html = doc.HTML()
	checkMarkup(t, html)
	var ids []string
	for _, m := range regexp.MustCompile(`(?s)<a class="term" href="/glossary#([^"]*)">(.*?)</a>`).FindAllStringSubmatch(html, -1) {
		links, ids = append(links, m[2]+"="+m[1]), append(ids, m[1])
	}
	if diff := cmp.Diff(p.Terms(), ids); diff != "" {
		t.Errorf("%q: terms of the page (-told +linked):\n%s", text, diff)
	}
	return links, html
}

func TestTheFirstUseOfATermIsLinked(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"the first of two", "A trauma bond. A trauma bond.", []string{"trauma bond=bond"}},
		{"over paragraphs, and another form", "Trauma bonds.\n\nA trauma bond.", []string{"Trauma bonds=bond"}},
		{"the longest wins", "complex post-traumatic stress, post-traumatic stress", []string{"complex post-traumatic stress=complex", "post-traumatic stress=post"}},
		{"what stands in a longer one is not linked by itself", "A trauma bond. The trauma bond. The trauma.", []string{"trauma bond=bond", "trauma=trauma"}},
		{"a longer one that breaks off", "complex post-traumatic grief and complex trauma", []string{"trauma=trauma"}},
		{"capitals where a sentence begins", "Trauma bond", []string{"Trauma bond=bond"}},
		{"after a full stop, a colon, a quote", "It is. Control it.", []string{"Control=control"}},
		{"after a citation", "It is so [@dutton1993]. Control it.", []string{"Control=control"}},
		{"an opening quote", "They say “Control yourself”.", []string{"Control=control"}},
		{"capitals within a sentence are a name", "The book Control, and the Trauma Bond, and CONTROL.", nil},
		{"a term of capitals", "an emdr, Emdr, EMDR", []string{"EMDR=emdr"}},
		{"a name in small letters", "stockholm syndrome, Stockholm syndrome", []string{"Stockholm syndrome=stockholm"}},
		{"whole words", "traumas, traumatic, nontrauma, trauma2, control_", []string{"control=control"}},
		{"hyphens make one word", "self-control, trauma-focused, control-freak, trauma bond-like", []string{"trauma=trauma"}},
		{"dashes do not", "control—or not, trauma–bond", []string{"control=control", "trauma=trauma"}},
		{"another hyphen", "post\u2011traumatic stress", []string{"post\u2011traumatic stress=post"}},
		{"a soft hyphen", "trau\u00adma bond", []string{"trau\u00adma bond=bond"}},
		{"possession", "The trauma bond’s hold, and control's", []string{"trauma bond=bond", "control=control"}},
		{"an apostrophe of its own", "survivor's guilt", []string{"survivor's guilt=guilt"}},
		{"other apostrophes are in the word", "control’d, control'll", nil},
		{"quotes around it", "‘control’ and 'trauma'", []string{"control=control", "trauma=trauma"}},
		{"marks between words", "trauma, bond. post-traumatic (stress)", []string{"trauma=trauma"}},
		{"over a line end", "It is a trauma\nbond\nfor you", []string{"trauma\nbond=bond"}},
		{"a hard space and an entity", "trauma&nbsp;bond and a&amp;control", []string{"trauma\u00a0bond=bond", "control=control"}},
		{"accents as they are encoded", "cafe\u0301 talk", []string{"cafe\u0301 talk=cafe"}},
		{"lists, tight and loose", "- control\n- x\n\n1. trauma\n\n   EMDR", []string{"control=control", "trauma=trauma", "EMDR=emdr"}},
		{"alerts and quotes", "> [!NOTE]\n> control\n\n> trauma", []string{"control=control", "trauma=trauma"}},
		{"emphasis", "**Control.** *trauma bond*", []string{"Control=control", "trauma bond=bond"}},
		{"half in emphasis", "trauma *bond*, **con**trol, x*control*", []string{"trauma=trauma"}},
		{"definitions, not what they define", "control\n: trauma", []string{"trauma=trauma"}},
		{"none where there is none", "Only words.", nil},
		{"not in a heading", "## Control\n\n> [!TIP]\n> ### Trauma\n> words", nil},
		{"not in a link", "[control](/x) <https://control.example> [trauma][r]\n\n[r]: /y", nil},
		{"not in code", "`control`\n\n    control\n\n```\ncontrol\n```", nil},
		{"not in a citation", "[see control @dutton1993]", nil},
		{"not in a figure", "![control](/figures/turns.svg \"trauma\")", nil},
		{"not in a table or a footnote", "| control |\n|---|\n| trauma |\n\nx[^1]\n\n[^1]: EMDR", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, html := linked(t, tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s\n%s", tt.in, diff, html)
			}
		})
	}
}

var anyTag = regexp.MustCompile(`</?a[^>]*>`)

// A link takes nothing away and adds no word.
func TestALinkedTextReadsTheSame(t *testing.T) {
	texts := []string{
		"A trauma\nbond, control  \nand trauma", "*A **trauma** bond* control", "Trauma bond[@dutton1993], control [@nevin1988].\nEMDR\nhere",
		"> [!TIP]\n> ## Control\n> 1. control\n> 2. trauma\n>    bond\n", "trauma\\\nbond control\\_ &lt;control", "control control\ncontrol trauma",
	}
	for _, text := range texts {
		plain, fs := NewPage(options(t)).Parse(Source{Path: "x.md", Text: text, Line: 1})
		if fs.Errors() > 0 {
			t.Fatal(fs)
		}
		opts := options(t)
		opts.Terms = glossary()
		with, _ := NewPage(opts).Parse(Source{Path: "x.md", Text: text, Line: 1})
		if diff := cmp.Diff(anyTag.ReplaceAllString(plain.HTML(), ""), anyTag.ReplaceAllString(with.HTML(), "")); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
		mail := MailOptions{Site: "https://site.example", Page: "https://site.example/x"}
		for name, pair := range map[string][2]string{
			"mail text": {plain.MailText(mail), with.MailText(mail)}, "mail HTML": {plain.MailHTML(mail), with.MailHTML(mail)},
			"feed": {plain.FeedHTML(mail), with.FeedHTML(mail)},
		} {
			if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
				t.Errorf("%s of %q:\n%s", name, text, diff)
			}
		}
		if diff := cmp.Diff(plain.Paragraphs(), with.Paragraphs()); diff != "" || plain.Words != with.Words {
			t.Errorf("%q: %d words, then %d:\n%s", text, plain.Words, with.Words, diff)
		}
	}
}

// A short passage, such as the brief, has no terms; the passages of a page share
// theirs.
func TestPassagesShareTheirTerms(t *testing.T) {
	p := NewPage(Options{Terms: glossary()})
	brief, _ := p.Parse(Source{Path: "x.md", Text: "A trauma bond.", Line: 1, Brief: true})
	first, _ := p.Parse(Source{Path: "x.md", Text: "A trauma bond.", Line: 3})
	second, _ := p.Parse(Source{Path: "x.md", Text: "A trauma bond, control.", Line: 9})
	for i, doc := range []*Document{brief, first, second} {
		if got := strings.Count(doc.HTML(), `class="term"`); got != []int{0, 1, 1}[i] {
			t.Errorf("passage %d has %d terms: %s", i, got, doc.HTML())
		}
	}
	if diff := cmp.Diff([]string{"bond", "control"}, p.Terms()); diff != "" {
		t.Error(diff)
	}
}

func TestTermKey(t *testing.T) {
	tests := map[string]string{
		"Trauma  bond": "trauma bond", "survivor’s guilt": "survivor's guilt", "Post\u2011traumatic": "post-traumatic", "cafe\u0301": "café", "a b c d e f g h": "a b c d e f g h",
		"": "", " ": "", "a b c d e f g h i": "", "a, b": "", "a & b": "", "a/b": "", "-a": "", "a-": "", "’a": "", "U.S.": "", "**a**": "", "a\u00adb": "ab", "4 steps": "4 steps",
	}
	for in, want := range tests {
		if got := TermKey(in); got != want {
			t.Errorf("TermKey(%q) = %q, want %q", in, got, want)
		}
	}
	if NewTerms(nil) != nil || NewTerms([]Term{{"a", []string{"&"}}}) != nil {
		t.Error("no form, and yet terms")
	}
}

// steps is how many words are looked up for a text of n words, with k terms that
// begin as the text does and end otherwise.
func steps(t *testing.T, n, k int) int {
	t.Helper()
	terms := make([]Term, k)
	for i := range terms {
		terms[i] = Term{fmt.Sprint("t", i), []string{fmt.Sprintf("a a a a a a a z%d", i)}}
	}
	text := []byte(strings.Repeat("A a ", n/2))
	words := readWords(parseTree(text).FirstChild(), text).words
	if len(words) != n {
		t.Fatalf("%d words, want %d", len(words), n)
	}
	uses, steps := NewTerms(terms).find(words)
	if len(uses) > 0 {
		t.Fatalf("found %v", uses)
	}
	return steps
}

// The worst text for the worst glossary: every word begins a form that fails with its
// last. Steps are counted, not seconds.
func TestTermsAreFoundInLinearTime(t *testing.T) {
	one := steps(t, 1000, 1)
	if many := steps(t, 1000, 1000); many != one {
		t.Errorf("1,000 terms take %d steps, one takes %d", many, one)
	}
	if long := steps(t, 10_000, 1000); long > 10*one+10*MaxTermWords {
		t.Errorf("ten times the text takes %d steps, the text took %d", long, one)
	}
	if most := 2 * MaxTermWords * 1000; one > most {
		t.Errorf("%d steps for 1,000 words, at most %d", one, most)
	}
}

// All of parsing and linking, a thousand terms over a long page: what is allocated
// grows with the page.
func TestLinkingAllocatesWithThePage(t *testing.T) {
	terms := make([]Term, 1000)
	for i := range terms {
		terms[i] = Term{fmt.Sprint("t", i), []string{fmt.Sprintf("word%d and more", i)}}
	}
	opts := Options{Terms: NewTerms(terms)}
	allocations := func(paragraphs int) float64 {
		var text strings.Builder
		for i := range paragraphs {
			fmt.Fprintf(&text, "Some words and word%d and more, then plain ones to fill a line.\n\n", i)
		}
		return testing.AllocsPerRun(3, func() {
			p := NewPage(opts)
			p.Parse(Source{Path: "x.md", Text: text.String(), Line: 1})
			if len(p.Terms()) != paragraphs {
				t.Fatalf("%d terms linked, want %d", len(p.Terms()), paragraphs)
			}
		})
	}
	if small, large := allocations(100), allocations(1000); large > 11*small {
		t.Errorf("%.0f allocations for 100 paragraphs, %.0f for 1,000", small, large)
	}
}

// Whatever the text, a link changes no word of it, in a page or in a mail.
func FuzzLinkedText(f *testing.F) {
	for _, text := range []string{"A trauma\nbond’s", "*trauma **bond*** control", "- control\n\n  EMDR&nbsp;x", "trau\u00adma bond [x](/control)", "a\\\ncontrol"} {
		f.Add(text)
	}
	opts := Options{Terms: glossary()}
	mail := MailOptions{Site: "https://site.example", Page: "https://site.example/x"}
	f.Fuzz(func(t *testing.T, text string) {
		plain, _ := NewPage(Options{}).Parse(Source{Path: "x.md", Text: text, Line: 1})
		with, fs := NewPage(opts).Parse(Source{Path: "x.md", Text: text, Line: 1})
		if want, got := anyTag.ReplaceAllString(plain.HTML(), ""), anyTag.ReplaceAllString(with.HTML(), ""); want != got {
			t.Errorf("%q:\n%s\n%s\n%v", text, want, got, fs)
		}
		if want, got := plain.MailText(mail), with.MailText(mail); want != got {
			t.Errorf("%q in a mail:\n%s\n%s", text, want, got)
		}
	})
}
