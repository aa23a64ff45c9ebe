-- Links to a read-only page of one principal's own deliveries and reports: the hash of the token, what it shows as
-- a list in JSON, and who made it. The name is that of the time.
CREATE TABLE buyer_links (
  link_id TEXT_C PRIMARY KEY,
  token_hash TEXT_C NOT NULL,
  principal_id TEXT_C NOT NULL,
  shows TEXT NOT NULL,
  maker_id TEXT_C NOT NULL,
  maker_name TEXT NOT NULL,
  made_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  opens BIGINT NOT NULL DEFAULT 0,
  opened_at BIGINT,
  revoked_at BIGINT
);

CREATE UNIQUE INDEX buyer_links_token ON buyer_links (token_hash);
CREATE INDEX buyer_links_of ON buyer_links (principal_id, created_at, link_id);
CREATE INDEX buyer_links_age ON buyer_links (expires_at);
CREATE INDEX buyer_links_new ON buyer_links (created_at);
CREATE INDEX buyer_links_opened ON buyer_links (opened_at) WHERE opened_at IS NOT NULL;
CREATE INDEX buyer_links_revoked ON buyer_links (revoked_at) WHERE revoked_at IS NOT NULL;

-- Browsers that opened one: the hash of their cookie. Whether the link is good is asked at every request.
CREATE TABLE buyer_link_sessions (
  session_hash TEXT_C PRIMARY KEY,
  link_id TEXT_C NOT NULL,
  principal_id TEXT_C NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX buyer_link_sessions_of ON buyer_link_sessions (link_id, created_at);
CREATE INDEX buyer_link_sessions_owner ON buyer_link_sessions (principal_id);
CREATE INDEX buyer_link_sessions_age ON buyer_link_sessions (expires_at);

-- Lists of principals, the newest first, and what tells open screens that one of them or of their keys has changed.
CREATE INDEX principals_new ON principals (created_at, principal_id);
CREATE INDEX principals_revoked ON principals (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX api_keys_new ON api_keys (created_at);
CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- The windows of one principal's reports, the latest first.
CREATE INDEX report_windows_owner ON report_windows (owner, end_at, media_buy_id, kind);
