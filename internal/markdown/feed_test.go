package markdown

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFeedHTMLHasNoLookOfItsOwn(t *testing.T) {
	got := mailDocument(t).FeedHTML(mailOptions())
	const want = `<h2>A heading</h2>
<p>A paragraph with <em>soft</em> and <strong>strong</strong> words, a <a href="https://site.example/articles/x">link</a>, one <a href="https://site.example/newsletter/x#part">part</a> of the
page, an address <a href="https://example.org/long">https://example.org/long</a>, <a href="https://example.org/y">the same</a> and <code>code</code>.</p>
`
	if diff := cmp.Diff(want, got[:min(len(want), len(got))]); diff != "" {
		t.Error(diff)
	}
	if odd := notForFeeds.FindString(got); odd != "" {
		t.Errorf("SEC-H13: %s in\n%s", odd, got)
	}
}

var notForFeeds = regexp.MustCompile(`<[^>]*\s(style|class|id|on\w+)=|<(img|svg|script|style)`)

func TestFeedHTMLIsWholeElements(t *testing.T) {
	feed := strings.NewReplacer("<br>", "<br/>", "<hr>", "<hr/>").Replace(mailDocument(t).FeedHTML(mailOptions()))
	d := xml.NewDecoder(strings.NewReader("<div>" + feed + "</div>"))
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
