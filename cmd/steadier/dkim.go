package main

import (
	"errors"
	"os"
	"strings"

	"github.com/steadier/steadier/internal/mail"
)

// setDKIM reads the key with which mail is signed (RFC 6376).
func setDKIM(c *config, v string) error {
	selector, path, ok := strings.Cut(v, ":")
	if !ok || selector == "" || path == "" {
		return errForm
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return errors.New("the file cannot be read")
	}
	c.signer, err = mail.ParseSigner(selector, key)
	return err
}
