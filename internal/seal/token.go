package seal

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
)

// NewToken returns 256 random bits as 43 characters of base64url: what a private
// link carries.
func NewToken() string { return base64.RawURLEncoding.EncodeToString(random(32)) }

// NewID returns 128 random bits in lower-case hex: a row's public name, which
// tells neither order nor number.
func NewID() string { return hex.EncodeToString(random(16)) }

// HashToken returns the 32 bytes under which a token is stored and looked up.
// The purpose is bound in, so that a token for one thing never opens another.
func HashToken(purpose, token string) []byte {
	sum := sha256.Sum256(mac([]byte("steadier token"), purpose, []byte(token)))
	return sum[:]
}
