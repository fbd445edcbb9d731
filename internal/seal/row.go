package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
)

// padTo is the block to which a field is padded before sealing, in bytes.
const padTo = 64

// Row seals the fields of one table row under that row's own data key.
type Row struct {
	table, id string
	wrapped   []byte
	aead      cipher.AEAD
	keyID     uint32
}

// NewRow makes a data key for a row. The id must be the row's for good.
func (r *Ring) NewRow(table, id string) (*Row, error) {
	ring := r.keys[len(r.keys)-1]
	data := random(keySize)
	outer, err := newAEAD(derive(ring.secret, "row keys"))
	if err != nil {
		return nil, err
	}
	wrapped := binary.BigEndian.AppendUint32(nil, ring.id)
	wrapped = sealInto(wrapped, outer, data, bound(table, "data key", id, ring.id))
	return newRow(table, id, wrapped, data, ring.id)
}

// OpenRow unwraps the data key that [Row.Wrapped] gave. It returns an error that
// wraps [ErrOpen] if the ring lacks the key or the bytes are another row's.
func (r *Ring) OpenRow(table, id string, wrapped []byte) (*Row, error) {
	if len(wrapped) < 4 {
		return nil, fmt.Errorf("row key of %s: %w", table, ErrOpen)
	}
	keyID := binary.BigEndian.Uint32(wrapped)
	ring, ok := r.key(keyID)
	if !ok {
		return nil, fmt.Errorf("row key of %s: key %d is not in the ring: %w", table, keyID, ErrOpen)
	}
	outer, err := newAEAD(derive(ring.secret, "row keys"))
	if err != nil {
		return nil, err
	}
	data, err := openFrom(outer, wrapped[4:], bound(table, "data key", id, keyID))
	if err != nil {
		return nil, fmt.Errorf("row key of %s: %w", table, ErrOpen)
	}
	return newRow(table, id, wrapped, data, keyID)
}

func newRow(table, id string, wrapped, data []byte, keyID uint32) (*Row, error) {
	aead, err := newAEAD(data)
	if err != nil {
		return nil, err
	}
	return &Row{table: table, id: id, wrapped: wrapped, aead: aead, keyID: keyID}, nil
}

// Wrapped returns the row's data key, sealed by the ring: store it in the row.
func (w *Row) Wrapped() []byte { return w.wrapped }

// Seal returns plain sealed for one column. Every call gives other bytes.
func (w *Row) Seal(column, plain string) []byte {
	return sealInto(nil, w.aead, pad(plain), bound(w.table, column, w.id, w.keyID))
}

// Open returns what was sealed for that column of this row, or [ErrOpen].
func (w *Row) Open(column string, sealed []byte) (string, error) {
	padded, err := openFrom(w.aead, sealed, bound(w.table, column, w.id, w.keyID))
	if err != nil {
		return "", fmt.Errorf("%s.%s: %w", w.table, column, ErrOpen)
	}
	plain, ok := unpad(padded)
	if !ok {
		return "", fmt.Errorf("%s.%s: %w", w.table, column, ErrOpen)
	}
	return plain, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return cipher.NewGCM(block)
}

func sealInto(dst []byte, aead cipher.AEAD, plain, extra []byte) []byte {
	nonce := random(aead.NonceSize())
	return aead.Seal(append(dst, nonce...), nonce, plain, extra)
}

func openFrom(aead cipher.AEAD, sealed, extra []byte) ([]byte, error) {
	n := aead.NonceSize()
	if len(sealed) < n {
		return nil, ErrOpen
	}
	return aead.Open(nil, sealed[:n], sealed[n:], extra)
}

// bound is the additional data of a field: each part with its length before it,
// so that no two places share one.
func bound(table, column, id string, keyID uint32) []byte {
	out := binary.BigEndian.AppendUint32(nil, keyID)
	for _, part := range []string{table, column, id} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(part)))
		out = append(out, part...)
	}
	return out
}

// pad puts the length in front and fills up to a multiple of padTo.
func pad(plain string) []byte {
	size := 4 + len(plain)
	size += (padTo - size%padTo) % padTo
	out := make([]byte, size)
	binary.BigEndian.PutUint32(out, uint32(len(plain)))
	copy(out[4:], plain)
	return out
}

func unpad(padded []byte) (string, bool) {
	if len(padded) < 4 {
		return "", false
	}
	n := binary.BigEndian.Uint32(padded)
	if uint64(n) > uint64(len(padded)-4) {
		return "", false
	}
	return string(padded[4 : 4+n]), true
}
