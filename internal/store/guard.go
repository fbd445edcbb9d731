//go:build !sqlite_fts5

package store

// The search index needs SQLite's FTS5, which a build tag brings in. Without the tag
// the site would start and find nothing, so the build stops here instead: use make,
// or set GOFLAGS=-tags=sqlite_fts5.
var _ = build_with_make_or_with_tags_sqlite_fts5
