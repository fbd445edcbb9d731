package mail

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/emersion/go-msgauth/dkim"
)

// Signer signs messages for the sender's domain (DKIM, RFC 6376), for those whose
// mail server does not do so itself.
type Signer struct {
	selector string
	key      crypto.Signer
}

// leastRSA is the shortest RSA key that is used, in bits (RFC 8301).
const leastRSA = 2048

// ParseSigner reads a private key, PKCS #8 in PEM, RSA or Ed25519. The selector is
// the name under which the public key stands in the DNS.
func ParseSigner(selector string, text []byte) (*Signer, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, errors.New("the DKIM key is no PEM file with a PRIVATE KEY: make one with openssl genpkey -algorithm ed25519")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the DKIM key cannot be read: it must be PKCS #8, not encrypted")
	}
	switch key := key.(type) {
	case ed25519.PrivateKey:
		return &Signer{selector, key}, nil
	case *rsa.PrivateKey:
		if key.N.BitLen() < leastRSA {
			return nil, fmt.Errorf("the DKIM key has %d bits: an RSA key needs %d", key.N.BitLen(), leastRSA)
		}
		return &Signer{selector, key}, nil
	}
	return nil, errors.New("the DKIM key is neither RSA nor Ed25519")
}

// signed are the headers that a signature covers. What is named and not there
// cannot be added later (RFC 6376 §5.4); the two of RFC 8058 must be covered.
func signed() []string {
	return []string{
		"From", "To", "Reply-To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type",
		"List-Id", "List-Unsubscribe", "List-Unsubscribe-Post",
	}
}

// Sign returns the message with a signature for a domain above it.
func (s *Signer) Sign(domain string, raw []byte) ([]byte, error) {
	var out bytes.Buffer
	err := dkim.Sign(&out, bytes.NewReader(raw), &dkim.SignOptions{
		Domain: domain, Selector: s.selector, Signer: s.key, Hash: crypto.SHA256,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed,
		BodyCanonicalization:   dkim.CanonicalizationRelaxed,
		HeaderKeys:             signed(),
	})
	if err != nil {
		return nil, fmt.Errorf("sign message: %w", err)
	}
	return out.Bytes(), nil
}

// Record is the TXT record that must stand at SELECTOR._domainkey.DOMAIN.
func (s *Signer) Record() (string, error) {
	kind, public := "rsa", []byte(nil)
	switch key := s.key.Public().(type) {
	case ed25519.PublicKey:
		kind, public = "ed25519", key // the bare key (RFC 8463)
	case *rsa.PublicKey:
		der, err := x509.MarshalPKIXPublicKey(key)
		if err != nil {
			return "", fmt.Errorf("write public key: %w", err)
		}
		public = der
	}
	return "v=DKIM1; k=" + kind + "; p=" + base64.StdEncoding.EncodeToString(public), nil
}
