package admin

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/steadier/steadier/internal/store"
)

// The lengths of a password, in characters.
const (
	passwordLeast = 15
	passwordMost  = 256
)

// hashParams are above what OWASP's password storage cheat sheet asks for (19 MiB, 2, 1).
var hashParams = &argon2id.Params{Memory: 64 << 10, Iterations: 3, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// nobodysHash is what a name that nobody has is checked against, so that it costs the
// same as one that somebody has. No password is known that fits it.
const nobodysHash = "$argon2id$v=19$m=65536,t=3,p=1$c3RlYWRpZXIgbm9ib2R5IQ$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

// hasher makes and checks hashes, two at once at most: each takes 64 MiB, and signing in
// must not take the memory that serving needs.
type hasher struct {
	room    chan struct{}
	compare func(password, hash string) (bool, error)
	create  func(password string) (string, error)
}

func newHasher() *hasher {
	return &hasher{
		room:    make(chan struct{}, 2),
		compare: argon2id.ComparePasswordAndHash,
		create:  func(password string) (string, error) { return argon2id.CreateHash(password, hashParams) },
	}
}

// enter waits for room, or for the client to give up.
func (h *hasher) enter(ctx context.Context) error {
	select {
	case h.room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *hasher) leave() { <-h.room }

// check reports whether a password is the one of a hash. An empty hash is nobody's.
func (h *hasher) check(ctx context.Context, password, hash string) (bool, error) {
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer h.leave()
	there := hash != ""
	if !there {
		hash = nobodysHash
	}
	same, err := h.compare(norm.NFC.String(password), hash)
	return same && there, err
}

// hash makes the hash of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer h.leave()
	return h.create(norm.NFC.String(password))
}

// common are the words, runs and names that the lists of stolen passwords are made of.
// A long password that is little more than these is guessed first.
var common = strings.Fields(`
	password passwort passw0rd p@ssw0rd p@ssword pass admin administrator login welcome letmein access master
	secret default changeme trustno1 iloveyou ilovey0u loveyou sunshine princess dragon monkey football baseball
	basketball superman batman michael jennifer jordan charlie daniel thomas jessica ashley amanda
	shadow starwars whatever freedom mustang cheese computer internet pokemon samsung google facebook
	qwertyuiop qwerty qwertz azerty asdfghjkl asdfgh asdf zxcvbnm zxcvbn 1qaz2wsx3edc 1qaz2wsx qazwsx 1q2w3e4r5t 1q2w3e4r 1q2w3e
	q1w2e3r4t5 q1w2e3r4 abcdefghijklmnopqrstuvwxyz abcdefgh abcdef abc123 abc aaaaaa
	correcthorsebatterystaple correct horse battery staple
	1234567890 0123456789 123456789 12345678 1234567 123456 12345 1234 123 0987654321 987654321 654321 54321 4321 321
	111111 000000 666666 121212 112233 123123 123321 2020 2021 2022 2023 2024 2025 2026 2027
	monday tuesday wednesday thursday friday saturday sunday january february march april june july august
	september october november december spring summer autumn winter
	steadier owner consult coach coaching therapy therapist counsellor newsletter`)

// remains is how many characters must be left, and of how many kinds, once the common
// words and those of this place are taken out.
const (
	remains     = 8
	remainKinds = 5
)

// passwordFault says what is wrong with a new password, or nothing. The words are those
// that somebody who knows the place tries first: the site's name, the owner's.
func passwordFault(password string, words ...string) string {
	switch n := utf8.RuneCountInString(password); {
	case n < passwordLeast:
		return "Choose at least 15 characters. Four or five words that don’t belong together are good."
	case n > passwordMost:
		return "Choose 256 characters at most."
	}
	left := strings.ToLower(norm.NFC.String(password))
	for _, word := range slices.Concat(placeWords(words), common) {
		left = strings.ReplaceAll(left, word, "")
	}
	kinds := map[rune]bool{}
	for _, r := range left {
		kinds[r] = true
	}
	if utf8.RuneCountInString(left) < remains || len(kinds) < remainKinds {
		return "This is close to passwords that are tried first. Choose one with other words."
	}
	return ""
}

// placeWords are the single words of names, longest first.
func placeWords(names []string) []string {
	var words []string
	for _, name := range names {
		for _, word := range strings.FieldsFunc(strings.ToLower(norm.NFC.String(name)), func(r rune) bool {
			return strings.ContainsRune(" .-_@:/", r)
		}) {
			if utf8.RuneCountInString(word) > 2 {
				words = append(words, word)
			}
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
}

const nameMost = 100 // characters

// ownerName is a name as it was written, without needless spaces, and as it is compared.
func ownerName(typed string) store.OwnerName {
	name := norm.NFC.String(strings.Join(strings.Fields(typed), " "))
	return store.OwnerName{Written: name, Key: norm.NFC.String(cases.Fold().String(name))}
}

// nameFault says what is wrong with a name, or nothing.
func nameFault(name string) string {
	switch {
	case name == "":
		return "Write the name with which you will sign in."
	case utf8.RuneCountInString(name) > nameMost:
		return "Write a name of 100 characters at most."
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 }):
		return "Write the name without control characters."
	}
	return ""
}
