package newsletter_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/mail/mailtest"
	"github.com/steadier/steadier/internal/newsletter"
)

// BenchmarkSending compares the sending of an issue with a bare loop that hands the
// same bytes to the same kind of peer in the same run: ratio is our rate over its.
func BenchmarkSending(b *testing.B) {
	const readers = 2000
	var ours, theirs time.Duration
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
		ours += time.Since(begin)
		b.StopTimer()
		raw := n.letters()[0].Raw
		p := mailtest.Start(b, mailtest.Config{Security: mail.Clear})
		bare := mail.NewSMTP(p.Server(), "letters.example", nil, mail.DefaultLimits())
		begin = time.Now()
		for range readers {
			bare.Deliver(context.Background(), "post@letters.example", "a@x.example", raw, func() error { return nil })
		}
		theirs += time.Since(begin)
		b.StartTimer()
	}
	b.ReportMetric(float64(theirs)/float64(ours), "ratio")
	b.ReportMetric(float64(ours.Microseconds())/float64(readers*b.N), "µs/letter")
}

// BenchmarkVisitorsDuringStart tells how much longer a visitor's write takes while
// an issue for many readers is being started: ratio is the median during over before.
func BenchmarkVisitorsDuringStart(b *testing.B) {
	const readers = 100_000
	n := newBench(b)
	n.importCrowd(readers)
	visits := 0
	visit := func() time.Duration {
		visits++
		begin := time.Now()
		n.must(n.db.AskNewsletter(context.Background(), n.now, newsletter.NewAsk(addressOf(b, visits))))
		return time.Since(begin)
	}
	for b.Loop() {
		var before, during []time.Duration
		for range 2000 {
			before = append(before, visit())
		}
		i := issue()
		i.Slug += strconv.Itoa(visits)
		started := make(chan struct{})
		go func() { defer close(started); n.startResting(i, newsletter.Rest) }()
		for running := true; running; {
			during = append(during, visit())
			select {
			case <-started:
				running = false
			default:
			}
		}
		slices.Sort(before)
		slices.Sort(during)
		b.ReportMetric(float64(during[len(during)/2])/float64(before[len(before)/2]), "ratio")
		b.ReportMetric(float64(during[len(during)*99/100])/float64(before[len(before)*99/100]), "ratio-p99")
		b.ReportMetric(float64(before[len(before)/2].Microseconds()), "µs-before")
	}
}

func addressOf(t testing.TB, i int) mail.Address {
	t.Helper()
	a, err := mail.ParseAddress("visitor" + strconv.Itoa(i) + "@x.example")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// importCrowd adds subscribers by the thousand.
func (b *bench) importCrowd(n int) {
	b.t.Helper()
	rows := make([]newsletter.ImportRow, n)
	for i := range rows {
		a, err := mail.ParseAddress("reader" + strconv.Itoa(i) + "@x.example")
		b.must(err)
		rows[i] = newsletter.ImportRow{Address: a, Consent: newsletter.Consent{Given: b.now, Wording: "ours"}}
	}
	_, err := b.db.ImportSubscribers(context.Background(), b.now, rows, true)
	b.must(err)
}
