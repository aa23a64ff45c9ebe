-- Who is signed in to the console: the hash of the cookie, and of the key it was opened with, which is
-- looked up at every request, so that a revocation bites at once.
CREATE TABLE console_sessions (
  session_hash TEXT_C PRIMARY KEY,
  key_hash TEXT_C NOT NULL,
  principal_id TEXT_C NOT NULL,
  created_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX console_sessions_age ON console_sessions (expires_at);
CREATE INDEX console_sessions_of ON console_sessions (principal_id, created_at);

-- Who did what in the console, and what came of it. The name is that of the time, and an entry outlives
-- whoever it is of.
CREATE TABLE console_audit (
  audit_id SERIAL_KEY,
  at BIGINT NOT NULL,
  actor_id TEXT_C NOT NULL,
  actor_name TEXT NOT NULL,
  action TEXT_C NOT NULL,
  target TEXT,
  outcome TEXT NOT NULL,
  detail TEXT
);

CREATE INDEX console_audit_actor ON console_audit (actor_id, audit_id);
CREATE INDEX console_audit_action ON console_audit (action, audit_id);

-- What went wrong as one word of a closed list, or as a receiver's code; and the headers that an attempt was
-- sent with, as JSON, without its secrets.
ALTER TABLE webhook_attempts ADD COLUMN fault TEXT;
ALTER TABLE webhook_attempts ADD COLUMN request_headers TEXT;

-- An operator's hand on an endpoint: while it is set nothing goes out, probes neither.
ALTER TABLE webhook_circuits ADD COLUMN paused_at BIGINT;

-- Lists of deliveries, the newest first, by what people look for. Each state has an index of its own, so
-- that SQLite, which does not see that one value is among several, can tell that it serves.
DROP INDEX webhook_deliveries_failed;
CREATE INDEX webhook_deliveries_new_pending ON webhook_deliveries (delivery_id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_new_held ON webhook_deliveries (delivery_id)
  WHERE state = 'held';
CREATE INDEX webhook_deliveries_new_delivered ON webhook_deliveries (delivery_id)
  WHERE state = 'delivered';
CREATE INDEX webhook_deliveries_new_exhausted ON webhook_deliveries (delivery_id)
  WHERE state = 'exhausted';
CREATE INDEX webhook_deliveries_new_cancelled ON webhook_deliveries (delivery_id)
  WHERE state = 'cancelled';
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint, delivery_id);
CREATE INDEX webhook_deliveries_of ON webhook_deliveries (owner, delivery_id);
CREATE INDEX webhook_deliveries_operation ON webhook_deliveries (operation_id, delivery_id)
  WHERE operation_id IS NOT NULL;
CREATE INDEX webhook_deliveries_key ON webhook_deliveries (idempotency_key);

-- What ended when, and how, without reading the deliveries.
DROP INDEX webhook_deliveries_ended;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at, state)
  WHERE ended_at IS NOT NULL;

-- Endpoints: whose they are, and the registrations that lead there.
CREATE INDEX webhook_channels_endpoint ON webhook_channels (owner, endpoint, created_at);

-- Tasks of all principals whose callers were told of them, the newest first.
CREATE INDEX tasks_new ON tasks (created_at, task_id) WHERE is_told = 1;
CREATE INDEX tasks_status ON tasks (status, created_at, task_id) WHERE is_told = 1;
CREATE INDEX tasks_type ON tasks (task_type, created_at, task_id) WHERE is_told = 1;
