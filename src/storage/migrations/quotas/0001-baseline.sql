-- How much each owner has of what is limited, so that a limit is checked without counting rows. Who adds or removes what is
-- counted changes the count in the same transaction. ends_at is 0, or the end of the hour in which what was counted ends
-- by itself. A count is the sum of its shards, so that those who add to it at the same time need not wait for each other;
-- one shard may be below 0.
CREATE TABLE quota_usage (
  owner TEXT_C NOT NULL,
  quota TEXT_C NOT NULL,
  ends_at BIGINT NOT NULL,
  shard INTEGER NOT NULL,
  used BIGINT NOT NULL,
  PRIMARY KEY (owner, quota, ends_at, shard)
);

CREATE INDEX quota_usage_age ON quota_usage (ends_at) WHERE ends_at > 0;
