package seal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRowSealsAndOpens(t *testing.T) {
	ring := NewRing()
	row, err := ring.NewRow("contact", "id-1")
	if err != nil {
		t.Fatal(err)
	}
	sealed := row.Seal("name", "Zoë Q.")
	again, err := ring.OpenRow("contact", "id-1", row.Wrapped())
	if err != nil {
		t.Fatal(err)
	}
	got, err := again.Open("name", sealed)
	if err != nil || got != "Zoë Q." {
		t.Errorf("Open = %q, %v; want the name back", got, err)
	}
}

func TestSealedFieldCannotBeMovedOrChanged(t *testing.T) {
	ring := NewRing()
	row, _ := ring.NewRow("contact", "id-1")
	other, _ := ring.NewRow("contact", "id-2")
	sealed := row.Seal("name", "Ann")
	if _, err := row.Open("phone", sealed); !errors.Is(err, ErrOpen) {
		t.Errorf("opened under another column: %v", err)
	}
	if _, err := other.Open("name", sealed); !errors.Is(err, ErrOpen) {
		t.Errorf("opened in another row: %v", err)
	}
	if _, err := ring.OpenRow("contact", "id-2", row.Wrapped()); !errors.Is(err, ErrOpen) {
		t.Errorf("row key opened under another id: %v", err)
	}
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 1
		if _, err := row.Open("name", bad); !errors.Is(err, ErrOpen) {
			t.Fatalf("byte %d flipped and still opened", i)
		}
	}
}

func TestLengthsOfShortFieldsAreAlike(t *testing.T) {
	row, _ := NewRing().NewRow("contact", "id")
	if a, b := len(row.Seal("n", "")), len(row.Seal("n", strings.Repeat("x", 60))); a != b {
		t.Errorf("sealed lengths %d and %d tell the plain ones", a, b)
	}
	if a, b := len(row.Seal("n", strings.Repeat("x", 60))), len(row.Seal("n", strings.Repeat("x", 61))); a == b {
		t.Errorf("61 bytes should take another block, got %d", b)
	}
}

func TestRotatedRingOpensWhatTheOldOneSealed(t *testing.T) {
	old := NewRing()
	row, _ := old.NewRow("t", "1")
	sealed := row.Seal("c", "x")
	ring := old.Rotate()
	opened, err := ring.OpenRow("t", "1", row.Wrapped())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := opened.Open("c", sealed); err != nil || got != "x" {
		t.Errorf("Open = %q, %v", got, err)
	}
	if !bytes.Equal(old.Blind("email", "a@b.co"), ring.Blind("email", "a@b.co")) {
		t.Error("the blind index changed with the rotation: look-ups would miss")
	}
	if sum := old.MAC("p", []byte("d")); !ring.VerifyMAC("p", []byte("d"), sum) {
		t.Error("a MAC of before the rotation no longer verifies")
	}
	fresh, _ := ring.NewRow("t", "2")
	if _, err := old.OpenRow("t", "2", fresh.Wrapped()); !errors.Is(err, ErrOpen) {
		t.Errorf("the new key did not seal: %v", err)
	}
}

func TestMACIsBoundToPurposeDataAndKey(t *testing.T) {
	ring := NewRing()
	sum := ring.MAC("confirm", []byte("data"))
	for _, tt := range []struct {
		name    string
		ring    *Ring
		purpose string
		data    string
		sum     []byte
		want    bool
	}{
		{"the same again", ring, "confirm", "data", sum, true},
		{"cut to 128 bits", ring, "confirm", "data", sum[:16], true},
		{"cut too short", ring, "confirm", "data", sum[:15], false},
		{"nothing", ring, "confirm", "data", nil, false},
		{"another purpose", ring, "leave", "data", sum, false},
		{"a purpose that swallows data", ring, "confirmd", "ata", sum, false},
		{"other data", ring, "confirm", "datb", sum, false},
		{"another ring", NewRing(), "confirm", "data", sum, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.ring.VerifyMAC(tt.purpose, []byte(tt.data), tt.sum); got != tt.want {
				t.Errorf("VerifyMAC = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTokensAreBoundToTheirPurpose(t *testing.T) {
	token := NewToken()
	if len(token) != 43 || token == NewToken() {
		t.Errorf("NewToken = %q: want 43 characters, never twice the same", token)
	}
	if bytes.Equal(HashToken("confirm", token), HashToken("leave", token)) {
		t.Error("one token opens two things")
	}
}

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys", "ring")
	first, err := OpenOrCreate(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := OpenOrCreate(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Fingerprint(), second.Fingerprint()) {
		t.Error("the second start made other keys")
	}
	info, _ := os.Stat(path)
	dir, _ := os.Stat(filepath.Dir(path))
	if info.Mode().Perm() != 0o600 || dir.Mode().Perm() != 0o700 {
		t.Errorf("modes %v in %v: want 0600 in 0700", info.Mode().Perm(), dir.Mode().Perm())
	}
}

func TestParseRefusesDamagedKeys(t *testing.T) {
	good := string(NewRing().Rotate().Marshal())
	lines := strings.Split(strings.TrimSpace(good), "\n")
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "line 1"},
		{"another file", "hello\n", "line 1"},
		{"a header alone", header + "\n", "no key"},
		{"a short key", header + "\n1 AAAA\n", "line 2"},
		{"no number", header + "\nx " + strings.Fields(lines[1])[1], "line 2"},
		{"keys in the wrong order", header + "\n" + lines[2] + "\n" + lines[1], "line 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Parse = %v, want an error that names %q", err, tt.want)
			}
			if key := strings.Fields(lines[1])[1]; strings.Contains(err.Error(), key) {
				t.Error("the error holds a key")
			}
		})
	}
	if _, err := Parse([]byte(strings.ReplaceAll(good, "\n", "\r\n"))); err != nil {
		t.Errorf("CRLF refused: %v", err)
	}
}

func FuzzSealOpen(f *testing.F) {
	f.Add("plain", 3)
	f.Add("", 0)
	f.Fuzz(func(t *testing.T, plain string, at int) {
		if len(plain) > 4096 {
			t.Skip()
		}
		row, err := NewRing().NewRow("t", "1")
		if err != nil {
			t.Fatal(err)
		}
		sealed := row.Seal("c", plain)
		if got, err := row.Open("c", sealed); err != nil || got != plain {
			t.Fatalf("Open = %q, %v", got, err)
		}
		sealed[uint(at)%uint(len(sealed))] ^= 0x40
		if _, err := row.Open("c", sealed); !errors.Is(err, ErrOpen) {
			t.Fatalf("a flipped bit opened: %v", err)
		}
	})
}
