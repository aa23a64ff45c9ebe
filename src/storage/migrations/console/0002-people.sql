-- People who sign in with OpenID Connect: the principal that stands for each, by issuer and subject.
CREATE TABLE console_people (
  issuer TEXT_C NOT NULL,
  subject TEXT_C NOT NULL,
  principal_id TEXT_C NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);

CREATE UNIQUE INDEX console_people_principal ON console_people (principal_id);

-- Sign-ins that were begun and are to return from the provider, each once: the hashes of the state and of the cookie of
-- the browser, and the page that was requested. Nonce and code verifier are computed from the cookie and never stored.
CREATE TABLE console_sign_ins (
  state_hash TEXT_C PRIMARY KEY,
  browser_hash TEXT_C NOT NULL,
  return_to TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX console_sign_ins_age ON console_sign_ins (expires_at);

-- Sessions have an id by which they are listed and ended, and where they began. Those of people also have the roles as a
-- list in JSON, the provider's tokens (sealed), when the provider last confirmed the roles, and until when one instance
-- is asking it again.
ALTER TABLE console_sessions ADD COLUMN session_id TEXT_C NOT NULL DEFAULT '';
ALTER TABLE console_sessions ADD COLUMN address TEXT_C;
ALTER TABLE console_sessions ADD COLUMN roles TEXT;
ALTER TABLE console_sessions ADD COLUMN tokens TEXT;
ALTER TABLE console_sessions ADD COLUMN checked_at BIGINT;
ALTER TABLE console_sessions ADD COLUMN checking_until BIGINT;

-- Sessions of the version before have no id by which they could be ended.
DELETE FROM console_sessions;

CREATE INDEX console_sessions_new ON console_sessions (created_at, session_id);
CREATE INDEX console_sessions_id ON console_sessions (session_id);
