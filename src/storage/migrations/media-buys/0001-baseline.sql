-- What can be bought (spec 4.5): products by the id that the operator gave them, the whole of each as JSON.
-- seq is the place in the order of changes, by which an index in memory is kept up to date.
CREATE TABLE products (
  product_id TEXT_C PRIMARY KEY,
  seq BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  product TEXT NOT NULL
);

-- One row. Who changes products holds it until the commit.
CREATE TABLE product_catalogue (
  id INTEGER PRIMARY KEY,
  seq BIGINT NOT NULL
);

INSERT INTO product_catalogue (id, seq) VALUES (1, 0);

-- Media buys (spec 3.4). status is the one that is returned; is_held: the buyer wants it to wait, also while
-- something else holds it up. due_at: when the clock moves it next, its start or its end; while a worker has it,
-- the end of the lease; null when it has ended. times are in milliseconds. Secrets of reporting_webhook and
-- push_notification_config are in webhook_channels, sealed; `reporting` has the rest as JSON. `terms` is what
-- the buyer gave of it as JSON: brand, buyer_ref, name, ext and the like. context is verbatim.
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
-- Media buys of all principals, the newest first, and by status; and whether any of them has changed.
CREATE INDEX media_buys_new ON media_buys (created_at, media_buy_id);
CREATE INDEX media_buys_status ON media_buys (status, created_at, media_buy_id);
CREATE INDEX media_buys_owner_status ON media_buys (owner, status, created_at, media_buy_id);
CREATE INDEX media_buys_updated ON media_buys (updated_at);

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

-- What was done to a buy, by its revision. The key is that of the request, so that a repeated one is recognised.
CREATE TABLE media_buy_history (
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  revision BIGINT NOT NULL,
  at BIGINT NOT NULL,
  entry TEXT NOT NULL,
  idempotency_key TEXT_C,
  PRIMARY KEY (media_buy_id, revision)
);

-- What waits, or waited, for an operator to approve it, by the task that requests it. state is waiting, approved, rejected,
-- or withdrawn: the task ended before anybody decided. talk is what the seller asked the buyer before deciding, and the
-- answers: a JSON list, the oldest first.
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
  decided_at BIGINT,
  talk TEXT,
  said_at BIGINT
);

