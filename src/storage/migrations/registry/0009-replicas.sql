-- Other registries that are followed, and what they are known to hold. A row and the place in the feed from which it comes
-- are written in one transaction.
CREATE TABLE registry_replicas (
  url TEXT_C PRIMARY KEY,
  -- snapshot, sweep, follow
  phase TEXT NOT NULL,
  -- Of the snapshot that is, or was last, read: rows of an earlier one are deleted after it.
  generation INTEGER NOT NULL,
  snapshot_after TEXT NOT NULL,
  cursor TEXT,
  rows_read BIGINT NOT NULL,
  events_read BIGINT NOT NULL,
  -- When the end of the feed was last reached; 0 for never.
  in_step_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE replica_rows (
  url TEXT_C NOT NULL,
  kind TEXT_C NOT NULL,
  id TEXT_C NOT NULL,
  agent_url TEXT_C,
  publisher_domain TEXT_C,
  body TEXT NOT NULL,
  generation INTEGER NOT NULL,
  PRIMARY KEY (url, kind, id)
);
CREATE INDEX replica_rows_of_publisher ON replica_rows (publisher_domain, agent_url) WHERE publisher_domain IS NOT NULL;
