-- lost: claims in a row that nobody ended, since whoever had them died; while something is claimed, this
-- claim is among them. The claim counts itself, so that what kills its process is given up after a few.
ALTER TABLE tasks ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;

CREATE INDEX tasks_lost ON tasks (due_at) WHERE lost > 0;

ALTER TABLE manifest_references ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;

CREATE INDEX manifest_references_lost ON manifest_references (next_verification_at) WHERE lost > 0;

ALTER TABLE signal_takedowns ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;

ALTER TABLE signal_vector_claims ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
