-- +goose Up

-- How often each article was read on a day, UTC: numbers, and nothing about who.
CREATE TABLE article_read (
  day   TEXT    NOT NULL,                           -- 2026-12-01
  slug  TEXT    NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (day, slug)
) STRICT, WITHOUT ROWID;
