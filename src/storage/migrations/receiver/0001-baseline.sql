-- What was received and acknowledged (spec 6.4): one row for each sender and idempotency_key. state is pending (due_at says
-- when), leased (until lease_until; attempts is the fencing token), applied, stale (acknowledged and ignored) or dead (the
-- handler failed too often); body is what was signed.
CREATE TABLE webhook_inbox (
  message_id SERIAL_KEY,
  sender TEXT_C NOT NULL,
  idempotency_key TEXT_C NOT NULL,
  digest TEXT_C NOT NULL,
  route TEXT_C NOT NULL,
  family TEXT NOT NULL,
  -- Messages of one subject are applied one at a time: a digest of sender and task_id.
  subject TEXT_C,
  task_id TEXT_C,
  operation_id TEXT_C,
  status TEXT,
  event_at BIGINT,
  state TEXT_C NOT NULL,
  reason TEXT,
  attempts INTEGER NOT NULL,
  worker TEXT,
  due_at BIGINT NOT NULL,
  lease_until BIGINT,
  received_at BIGINT NOT NULL,
  ended_at BIGINT,
  expires_at BIGINT NOT NULL,
  body BYTES NOT NULL
);

CREATE UNIQUE INDEX webhook_inbox_key ON webhook_inbox (sender, idempotency_key);

-- What is due: messages without a subject, which never wait for each other, and those with one, also in the order of their
-- subjects, so that many of one subject can be skipped, and of each sender, so that behind many of one sender the
-- others get their turn.
CREATE INDEX webhook_inbox_free ON webhook_inbox (due_at, message_id)
  WHERE state = 'pending' AND subject IS NULL;
CREATE INDEX webhook_inbox_due ON webhook_inbox (due_at, message_id)
  WHERE state = 'pending' AND subject IS NOT NULL;
CREATE INDEX webhook_inbox_subject ON webhook_inbox (subject, due_at, message_id)
  WHERE state = 'pending' AND subject IS NOT NULL;
CREATE INDEX webhook_inbox_turn ON webhook_inbox (sender, due_at, message_id)
  WHERE state = 'pending';
CREATE INDEX webhook_inbox_leased ON webhook_inbox (lease_until, subject, sender)
  WHERE state = 'leased';
CREATE INDEX webhook_inbox_dead ON webhook_inbox (message_id) WHERE state = 'dead';
CREATE INDEX webhook_inbox_task ON webhook_inbox (task_id, message_id) WHERE task_id IS NOT NULL;
-- An operation_id may be longer than PostgreSQL indexes.
CREATE INDEX webhook_inbox_operation ON webhook_inbox (substr(operation_id, 1, 200), message_id)
  WHERE operation_id IS NOT NULL;
CREATE INDEX webhook_inbox_age ON webhook_inbox (sender, expires_at) WHERE ended_at IS NOT NULL;

-- Lists of received messages, the last received first. Nearly all were applied, so the states that people look for have
-- indexes of their own, which most messages never enter.
CREATE INDEX webhook_inbox_new ON webhook_inbox (received_at, message_id);
CREATE INDEX webhook_inbox_of ON webhook_inbox (sender, received_at, message_id);
CREATE INDEX webhook_inbox_new_dead ON webhook_inbox (received_at, message_id)
  WHERE state = 'dead';
CREATE INDEX webhook_inbox_new_stale ON webhook_inbox (received_at, message_id)
  WHERE state = 'stale';

-- How many keys of a sender are kept, and how many bytes its bodies take: its limits are checked without counting rows. Who
-- adds or forgets messages of a sender holds its row first.
CREATE TABLE webhook_inbox_senders (
  sender TEXT_C PRIMARY KEY,
  kept BIGINT NOT NULL,
  changed_bodies BIGINT NOT NULL,
  kept_bytes BIGINT NOT NULL DEFAULT 0
);

-- How far each task has come, by what was applied: what is older is stale.
CREATE TABLE webhook_inbox_tasks (
  subject TEXT_C PRIMARY KEY,
  event_at BIGINT NOT NULL,
  status TEXT NOT NULL,
  is_final INTEGER NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX webhook_inbox_tasks_age ON webhook_inbox_tasks (updated_at);
