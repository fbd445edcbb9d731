package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// Doc is a page as the search index takes it: its words, without markup.
type Doc struct {
	Path        string // of the page on this site; given back with a hit
	Title       string
	Question    string // what a reader would ask; may be empty
	Description string
	Headings    []string
	Body        string
	Lists       string // names, works and the like: found, but after what is written
}

// Segment is a piece of a text; Marked says that it is what was searched for.
type Segment struct {
	Text   string
	Marked bool
}

// Hit is a page that was found.
type Hit struct {
	Path    string
	Title   []Segment
	Excerpt []Segment // from the body, or else the lists or the description
}

// Results is the answer to a search.
type Results struct {
	Hits       []Hit  // best first
	Whole      int    // how many of the hits hold all of the words; those after them hold some
	Suggestion string // the words with an unknown one put right; empty: none is near
}

// Index is a full-text index of the pages, in memory alone: FTS5 with Porter's
// stemmer over words whose accents are folded. It is filled once and never changes;
// a new one takes its place when the content does. It is safe for concurrent use,
// and lets go of its memory when nobody holds it any more.
type Index struct {
	db    *sql.DB
	words []word // every word of the pages, by alphabet
}

// indexSchema has the pages, and their words as they stand, without the stemmer:
// what is suggested must be a word and not the stem of one.
const indexSchema = `
	CREATE VIRTUAL TABLE page USING fts5 (
		path UNINDEXED,
		title,
		question,
		headings,
		description,
		body,
		lists,
		tokenize = 'porter unicode61 remove_diacritics 2'
	);
	CREATE VIRTUAL TABLE whole USING fts5 (
		text,
		content = '',
		tokenize = 'unicode61 remove_diacritics 2'
	);
	CREATE VIRTUAL TABLE vocabulary USING fts5vocab (whole, 'row');`

// NewIndex makes the index of docs.
func NewIndex(ctx context.Context, docs []Doc) (*Index, error) {
	// A database in memory belongs to its connection, so there is exactly one, for good.
	db, err := sql.Open("sqlite3", "file:search?mode=memory")
	if err != nil {
		return nil, fmt.Errorf("open search index: %w", err)
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	x := &Index{db: db}
	if err := x.fill(ctx, docs); err != nil {
		return nil, errors.Join(fmt.Errorf("fill search index: %w", err), db.Close())
	}
	runtime.AddCleanup(x, func(db *sql.DB) { _ = db.Close() }, db)
	return x, nil
}

func (x *Index) fill(ctx context.Context, docs []Doc) error {
	if _, err := x.db.ExecContext(ctx, indexSchema); err != nil {
		return err
	}
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if err := insertDoc(ctx, tx, d); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if x.words, err = vocabulary(ctx, x.db); err != nil {
		return err
	}
	_, err = x.db.ExecContext(ctx, `PRAGMA query_only = on`)
	return err
}

func insertDoc(ctx context.Context, tx *sql.Tx, d Doc) error {
	headings := strings.Join(d.Headings, "\n")
	columns := []any{d.Path, d.Title, d.Question, headings, d.Description, d.Body, d.Lists}
	var whole strings.Builder
	for i, c := range columns {
		columns[i] = plain(c.(string))
		if i > 0 {
			whole.WriteString(columns[i].(string) + "\n")
		}
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO page (path, title, question, headings, description, body, lists)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, columns...)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO whole (text) VALUES (?)`, whole.String())
	return err
}

func vocabulary(ctx context.Context, db *sql.DB) ([]word, error) {
	rows, err := db.QueryContext(ctx, `
		SELECT
			term,
			doc
		FROM vocabulary
		ORDER BY term`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var words []word
	for rows.Next() {
		var w word
		if err := rows.Scan(&w.text, &w.pages); err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return words, rows.Err()
}

// What surrounds a match in a text that SQLite gives back: control characters,
// which plain takes out of the pages.
const (
	markOn  = "\x01"
	markOff = "\x02"
)

// plain takes control characters out of a text, but for those that part words.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
