-- +goose Up

-- One row for each address that was ever confirmed and not erased.
CREATE TABLE subscriber (
  id           TEXT    PRIMARY KEY,                 -- 32 random hex digits
  lookup       BLOB    NOT NULL UNIQUE,             -- keyed hash of the address
  row_key      BLOB,
  address      BLOB,                                -- sealed; gone once somebody left
  state        TEXT    NOT NULL CHECK (state IN ('active', 'unsubscribed', 'suppressed')),
  reason       TEXT    NOT NULL DEFAULT '',         -- with suppressed: hard-bounce, soft-bounce
  paused_until INTEGER NOT NULL DEFAULT 0,
  plain        INTEGER NOT NULL DEFAULT 0 CHECK (plain IN (0, 1)),
  epoch        INTEGER NOT NULL DEFAULT 0,          -- in every link; one more makes the old links dead
  soft         INTEGER NOT NULL DEFAULT 0,          -- issues in a row that could not be delivered for now
  since        INTEGER NOT NULL,                    -- of the present state
  created      INTEGER NOT NULL,
  CHECK ((address IS NULL) = (row_key IS NULL)),
  CHECK (state <> 'active' OR address IS NOT NULL)
) STRICT;

CREATE INDEX subscriber_active ON subscriber (id) WHERE state = 'active';

-- What somebody agreed to, and when: never changed, gone only with the person.
CREATE TABLE consent (
  id         INTEGER PRIMARY KEY,
  subscriber TEXT    NOT NULL REFERENCES subscriber (id) ON DELETE CASCADE,
  given      INTEGER NOT NULL,
  wording    TEXT    NOT NULL
) STRICT;

CREATE INDEX consent_subscriber ON consent (subscriber);

-- +goose StatementBegin
CREATE TRIGGER consent_stays BEFORE UPDATE ON consent
BEGIN
  SELECT RAISE (ABORT, 'consent_stays');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER consent_kept BEFORE DELETE ON consent
WHEN EXISTS (SELECT 1 FROM subscriber WHERE id = OLD.subscriber)
BEGIN
  SELECT RAISE (ABORT, 'consent_kept');
END;
-- +goose StatementEnd

-- A link that was mailed and waits for a press. The address is in the row of a
-- sign-up until then, and goes after seven days.
CREATE TABLE signup (
  id         TEXT    PRIMARY KEY,                   -- 32 random hex digits
  purpose    TEXT    NOT NULL CHECK (purpose IN ('confirm', 'fresh')),
  lookup     BLOB    NOT NULL,
  token      BLOB    NOT NULL UNIQUE,               -- SHA-256
  subscriber TEXT    NOT NULL DEFAULT '',           -- with fresh
  row_key    BLOB,
  address    BLOB,                                  -- with confirm: sealed, until it was used
  used       INTEGER NOT NULL DEFAULT 0,            -- when it was pressed, or made void
  created    INTEGER NOT NULL,
  expires    INTEGER NOT NULL,
  CHECK ((address IS NULL) = (row_key IS NULL))
) STRICT;

CREATE INDEX signup_recent ON signup (lookup, purpose, created);
CREATE INDEX signup_end    ON signup (expires);

-- Who asked to be forgotten: a keyed hash, so that an import cannot bring them back.
CREATE TABLE suppression (
  lookup BLOB    PRIMARY KEY,
  reason TEXT    NOT NULL,
  since  INTEGER NOT NULL
) STRICT;

-- An issue from the moment at which sending starts: its words are frozen here.
CREATE TABLE issue (
  id          TEXT    PRIMARY KEY,                  -- 32 random hex digits; the batch of its messages
  slug        TEXT    NOT NULL UNIQUE,
  state       TEXT    NOT NULL CHECK (state IN ('scheduled', 'sending', 'paused', 'held', 'sent', 'cancelled')),
  hash        BLOB    NOT NULL,                     -- of what was frozen
  subject     TEXT    NOT NULL,
  discreet    TEXT    NOT NULL,
  preheader   TEXT    NOT NULL,
  html        TEXT    NOT NULL,
  text        TEXT    NOT NULL,
  started     INTEGER NOT NULL,
  finished    INTEGER NOT NULL DEFAULT 0,
  reached     TEXT    NOT NULL DEFAULT '',          -- the last subscriber put into the outbox
  filled      INTEGER NOT NULL DEFAULT 0 CHECK (filled IN (0, 1)),
  refused     INTEGER NOT NULL DEFAULT 0,           -- refusals that say nothing about an address
  refused_run INTEGER NOT NULL DEFAULT 0,           -- of them, in a row
  accepted    INTEGER NOT NULL DEFAULT 0,           -- counts of rows that were forgotten since
  failed      INTEGER NOT NULL DEFAULT 0,
  skipped     INTEGER NOT NULL DEFAULT 0
) STRICT;
