-- Assets that builds made, under the SHA-256 digest of their bytes. Written once; only last_used_at
-- changes, and what was not used for long is forgotten.
CREATE TABLE creative_assets (
  digest TEXT_C PRIMARY KEY,
  media_type TEXT NOT NULL,
  bytes BYTES NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL
);

CREATE INDEX creative_assets_age ON creative_assets (last_used_at);
