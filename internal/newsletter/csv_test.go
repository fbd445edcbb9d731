package newsletter_test

import (
	"context"
	"encoding/csv"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/steadier/steadier/internal/newsletter"
)

func TestNewsH32AndH33Files(t *testing.T) {
	want := []string{"a@x.example", "b@x.example"}
	for name, text := range map[string]string{
		"commas":                        "email,name\na@x.example,A\nb@x.example,B\n",
		"news-H32 BOM":                  "\ufeffemail,name\na@x.example,A\nb@x.example,B\n",
		"news-H32 BOM before a quote":   "\ufeff\"email\",\"name\"\r\n\"a@x.example\",\"A\"\r\n\"b@x.example\",\"B\"\r\n",
		"news-H33 semicolons":           "Name;E-Mail\nA;a@x.example\nB;b@x.example\n",
		"news-H33 tabs":                 "E-mail address\tName\na@x.example\tA\nb@x.example\tB\n",
		"one column":                    "email\na@x.example\nb@x.example",
		"a guarded cell of our own":     "email\n'a@x.example\nb@x.example\n",
		"an address that cannot be one": "email\na@x.example\nnobody\nb@x.example\n",
	} {
		got, err := newsletter.ReadImport(strings.NewReader(text))
		var addresses []string
		for _, r := range got.Rows {
			addresses = append(addresses, r.Address.Wire())
		}
		if diff := cmp.Diff(want, addresses); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
		if name == "an address that cannot be one" && !cmp.Equal(got.Bad, []int{3}) {
			t.Errorf("bad lines = %v, want 3", got.Bad)
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"news-H32 UTF-16":         {"\xff\xfee\x00m\x00", "UTF-8"},
		"news-H33 no such column": {"Name;Town\nA;B\n", `["Name" "Town"]`},
		"empty":                   {"", "first line"},
		"a quote that never ends": {"email\n\"a@x.example\n", "cannot be imported"},
	} {
		_, err := newsletter.ReadImport(strings.NewReader(test.text))
		if !errors.Is(err, newsletter.ErrCSV) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
}

func TestNewsH35NoCellIsAFormula(t *testing.T) {
	var b strings.Builder
	for _, address := range []string{"=1+1@evil.example", "+1@evil.example", "-1@evil.example", "a@x.example"} {
		row := newsletter.ExportRow{Address: address, State: newsletter.Active, Since: noon}
		row.Consent = newsletter.Consent{Given: noon, Wording: `@SUM("x")`}
		if err := newsletter.WriteExport(&b, []newsletter.ExportRow{row}); err != nil {
			t.Fatal(err)
		}
	}
	text := b.String()
	if !strings.HasPrefix(text, "\ufeff\"email\"") {
		t.Errorf("it begins with %.12q", text)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(text, "\ufeff", ""))).ReadAll()
	if err != nil || len(rows) != 8 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
				t.Errorf("a cell is a formula: %s", cell)
			}
		}
	}
}

func TestNewsH34ImportNeverBringsAnybodyBack(t *testing.T) {
	b := newBench(t)
	ctx := context.Background()
	b.subscribe("active@x.example", "left@x.example", "forgotten@x.example")
	b.start(issue())
	b.drain()
	b.must(b.service.Leave(ctx, b.now, b.token("left@x.example", "unsubscribe")))
	who, err := b.service.Preferences(ctx, b.now, b.token("forgotten@x.example", "preferences"))
	b.must(err)
	b.must(b.service.AskFresh(ctx, b.now, who))
	b.drain()
	b.must(b.service.Erase(ctx, b.now, b.token("forgotten@x.example", "preferences")))
	file, err := newsletter.ReadImport(strings.NewReader("email,consent_given,consent_wording\n" +
		"active@x.example,,\nleft@x.example,2026-01-01T00:00:00Z,ours-1\nforgotten@x.example,2026-01-01T00:00:00Z,ours-1\n" +
		"new@x.example,,\nproven@x.example,2026-01-01T00:00:00Z,ours-1\nNEW@x.example,,\n"))
	b.must(err)
	want := newsletter.Imported{Active: 1, Pending: 1, Kept: 3, Forgotten: 1}
	for _, write := range []bool{false, true} {
		got, err := b.db.ImportSubscribers(ctx, b.now, file.Rows, write)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("write %v: %v %s", write, err, diff)
		}
	}
	b.now = b.now.Add(time.Hour)
	before := len(b.letters())
	second := issue()
	second.Slug = "second"
	b.start(second)
	b.drain()
	if got := recipients(b.letters()[before:]); !cmp.Equal(got, map[string]int{"active@x.example": 1, "proven@x.example": 1}) {
		t.Errorf("letters = %v", got)
	}
	if got := len(b.peer.To("new@x.example")); got != 1 {
		t.Errorf("%d mails to the new one, want 1 that asks", got)
	}
	rows, err := b.db.ExportSubscribers(ctx)
	b.must(err)
	var addresses []string
	for _, r := range rows {
		addresses = append(addresses, r.Address)
	}
	if diff := cmp.Diff([]string{"active@x.example", "proven@x.example"}, addresses); diff != "" {
		t.Error(diff)
	}
}
