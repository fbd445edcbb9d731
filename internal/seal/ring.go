// Package seal keeps what names a person unreadable to whoever holds the
// database alone.
//
// A [Ring] holds the sealing keys, outside the database and its backups. Each
// table row that holds personal fields has a data key of its own, a [Row],
// wrapped by the newest key of the ring and stored in the row: erase the row
// and no copy of the ciphertext can be opened again. Fields are sealed with
// AES-256-GCM and a random 96-bit nonce (NIST SP 800-38D; far below its bound
// of 2^32 per key, since a key seals one row). The table, the column, the row
// and the key id are bound in, so that a ciphertext cannot be moved, and short
// fields are padded, since lengths tell.
//
// Equal values are found again by a blind index, an HMAC-SHA-256 under a key of
// its own. Tokens are random and stored only as hashes bound to their purpose.
package seal

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const keySize = 32

// ErrOpen is returned when a sealed value cannot be opened: another key, or
// bytes that were changed or moved.
var ErrOpen = errors.New("sealed value does not open with these keys")

// Ring is an ordered set of 256-bit keys; the last one seals, all of them open.
// A Ring is immutable and safe for concurrent use.
type Ring struct {
	keys  []ringKey
	blind []byte // derived from the oldest key: look-ups survive a rotation
}

type ringKey struct {
	id     uint32
	secret []byte
}

// NewRing returns a ring with one fresh random key.
func NewRing() *Ring {
	return mustRing([]ringKey{{id: 1, secret: random(keySize)}})
}

// Rotate returns a ring with one more key, which seals from now on.
func (r *Ring) Rotate() *Ring {
	last := r.keys[len(r.keys)-1]
	return mustRing(append(slices.Clone(r.keys), ringKey{id: last.id + 1, secret: random(keySize)}))
}

func mustRing(keys []ringKey) *Ring {
	return &Ring{keys: keys, blind: derive(keys[0].secret, "blind index")}
}

const header = "steadier-keys-1"

// Marshal returns the ring as text: a header line, then a line per key with its
// number and the key in base64.
func (r *Ring) Marshal() []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, header)
	for _, k := range r.keys {
		fmt.Fprintf(&b, "%d %s\n", k.id, base64.StdEncoding.EncodeToString(k.secret))
	}
	return b.Bytes()
}

// Parse reads what [Ring.Marshal] wrote. The error never holds key material.
func Parse(text []byte) (*Ring, error) {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")), "\n")
	if lines[0] != header {
		return nil, fmt.Errorf("line 1: want %q", header)
	}
	var keys []ringKey
	for i, line := range lines[1:] {
		key, err := parseKey(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		if len(keys) > 0 && key.id <= keys[len(keys)-1].id {
			return nil, fmt.Errorf("line %d: key numbers must grow", i+2)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("no key in it")
	}
	return mustRing(keys), nil
}

func parseKey(line string) (ringKey, error) {
	number, encoded, ok := strings.Cut(line, " ")
	id, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil {
		return ringKey{}, errors.New("want a number, a space and a key")
	}
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(secret) != keySize {
		return ringKey{}, fmt.Errorf("want a key of %d bytes in base64", keySize)
	}
	return ringKey{id: uint32(id), secret: secret}, nil
}

// Fingerprint names the ring's oldest key without telling it: a database keeps
// it, so that a start with the wrong keys is noticed before anything is written.
func (r *Ring) Fingerprint() []byte { return derive(r.keys[0].secret, "fingerprint") }

// Newest names the key that seals now, without telling it.
func (r *Ring) Newest() []byte { return derive(r.keys[len(r.keys)-1].secret, "fingerprint") }

// Blind returns the 32-byte look-up value of an already normalised value, such
// as an e-mail address in its key form. The kind keeps an address and a number
// with the same text apart.
func (r *Ring) Blind(kind, value string) []byte {
	return mac(r.blind, kind, []byte(value))
}

// MAC returns a 32-byte HMAC-SHA-256 of data, bound to a purpose, by the newest key.
func (r *Ring) MAC(purpose string, data []byte) []byte {
	return r.keys[len(r.keys)-1].mac(purpose, data)
}

// VerifyMAC reports whether sum is a MAC of data for that purpose by any key of
// the ring. A sum cut to no less than 16 bytes is accepted.
func (r *Ring) VerifyMAC(purpose string, data, sum []byte) bool {
	if len(sum) < 16 || len(sum) > sha256.Size {
		return false
	}
	ok := false
	for _, k := range r.keys {
		ok = hmac.Equal(k.mac(purpose, data)[:len(sum)], sum) || ok
	}
	return ok
}

func (k ringKey) mac(purpose string, data []byte) []byte {
	return mac(derive(k.secret, "mac"), purpose, data)
}

func (r *Ring) key(id uint32) (ringKey, bool) {
	i := slices.IndexFunc(r.keys, func(k ringKey) bool { return k.id == id })
	if i < 0 {
		return ringKey{}, false
	}
	return r.keys[i], true
}

// derive makes a key for one use from a ring key (HKDF, RFC 5869).
func derive(secret []byte, use string) []byte {
	out, err := hkdf.Key(sha256.New, secret, nil, "steadier "+use, keySize)
	if err != nil {
		panic(err) // only a wrong length can fail
	}
	return out
}

// mac binds the label by its length, so that no two pairs run together.
func mac(key []byte, label string, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(label))))
	h.Write([]byte(label))
	h.Write(data)
	return h.Sum(nil)
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails since Go 1.24
	return b
}
