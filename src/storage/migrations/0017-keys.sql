-- Several keys for each owner, so that one can be replaced before it ends. key_id names a key in
-- commands; last_used_at is noted now and then; from expires_at on a key is refused.
ALTER TABLE api_keys ADD COLUMN key_id TEXT_C;

ALTER TABLE api_keys ADD COLUMN expires_at BIGINT;

ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT;

-- only: sqlite
UPDATE api_keys SET key_id = 'key_' || lower(hex(randomblob(8)));

-- only: postgres
UPDATE api_keys SET key_id = 'key_' || substr(md5(random()::text || key_hash), 1, 16);

CREATE UNIQUE INDEX api_keys_id ON api_keys (key_id);

-- Made by a start with --demo: its key is refused by any other.
ALTER TABLE principals ADD COLUMN is_demo INTEGER NOT NULL DEFAULT 0;

UPDATE principals SET is_demo = 1 WHERE name = 'Adwire demo';

-- The token of a webhook, sealed, apart from the body that it is put into when it is sent: at the byte
-- token_at, so many bytes long.
ALTER TABLE webhook_deliveries ADD COLUMN token TEXT;

ALTER TABLE webhook_deliveries ADD COLUMN token_at INTEGER;

ALTER TABLE webhook_deliveries ADD COLUMN token_bytes INTEGER;

-- Calls under way, which a start on SQLite forgets.
CREATE INDEX idempotent_requests_open ON idempotent_requests (lease_until) WHERE answer IS NULL;
