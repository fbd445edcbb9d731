package mail_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/steadier/steadier/internal/mail"
)

func pemOf(t *testing.T, key crypto.PrivateKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func TestSignaturesVerify(t *testing.T) {
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	long, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]crypto.PrivateKey{"Ed25519": edwards, "RSA": long} {
		t.Run(name, func(t *testing.T) {
			signer, err := mail.ParseSigner("s1", pemOf(t, key))
			if err != nil {
				t.Fatal(err)
			}
			m := letter()
			m.List = &mail.List{ID: "letters.letters.example", Unsubscribe: "https://letters.example/newsletter/unsubscribe/x"}
			raw, err := mail.Build(m)
			if err != nil {
				t.Fatal(err)
			}
			out, err := signer.Sign("letters.example", raw)
			if err != nil {
				t.Fatal(err)
			}
			if !verifies(t, signer, out) {
				t.Error("the signature does not verify")
			}
			for _, change := range [][2]string{
				{"unsubscribe/x", "unsubscribe/y"}, {"One-Click", "Two-Click"}, {"A line.", "A lie."}, {"Subject: Hello", "Subject: Hullo"},
			} {
				if verifies(t, signer, bytes.Replace(out, []byte(change[0]), []byte(change[1]), 1)) {
					t.Errorf("it verifies after %q became %q", change[0], change[1])
				}
			}
		})
	}
}

func verifies(t *testing.T, signer *mail.Signer, raw []byte) bool {
	t.Helper()
	got, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{
		LookupTXT: func(domain string) ([]string, error) {
			if domain != "s1._domainkey.letters.example" {
				t.Errorf("looked up %s", domain)
			}
			record, err := signer.Record()
			return []string{record}, err
		},
	})
	return err == nil && len(got) == 1 && got[0].Err == nil && got[0].Domain == "letters.example"
}

func TestKeysThatAreRefused(t *testing.T) {
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ text, says string }{
		"nothing":     {"", "no PEM"},
		"not a key":   {"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "cannot be read"},
		"another PEM": {"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", "no PEM file"},
		"too short":   {string(pemOf(t, short)), "1024 bits"},
	} {
		if _, err := mail.ParseSigner("s1", []byte(test.text)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
}
