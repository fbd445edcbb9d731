package templates

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func renderShared(t *testing.T, s *Shared) string {
	t.Helper()
	var b strings.Builder
	if err := shared(s).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSharedTagsAreQuiet(t *testing.T) {
	got := renderShared(t, &Shared{
		Site: "Steadier", Title: `"A" <title>`, Line: "To read in 7 minutes.", URL: "https://site.example/articles/a",
		Picture: "https://site.example/static/preview.png", Article: true,
		Data: map[string]any{"@type": "Article", "headline": `</script><script>alert(1)</script>`},
	})
	want := `<meta property="og:site_name" content="Steadier">` +
		`<meta property="og:title" content="&#34;A&#34; &lt;title&gt;">` +
		`<meta property="og:description" content="To read in 7 minutes.">` +
		`<meta property="og:type" content="article">` +
		`<meta property="og:url" content="https://site.example/articles/a">` +
		`<meta property="og:image" content="https://site.example/static/preview.png">` +
		`<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">` +
		`<meta property="og:image:alt" content="A ball at rest on a level line">` +
		`<script type="application/ld+json">` +
		`{"@type":"Article","headline":"\u003c/script\u003e\u003cscript\u003ealert(1)\u003c/script\u003e"}` + "\n</script>"
	if diff := cmp.Diff(want, strings.ReplaceAll(got, "> <", "><")); diff != "" {
		t.Errorf("SEC-H13:\n%s", diff)
	}
}

func TestAPageOfOnePersonIsNotShared(t *testing.T) {
	if got := renderShared(t, nil); got != "" {
		t.Errorf("got %q", got)
	}
}
