package seal

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"
)

// Lock says who can open a file: the holder of the identity of an age recipient
// ("age1…"), or whoever knows a passphrase (https://age-encryption.org/v1).
type Lock struct {
	Recipient  string
	Passphrase string // used where Recipient is empty
}

// Encrypt returns a writer that encrypts into w. Its Close has to be called, and to
// succeed, for the file to be whole.
func (l Lock) Encrypt(w io.Writer) (io.WriteCloser, error) {
	to, err := l.recipient()
	if err != nil {
		return nil, err
	}
	return age.Encrypt(w, to)
}

func (l Lock) recipient() (age.Recipient, error) {
	if l.Recipient != "" {
		to, err := age.ParseX25519Recipient(l.Recipient)
		if err != nil {
			return nil, errors.New("not an age recipient: it begins with age1")
		}
		return to, nil
	}
	if l.Passphrase == "" {
		return nil, errors.New("the passphrase is empty")
	}
	return age.NewScryptRecipient(l.Passphrase)
}

// ErrUnlock means that a file does not open with what was given, or is no such file.
var ErrUnlock = errors.New("the file does not open: another passphrase or identity made it, or it is damaged")

// Key is what opens a file that a [Lock] closed.
type Key struct {
	Identity   string // the text of an age identity file
	Passphrase string // used where Identity is empty
}

// Decrypt returns what r holds. A file that was cut or changed is an error of the
// reads that follow, at the latest where it ends.
func (k Key) Decrypt(r io.Reader) (io.Reader, error) {
	with, err := k.identities()
	if err != nil {
		return nil, err
	}
	plain, err := age.Decrypt(r, with...)
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrUnlock, err)
	}
	return plain, nil
}

func (k Key) identities() ([]age.Identity, error) {
	if k.Identity != "" {
		if strings.HasPrefix(strings.TrimSpace(k.Identity), armor.Header) {
			return nil, errors.New("the identity file is encrypted: decrypt it with age first")
		}
		with, err := age.ParseIdentities(strings.NewReader(k.Identity))
		if err != nil {
			return nil, errors.New("not an age identity file: it holds a line that begins with AGE-SECRET-KEY-1")
		}
		return with, nil
	}
	id, err := age.NewScryptIdentity(k.Passphrase)
	if err != nil {
		return nil, errors.New("the passphrase is empty")
	}
	return []age.Identity{id}, nil
}

// ValidRecipient reports whether text is an age recipient.
func ValidRecipient(text string) bool {
	_, err := age.ParseX25519Recipient(text)
	return err == nil
}
