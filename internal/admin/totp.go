package admin

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" // what every code app computes
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Codes of an app as RFC 6238 has them, with the values that every app knows: HMAC-SHA-1,
// six digits, a new one every 30 seconds.
const (
	totpStep   = 30 // seconds
	totpDigits = 6
	totpBytes  = 20 // of the secret: the length of the hash (RFC 4226, 4)
	totpSlack  = 1  // steps by which the clocks may differ
)

var base32Plain = base32.StdEncoding.WithPadding(base32.NoPadding)

// newSecret returns a secret for an app, in base32.
func newSecret() string {
	b := make([]byte, totpBytes)
	rand.Read(b) // never fails since Go 1.24
	return base32Plain.EncodeToString(b)
}

// stepAt is the number of the 30 seconds in which a time lies.
func stepAt(t time.Time) int64 { return t.Unix() / totpStep }

// totpCode is the code of a step. The secret is base32, as newSecret made it.
func totpCode(secret string, step int64) (string, error) {
	key, err := base32Plain.DecodeString(secret)
	if err != nil || len(key) != totpBytes {
		return "", fmt.Errorf("secret of the code app: %d bytes, want %d", len(key), totpBytes)
	}
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0x0f // RFC 4226, 5.3
	n := binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, n%1_000_000), nil
}

// matchStep returns the step around now whose code this is. That it was not used
// before is the database's to say.
func matchStep(secret, code string, now time.Time) (step int64, ok bool) {
	for s := stepAt(now) - totpSlack; s <= stepAt(now)+totpSlack; s++ {
		want, err := totpCode(secret, s)
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step, ok = s, true
		}
	}
	return step, ok
}

// appAddress is what an app reads the secret from.
func appAddress(site, owner, secret string) string {
	q := url.Values{"secret": {secret}, "issuer": {site}}
	label := url.PathEscape(site + ":" + owner)
	// Apps read %20 and not +.
	return "otpauth://totp/" + label + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// grouped writes a secret or a code in groups of four, for reading it off.
func grouped(s, between string) string {
	var groups []string
	for len(s) > 4 {
		groups, s = append(groups, s[:4]), s[4:]
	}
	return strings.Join(append(groups, s), between)
}
