-- How much each owner has of what is bounded, so that a bound is checked without counting rows. Whoever
-- adds or removes what is counted changes the count in the same transaction. ends_at is 0, or the end of
-- the hour in which what was counted ends by itself. A count is the sum of its shards, so that those who
-- add to it at once need not wait for each other; one shard may be below 0.
CREATE TABLE quota_usage (
  owner TEXT_C NOT NULL,
  quota TEXT_C NOT NULL,
  ends_at BIGINT NOT NULL,
  shard INTEGER NOT NULL,
  used BIGINT NOT NULL,
  PRIMARY KEY (owner, quota, ends_at, shard)
);

CREATE INDEX quota_usage_age ON quota_usage (ends_at) WHERE ends_at > 0;

-- Tasks that have not ended are counted where they are.
CREATE INDEX tasks_open ON tasks (owner) WHERE completed_at IS NULL;

-- Size of what a creative holds.
ALTER TABLE creatives ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;

-- only: sqlite
UPDATE creatives SET bytes = length(CAST(name AS BLOB)) + length(CAST(format_id AS BLOB))
  + length(CAST(assets AS BLOB)) + length(CAST(tags AS BLOB)) + length(CAST(others AS BLOB));

-- only: postgres
UPDATE creatives SET bytes = octet_length(name) + octet_length(format_id)
  + octet_length(assets) + octet_length(tags) + octet_length(others);

INSERT INTO quota_usage (owner, quota, ends_at, shard, used)
  SELECT owner, 'creatives', 0, 0, count(*) FROM creatives GROUP BY owner;

INSERT INTO quota_usage (owner, quota, ends_at, shard, used)
  SELECT owner, 'creative_bytes', 0, 0, sum(bytes) FROM creatives GROUP BY owner;

INSERT INTO quota_usage (owner, quota, ends_at, shard, used)
  SELECT owner, 'registrations', 0, 0, count(*) FROM webhook_channels GROUP BY owner;

-- For whom a file was built: it counts for each of them, for as long as it is kept.
CREATE TABLE creative_asset_owners (
  digest TEXT_C NOT NULL,
  owner TEXT_C NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (digest, owner)
);

-- Of the request as canonical JSON: what a repeated one is known by once the request itself is forgotten,
-- which it is when the task ends. Null in rows from before, which still have it.
ALTER TABLE tasks ADD COLUMN request_digest TEXT;
