-- Made by a sandbox, and good for sandboxes alone.
ALTER TABLE principals ADD COLUMN is_sandbox INTEGER NOT NULL DEFAULT 0;

-- What a sandbox keeps of what its test controller was told: seeds, answers that are to be given, figures of
-- delivery, and the calls that it made of others. A server that is none never looks here.
CREATE TABLE sandbox_notes (
  owner TEXT_C NOT NULL,
  kind TEXT_C NOT NULL,
  name TEXT_C NOT NULL,
  note TEXT NOT NULL,
  noted_at BIGINT NOT NULL,
  PRIMARY KEY (owner, kind, name)
);

CREATE INDEX sandbox_notes_kind ON sandbox_notes (kind, noted_at);
