-- +goose Up

-- Secret addresses of the owner's calendar feed: only their hashes.
CREATE TABLE feed_token (
  hash    BLOB    PRIMARY KEY,
  created INTEGER NOT NULL,
  revoked INTEGER
) STRICT, WITHOUT ROWID;
