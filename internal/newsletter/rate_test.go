package newsletter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
)

// BenchmarkSending compares the sending of an issue with a bare loop that hands the
// same bytes to the same kind of peer in the same run: ratio is our rate over its.
func BenchmarkSending(b *testing.B) {
	const readers = 2000
	for b.Loop() {
		b.StopTimer()
		n := newBench(b)
		n.crowd(readers)
		i := issue()
		i.Text = strings.Repeat("A line of a letter that is read slowly.\n", 60)
		i.HTML = "<p>" + strings.Repeat("A line of a letter that is read slowly.\n", 60) + "</p>"
		n.start(i)
		b.StartTimer()
		begin := time.Now()
		n.drain()
		ours := time.Since(begin)
		b.StopTimer()
		raw := n.letters()[0].Raw
		p := mailtest.Start(b, mailtest.Config{Security: mail.Clear})
		bare := mail.NewSMTP(p.Server(), "letters.example", nil, mail.DefaultLimits())
		begin = time.Now()
		for range readers {
			bare.Deliver(context.Background(), "post@letters.example", "a@x.example", raw, func() error { return nil })
		}
		b.ReportMetric(float64(time.Since(begin))/float64(ours), "ratio")
		b.ReportMetric(float64(ours.Microseconds())/readers, "µs/letter")
		b.StartTimer()
	}
}
