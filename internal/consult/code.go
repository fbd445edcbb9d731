package consult

import (
	"crypto/rand"
	_ "embed"
	"encoding/binary"
	"strings"
	"unicode"
)

// codeWords is our own list: 2,048 plain words, none of which tells anything and no
// two of which sound or look nearly alike.
//
//go:embed words.txt
var codeWords string

const (
	codeLength = 3    // words in a code: 33 bits
	wordCount  = 2048 // words to choose from
)

// NewCode returns three words chosen at random, such as "harbour pencil willow".
// A code never stands alone: the name that was given belongs to it.
func NewCode() string {
	words := strings.Fields(codeWords)
	var chosen [codeLength]string
	for i := range chosen {
		var b [2]byte
		rand.Read(b[:]) // never fails since Go 1.24
		chosen[i] = words[binary.BigEndian.Uint16(b[:])%wordCount]
	}
	return strings.Join(chosen[:], " ")
}

// NormalCode brings a code as somebody typed it into the form that is looked up:
// in lower case, with one space between the words. Anything that is no letter
// parts them. What has not three words is returned as "".
func NormalCode(typed string) string {
	words := strings.FieldsFunc(strings.ToLower(typed), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) != codeLength {
		return ""
	}
	return strings.Join(words, " ")
}
