-- +goose Up

-- Who may sign in. The name and the secret of their code app are sealed under a key of
-- the row's own. Nobody is here without a way in: the row is written with the first one.
CREATE TABLE owner (
  id         INTEGER PRIMARY KEY,
  ref        TEXT    NOT NULL UNIQUE,               -- 32 random hex digits; what a passkey knows them by
  row_key    BLOB    NOT NULL,
  name       BLOB    NOT NULL,
  name_blind BLOB    NOT NULL UNIQUE,               -- keyed hash of the name as it is compared
  password   TEXT    NOT NULL DEFAULT '',           -- argon2id, in the PHC form; '': no password
  secret     BLOB,                                  -- of the code app (RFC 6238)
  last_step  INTEGER NOT NULL DEFAULT 0,            -- of the last code that was taken; it only grows
  created    INTEGER NOT NULL,
  CHECK ((password = '') = (secret IS NULL))
) STRICT;

CREATE TABLE owner_passkey (
  id         TEXT    PRIMARY KEY,                   -- 32 random hex digits
  owner      INTEGER NOT NULL REFERENCES owner (id) ON DELETE CASCADE,
  credential BLOB    NOT NULL UNIQUE,               -- the id that the authenticator gave it
  record     BLOB    NOT NULL,                      -- public key and flags, as JSON
  uses       INTEGER NOT NULL DEFAULT 0,            -- the authenticator's counter; 0: it has none
  label      TEXT    NOT NULL,
  created    INTEGER NOT NULL,
  used       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX owner_passkey_owner ON owner_passkey (owner);

-- Recovery codes that were not used yet.
CREATE TABLE owner_code (
  hash  BLOB    PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES owner (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX owner_code_owner ON owner_code (owner);

-- One-time links that make an owner, or give one new ways in. A used one is deleted.
CREATE TABLE owner_link (
  hash    BLOB    PRIMARY KEY,
  ref     TEXT    NOT NULL,                         -- of the owner that there is, or will be
  first   INTEGER NOT NULL CHECK (first IN (0, 1)), -- good only while there is no owner
  row_key BLOB,
  name    BLOB,                                     -- as it was given when the link was made
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  CHECK ((name IS NULL) = (row_key IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX owner_link_end ON owner_link (expires);

CREATE TABLE owner_session (
  ref     TEXT    PRIMARY KEY,                      -- 32 random hex digits: its name in the list
  hash    BLOB    NOT NULL UNIQUE,                  -- of what the cookie holds
  owner   INTEGER NOT NULL REFERENCES owner (id) ON DELETE CASCADE,
  words   TEXT    NOT NULL,                         -- of the device: "Firefox on Linux"
  created INTEGER NOT NULL,
  seen    INTEGER NOT NULL,
  stepped_up_at INTEGER NOT NULL                    -- when they last proved who they are
) STRICT;

CREATE INDEX owner_session_owner ON owner_session (owner, seen);

-- Devices on which an owner has signed in: attempts from them are counted apart, so
-- that nobody can keep an owner out by guessing.
CREATE TABLE owner_device (
  hash  BLOB    PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES owner (id) ON DELETE CASCADE,
  seen  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX owner_device_owner ON owner_device (owner, seen);
