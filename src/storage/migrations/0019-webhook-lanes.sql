-- One principal's endpoint is not another's: circuits, turns and limits go by lane, which is an owner
-- and an endpoint. No endpoint has a space in it, so no two lanes are spelled alike. SQLite makes the
-- lane of columns that stand before the body, so that reading it does not read the body.
-- only: sqlite
ALTER TABLE webhook_deliveries
  ADD COLUMN lane TEXT_C GENERATED ALWAYS AS (owner || ' ' || endpoint) VIRTUAL;

-- only: postgres
ALTER TABLE webhook_deliveries
  ADD COLUMN lane TEXT_C GENERATED ALWAYS AS (owner || ' ' || endpoint) STORED;

DROP INDEX webhook_deliveries_pending;
DROP INDEX webhook_deliveries_held;
DROP INDEX webhook_deliveries_leased;

CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (lane, due_at, delivery_id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (lane, due_at, delivery_id)
  WHERE state = 'held';
CREATE INDEX webhook_deliveries_leased
  ON webhook_deliveries (lease_until, owner, endpoint, subject) WHERE state = 'leased';
-- What is pending a third time, of each owner in the order it is due: behind a crowd of one owner's
-- the others get their turn.
CREATE INDEX webhook_deliveries_owner ON webhook_deliveries (owner, due_at, delivery_id)
  WHERE state = 'pending';

-- As before, but of lanes. What is held stays held by a circuit of its own lane, whose probe tells
-- how this owner's endpoint fares; circuits that hold nothing are counted anew.
ALTER TABLE webhook_circuits RENAME TO webhook_endpoint_circuits;

CREATE TABLE webhook_circuits (
  lane TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  failures INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  opened_at BIGINT,
  probe_at BIGINT,
  is_releasing INTEGER NOT NULL,
  updated_at BIGINT NOT NULL
);

INSERT INTO webhook_circuits
  (lane, owner, failures, successes, opened_at, probe_at, is_releasing, updated_at)
SELECT DISTINCT d.lane, d.owner, c.failures, c.successes, c.opened_at, c.probe_at, c.is_releasing,
  c.updated_at
FROM webhook_deliveries d JOIN webhook_endpoint_circuits c ON c.endpoint = d.endpoint
WHERE d.state = 'held';

DROP TABLE webhook_endpoint_circuits;

CREATE INDEX webhook_circuits_probe ON webhook_circuits (probe_at) WHERE probe_at IS NOT NULL;
-- The same of each owner: who has a thousand dead endpoints does not hold up the probe of another.
CREATE INDEX webhook_circuits_turn ON webhook_circuits (owner, probe_at)
  WHERE probe_at IS NOT NULL;
CREATE INDEX webhook_circuits_releasing ON webhook_circuits (owner, lane) WHERE is_releasing = 1;
