-- The catalogue of signals. `seq` is the place in the order of changes: a signal that changes moves to its end, and one
-- that is removed leaves a row in signal_removals there. `signal` is the whole of it as JSON; type and provider are columns
-- as well, to be counted and listed by.
CREATE TABLE signals (
  signal_agent_segment_id TEXT_C PRIMARY KEY,
  seq BIGINT NOT NULL,
  version BIGINT NOT NULL,
  text_digest TEXT_C NOT NULL,
  changed_at BIGINT NOT NULL,
  signal_type TEXT NOT NULL,
  data_provider TEXT NOT NULL,
  signal TEXT NOT NULL
);

CREATE UNIQUE INDEX signals_order ON signals (seq);
-- Which vectors are still of use.
CREATE INDEX signals_text ON signals (text_digest);
-- The catalogue by provider and by type, in pages; and the providers, each found from the one before it.
CREATE INDEX signals_provider ON signals (data_provider, signal_agent_segment_id);
CREATE INDEX signals_type ON signals (signal_type, signal_agent_segment_id);

CREATE TABLE signal_removals (
  seq BIGINT PRIMARY KEY,
  signal_agent_segment_id TEXT NOT NULL,
  removed_at BIGINT NOT NULL
);

CREATE INDEX signal_removals_age ON signal_removals (removed_at);

-- One row. Who changes the catalogue holds it until the commit, so places in the order of changes become visible in their
-- order. `forgotten` is the latest place whose removal is no longer reported.
CREATE TABLE signal_catalogue (
  id INTEGER PRIMARY KEY,
  seq BIGINT NOT NULL,
  signals BIGINT NOT NULL,
  forgotten BIGINT NOT NULL
);

INSERT INTO signal_catalogue (id, seq, signals, forgotten) VALUES (1, 0, 0, 0);

-- Vectors by the digest of the text they are of.
CREATE TABLE signal_vectors (
  model TEXT_C NOT NULL,
  digest TEXT_C NOT NULL,
  vector BYTES NOT NULL,
  PRIMARY KEY (model, digest)
);

-- How far the catalogue was searched for texts without a vector of a model. Up to that place in the order of changes, each
-- text has its vector or is in signal_vector_claims.
CREATE TABLE signal_vector_models (
  model TEXT_C PRIMARY KEY,
  seq BIGINT NOT NULL,
  vectors BIGINT NOT NULL
);

CREATE TABLE signal_vector_claims (
  model TEXT_C NOT NULL,
  digest TEXT_C NOT NULL,
  text TEXT NOT NULL,
  lease_until BIGINT NOT NULL,
  lost INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (model, digest)
);

CREATE INDEX signal_vector_claims_due ON signal_vector_claims (model, lease_until);

-- Texts that a signal had and perhaps none has any more.
CREATE TABLE signal_vector_orphans (
  digest TEXT_C PRIMARY KEY
);

-- Accounts that principals may use, on a platform by its name or at an agent by its URL.
CREATE TABLE principal_accounts (
  principal_id TEXT_C NOT NULL,
  platform TEXT_C NOT NULL,
  account TEXT_C NOT NULL,
  granted_at BIGINT NOT NULL,
  PRIMARY KEY (principal_id, platform, account)
);

-- The state of a signal on a target for a principal (spec 3.3). The columns are what is searched by; the whole of it is JSON
-- in `activation`. origin: who answers for the run, a platform or the catalogue alone. ended_by: what ended it. key_text:
-- what targeting names a live signal by.
CREATE TABLE signal_activations (
  principal_id TEXT_C NOT NULL,
  signal_agent_segment_id TEXT_C NOT NULL,
  target_key TEXT_C NOT NULL,
  state TEXT_C NOT NULL,
  task_id TEXT_C NOT NULL,
  changed_at BIGINT NOT NULL,
  activation TEXT NOT NULL,
  origin TEXT_C NOT NULL DEFAULT 'platform',
  ended_by TEXT_C,
  key_text TEXT_C,
  PRIMARY KEY (principal_id, signal_agent_segment_id, target_key)
);

CREATE INDEX signal_activations_driven ON signal_activations (task_id) WHERE state = 'activating';
CREATE INDEX signal_activations_changed ON signal_activations (principal_id, changed_at);
CREATE INDEX signal_activations_key ON signal_activations (principal_id, key_text)
  WHERE key_text IS NOT NULL;
-- The activations of a signal, of all principals; signals by the state of their activations; and whether anything has
-- changed.
CREATE INDEX signal_activations_signal ON signal_activations (signal_agent_segment_id, changed_at);
CREATE INDEX signal_activations_state ON signal_activations
  (state, signal_agent_segment_id, principal_id);
CREATE INDEX signal_activations_latest ON signal_activations (changed_at);

-- Runs of activations that their platforms are to forget, each as it was when it ended.
CREATE TABLE signal_takedowns (
  activation_id TEXT_C PRIMARY KEY,
  activation TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  tries INTEGER NOT NULL,
  lost INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX signal_takedowns_due ON signal_takedowns (due_at);
