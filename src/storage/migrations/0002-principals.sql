-- Who may call tasks, and the hashed keys of principals and organisations.
CREATE TABLE principals (
  principal_id TEXT_C PRIMARY KEY,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);

CREATE TABLE api_keys (
  key_hash TEXT_C PRIMARY KEY,
  hint TEXT NOT NULL,
  kind TEXT NOT NULL,
  owner_id TEXT_C NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);

CREATE INDEX api_keys_of ON api_keys (owner_id);
