-- Where events are sent to. A channel belongs to a principal and a subject, such as one task; name
-- tells the channels of a subject apart. secrets holds token and credentials, sealed.
CREATE TABLE webhook_channels (
  channel_id TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  subject TEXT_C NOT NULL,
  name TEXT_C NOT NULL,
  form TEXT NOT NULL,
  url TEXT NOT NULL,
  endpoint TEXT_C NOT NULL,
  operation_id TEXT,
  scheme TEXT NOT NULL,
  secrets TEXT,
  paused_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  expires_at BIGINT
);

CREATE UNIQUE INDEX webhook_channels_key ON webhook_channels (subject, owner, name);
CREATE INDEX webhook_channels_age ON webhook_channels (expires_at) WHERE expires_at IS NOT NULL;

DROP TABLE a2a_push_registrations;

-- One event on its way to one channel. The body was fixed when the event was committed. state is
-- pending (due_at says when), leased (until lease_until; attempts is the fencing token), held (its
-- endpoint's circuit is open), delivered, exhausted or cancelled; reason says why it ended so. The
-- body stands last: SQLite reads what is before it without the pages that a long body spills into.
CREATE TABLE webhook_deliveries (
  delivery_id SERIAL_KEY,
  channel_id TEXT_C NOT NULL,
  owner TEXT_C NOT NULL,
  subject TEXT_C NOT NULL,
  endpoint TEXT_C NOT NULL,
  task_id TEXT_C,
  operation_id TEXT,
  notification_type TEXT NOT NULL,
  sequence_number INTEGER,
  idempotency_key TEXT_C NOT NULL,
  state TEXT_C NOT NULL,
  reason TEXT,
  attempts INTEGER NOT NULL,
  -- Attempts before the schedule began (anew): what was made before an operator's retry.
  attempts_before INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  lease_until BIGINT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT,
  body BYTES NOT NULL
);

-- Pending ones twice: all in the order they are due, and of each endpoint in that order. What is
-- looked for in one of a pair of indexes says that lease_until is null and in the other does not, so
-- that PostgreSQL, which goes by old statistics, cannot take the wrong one of the two.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, delivery_id)
  WHERE state = 'pending' AND lease_until IS NULL;
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint, due_at, delivery_id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (endpoint, due_at, delivery_id)
  WHERE state = 'held';
CREATE INDEX webhook_deliveries_held_until ON webhook_deliveries (expires_at)
  WHERE state = 'held' AND lease_until IS NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (lease_until, endpoint, subject)
  WHERE state = 'leased';
-- By ended_at and not by state: a claim, which changes only the state, leaves the index alone.
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (channel_id) WHERE ended_at IS NULL;
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (subject, delivery_id);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (state, delivery_id)
  WHERE state IN ('exhausted', 'cancelled');
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at)
  WHERE ended_at IS NOT NULL;

-- One row for every request that was, or was about to be, sent: written before the socket opens.
CREATE TABLE webhook_attempts (
  delivery_id BIGINT NOT NULL,
  attempt INTEGER NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  http_status_code INTEGER,
  response_time_ms INTEGER,
  error_message TEXT,
  response_head TEXT,
  fired_at BIGINT NOT NULL,
  completed_at BIGINT,
  PRIMARY KEY (delivery_id, attempt)
);

-- Endpoints that failed lately. The circuit is open while opened_at is set; probe_at says when the
-- next probe may go, and is null when there was nothing to probe with: then what comes next is the
-- probe. is_releasing: the circuit has closed, and deliveries may still be held.
CREATE TABLE webhook_circuits (
  endpoint TEXT_C PRIMARY KEY,
  failures INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  opened_at BIGINT,
  probe_at BIGINT,
  is_releasing INTEGER NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX webhook_circuits_probe ON webhook_circuits (probe_at) WHERE probe_at IS NOT NULL;
CREATE INDEX webhook_circuits_releasing ON webhook_circuits (endpoint) WHERE is_releasing = 1;

-- Random secrets that the instances on one database share.
CREATE TABLE server_secrets (
  name TEXT_C PRIMARY KEY,
  value TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
