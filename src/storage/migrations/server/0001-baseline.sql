-- Who may call tasks. is_demo: made by a start with --demo, its key is refused by any other. is_sandbox: made by a sandbox,
-- and good for sandboxes alone.
CREATE TABLE principals (
  principal_id TEXT_C PRIMARY KEY,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  is_demo INTEGER NOT NULL DEFAULT 0,
  is_sandbox INTEGER NOT NULL DEFAULT 0
);

-- Lists of principals, the newest first, and whether one of them has changed.
CREATE INDEX principals_new ON principals (created_at, principal_id);
CREATE INDEX principals_revoked ON principals (revoked_at) WHERE revoked_at IS NOT NULL;

-- The hashed keys of principals and organisations: several for each owner, so that one can be replaced before it ends.
-- key_id names a key in commands; last_used_at is noted now and then; from expires_at on a key is refused.
CREATE TABLE api_keys (
  key_hash TEXT_C PRIMARY KEY,
  hint TEXT NOT NULL,
  kind TEXT NOT NULL,
  owner_id TEXT_C NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  key_id TEXT_C,
  expires_at BIGINT,
  last_used_at BIGINT
);

CREATE INDEX api_keys_of ON api_keys (owner_id);
CREATE UNIQUE INDEX api_keys_id ON api_keys (key_id);
CREATE INDEX api_keys_new ON api_keys (created_at);
CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;
-- Whose a key is, by the part of it that is displayed.
CREATE INDEX api_keys_hint ON api_keys (hint);

-- Keys that principals sign their requests with (spec 5). kind is jwk (the key itself), jwks_url (an address of a key set)
-- or agent_url (an agent, from which its key set is found). `identity` may be here once only, whoever has it: the
-- thumbprint of the key, or the address in its one form.
CREATE TABLE principal_request_keys (
  key_id TEXT_C PRIMARY KEY,
  principal_id TEXT_C NOT NULL,
  kind TEXT_C NOT NULL,
  identity TEXT_C NOT NULL,
  kid TEXT_C,
  jwk TEXT,
  url TEXT,
  pin TEXT,
  created_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX principal_request_keys_identity ON principal_request_keys (identity);
CREATE INDEX principal_request_keys_of ON principal_request_keys (principal_id, created_at);
CREATE INDEX principal_request_keys_kid ON principal_request_keys (kid) WHERE kid IS NOT NULL;
CREATE INDEX principal_request_keys_found ON principal_request_keys (created_at, key_id) WHERE kid IS NULL;

-- The keys this operator signs with. What state one is in follows from its times; private_key is the private JWK, sealed
-- or plain, or null when it is held elsewhere or was erased.
CREATE TABLE signing_keys (
  kid TEXT_C PRIMARY KEY,
  algorithm TEXT NOT NULL,
  purpose TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  private_key TEXT,
  published_at BIGINT NOT NULL,
  active_from BIGINT,
  retired_at BIGINT,
  remove_at BIGINT,
  revoked_at BIGINT
);

-- Random secrets that the instances on one database share.
CREATE TABLE server_secrets (
  name TEXT_C PRIMARY KEY,
  value TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- The last time that a server noted, by the database's clock: a start at quite another time may be one with a wrong clock.
CREATE TABLE server_clock (
  id INTEGER PRIMARY KEY,
  seen_at BIGINT NOT NULL
);

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
-- Calls under way, which a start on SQLite forgets.
CREATE INDEX idempotent_requests_open ON idempotent_requests (lease_until) WHERE answer IS NULL;

-- Tasks of A2A callers, so that every instance can be asked for them; body is the answer as JSON. How much is kept for each
-- owner is limited.
CREATE TABLE a2a_tasks (
  task_id TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  context_id TEXT NOT NULL,
  skill TEXT NOT NULL,
  state TEXT NOT NULL,
  body TEXT,
  updated_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  body_bytes INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX a2a_tasks_age ON a2a_tasks (expires_at);
CREATE INDEX a2a_tasks_of ON a2a_tasks (owner, expires_at, body_bytes);

-- Tasks that were accepted for later, or may be (spec 3.2). JSON members: request (without secrets), context, progress,
-- input_required, result, errors, state (of the work), input (that was provided). context_verbatim is the context as it was
-- written, where `context` spells it in another way. request_digest is that of the request as canonical JSON: what a
-- repeated one is known by once the request itself is forgotten, which it is when the task ends. A task that has not ended
-- is always due some time: for its next step, while a step runs at the end of its lease, and while it waits for its caller
-- at its deadline. run is the fencing token: it counts claims and what ended them. lost: claims in a row that nobody ended,
-- since their process died; while something is claimed, this claim is among them, so that what kills its process is given
-- up after a few. generation: in which form webhooks report errors; NULL is the specification's.
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
  -- Whether the caller ever received task_id: what was answered inline has none (spec 3.2).
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
  completed_at BIGINT,
  lost INTEGER NOT NULL DEFAULT 0,
  request_digest TEXT,
  context_verbatim TEXT,
  generation TEXT
);

CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_lost ON tasks (due_at) WHERE lost > 0;
CREATE INDEX tasks_owner ON tasks (owner, created_at);
CREATE INDEX tasks_key ON tasks (owner, task_type, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (completed_at) WHERE completed_at IS NOT NULL;
-- Tasks that have not ended are counted where they are.
CREATE INDEX tasks_open ON tasks (owner) WHERE completed_at IS NULL;
-- Tasks of all principals whose callers know them, the newest first.
CREATE INDEX tasks_new ON tasks (created_at, task_id) WHERE is_told = 1;
CREATE INDEX tasks_status ON tasks (status, created_at, task_id) WHERE is_told = 1;
CREATE INDEX tasks_type ON tasks (task_type, created_at, task_id) WHERE is_told = 1;

-- What was requested and answered, oldest first.
CREATE TABLE task_history (
  task_id TEXT_C NOT NULL REFERENCES tasks (task_id) ON DELETE CASCADE,
  entry INTEGER NOT NULL,
  at BIGINT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (task_id, entry)
);
