package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/web/webtest"
)

// marked is in everything that is posted: it must be in no line of the log.
const marked = "canarymalformed"

// REL-R12: two thousand forms that no page of ours would send. Each is refused, nothing is
// stored, and nothing of it is logged.
func TestMalformedFormsAreRefused(t *testing.T) {
	d := newPractice(t)
	d.env["STEADIER_RATE"] = "0"
	address, log, _ := d.start()
	before := d.do("", "calls")
	_, page := get(t, address+"/consult")
	good := webtest.HiddenFields(page)
	good.Set("slot", time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 5).Add(10*time.Hour).Format(time.RFC3339))
	good.Set("name", marked+" Ann")
	good.Set("call", "you")
	good.Set("email", marked+"@visitor.example")
	dice := rand.New(rand.NewPCG(12, 0))
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for n := range 2000 {
		kind, body, contentType := malformed(dice, good)
		action := []string{"/consult", "/consult", "/newsletter/subscribe", "/consult/find"}[dice.IntN(4)]
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+action, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		req.Header.Set("Content-Type", contentType)
		res, err := client.Do(req)
		if err != nil {
			if len(body) > 64<<10 {
				continue // refused while it was still being sent
			}
			t.Fatalf("REL-R12 %d %s to %s: %v", n, kind, action, err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode < 400 || res.StatusCode >= 500 {
			t.Errorf("REL-R12 %d %s to %s: %d\n%.300q", n, kind, action, res.StatusCode, body)
		}
	}
	if after := d.do("", "calls"); after != before {
		t.Errorf("REL-R12: the calls have changed:\n%s", after)
	}
	if text := log.String(); strings.Contains(text, marked) || strings.Contains(text, "panic") {
		t.Error("REL-R12: the log tells what was typed, or of a panic")
	}
}

// malformed spoils a good form in one of the ways in which forms are spoiled.
func malformed(dice *rand.Rand, good url.Values) (kind string, body []byte, contentType string) {
	const plain = "application/x-www-form-urlencoded"
	form := url.Values{}
	for name, values := range good {
		form[name] = values
	}
	names := []string{"slot", "name", "call", "key"}
	name := names[dice.IntN(len(names))]
	switch dice.IntN(10) {
	case 0:
		form.Del(name)
		return "without " + name, []byte(form.Encode()), plain
	case 1:
		form[name] = append(form[name], form.Get(name))
		return "two of " + name, []byte(form.Encode()), plain
	case 2:
		form.Set("name", marked+strings.Repeat("x", 40<<10+dice.IntN(1<<20)))
		return "huge", []byte(form.Encode()), plain
	case 3:
		form.Set(name, marked+"\xff\xfe\xc0\x80")
		return "no UTF-8 in " + name, []byte(form.Encode()), plain
	case 4:
		text := form.Encode()
		return "bad escape", []byte(text[:dice.IntN(len(text))] + "%" + "zz=" + marked), plain
	case 5:
		return "another type", []byte(`{"name":"` + marked + `"}`), []string{"application/json", "text/plain", "", "application/x-www-form-urlencoded; charset=\x00"}[dice.IntN(3)]
	case 6:
		var parts bytes.Buffer
		w := multipart.NewWriter(&parts)
		for range 1 + dice.IntN(200) {
			_ = w.WriteField("name", marked) // into memory
		}
		_ = w.Close()
		return "multipart", parts.Bytes(), w.FormDataContentType()
	case 7:
		form.Set("field"+marked, "1")
		return "unknown field", []byte(form.Encode()), plain
	case 8:
		form.Set(name, marked+string(rune(dice.IntN(32)))+"\x00")
		return "control characters in " + name, []byte(form.Encode()), plain
	}
	text := form.Encode()
	at := strings.Index(text, "name=")
	return "cut", []byte(text[:dice.IntN(at)]), plain
}
