-- A keyid is its signer's own choice: nonces, and how many there may be, go by signer and key. What was
-- stored by keyid alone is kept aside under its old digest until it has expired, so that nothing that was
-- accepted before is accepted again.
CREATE TABLE replay_nonces_by_keyid (
  nonce_id TEXT_C PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

INSERT INTO replay_nonces_by_keyid (nonce_id, expires_at)
SELECT nonce_id, expires_at FROM replay_nonces;

DELETE FROM replay_nonces;
DELETE FROM replay_counters;

-- How many rows each key has, each signer (its keys' parent) and all of them together (the signers').
ALTER TABLE replay_counters ADD COLUMN parent TEXT_C;

-- Received messages that wait, of each sender in the order they are due: behind a crowd of one sender's
-- the others get their turn.
CREATE INDEX webhook_inbox_turn ON webhook_inbox (sender, due_at, message_id)
  WHERE state = 'pending';
DROP INDEX webhook_inbox_leased;
CREATE INDEX webhook_inbox_leased ON webhook_inbox (lease_until, subject, sender)
  WHERE state = 'leased';

-- How much a sender's bodies take, beside how many there are.
ALTER TABLE webhook_inbox_senders ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0;
UPDATE webhook_inbox_senders SET kept_bytes = coalesce((
  SELECT sum(length(i.body)) FROM webhook_inbox i
  WHERE i.sender = webhook_inbox_senders.sender), 0);
