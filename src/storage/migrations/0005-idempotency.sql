-- Requests with an idempotency key: who is running one, and what was answered.
CREATE TABLE idempotent_requests (
  principal_id TEXT_C NOT NULL,
  task TEXT_C NOT NULL,
  idempotency_key TEXT_C NOT NULL,
  fingerprint TEXT NOT NULL,
  token TEXT NOT NULL,
  lease_until BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  answer TEXT,
  PRIMARY KEY (principal_id, task, idempotency_key)
);

CREATE INDEX idempotent_requests_age ON idempotent_requests (expires_at);
