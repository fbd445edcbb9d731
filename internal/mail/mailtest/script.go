package mailtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"testing"
	"time"
)

// At is the moment at which a step happens.
type At int

// The moments.
const (
	Never    At = iota // the message is taken
	AtMail             // in answer to MAIL
	AtRcpt             // in answer to RCPT
	InBody             // in the middle of the message: the connection breaks
	AtEnd              // in answer to the final dot
	AfterEnd           // after the message was taken and said so: the connection breaks
)

// Step is what happens to one attempt. The zero value takes the message.
type Step struct {
	At       At
	Code     int    // the answer
	Enhanced string // "5.1.1", or "" for none
	Text     string
	Drop     bool // close the connection instead of answering
	Hang     bool // answer never
	Keep     bool // with AtEnd: the message was taken all the same
}

// Refuse is a step that answers with a code.
func Refuse(at At, code int, enhanced string) Step {
	return Step{At: at, Code: code, Enhanced: enhanced, Text: "as the script says"}
}

// Script sets what happens to the next attempts for a recipient, one step each;
// after the last one everything is taken.
func (p *Peer) Script(recipient string, steps ...Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripts[recipient] = steps
}

// ScriptMail sets what the next MAIL commands get, whoever is written to.
func (p *Peer) ScriptMail(steps ...Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.atMail = steps
}

func (p *Peer) next(recipient string) (step Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried[recipient]++
	if steps := p.scripts[recipient]; len(steps) > 0 {
		step, p.scripts[recipient] = steps[0], steps[1:]
	}
	return step
}

func (p *Peer) nextAtMail() (step Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.atMail) > 0 {
		step, p.atMail = p.atMail[0], p.atMail[1:]
	}
	return step
}

// certificate makes a certificate for a host name or address, and a pool that trusts it.
func certificate(t testing.TB, host string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}
