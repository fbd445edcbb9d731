package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/outbox"
)

// text is an article that says something.
func text(says string) string {
	return "---\ntitle: T\nquestion: Q?\ndescription: D.\npublished: 2026-12-01\nreviewed: none\nbrief: In brief.\n---\n\n" + says + "\n"
}

// writer changes the content of a site that serves, and looks at what is read.
type writer struct {
	*desk
	address string
	log     *lockedBuffer
}

func newWriter(t *testing.T) *writer {
	t.Helper()
	d := newDesk(t)
	d.write("content/articles/a.md", text("The first words."))
	w := &writer{desk: d}
	w.address, w.log, _ = d.start()
	w.until("/articles/a", "The first words.")
	return w
}

// until waits for a page that says so, and looks again whenever the log tells of
// anything but requests. Every answer until then is whole: a page, or that there is none.
func (w *writer) until(path, says string) {
	w.t.Helper()
	w.await(path+" does not say: "+says, func(string) bool {
		code, body := get(w.t, w.address+path)
		if code != 200 && code != 404 || !strings.Contains(body, "</html>") {
			w.t.Fatalf("%s: %d\n%s", path, code, body)
		}
		return strings.Contains(body, says)
	})
}

// untilLogged waits for a line of the log with all that is said.
func (w *writer) untilLogged(says ...string) {
	w.t.Helper()
	w.await(fmt.Sprintf("no line says %q", says), func(log string) bool {
		for line := range strings.Lines(log) {
			if containsAll(line, says) {
				return true
			}
		}
		return false
	})
}

// await waits until done is true of the log without its requests, as it is now and
// whenever it grows. what is missing if that never happens.
func (w *writer) await(what string, done func(log string) bool) {
	w.t.Helper()
	for seen := "none"; ; {
		all, next := w.log.next()
		if log := withoutRequests(all); log != seen {
			if seen = log; done(log) {
				return
			}
			continue // it may have grown meanwhile
		}
		w.wait(next, what)
	}
}

func withoutRequests(log string) string {
	var b strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"msg":"request"`) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func containsAll(text string, all []string) bool {
	return !slices.ContainsFunc(all, func(s string) bool { return !strings.Contains(text, s) })
}

// wait fails a test that would else wait for as long as all tests may take.
func (w *writer) wait(next <-chan struct{}, what string) {
	w.t.Helper()
	ctx, cancel := w.t.Context(), context.CancelFunc(func() {})
	if end, ok := w.t.Deadline(); ok {
		ctx, cancel = context.WithDeadline(ctx, end.Add(-10*time.Second))
	}
	defer cancel()
	select {
	case <-ctx.Done():
		w.t.Fatalf("%s\n%s", what, w.log)
	case <-next:
	}
}

// warnings counts the lines about faults.
func (w *writer) warnings() int {
	return strings.Count(w.log.String(), `"msg":"the content has faults`)
}

// What is saved is served, and what is broken leaves the last good version up.
func TestChangedWhileServing(t *testing.T) {
	tests := []struct {
		name   string
		file   string
		broken string
		fault  string
	}{
		{"an article", "articles/a.md", "---\ntitle: T\n---\nNew.", "articles/a.md:2: error: brief is missing"},
		{"half-written, in its front matter", "articles/a.md", text("x")[:40], "a.md:1: error: the front matter never ends"},
		{"half-written, in a character", "articles/a.md", text("caf\xc3"), "a.md:10: error: not UTF-8"},
		{"empty, as a save begins", "articles/a.md", "", "a.md:1: error: the front matter is missing"},
		{"a line of a megabyte", "articles/a.md", text(strings.Repeat("a ", 1<<19)), "a.md:1: error: the file can't be read: it has 1025 KB, at most 1024"},
		{"the settings", "site.yaml", "name: [", "site.yaml:1: error: "},
		{"the hours", "availability.yaml", "zone: Local\n", "availability.yaml:1: error: "},
		{"a new article", "articles/b.md", "Words.", "b.md:1: error: "},
	}
	for _, tt := range tests {
		t.Run("REL-R20 "+tt.name, func(t *testing.T) {
			w := newWriter(t)
			before, _ := os.ReadFile(w.path("content/" + tt.file))
			w.write("content/"+tt.file, tt.broken)
			w.untilLogged(`"level":"WARN"`, `"errors":`, w.path("content"), tt.fault)
			w.until("/articles/a", "The first words.")
			w.until("/consult", "</form>")
			if before == nil {
				os.Remove(w.path("content/" + tt.file))
			} else {
				w.write("content/"+tt.file, string(before))
			}
			w.untilLogged(`"level":"INFO"`, "in order again")
			if n := w.warnings(); n != 1 {
				t.Errorf("%d lines for one fault\n%s", n, w.log)
			}
		})
	}
}

