-- The catalogue of signals. `seq` is the place in the order of changes: a signal that changes moves to
-- its end, and one that is removed leaves a row in signal_removals there. `signal` is the whole of it as
-- JSON; type and provider stand beside it to be counted.
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

CREATE TABLE signal_removals (
  seq BIGINT PRIMARY KEY,
  signal_agent_segment_id TEXT NOT NULL,
  removed_at BIGINT NOT NULL
);

CREATE INDEX signal_removals_age ON signal_removals (removed_at);

-- One row. Whoever changes the catalogue holds it until the commit, so places in the order of changes
-- become visible in their order. `forgotten` is the latest place whose removal is no longer told.
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

-- How far the catalogue was looked through for texts without a vector of a model. Up to that place in
-- the order of changes, each text has its vector or stands in signal_vector_claims.
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
  PRIMARY KEY (model, digest)
);

CREATE INDEX signal_vector_claims_due ON signal_vector_claims (model, lease_until);

-- Texts that a signal had and perhaps none has any more.
CREATE TABLE signal_vector_orphans (
  digest TEXT_C PRIMARY KEY
);
