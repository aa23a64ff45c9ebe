-- Files of publishers and of those who manage publishers, each by its address. Its contents belong to a version: a new
-- one is written beside the old one, and takes its place in one statement.
CREATE TABLE publisher_files (
  id TEXT_C PRIMARY KEY,
  url TEXT NOT NULL,
  host TEXT_C NOT NULL,
  version INTEGER NOT NULL,
  -- The version whose authorizations have been computed for every publisher.
  applied_version INTEGER NOT NULL,
  etag TEXT,
  last_modified TEXT,
  digest TEXT,
  bytes INTEGER NOT NULL,
  property_count INTEGER NOT NULL,
  entry_count INTEGER NOT NULL,
  last_updated BIGINT,
  contact TEXT,
  counts TEXT NOT NULL,
  faults TEXT NOT NULL,
  total_faults INTEGER NOT NULL,
  -- The last time that it was read, or found unchanged; 0 for never.
  verified_at BIGINT NOT NULL,
  checked_at BIGINT NOT NULL
);
CREATE INDEX publisher_files_unapplied ON publisher_files (id) WHERE applied_version < version;

CREATE TABLE publisher_file_entries (
  file_id TEXT_C NOT NULL,
  version INTEGER NOT NULL,
  n INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (file_id, version, n)
);

CREATE TABLE publisher_file_properties (
  file_id TEXT_C NOT NULL,
  version INTEGER NOT NULL,
  n INTEGER NOT NULL,
  publisher_domain TEXT_C,
  property_id TEXT_C NOT NULL,
  property_type TEXT NOT NULL,
  name TEXT NOT NULL,
  identifiers TEXT NOT NULL,
  tags TEXT NOT NULL,
  entry INTEGER,
  PRIMARY KEY (file_id, version, n)
);
CREATE INDEX publisher_file_properties_by_domain ON publisher_file_properties (publisher_domain, file_id, version, n);

CREATE TABLE publisher_file_identifiers (
  type TEXT_C NOT NULL,
  value TEXT_C NOT NULL,
  file_id TEXT_C NOT NULL,
  version INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (type, value, file_id, version, n)
);
CREATE INDEX publisher_file_identifiers_by_file ON publisher_file_identifiers (file_id, version);

-- The publishers that a file revokes.
CREATE TABLE publisher_file_revocations (
  file_id TEXT_C NOT NULL,
  version INTEGER NOT NULL,
  publisher_domain TEXT_C NOT NULL,
  revoked_at BIGINT,
  reason TEXT,
  PRIMARY KEY (file_id, version, publisher_domain)
);

-- A revocation by a publisher's own file, or by the one it points to. It is held although it disappears from the file.
CREATE TABLE publisher_revocations (
  publisher_domain TEXT_C PRIMARY KEY,
  file_id TEXT_C NOT NULL,
  reason TEXT,
  revoked_at BIGINT NOT NULL,
  held_until BIGINT NOT NULL
);

-- What is known of the adagents.json of a domain, and when to look again.
CREATE TABLE crawl_domains (
  domain TEXT_C PRIMARY KEY,
  -- never, valid, invalid, absent, failed
  status TEXT NOT NULL,
  -- The file that speaks for the domain, whatever became of the last attempt; and how it came to do so.
  file_id TEXT_C,
  discovery_method TEXT,
  manager_domain TEXT_C,
  location TEXT,
  -- Where a changed pointer points to, and since when.
  held_location TEXT,
  held_since BIGINT,
  last_http_status INTEGER,
  last_bytes INTEGER,
  error_code TEXT,
  error TEXT,
  faults TEXT NOT NULL,
  -- When the status began, the last attempt, and the last attempt with a usable file or none.
  status_since BIGINT NOT NULL,
  checked_at BIGINT NOT NULL,
  verified_at BIGINT NOT NULL,
  failures INTEGER NOT NULL,
  found_by TEXT NOT NULL,
  next_crawl_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  lease_token TEXT,
  lost INTEGER NOT NULL
);
CREATE INDEX crawl_domains_due ON crawl_domains (next_crawl_at);
CREATE INDEX crawl_domains_by_file ON crawl_domains (file_id, domain);

CREATE TABLE crawl_requests (
  id TEXT_C PRIMARY KEY,
  domain TEXT_C NOT NULL,
  requested_by TEXT_C NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  requested_at BIGINT NOT NULL,
  started_at BIGINT,
  last_attempted_at BIGINT,
  completed_at BIGINT,
  next_attempt_at BIGINT,
  last_error_code TEXT
);
CREATE INDEX crawl_requests_by_domain ON crawl_requests (domain, requested_at);
CREATE INDEX crawl_requests_by_caller ON crawl_requests (requested_by, requested_at);
CREATE INDEX crawl_requests_by_age ON crawl_requests (requested_at);

CREATE TABLE authorizations (
  id TEXT_C PRIMARY KEY,
  publisher_domain TEXT_C NOT NULL,
  agent_url TEXT_C NOT NULL,
  authorization_type TEXT NOT NULL,
  -- live: by the publisher's word; claimed: a manager's file alone names the publisher; revoked, ended
  status TEXT NOT NULL,
  file_id TEXT_C NOT NULL,
  entry INTEGER NOT NULL,
  discovery_method TEXT NOT NULL,
  manager_domain TEXT_C,
  property_ids TEXT NOT NULL,
  properties_authorized INTEGER NOT NULL,
  properties_total INTEGER NOT NULL,
  terms TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  effective_from BIGINT,
  effective_until BIGINT,
  digest TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX authorizations_of_agent ON authorizations (agent_url, status, publisher_domain, id);
CREATE INDEX authorizations_of_publisher ON authorizations (publisher_domain, agent_url, id);
CREATE INDEX authorizations_of_file ON authorizations (file_id, publisher_domain);

CREATE TABLE authorization_changes (
  seq SERIAL_KEY,
  authorization_id TEXT_C NOT NULL,
  change TEXT NOT NULL,
  reason TEXT NOT NULL,
  terms TEXT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX authorization_changes_of ON authorization_changes (authorization_id, seq);
