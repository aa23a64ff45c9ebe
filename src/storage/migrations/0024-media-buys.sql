-- What can be bought (spec 4.5): products by the id that the operator gave them, the whole of each as JSON.
-- seq is the place in the order of changes, by which an index in memory is kept up to date.
CREATE TABLE products (
  product_id TEXT_C PRIMARY KEY,
  seq BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  product TEXT NOT NULL
);

-- One row. Whoever changes products holds it until the commit.
CREATE TABLE product_catalogue (
  id INTEGER PRIMARY KEY,
  seq BIGINT NOT NULL
);

INSERT INTO product_catalogue (id, seq) VALUES (1, 0);

-- Media buys (spec 3.4). status is what is shown; is_held: the buyer wants it to wait, also while something
-- else holds it up. due_at: when the clock moves it next, its start or its end; while somebody sees to that,
-- the end of the lease; null when it has ended. times are in milliseconds. Secrets of reporting_webhook and
-- push_notification_config are in webhook_channels, sealed; `reporting` has the rest as JSON. `terms` is what
-- the buyer said of it as JSON: brand, buyer_ref, name, ext and the like. context is verbatim.
CREATE TABLE media_buys (
  media_buy_id TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  account_id TEXT_C,
  status TEXT_C NOT NULL,
  is_held INTEGER NOT NULL,
  revision BIGINT NOT NULL,
  currency TEXT NOT NULL,
  total_budget DOUBLE PRECISION NOT NULL,
  time_zone TEXT NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  confirmed_at BIGINT,
  status_changed_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  due_at BIGINT,
  reporting TEXT,
  terms TEXT NOT NULL,
  context TEXT,
  ending TEXT,
  idempotency_key TEXT_C,
  request_digest TEXT
);

CREATE INDEX media_buys_owner ON media_buys (owner, created_at, media_buy_id);
CREATE INDEX media_buys_due ON media_buys (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX media_buys_key ON media_buys (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- The packages of a buy, in the order of place; `package` is the rest as JSON.
CREATE TABLE media_buy_packages (
  package_id TEXT_C PRIMARY KEY,
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  place INTEGER NOT NULL,
  product_id TEXT_C NOT NULL,
  package TEXT NOT NULL
);

CREATE INDEX media_buy_packages_buy ON media_buy_packages (media_buy_id, place);
CREATE INDEX media_buy_packages_owner ON media_buy_packages (owner);
CREATE INDEX media_buy_packages_product ON media_buy_packages (product_id);

-- The signals that the targeting of packages names by their activation keys.
CREATE TABLE media_buy_signals (
  owner TEXT_C NOT NULL,
  signal_agent_segment_id TEXT_C NOT NULL,
  package_id TEXT_C NOT NULL REFERENCES media_buy_packages (package_id) ON DELETE CASCADE,
  key_text TEXT_C NOT NULL,
  media_buy_id TEXT_C NOT NULL,
  PRIMARY KEY (owner, signal_agent_segment_id, package_id, key_text)
);

CREATE INDEX media_buy_signals_package ON media_buy_signals (package_id);

-- What was done to a buy, by its revision. The key is that of the request, so that a repeated one is known.
CREATE TABLE media_buy_history (
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  revision BIGINT NOT NULL,
  at BIGINT NOT NULL,
  entry TEXT NOT NULL,
  idempotency_key TEXT_C,
  PRIMARY KEY (media_buy_id, revision)
);

-- What waits, or waited, for an operator to approve it, by the task that asks. state is waiting, approved,
-- rejected, or withdrawn: the task ended before anybody decided.
CREATE TABLE media_buy_approvals (
  task_id TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  task_type TEXT NOT NULL,
  media_buy_id TEXT_C NOT NULL,
  state TEXT_C NOT NULL,
  reason TEXT NOT NULL,
  asked TEXT NOT NULL,
  note TEXT,
  decided_by TEXT,
  created_at BIGINT NOT NULL,
  decided_at BIGINT
);

CREATE INDEX media_buy_approvals_owner ON media_buy_approvals (owner);
CREATE INDEX media_buy_approvals_age ON media_buy_approvals (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX media_buy_approvals_state ON media_buy_approvals (state, created_at, task_id);

-- The accounts that buys are made for: of each brand and operator, and whether in the sandbox.
CREATE TABLE buyer_accounts (
  account_id TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  account_key TEXT_C NOT NULL,
  status TEXT_C NOT NULL,
  sandbox INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  account TEXT NOT NULL
);

CREATE UNIQUE INDEX buyer_accounts_key ON buyer_accounts (owner, account_key);
CREATE INDEX buyer_accounts_owner ON buyer_accounts (owner, created_at, account_id);

-- What targeting names a live signal by, so that it is found among many.
ALTER TABLE signal_activations ADD COLUMN key_text TEXT_C;

-- only: sqlite
UPDATE signal_activations SET key_text = CASE activation ->> '$.activation_key.type'
  WHEN 'segment_id' THEN 'segment_id:' || (activation ->> '$.activation_key.segment_id')
  WHEN 'key_value' THEN 'key_value:' || (activation ->> '$.activation_key.key') || '=' || (activation ->> '$.activation_key.value')
  END WHERE state = 'live';

-- only: postgres
UPDATE signal_activations SET key_text = CASE activation::jsonb #>> '{activation_key,type}'
  WHEN 'segment_id' THEN 'segment_id:' || (activation::jsonb #>> '{activation_key,segment_id}')
  WHEN 'key_value' THEN 'key_value:' || (activation::jsonb #>> '{activation_key,key}') || '=' || (activation::jsonb #>> '{activation_key,value}')
  END WHERE state = 'live';

CREATE INDEX signal_activations_key ON signal_activations (principal_id, key_text)
  WHERE key_text IS NOT NULL;
