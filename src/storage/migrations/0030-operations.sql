-- What an operator has sent again since a time: which deliveries of an owner's endpoint, how far it has come
-- (cursor_id is the last delivery that was looked at, last_id the last one to look at), and who asked for it.
-- phase is counting or sending; ended_at and state say how it ended. A step moves cursor and deliveries in one
-- transaction, so that whoever takes it up sends none twice.
CREATE TABLE webhook_recoveries (
  recovery_id SERIAL_KEY,
  owner TEXT_C NOT NULL,
  endpoint TEXT_C NOT NULL,
  which TEXT NOT NULL,
  since BIGINT NOT NULL,
  state TEXT_C NOT NULL,
  total BIGINT NOT NULL,
  sent BIGINT NOT NULL,
  passed_over BIGINT NOT NULL,
  first_id BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  cursor_id BIGINT NOT NULL,
  requested_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  ended_at BIGINT
);

-- One at a time for an endpoint; and those that run, the one that waited longest first.
CREATE UNIQUE INDEX webhook_recoveries_one ON webhook_recoveries (owner, endpoint)
  WHERE ended_at IS NULL;
CREATE INDEX webhook_recoveries_running ON webhook_recoveries (updated_at, recovery_id)
  WHERE ended_at IS NULL;
CREATE INDEX webhook_recoveries_of ON webhook_recoveries (owner, endpoint, recovery_id);
CREATE INDEX webhook_recoveries_changed ON webhook_recoveries (updated_at);
CREATE INDEX webhook_recoveries_age ON webhook_recoveries (ended_at) WHERE ended_at IS NOT NULL;

-- Called off by an operator's hand, and so not to be sent again with those that went wrong.
ALTER TABLE webhook_deliveries ADD COLUMN is_called_off INTEGER;
UPDATE webhook_deliveries SET is_called_off = 1
WHERE state = 'cancelled' AND reason = 'cancelled by an operator';

-- What went wrong at each owner's endpoint, in the order it came up.
CREATE INDEX webhook_deliveries_lost ON webhook_deliveries (lane, delivery_id)
  WHERE state IN ('exhausted', 'cancelled');

-- An operator's limits of an owner's endpoint, in place of those for all; NULL: as for all. next_at is when the next
-- attempt may be claimed, by the rate.
CREATE TABLE webhook_limits (
  lane TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  concurrency INTEGER,
  per_second DOUBLE PRECISION,
  next_at DOUBLE PRECISION NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX webhook_limits_changed ON webhook_limits (updated_at);

-- Lists of received messages, the last received first. Those that went well are nearly all, so the states that
-- people look for have indexes of their own, which most messages never enter.
CREATE INDEX webhook_inbox_new ON webhook_inbox (received_at, message_id);
CREATE INDEX webhook_inbox_of ON webhook_inbox (sender, received_at, message_id);
CREATE INDEX webhook_inbox_new_dead ON webhook_inbox (received_at, message_id)
  WHERE state = 'dead';
CREATE INDEX webhook_inbox_new_stale ON webhook_inbox (received_at, message_id)
  WHERE state = 'stale';
-- As before, but of messages in whatever state.
DROP INDEX webhook_inbox_operation;
CREATE INDEX webhook_inbox_operation ON webhook_inbox (substr(operation_id, 1, 200), message_id)
  WHERE operation_id IS NOT NULL;

-- What the seller asked the buyer before deciding, and the answers: a JSON list, the oldest first.
ALTER TABLE media_buy_approvals ADD COLUMN talk TEXT;
ALTER TABLE media_buy_approvals ADD COLUMN said_at BIGINT;
CREATE INDEX media_buy_approvals_said ON media_buy_approvals (said_at) WHERE said_at IS NOT NULL;
