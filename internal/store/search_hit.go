package store

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// Search looks for what a visitor typed, and gives at most limit pages. Whatever it
// was, it is no error: what holds no word finds nothing. An error is the database's.
func (x *Index) Search(ctx context.Context, typed string, limit int) (Results, error) {
	defer runtime.KeepAlive(x)
	var found Results
	q := x.parse(typed)
	if len(q.words) == 0 {
		return found, nil
	}
	unknown, err := x.unknown(ctx, q)
	if err != nil {
		return found, err
	}
	found.Suggestion = q.suggest(x.words, unknown)
	if found.Hits, err = x.match(ctx, q.all(), limit); err != nil {
		return found, err
	}
	found.Whole = len(found.Hits)
	if len(q.words) > 1 && found.Whole < few {
		found.Hits, err = x.more(ctx, found.Hits, q, min(limit, found.Whole+maxSome))
	}
	return found, err
}

// Under how many pages that hold all of the words others are shown too, and how many.
const (
	few     = 3
	maxSome = 8
)

// more adds pages that hold some of the words, until there are limit.
func (x *Index) more(ctx context.Context, hits []Hit, q query, limit int) ([]Hit, error) {
	some, err := x.match(ctx, q.some(), limit+len(hits))
	for _, h := range some {
		known := slices.ContainsFunc(hits, func(k Hit) bool { return k.Path == h.Path })
		if !known && len(hits) < limit {
			hits = append(hits, h)
		}
	}
	return hits, err
}

// match gives the pages that an expression of FTS5 fits. A word in a title or in a
// reader's question says more of what a page is about than one in its text; and a
// word in an article counts twice, for that is what people look for here: the short
// pages about the site would else come first (bm25 favours the short). The shortest of
// all are the words of the glossary, so theirs counts half.
func (x *Index) match(ctx context.Context, expression string, limit int) ([]Hit, error) {
	rows, err := x.db.QueryContext(ctx, `
		SELECT
			path,
			highlight(page, 1, char(1), char(2)),
			highlight(page, 4, char(1), char(2)),
			snippet(page, 5, char(1), char(2), '…', 30),
			snippet(page, 6, char(1), char(2), '…', 20)
		FROM page
		WHERE page MATCH ?
		ORDER BY bm25(page, 0.0, 10.0, 8.0, 4.0, 3.0, 1.0, 0.05) *
			CASE
				WHEN path LIKE '/articles/%' THEN 2.0
				WHEN path LIKE '/glossary#%' THEN 0.5
				ELSE 1.0
			END, path
		LIMIT ?`, expression, limit)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	defer rows.Close()
	var hits []Hit
	for rows.Next() {
		var h Hit
		var title, description, body, lists string
		if err := rows.Scan(&h.Path, &title, &description, &body, &lists); err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		h.Title, h.Excerpt = segments(title), segments(excerpt(body, lists, description))
		hits = append(hits, h)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return hits, nil
}

// excerpt chooses what is shown of a page: where the words are, or else what it is about.
func excerpt(body, lists, description string) string {
	switch {
	case strings.Contains(body, markOn):
		return body
	case strings.Contains(lists, markOn) && !strings.Contains(description, markOn):
		return lists
	case description != "":
		return description
	}
	return body
}

// segments parts a text at its marks.
func segments(text string) []Segment {
	var out []Segment
	add := func(s string, marked bool) {
		if s != "" {
			out = append(out, Segment{Text: s, Marked: marked})
		}
	}
	for {
		before, rest, on := strings.Cut(text, markOn)
		add(before, false)
		if !on {
			return out
		}
		marked, after, _ := strings.Cut(rest, markOff)
		add(marked, true)
		text = after
	}
}

// unknown gives the places of those words of a query that no page holds.
func (x *Index) unknown(ctx context.Context, q query) (map[int]bool, error) {
	places := map[int]bool{}
	for i, w := range q.words {
		var n int
		err := x.db.QueryRowContext(ctx, `
			SELECT count(*)
			FROM (SELECT 1 FROM page WHERE page MATCH ? LIMIT 1)`, w.expression()).Scan(&n)
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		if n == 0 {
			places[i] = true
		}
	}
	return places, nil
}
