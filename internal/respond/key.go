package respond

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// KeyLife is how long a form may be posted after it was made.
const KeyLife = 24 * time.Hour

// ErrKey is returned for a form key that is too old, or not ours.
var ErrKey = errors.New("form key is unknown or too old")

// Signer makes and verifies authentication codes bound to a purpose; seal.Ring is one.
type Signer interface {
	MAC(purpose string, data []byte) []byte
	VerifyMAC(purpose string, data, sum []byte) bool
}

// Keys makes the hidden key that each rendered form carries: a random name for
// what will be posted, and the time at which it was made, signed. Nothing is
// stored, and keys stay good over a restart. The same name posted twice is one post.
type Keys struct{ Signer Signer }

// Key is what a form key says.
type Key struct {
	ID     string    // names the post; the same key always has the same
	Issued time.Time // when the form was made, UTC, to the second
}

const (
	keyPurpose = "form key"
	keyRandom  = 16
	keyData    = keyRandom + 8
	keySum     = 16
)

// New returns a fresh key, made at now.
func (k Keys) New(now time.Time) string {
	data := make([]byte, keyRandom, keyData+keySum)
	rand.Read(data) // never fails since Go 1.24
	data = binary.BigEndian.AppendUint64(data, uint64(now.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(data, k.Signer.MAC(keyPurpose, data)[:keySum]...))
}

// Check returns what the key says, or [ErrKey] if it was not made by us, was made
// more than [KeyLife] ago, or is from a time to come.
func (k Keys) Check(key string, now time.Time) (Key, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(key)
	if err != nil || len(raw) != keyData+keySum {
		return Key{}, ErrKey
	}
	data, sum := raw[:keyData], raw[keyData:]
	if !k.Signer.VerifyMAC(keyPurpose, data, sum) {
		return Key{}, ErrKey
	}
	issued := time.Unix(int64(binary.BigEndian.Uint64(data[keyRandom:])), 0).UTC()
	age := now.Sub(issued)
	if age > KeyLife || age < -clockStep {
		return Key{}, ErrKey
	}
	return Key{ID: base64.RawURLEncoding.EncodeToString(data[:keyRandom]), Issued: issued}, nil
}

// clockStep is how far the machine's clock may be set back without costing a
// visitor the form that they hold.
const clockStep = time.Hour
