package respond

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/steadier/steadier/internal/fault"
	"github.com/steadier/steadier/internal/seal"
)

func TestParseFormReadsOnlyWhatAFormMaySend(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	for _, tt := range []struct {
		name, target, kind, body string
		want                     fault.Kind
		ok                       bool
	}{
		{"a plain form", "/", form, "name=Ann&do=book&key=k", 0, true},
		{"with a charset", "/", form + "; charset=utf-8", "name=Ann", 0, true},
		{"nothing", "/", form, "", 0, true},
		{"SEC-H05 the field twice", "/", form, "name=a&name=b", fault.Invalid, false},
		{"a field nobody knows", "/", form, "name=a&admin=1", fault.Invalid, false},
		{"another type", "/", "multipart/form-data; boundary=x", "--x--", fault.Invalid, false},
		{"JSON", "/", "application/json", `{"name":"a"}`, fault.Invalid, false},
		{"no type", "/", "", "name=a", fault.Invalid, false},
		{"a bad escape", "/", form, "name=%zz", fault.Invalid, false},
		{"a semicolon", "/", form, "name=a;do=b", fault.Invalid, false},
		{"bad UTF-8", "/", form, "name=%ff", fault.Invalid, false},
		{"a NUL", "/", form, "name=a%00b", fault.Invalid, false},
		{"forty-one fields", "/", form, strings.Repeat("name=a&", 40) + "name=a", fault.Invalid, false},
		{"too large", "/", form, "name=" + strings.Repeat("a", MaxBody), fault.TooLarge, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", tt.target, strings.NewReader(tt.body))
			r.Header.Set("Content-Type", tt.kind)
			_, err := ParseForm(httptest.NewRecorder(), r, Fields{"name"})
			if (err == nil) != tt.ok || err != nil && fault.KindOf(err) != tt.want {
				t.Errorf("ParseForm = %v", err)
			}
		})
	}
}

func TestSECH05FieldsInTheAddressDoNotCount(t *testing.T) {
	r := httptest.NewRequest("POST", "/consult?name=Eve&call=you", strings.NewReader("name=Ann"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	form, err := ParseForm(httptest.NewRecorder(), r, Fields{"name", "call"})
	if err != nil || form.Get("name") != "Ann" || form.Has("call") {
		t.Errorf("form %v, %v: want the body's name alone", form, err)
	}
}

func TestFormKey(t *testing.T) {
	ring := seal.NewRing()
	keys := Keys{Signer: ring}
	at := time.Date(2026, 6, 10, 22, 50, 0, 0, time.UTC)
	key := keys.New(at)
	got, err := keys.Check(key, at.Add(15*time.Minute))
	if err != nil || !got.Issued.Equal(at) || got.ID == "" {
		t.Fatalf("Check = %+v, %v", got, err)
	}
	if again, _ := keys.Check(key, at.Add(time.Hour)); again != got {
		t.Error("one key, two names")
	}
	if other, _ := keys.Check(keys.New(at), at); other.ID == got.ID {
		t.Error("two keys, one name")
	}
	rotated := Keys{Signer: ring.Rotate()}
	for _, tt := range []struct {
		name string
		keys Keys
		key  string
		now  time.Time
		ok   bool
	}{
		{"at once", keys, key, at, true},
		{"a day later", keys, key, at.Add(24 * time.Hour), true},
		{"over a day later", keys, key, at.Add(24*time.Hour + time.Second), false},
		{"after the clock was set back a little", keys, key, at.Add(-time.Minute), true},
		{"from a time to come", keys, key, at.Add(-2 * time.Hour), false},
		{"after the keys were rotated", rotated, key, at, true},
		{"another site's", Keys{Signer: seal.NewRing()}, key, at, false},
		{"empty", keys, "", at, false},
		{"cut", keys, key[:len(key)-1], at, false},
		{"changed", keys, "A" + key[1:], at, key[0] == 'A'},
		{"not base64", keys, strings.Repeat("*", len(key)), at, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.keys.Check(tt.key, tt.now); (err == nil) != tt.ok {
				t.Errorf("Check = %v, want ok %v", err, tt.ok)
			}
		})
	}
}
