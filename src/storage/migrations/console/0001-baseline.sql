-- Who is signed in to the console: the hash of the cookie, and of the key it was opened with, which is looked up at every
-- request, so that a revocation counts at once.
CREATE TABLE console_sessions (
  session_hash TEXT_C PRIMARY KEY,
  key_hash TEXT_C NOT NULL,
  principal_id TEXT_C NOT NULL,
  created_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX console_sessions_age ON console_sessions (expires_at);
CREATE INDEX console_sessions_of ON console_sessions (principal_id, created_at);

-- Who did what in the console, and the outcome. The name is that of the time, and an entry outlives its principal.
-- Refused sign-ins and requests also have the address they came from, the key, how many attempts the entry stands for, and
-- when the last of them was; an entry of one attempt has no last_at.
CREATE TABLE console_audit (
  audit_id SERIAL_KEY,
  at BIGINT NOT NULL,
  actor_id TEXT_C NOT NULL,
  actor_name TEXT NOT NULL,
  action TEXT_C NOT NULL,
  target TEXT,
  outcome TEXT NOT NULL,
  detail TEXT,
  address TEXT_C,
  key_id TEXT_C,
  attempts BIGINT NOT NULL DEFAULT 1,
  last_at BIGINT
);

CREATE INDEX console_audit_actor ON console_audit (actor_id, audit_id);
CREATE INDEX console_audit_action ON console_audit (action, audit_id);
CREATE INDEX console_audit_address ON console_audit (address, audit_id) WHERE address IS NOT NULL;
CREATE INDEX console_audit_refused ON console_audit (audit_id) WHERE outcome = 'refused';
CREATE INDEX console_audit_last ON console_audit (last_at) WHERE last_at IS NOT NULL;

-- Links to a read-only page of one principal's own deliveries and reports: the hash of the token, what the page has as a
-- list in JSON, and who made the link. The name is that of the time.
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

-- Browsers that opened one: the hash of their cookie. Whether the link is still good is checked at every request.
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
