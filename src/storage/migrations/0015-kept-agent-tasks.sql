-- How much A2A keeps for each principal is bounded, so it must be cheap to ask.
ALTER TABLE a2a_tasks ADD COLUMN body_bytes INTEGER NOT NULL DEFAULT 0;

CREATE INDEX a2a_tasks_of ON a2a_tasks (owner, expires_at, body_bytes);
