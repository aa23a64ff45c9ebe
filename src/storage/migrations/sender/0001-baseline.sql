-- Where events are sent to. A channel belongs to a principal and a subject, such as one task; name tells the channels of a
-- subject apart. secrets holds token and credentials, sealed.
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
-- Endpoints: whose they are, and the registrations that lead there.
CREATE INDEX webhook_channels_endpoint ON webhook_channels (owner, endpoint, created_at);

-- One event on its way to one channel. The body was fixed when the event was committed. state is pending (due_at says
-- when), leased (until lease_until; attempts is the fencing token), held (its endpoint's circuit is open), delivered,
-- exhausted or cancelled; reason says why it ended so.
--
-- The body is the last column: SQLite reads those before it without the pages that a long body spills into. What is
-- generated is computed by SQLite, from columns before the body and from its size, and stored by PostgreSQL, which
-- indexes nothing else.
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
  -- Attempts before the schedule began (anew): those before an operator's retry.
  attempts_before INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  lease_until BIGINT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT,
  -- Canceled manually by an operator, and so not to be sent again with those that failed.
  is_called_off INTEGER,
  -- The token, sealed, apart from the body that it is put into when it is sent: at the byte token_at, so many bytes long.
  token TEXT,
  token_at INTEGER,
  token_bytes INTEGER,
  -- One principal's endpoint is not another's: circuits, turns and limits go by owner and endpoint. No endpoint has a
  -- space in it, so no two lanes are spelled alike.
  lane TEXT_C GENERATED ALWAYS AS (owner || ' ' || endpoint) COMPUTED,
  -- For what an owner has queued.
  body_bytes INTEGER GENERATED ALWAYS AS (length(body)) COMPUTED,
  body BYTES NOT NULL
);

-- Pending ones three times: all in the order they are due, and of each endpoint and each owner in that order, so that
-- behind many of one owner the others get their turn. What is looked for in one of a pair of indexes says that
-- lease_until is null and in the other does not, so that PostgreSQL, which goes by old statistics, cannot take the wrong
-- one of the two. Those with the sizes count and sum up what an owner has queued in the index alone.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, delivery_id)
  WHERE state = 'pending' AND lease_until IS NULL;
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (lane, due_at, delivery_id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_owner ON webhook_deliveries (owner, due_at, delivery_id, body_bytes)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (lane, due_at, delivery_id, body_bytes)
  WHERE state = 'held';
CREATE INDEX webhook_deliveries_held_until ON webhook_deliveries (expires_at)
  WHERE state = 'held' AND lease_until IS NULL;
CREATE INDEX webhook_deliveries_leased
  ON webhook_deliveries (lease_until, owner, endpoint, subject) WHERE state = 'leased';
-- By ended_at and not by state: a claim, which changes only the state, leaves the index alone.
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (channel_id) WHERE ended_at IS NULL;
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (subject, delivery_id);
-- How the delivery of a report ended is found by its place in its stream. Webhooks without one are not in it.
CREATE INDEX webhook_deliveries_sequence ON webhook_deliveries (subject, sequence_number)
  WHERE sequence_number IS NOT NULL;
-- What ended when, and how, without reading the deliveries.
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at, state)
  WHERE ended_at IS NOT NULL;
-- What failed at each owner's endpoint, in order.
CREATE INDEX webhook_deliveries_lost ON webhook_deliveries (lane, delivery_id)
  WHERE state IN ('exhausted', 'cancelled');

-- Lists of deliveries, the newest first, by what people look for. Each state has an index of its own, so that SQLite, which
-- does not see that one value is among several, can use it.
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
-- A delivery is found by the beginning of its key: keys are random, so every delivery writes another page of this index,
-- and a short one has fewer of them.
CREATE INDEX webhook_deliveries_key ON webhook_deliveries (substr(idempotency_key, 1, 8));

-- One row for every request that was, or was about to be, sent: written before the socket opens. fault is what failed, as
-- one word of a closed list or as a receiver's code; request_headers are those that were sent, as JSON, without secrets.
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
  fault TEXT,
  request_headers TEXT,
  PRIMARY KEY (delivery_id, attempt)
);

-- Endpoints of an owner that failed lately. The circuit is open while opened_at is set; probe_at says when the next probe
-- may go, and is null when there was nothing to probe with: then what comes next is the probe. is_releasing: the circuit
-- has closed, and deliveries may still be held. paused_at: an operator has stopped the endpoint, probes too.
CREATE TABLE webhook_circuits (
  lane TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  failures INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  opened_at BIGINT,
  probe_at BIGINT,
  is_releasing INTEGER NOT NULL,
  updated_at BIGINT NOT NULL,
  paused_at BIGINT
);

CREATE INDEX webhook_circuits_probe ON webhook_circuits (probe_at) WHERE probe_at IS NOT NULL;
-- The same of each owner: a thousand dead endpoints of one do not hold up the probe of another.
CREATE INDEX webhook_circuits_turn ON webhook_circuits (owner, probe_at)
  WHERE probe_at IS NOT NULL;
CREATE INDEX webhook_circuits_releasing ON webhook_circuits (owner, lane) WHERE is_releasing = 1;

-- What an operator has sent again since a time: which deliveries of an owner's endpoint, how far it has come (cursor_id is
-- the last delivery that was looked at, last_id the last one to look at), and who requested it. phase is counting or
-- sending; ended_at and state say how it ended. A step moves cursor and deliveries in one transaction, so that none is
-- sent twice.
CREATE TABLE webhook_recoveries (
  recovery_id SERIAL_KEY,
  owner TEXT_C NOT NULL,
  endpoint TEXT_C NOT NULL,
  which TEXT NOT NULL,
  since BIGINT NOT NULL,
  state TEXT_C NOT NULL,
  total BIGINT NOT NULL,
  sent BIGINT NOT NULL,
  passed_over BIGINT NOT NULL,
  first_id BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  cursor_id BIGINT NOT NULL,
  requested_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  ended_at BIGINT
);

-- One at a time for an endpoint; and those that run, the one that waited longest first.
CREATE UNIQUE INDEX webhook_recoveries_one ON webhook_recoveries (owner, endpoint)
  WHERE ended_at IS NULL;
CREATE INDEX webhook_recoveries_running ON webhook_recoveries (updated_at, recovery_id)
  WHERE ended_at IS NULL;
CREATE INDEX webhook_recoveries_of ON webhook_recoveries (owner, endpoint, recovery_id);
CREATE INDEX webhook_recoveries_changed ON webhook_recoveries (updated_at);
CREATE INDEX webhook_recoveries_age ON webhook_recoveries (ended_at) WHERE ended_at IS NOT NULL;

-- An operator's limits of an owner's endpoint, in place of those for all; NULL: as for all. next_at is when the next attempt
-- may be claimed, by the rate.
CREATE TABLE webhook_limits (
  lane TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  concurrency INTEGER,
  per_second DOUBLE PRECISION,
  next_at DOUBLE PRECISION NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX webhook_limits_changed ON webhook_limits (updated_at);
