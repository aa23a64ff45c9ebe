-- The size of a body, for what an owner has queued: SQLite finds it in the head of the row, without reading the body.
-- only: sqlite
ALTER TABLE webhook_deliveries
  ADD COLUMN body_bytes INTEGER GENERATED ALWAYS AS (length(body)) VIRTUAL;

-- only: postgres
ALTER TABLE webhook_deliveries
  ADD COLUMN body_bytes INTEGER GENERATED ALWAYS AS (length(body)) STORED;

-- As before, and with the sizes, so that what an owner has queued is counted and summed up in the index alone.
DROP INDEX webhook_deliveries_owner;
CREATE INDEX webhook_deliveries_owner ON webhook_deliveries (owner, due_at, delivery_id, body_bytes)
  WHERE state = 'pending';
DROP INDEX webhook_deliveries_held;
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (lane, due_at, delivery_id, body_bytes)
  WHERE state = 'held';

-- As before, and with the state, so that the windows of a buy are counted by state in the index alone.
DROP INDEX report_windows_ended;
CREATE INDEX report_windows_ended ON report_windows (media_buy_id, end_at, kind, state);

-- What an owner's creative or format impairs.
CREATE INDEX media_buy_impairments_resource
  ON media_buy_impairments (owner, resource_type, resource_id) WHERE cleared_at IS NULL;