CREATE INDEX media_buy_approvals_owner ON media_buy_approvals (owner);
CREATE INDEX media_buy_approvals_age ON media_buy_approvals (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX media_buy_approvals_state ON media_buy_approvals (state, created_at, task_id);
CREATE INDEX media_buy_approvals_buy ON media_buy_approvals (media_buy_id, created_at);
CREATE INDEX media_buy_approvals_said ON media_buy_approvals (said_at) WHERE said_at IS NOT NULL;

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

-- Delivery reports of media buys (spec 2.11, 6.2). A stream for each buy with a reporting_webhook: opened_until is
-- the end of the last window that has a row, sequence_number that of the last report, totals the sums of what was
-- reported as JSON, unavailable how many windows never got figures. due_at: when there is something to do; while
-- a worker has it, the end of the lease; null when there is nothing. claim_no grows with every claim and every
-- change of the buy, and a worker that holds an older one writes nothing.
CREATE TABLE report_streams (
  media_buy_id TEXT_C PRIMARY KEY REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  opened_until BIGINT,
  sequence_number INTEGER NOT NULL,
  totals TEXT NOT NULL,
  unavailable INTEGER NOT NULL,
  delay_ms BIGINT NOT NULL,
  final_at BIGINT,
  due_at BIGINT,
  claim_no BIGINT NOT NULL
);

CREATE INDEX report_streams_due ON report_streams (due_at, media_buy_id) WHERE due_at IS NOT NULL;

-- Every window that has ended, and the state of its report: owed, sent, delivered, late or given_up. kind is
-- window, or final for the last report, which is about the whole flight. sequence_number is that of the last report
-- about it; notification_types are those of all of them, with a comma between; figures are what it said last as
-- JSON, by their digest. is_settled: they are requested no more. times are in milliseconds.
CREATE TABLE report_windows (
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  kind TEXT_C NOT NULL,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  owner TEXT_C NOT NULL,
  state TEXT_C NOT NULL,
  is_settled INTEGER NOT NULL,
  sequence_number INTEGER,
  notification_types TEXT NOT NULL,
  digest TEXT,
  expected_at BIGINT,
  sent_at BIGINT,
  ended_at BIGINT,
  reason TEXT,
  figures TEXT,
  PRIMARY KEY (media_buy_id, kind, start_at)
);

CREATE INDEX report_windows_open ON report_windows (media_buy_id, start_at) WHERE is_settled = 0;
CREATE INDEX report_windows_sent ON report_windows (sent_at, media_buy_id, kind, start_at)
  WHERE state = 'sent';
CREATE INDEX report_windows_missing ON report_windows (end_at, media_buy_id, kind)
  WHERE state IN ('owed', 'late', 'given_up');
-- With the state, so that the windows of a buy are counted by state in the index alone.
CREATE INDEX report_windows_ended ON report_windows (media_buy_id, end_at, kind, state);
-- The windows of one principal's reports, the latest first.
CREATE INDEX report_windows_owner ON report_windows (owner, end_at, media_buy_id, kind);
-- Buys whose reports are late or were given up, the last one first; and whether a buy has a later one.
CREATE INDEX report_windows_troubled ON report_windows (state, end_at, media_buy_id)
  WHERE state IN ('late', 'given_up');
CREATE INDEX report_windows_last_troubled ON report_windows (media_buy_id, state, end_at)
  WHERE state IN ('late', 'given_up');

-- What the simulated ad server has to deliver, and from when on, as JSON.
CREATE TABLE delivery_orders (
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  at BIGINT NOT NULL,
  packages TEXT NOT NULL,
  PRIMARY KEY (media_buy_id, place)
);

-- What impairs media buys (spec 6.3): of each dependency of a buy one that is open, cleared_at is null then.
-- raised_by is operator or system; `impairment` is the rest as JSON. times are in milliseconds.
CREATE TABLE media_buy_impairments (
  impairment_id TEXT_C PRIMARY KEY,
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  resource_type TEXT_C NOT NULL,
  resource_id TEXT_C NOT NULL,
  raised_by TEXT_C NOT NULL,
  observed_at BIGINT NOT NULL,
  cleared_at BIGINT,
  impairment TEXT NOT NULL
);

CREATE UNIQUE INDEX media_buy_impairments_open
  ON media_buy_impairments (media_buy_id, resource_type, resource_id) WHERE cleared_at IS NULL;
CREATE INDEX media_buy_impairments_buy ON media_buy_impairments (media_buy_id, observed_at);
CREATE INDEX media_buy_impairments_owner ON media_buy_impairments (owner, observed_at);
CREATE INDEX media_buy_impairments_age ON media_buy_impairments (cleared_at)
  WHERE cleared_at IS NOT NULL;
-- Buys with open impairments, the last one first; and whether a buy has a later one.
CREATE INDEX media_buy_impairments_new ON media_buy_impairments (observed_at, impairment_id)
  WHERE cleared_at IS NULL;
CREATE INDEX media_buy_impairments_last ON media_buy_impairments (media_buy_id, observed_at, impairment_id)
  WHERE cleared_at IS NULL;
-- What an owner's creative or format impairs.
CREATE INDEX media_buy_impairments_resource
  ON media_buy_impairments (owner, resource_type, resource_id) WHERE cleared_at IS NULL;

-- The open window of a buy: its changes so far as JSON, and when they are sent.
CREATE TABLE impairment_windows (
  media_buy_id TEXT_C PRIMARY KEY REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  window_id TEXT_C NOT NULL,
  opened_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  changes TEXT NOT NULL
);

CREATE INDEX impairment_windows_due ON impairment_windows (due_at, media_buy_id);
CREATE INDEX impairment_windows_owner ON impairment_windows (owner);

-- What was sent, so that it can be sent again under the same notification_id.
CREATE TABLE impairment_fires (
  fire_id SERIAL_KEY,
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  notification_id TEXT_C NOT NULL,
  fired_at BIGINT NOT NULL,
  result TEXT NOT NULL
);

CREATE INDEX impairment_fires_notification ON impairment_fires (notification_id, fire_id);
CREATE INDEX impairment_fires_buy ON impairment_fires (media_buy_id);
CREATE INDEX impairment_fires_owner ON impairment_fires (owner);
CREATE INDEX impairment_fires_age ON impairment_fires (fired_at);

-- Media plans that were offered to a buyer, until they are bought or expire. `origin` is what a draft was made from, as
-- long as nobody has changed it: the same request then finds the same draft.
CREATE TABLE media_buy_proposals (
  owner TEXT_C NOT NULL,
  proposal_id TEXT_C NOT NULL,
  origin TEXT_C,
  status TEXT_C NOT NULL,
  media_buy_id TEXT_C,
  plan TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (owner, proposal_id)
);

CREATE UNIQUE INDEX media_buy_proposals_origin ON media_buy_proposals (owner, origin);
CREATE INDEX media_buy_proposals_age ON media_buy_proposals (owner, status, updated_at);
CREATE INDEX media_buy_proposals_expiry ON media_buy_proposals (expires_at);
