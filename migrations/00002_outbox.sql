-- +goose Up

-- What is to be sent, without its words: they are made when it is sent.
CREATE TABLE outbox (
  id        INTEGER PRIMARY KEY,
  ref       TEXT    NOT NULL UNIQUE,                -- local part of the Message-ID, the same over all attempts
  idem      TEXT    NOT NULL UNIQUE,                -- a second row of the same key is dropped
  kind      TEXT    NOT NULL,
  subject   TEXT    NOT NULL,                       -- public id of a booking or subscriber; '' once erased
  batch     TEXT    NOT NULL DEFAULT '',            -- '' for a single message
  sequence  INTEGER NOT NULL DEFAULT 0,
  priority  INTEGER NOT NULL DEFAULT 0,
  state     TEXT    NOT NULL DEFAULT 'queued'
            CHECK (state IN ('queued', 'claimed', 'in-data', 'accepted', 'retry', 'failed', 'unknown', 'skipped')),
  due       INTEGER NOT NULL,
  expires   INTEGER NOT NULL DEFAULT 0,             -- 0: never
  next_try  INTEGER NOT NULL,
  attempts  INTEGER NOT NULL DEFAULT 0,
  lease     INTEGER NOT NULL DEFAULT 0,             -- end of the claim; 0: not claimed
  row_key   BLOB,                                   -- with secret, until the end
  secret    BLOB,
  code      INTEGER NOT NULL DEFAULT 0,             -- last reply code
  enhanced  TEXT    NOT NULL DEFAULT '',            -- last enhanced code
  reason    TEXT    NOT NULL DEFAULT '',
  created   INTEGER NOT NULL,
  updated   INTEGER NOT NULL,
  CHECK ((secret IS NULL) = (row_key IS NULL))
) STRICT;

CREATE INDEX outbox_single ON outbox (next_try) WHERE batch = '' AND state IN ('queued', 'retry');
CREATE INDEX outbox_many   ON outbox (batch, next_try, id) WHERE batch <> '' AND state IN ('queued', 'retry');
CREATE INDEX outbox_open   ON outbox (batch) WHERE state IN ('claimed', 'in-data');
CREATE INDEX outbox_about  ON outbox (subject);
CREATE INDEX outbox_lost   ON outbox (batch) WHERE state = 'unknown';
CREATE INDEX outbox_count  ON outbox (batch) WHERE batch <> '';
CREATE INDEX outbox_kind   ON outbox (kind, due);

-- The batches that are being sent, and those that wait.
CREATE TABLE outbox_batch (
  batch TEXT    PRIMARY KEY,
  held  INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1))
) STRICT;

-- In which run of the machine the last worker began: another one means that the
-- power was cut since.
CREATE TABLE outbox_run (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  boot TEXT    NOT NULL
) STRICT;

-- Why nothing is being sent: one row, or none when all is well.
CREATE TABLE outbox_trouble (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  halted   INTEGER NOT NULL CHECK (halted IN (0, 1)),
  sentence TEXT    NOT NULL,
  since    INTEGER NOT NULL,
  next_try INTEGER NOT NULL
) STRICT;

-- What the owner is told, at most once a day for each kind.
CREATE TABLE owner_notice (
  id       INTEGER PRIMARY KEY,
  kind     TEXT    NOT NULL,
  day      TEXT    NOT NULL,                        -- UTC date
  sentence TEXT    NOT NULL,
  times    INTEGER NOT NULL DEFAULT 1,
  first    INTEGER NOT NULL,
  last     INTEGER NOT NULL,
  UNIQUE (kind, day)
) STRICT;
