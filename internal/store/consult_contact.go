package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/steadier/steadier/internal/consult"
	"github.com/steadier/steadier/internal/mail"
	"github.com/steadier/steadier/internal/seal"
)

// contactColumn is a sealed column and where its value lives.
type contactColumn struct {
	name string
	get  func(*consult.Contact) string
	set  func(*consult.Contact, string)
}

// text makes a column of a field that is text of some type.
func text[T ~string](name string, field func(*consult.Contact) *T) contactColumn {
	return contactColumn{
		name: name,
		get:  func(c *consult.Contact) string { return string(*field(c)) },
		set:  func(c *consult.Contact, v string) { *field(c) = T(v) },
	}
}

func flag(name string, field func(*consult.Contact) *bool) contactColumn {
	return contactColumn{
		name: name,
		get: func(c *consult.Contact) string {
			if *field(c) {
				return "yes"
			}
			return "no"
		},
		set: func(c *consult.Contact, v string) { *field(c) = v == "yes" },
	}
}

// contactColumns are all sealed columns of booking_contact, in the table's order.
func contactColumns() []contactColumn {
	return []contactColumn{
		text("name", func(c *consult.Contact) *string { return &c.Name }),
		text("zone", func(c *consult.Contact) *string { return &c.Zone }),
		text("call", func(c *consult.Contact) *consult.Call { return &c.Call }),
		text("phone", func(c *consult.Contact) *string { return &c.Phone }),
		text("extension", func(c *consult.Contact) *string { return &c.Extension }),
		text("raw_phone", func(c *consult.Contact) *string { return &c.RawPhone }),
		flag("voicemail", func(c *consult.Contact) *bool { return &c.Voicemail }),
		text("answer", func(c *consult.Contact) *consult.Answer { return &c.Answer }),
		text("caller", func(c *consult.Contact) *string { return &c.Caller }),
		text("stop_word", func(c *consult.Contact) *string { return &c.StopWord }),
		text("dropped", func(c *consult.Contact) *consult.Dropped { return &c.Dropped }),
		text("email", func(c *consult.Contact) *string { return &c.Email }),
		flag("remind", func(c *consult.Contact) *bool { return &c.Remind }),
		text("token", func(c *consult.Contact) *string { return &c.Token }),
		text("code", func(c *consult.Contact) *string { return &c.Code }),
	}
}

func contactNames() string {
	var names []string
	for _, column := range contactColumns() {
		names = append(names, column.name)
	}
	return strings.Join(names, ", ")
}

const contactTable = "booking_contact"

// insertContact seals a contact under a new key of its row.
func (db *DB) insertContact(ctx context.Context, tx *sql.Tx, id string, c *consult.Contact) error {
	row, err := db.ring.NewRow(contactTable, id)
	if err != nil {
		return err
	}
	args := []any{id, row.Wrapped(), db.ring.Blind("code", c.Code), db.blindPhone(c), db.blindEmail(c)}
	for _, column := range contactColumns() {
		args = append(args, row.Seal(column.name, column.get(c)))
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO booking_contact (booking, row_key, code_blind, phone_blind, email_blind, `+contactNames()+`)
		VALUES (?`+strings.Repeat(", ?", len(args)-1)+`)`, args...)
	return err
}

// contact opens the contact of a booking; nil if it is erased.
func (db *DB) contact(ctx context.Context, q querier, id string) (*consult.Contact, error) {
	columns := contactColumns()
	sealed := make([][]byte, len(columns))
	var wrapped []byte
	into := []any{&wrapped}
	for i := range sealed {
		into = append(into, &sealed[i])
	}
	err := q.QueryRowContext(ctx, `
		SELECT row_key, `+contactNames()+` FROM booking_contact WHERE booking = ?`, id).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // an erased contact is a state of a booking, not a failed look-up
	}
	if err != nil {
		return nil, fmt.Errorf("read contact: %w", err)
	}
	row, err := db.ring.OpenRow(contactTable, id, wrapped)
	if err != nil {
		return nil, fmt.Errorf("read contact: %w", err)
	}
	return openContact(row, columns, sealed)
}

func openContact(row *seal.Row, columns []contactColumn, sealed [][]byte) (*consult.Contact, error) {
	c := &consult.Contact{}
	for i, column := range columns {
		value, err := row.Open(column.name, sealed[i])
		if err != nil {
			return nil, fmt.Errorf("read contact: %w", err)
		}
		column.set(c, value)
	}
	return c, nil
}

// resealContact writes some columns of a contact anew.
func (db *DB) resealContact(ctx context.Context, tx *sql.Tx, id string, c *consult.Contact, names ...string) error {
	var wrapped []byte
	err := tx.QueryRowContext(ctx, `SELECT row_key FROM booking_contact WHERE booking = ?`, id).Scan(&wrapped)
	if err != nil {
		return fmt.Errorf("read contact: %w", err)
	}
	row, err := db.ring.OpenRow(contactTable, id, wrapped)
	if err != nil {
		return fmt.Errorf("read contact: %w", err)
	}
	sets, args := []string{"phone_blind = ?", "email_blind = ?"}, []any{db.blindPhone(c), db.blindEmail(c)}
	for _, column := range contactColumns() {
		for _, name := range names {
			if name == column.name {
				sets, args = append(sets, name+" = ?"), append(args, row.Seal(name, column.get(c)))
			}
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE booking_contact SET `+strings.Join(sets, ", ")+` WHERE booking = ?`, append(args, id)...)
	if err != nil {
		return fmt.Errorf("write contact: %w", err)
	}
	return nil
}

// blindPhone is the look-up of a contact's number; nil if there is none.
func (db *DB) blindPhone(c *consult.Contact) []byte {
	if c.Phone == "" {
		return nil
	}
	return db.ring.Blind("phone", c.Phone)
}

// blindEmail is the look-up of a contact's address, by its key form.
func (db *DB) blindEmail(c *consult.Contact) []byte {
	address, err := mail.ParseAddress(c.Email)
	if err != nil {
		return nil
	}
	return db.ring.Blind("email", address.Key)
}
