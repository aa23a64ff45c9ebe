-- What a sandbox remembers of its test controller: seeds, answers that are to be given, figures of delivery, and the calls
-- that it made of others. A server that is no sandbox never reads it.
CREATE TABLE sandbox_notes (
  owner TEXT_C NOT NULL,
  kind TEXT_C NOT NULL,
  name TEXT_C NOT NULL,
  note TEXT NOT NULL,
  noted_at BIGINT NOT NULL,
  PRIMARY KEY (owner, kind, name)
);

CREATE INDEX sandbox_notes_kind ON sandbox_notes (kind, noted_at);
