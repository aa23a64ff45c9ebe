-- Nonces of signatures that were accepted, until those signatures have expired. nonce_id is the digest of signer, key and
-- nonce, so that a sender does not choose the size of an index entry; times are in seconds.
CREATE TABLE replay_nonces (
  nonce_id TEXT_C PRIMARY KEY,
  counter_id TEXT_C NOT NULL,
  expires_at BIGINT NOT NULL,
  renewals INTEGER NOT NULL
);

CREATE INDEX replay_nonces_expired ON replay_nonces (counter_id, expires_at);

-- How many rows of replay_nonces each key has, each signer (the parent of its keys) and all of them together (the parent
-- of the signers, 'all').
CREATE TABLE replay_counters (
  counter_id TEXT_C PRIMARY KEY,
  stored BIGINT NOT NULL,
  parent TEXT_C
);
