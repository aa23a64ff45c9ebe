-- The lanes are spread over sixteen shards, so that instances claim beside each other: a claim holds the locks of its
-- shards. shardOf of storage/stores/outbox/shards.ts computes the same from a lane. SQLite has one writer, and one shard.
-- The hash is one that no release of PostgreSQL changes; decode reads the bytes of a text, in which a backslash is doubled.

-- only: postgres
ALTER TABLE webhook_deliveries ADD COLUMN shard INTEGER NOT NULL GENERATED ALWAYS AS (get_byte(sha256(decode(
  replace(owner || ' ' || endpoint, chr(92), repeat(chr(92), 2)), 'escape')), 0) % 16) STORED;
-- only: sqlite
ALTER TABLE webhook_deliveries ADD COLUMN shard INTEGER GENERATED ALWAYS AS (0) VIRTUAL;
-- only: postgres
ALTER TABLE webhook_circuits ADD COLUMN shard INTEGER NOT NULL GENERATED ALWAYS AS (get_byte(sha256(decode(
  replace(lane, chr(92), repeat(chr(92), 2)), 'escape')), 0) % 16) STORED;
-- only: sqlite
ALTER TABLE webhook_circuits ADD COLUMN shard INTEGER GENERATED ALWAYS AS (0) VIRTUAL;

-- The same while a delivery waits until it is due, and null when it does not: so nothing but the index below answers for
-- it, whatever the statistics say of the many indexes of pending deliveries.
-- only: postgres
ALTER TABLE webhook_deliveries ADD COLUMN due_shard INTEGER GENERATED ALWAYS AS (
  CASE WHEN state = 'pending' AND lease_until IS NULL THEN get_byte(sha256(decode(
  replace(owner || ' ' || endpoint, chr(92), repeat(chr(92), 2)), 'escape')), 0) % 16 END) STORED;
-- only: sqlite
ALTER TABLE webhook_deliveries ADD COLUMN due_shard INTEGER GENERATED ALWAYS AS (
  CASE WHEN state = 'pending' AND lease_until IS NULL THEN 0 END) VIRTUAL;

-- What a claim reads of its shards alone: the deliveries in the order they are due, and what is under way.
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_shard, due_at, delivery_id)
  WHERE due_shard IS NOT NULL;
DROP INDEX webhook_deliveries_leased;
CREATE INDEX webhook_deliveries_leased
  ON webhook_deliveries (shard, lease_until, owner, endpoint, subject) WHERE state = 'leased';