// hours are open all day, every day, with calls of this length.
func hours(length string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "zone: Etc/UTC\nlength: %s\nstep: 30m\nweek:\n", length)
	for _, day := range strings.Fields("mon tue wed thu fri sat sun") {
		fmt.Fprintf(&b, "  %s: [\"00:00-24:00\"]\n", day)
	}
	return b.String()
}

func TestWhatIsSavedTakesEffect(t *testing.T) {
	t.Run("REL-R20", func(t *testing.T) {
		w := newWriter(t)
		site, _ := os.ReadFile(w.path("content/site.yaml"))

		w.write("content/site.yaml", strings.Replace(string(site), "exit.example", "elsewhere.example", 1))
		w.until("/", "https://elsewhere.example")
		w.until("/none", "https://elsewhere.example")

		w.write("content/availability.yaml", hours("20m"))
		w.until("/consult", `name="slot"`)
		w.until("/", "20")

		w.write("content/topics/bonds.md", "---\ntitle: Bonds\ndescription: D.\norder: 1\n---\n\nOn bonds.\n")
		w.write("content/articles/b.md", strings.Replace(text("The second."), "reviewed:", "topics: [bonds]\nreviewed:", 1))
		w.until("/articles/b", "The second.")
		w.until("/topics/bonds", "/articles/b")

		if err := os.Remove(w.path("content/articles/a.md")); err != nil {
			t.Fatal(err)
		}
		w.until("/articles/a", "404")

		w.write("new/site.yaml", string(site))
		w.write("new/articles/c.md", text("The third."))
		for _, move := range [][2]string{{"content", "old"}, {"new", "content"}} {
			if err := os.Rename(w.path(move[0]), w.path(move[1])); err != nil {
				t.Fatal(err)
			}
		}
		w.until("/articles/c", "The third.")
		w.until("/articles/b", "404")
		w.write("content/articles/c.md", text("The third, mended."))
		w.until("/articles/c", "The third, mended.")
	})
}

// Each of a thousand saves is a fault of its own, and each reading of the folder tells
// of one.
func TestManySavesAreFewReadings(t *testing.T) {
	t.Run("REL-R20", func(t *testing.T) {
		w := newWriter(t)
		for i := range 1000 {
			w.write("content/articles/a.md", text("[x](/articles/none-"+strconv.Itoa(i)+")"))
		}
		w.untilLogged("none-999")
		if n := w.warnings(); n > 50 {
			t.Errorf("%d readings for 1,000 saves", n)
		}
		w.until("/articles/a", "The first words.")
		w.write("content/articles/a.md", text("Mended."))
		w.until("/articles/a", "Mended.")
	})
}

// Mail that waits is sent under the names that hold when it is sent.
func TestMailTakesWhatWasSaved(t *testing.T) {
	d := newDesk(t)
	d.env["STEADIER_BASE_URL"], d.env["STEADIER_SMTP"] = "http://127.0.0.1:8080", "smtp://127.0.0.1:9?tls=none"
	a, err := openApp(t.Context(), Env{Stderr: &lockedBuffer{}, Getenv: d.getenv, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	site, err := a.site()
	if err != nil {
		t.Fatal(err)
	}
	composer := a.composers()[outbox.KindNotice]
	d.write("content/site.yaml", "name: Steadier\ntagline: t\nexit: https://exit.example\nnotify: new@site.example\nsender:\n  name: Letters\n  address: letters@site.example\n")
	a.reload(site)
	m, err := composer.Compose(t.Context(), outbox.Message{Kind: outbox.KindNotice, Subject: string(outbox.NoticeHalted)}, time.Now())
	if err != nil || m.From.Address != "letters@site.example" || m.From.Name != "Letters" || m.To != "new@site.example" {
		t.Errorf("from %v to %v, %v", m.From, m.To, err)
	}
	if from := a.mailer().From.Address; from != "letters@site.example" {
		t.Errorf("letters come from %s", from)
	}
	d.write("content/site.yaml", "name: Steadier\ntagline: t\nexit: https://exit.example\n")
	a.reload(site)
	if from := a.from().Address; from != "letters@site.example" {
		t.Errorf("settings without a sender took effect: mail comes from %q", from)
	}
}
