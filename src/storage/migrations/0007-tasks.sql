-- Tasks that were accepted for later, or may be (spec 3.2). JSON members: request (without secrets),
-- context, progress, input_required, result, errors, state (of the work), input (that was provided).
-- A task that has not ended is always due some time: for its next step, while a step runs at the end
-- of its lease, and while it waits for its caller at its deadline. run is the fencing token: it
-- counts claims and what ended them.
CREATE TABLE tasks (
  task_id TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  task_type TEXT_C NOT NULL,
  domain TEXT_C NOT NULL,
  status TEXT_C NOT NULL,
  message TEXT,
  progress TEXT,
  input_required TEXT,
  result TEXT,
  errors TEXT,
  request TEXT NOT NULL,
  context TEXT,
  context_id TEXT,
  idempotency_key TEXT_C,
  -- Whether the caller was ever told task_id: what was answered inline has none (spec 3.2).
  is_told INTEGER NOT NULL,
  has_webhook INTEGER NOT NULL,
  state TEXT,
  input TEXT,
  tries INTEGER NOT NULL,
  run INTEGER NOT NULL,
  due_at BIGINT,
  deadline_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  completed_at BIGINT
);

CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_owner ON tasks (owner, created_at);
CREATE INDEX tasks_key ON tasks (owner, task_type, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (completed_at) WHERE completed_at IS NOT NULL;

-- What was asked and answered, oldest first.
CREATE TABLE task_history (
  task_id TEXT_C NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
  entry INTEGER NOT NULL,
  at BIGINT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (task_id, entry)
);
