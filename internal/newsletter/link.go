package newsletter

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/steadier/steadier/internal/seal"
)

// Purpose says what a link may do. It is part of what is signed.
type Purpose byte

// The purposes of links in issues.
const (
	ToLeave  Purpose = 'u'
	ToChoose Purpose = 'p'
)

// Link is what stands in the addresses at the foot of an issue.
type Link struct {
	Purpose    Purpose
	Subscriber string // 32 hex digits
	Epoch      int    // the subscriber's, when it was made
}

// Links signs and reads links with the site's keys. The database alone cannot
// forge one.
type Links struct{ ring *seal.Ring }

// NewLinks returns the signer for a ring.
func NewLinks(ring *seal.Ring) Links { return Links{ring} }

const (
	linkVersion = 1
	linkBody    = 1 + 1 + 2 + 16 // version, purpose, epoch, subscriber
	linkMAC     = 16             // 128 bits of HMAC-SHA-256
	linkMACUse  = "newsletter link"
)

// Token writes a link as 48 characters of base64url. The subscriber must be 32
// hex digits; anything else gives a token that nobody can use.
func (l Links) Token(link Link) string {
	body := make([]byte, 0, linkBody+linkMAC)
	body = append(body, linkVersion, byte(link.Purpose))
	body = binary.BigEndian.AppendUint16(body, uint16(min(max(link.Epoch, 0), math.MaxUint16)))
	id := make([]byte, 16)
	if n, err := hex.Decode(id, []byte(link.Subscriber)[:min(len(link.Subscriber), 32)]); err != nil || n != len(id) {
		clear(id)
	}
	body = append(body, id...)
	body = append(body, l.ring.MAC(linkMACUse, body)[:linkMAC]...)
	return base64.RawURLEncoding.EncodeToString(body)
}

// Read returns the link in a token that was signed for a purpose. Whether the
// subscriber still has that epoch, the store knows.
func (l Links) Read(token string, purpose Purpose) (Link, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != linkBody+linkMAC || raw[0] != linkVersion || raw[1] != byte(purpose) {
		return Link{}, false
	}
	if !l.ring.VerifyMAC(linkMACUse, raw[:linkBody], raw[linkBody:]) {
		return Link{}, false
	}
	return Link{
		Purpose:    purpose,
		Epoch:      int(binary.BigEndian.Uint16(raw[2:])),
		Subscriber: hex.EncodeToString(raw[4:linkBody]),
	}, true
}
