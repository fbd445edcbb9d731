-- +goose Up

-- A call: its times and state, and nothing about anybody.
CREATE TABLE booking (
  id           TEXT    PRIMARY KEY,               -- random
  uid          TEXT    NOT NULL UNIQUE,           -- of its calendar entry
  starts       INTEGER NOT NULL,
  ends         INTEGER NOT NULL,
  gap          INTEGER NOT NULL DEFAULT 0,        -- seconds kept free to other calls, as in force when it was written
  status       TEXT    NOT NULL CHECK (status IN ('confirmed', 'cancelled', 'done', 'no-show')),
  sequence     INTEGER NOT NULL DEFAULT 0,
  created      INTEGER NOT NULL,
  cancelled    INTEGER,
  cancelled_by TEXT    CHECK (cancelled_by IN ('visitor', 'owner')),
  contact_ends INTEGER NOT NULL,                  -- when its contact is erased
  contact_early INTEGER NOT NULL DEFAULT 0 CHECK (contact_early IN (0, 1)), -- sooner, once no message to the visitor waits
  row_ends     INTEGER NOT NULL,                  -- when the row is deleted
  CHECK (ends > starts AND ends - starts <= 43200),
  CHECK ((status = 'cancelled') = (cancelled IS NOT NULL)),
  CHECK ((cancelled IS NULL) = (cancelled_by IS NULL))
) STRICT;

CREATE UNIQUE INDEX booking_one_winner ON booking (starts) WHERE status = 'confirmed';
CREATE INDEX booking_time    ON booking (starts);
CREATE INDEX booking_made    ON booking (created);
CREATE INDEX booking_forget  ON booking (contact_ends);
CREATE INDEX booking_delete  ON booking (row_ends);

-- The last judge of who was first: two confirmed calls never come closer than the
-- gap in force when the later one is written. A call lasts half a day at most, so
-- only that stretch of the index is read.
-- +goose StatementBegin
CREATE TRIGGER booking_insert_apart BEFORE INSERT ON booking
WHEN NEW.status = 'confirmed' AND EXISTS (
  SELECT 1
  FROM booking AS other
  WHERE other.status = 'confirmed'
    AND other.starts > NEW.starts - NEW.gap - 43200
    AND other.starts < NEW.ends + NEW.gap
    AND other.ends > NEW.starts - NEW.gap
)
BEGIN
  SELECT RAISE(ABORT, 'slot_taken');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER booking_update_apart BEFORE UPDATE OF starts, ends, status ON booking
WHEN NEW.status = 'confirmed' AND EXISTS (
  SELECT 1
  FROM booking AS other
  WHERE other.status = 'confirmed'
    AND other.id <> NEW.id
    AND other.starts > NEW.starts - NEW.gap - 43200
    AND other.starts < NEW.ends + NEW.gap
    AND other.ends > NEW.starts - NEW.gap
)
BEGIN
  SELECT RAISE(ABORT, 'slot_taken');
END;
-- +goose StatementEnd

-- Who is called and how, sealed field by field under a key of the row's own. It is
-- a table of its own so that forgetting is one delete.
CREATE TABLE booking_contact (
  booking     TEXT PRIMARY KEY REFERENCES booking (id) ON DELETE CASCADE,
  row_key     BLOB NOT NULL,
  code_blind  BLOB NOT NULL UNIQUE,               -- look-up of the three words
  phone_blind BLOB,                               -- how many calls are open for one number
  email_blind BLOB,                               -- or address
  name        BLOB NOT NULL,
  zone        BLOB NOT NULL,
  call        BLOB NOT NULL,
  phone       BLOB NOT NULL,
  extension   BLOB NOT NULL,
  raw_phone   BLOB NOT NULL,
  voicemail   BLOB NOT NULL,
  answer      BLOB NOT NULL,
  caller      BLOB NOT NULL,
  stop_word   BLOB NOT NULL,
  dropped     BLOB NOT NULL,
  email       BLOB NOT NULL,
  remind      BLOB NOT NULL,
  token       BLOB NOT NULL,
  code        BLOB NOT NULL
) STRICT;

CREATE INDEX booking_contact_phone ON booking_contact (phone_blind) WHERE phone_blind IS NOT NULL;
CREATE INDEX booking_contact_email ON booking_contact (email_blind) WHERE email_blind IS NOT NULL;

-- The private page of a booking. It outlives the contact of a cancelled call, so
-- that the page can say that it was cancelled.
CREATE TABLE manage_token (
  hash    BLOB    PRIMARY KEY,
  booking TEXT    NOT NULL UNIQUE REFERENCES booking (id) ON DELETE CASCADE,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX manage_token_expires ON manage_token (expires);

-- Forms that have had their effect: the same one posted again has no second.
CREATE TABLE booking_key (
  key     TEXT    PRIMARY KEY,
  booking TEXT    NOT NULL REFERENCES booking (id) ON DELETE CASCADE,
  used    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX booking_key_booking ON booking_key (booking);
CREATE INDEX booking_key_used    ON booking_key (used);

-- Times at which no call can be taken, though the hours say so.
CREATE TABLE busy_block (
  id     TEXT    PRIMARY KEY,
  starts INTEGER NOT NULL,
  ends   INTEGER NOT NULL,
  source TEXT    NOT NULL CHECK (source IN ('manual', 'import')),
  uid    TEXT,                                    -- of the imported event
  CHECK (ends > starts)
) STRICT;

CREATE INDEX busy_block_time ON busy_block (ends, starts);

-- Who changed what and when, by row id alone.
CREATE TABLE audit (
  id   INTEGER PRIMARY KEY,
  at   INTEGER NOT NULL,
  who  TEXT    NOT NULL CHECK (who IN ('visitor', 'owner', 'site')),
  what TEXT    NOT NULL,
  row  TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_at  ON audit (at);
CREATE INDEX audit_row ON audit (row);
