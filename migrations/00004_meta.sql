-- +goose Up
-- What the database knows of itself: which keys sealed it, when it was last kept.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
