package markdown

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostileShapes make a text of about n bytes each. Some are refused by the bounds, and
// then that is the whole of their cost.
var hostileShapes = map[string]func(n int) string{
	"a header, then empty rows":      func(n int) string { return "|a|b|c|d|e|f|\n|-|-|-|-|-|-|\n" + strings.Repeat("|\n", n/2) },
	"tables in a row":                func(n int) string { return strings.Repeat("|a|b|\n|-|-|\n|c|d|\n\n", n/20) },
	"attributes":                     func(n int) string { return "# a {" + strings.Repeat("a={", n/3) + "\n" },
	"headings with the same name":    func(n int) string { return strings.Repeat("## a\n\n", n/6) },
	"headings in a row":              func(n int) string { return strings.Repeat("## a\n", n/5) },
	"lists in lists":                 func(n int) string { return strings.Repeat("- ", n/2) + "x\n" },
	"lists in lists, line by line":   func(n int) string { return strings.Repeat(nested(10)+"\n", n/130) },
	"stars with spaces":              func(n int) string { return strings.Repeat(strings.Repeat("* ", 60)+"\n", n/121) },
	"quotes in quotes":               func(n int) string { return strings.Repeat("> ", n/2) + "x\n" },
	"lazy quotes":                    func(n int) string { return strings.Repeat("> > > a\nb\n", n/10) },
	"brackets":                       func(n int) string { return strings.Repeat("[](", n/3) + "\n" },
	"brackets by the paragraph":      func(n int) string { return strings.Repeat(strings.Repeat("[](", 300)+"\n\n", n/902) },
	"emphasis":                       func(n int) string { return strings.Repeat("**_* ", n/5) + "\n" },
	"emphasis by the paragraph":      func(n int) string { return strings.Repeat(strings.Repeat("**_* ", 200)+"\n\n", n/1002) },
	"half a comment":                 func(n int) string { return strings.Repeat("a <!--a\n", n/8) },
	"code that never ends":           func(n int) string { return strings.Repeat("a `` b ` c\n", n/11) },
	"references nobody uses":         func(n int) string { return strings.Repeat("[a]: /b\n", n/8) },
	"one reference, used everywhere": func(n int) string { return "[a]: /b\n\n" + strings.Repeat("[a]\n\n", n/5) },
	"footnotes":                      func(n int) string { return strings.Repeat("a[^1]\n\n", n/7) + "[^1]: b\n" },
	"a work cited everywhere":        func(n int) string { return strings.Repeat("a [@dutton1993].\n\n", n/18) },
	"entities":                       func(n int) string { return strings.Repeat(strings.Repeat("&amp;", 300)+"\n\n", n/1502) },
	"definitions":                    func(n int) string { return strings.Repeat("a\n: b\n\n", n/7) },
	"one long word by the line":      func(n int) string { return strings.Repeat(strings.Repeat("é", 900)+"\n", n/1801) },
	"real paragraphs":                func(n int) string { return strings.Repeat("A *line* of [text](/b) that is read.\n\n", n/39) },
}

// cost is what a text takes: bytes allocated, and bytes of HTML.
func cost(t testing.TB, in string) (allocated, written uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	doc, _ := parseText(t, in)
	written = uint64(len(doc.HTML()))
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, written
}

// REL-R9: twice the text costs three times as much at most, and the page is no more
// than 64 times as long.
func TestCostGrowsWithTheText(t *testing.T) {
	const n = 32 << 10
	for name, shape := range hostileShapes {
		t.Run("REL-R9 "+name, func(t *testing.T) {
			cost(t, shape(n)) // what is made once is made
			once, _ := cost(t, shape(n))
			twice, written := cost(t, shape(2*n))
			if twice > 3*once+64<<10 {
				t.Errorf("%d KB became %d KB for twice the text", once>>10, twice>>10)
			}
			if most := uint64(64 * len(shape(2*n))); written > most {
				t.Errorf("%d bytes of HTML, at most %d", written, most)
			}
		})
	}
}

// BenchmarkGrowth tells the same of the time: ratio is that of twice the text over that
// of the text, 3 at most (REL-R9).
func BenchmarkGrowth(b *testing.B) {
	const n = 32 << 10
	for name, shape := range hostileShapes {
		once, twice := shape(n), shape(2*n)
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			var short, long time.Duration
			for b.Loop() {
				begin := time.Now()
				parseText(b, once)
				middle := time.Now()
				parseText(b, twice)
				short, long = short+middle.Sub(begin), long+time.Since(middle)
			}
			b.ReportMetric(float64(long)/float64(short), "ratio")
		})
	}
}
