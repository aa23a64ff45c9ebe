-- Accounts that principals may use, on a platform by its name or at an agent by its URL.
CREATE TABLE principal_accounts (
  principal_id TEXT_C NOT NULL,
  platform TEXT_C NOT NULL,
  account TEXT_C NOT NULL,
  granted_at BIGINT NOT NULL,
  PRIMARY KEY (principal_id, platform, account)
);

-- How a signal stands on a target for a principal (spec 3.3). The columns are what is sought by; the
-- whole of it is JSON in `activation`.
CREATE TABLE signal_activations (
  principal_id TEXT_C NOT NULL,
  signal_agent_segment_id TEXT_C NOT NULL,
  target_key TEXT_C NOT NULL,
  state TEXT_C NOT NULL,
  task_id TEXT_C NOT NULL,
  changed_at BIGINT NOT NULL,
  activation TEXT NOT NULL,
  PRIMARY KEY (principal_id, signal_agent_segment_id, target_key)
);

CREATE INDEX signal_activations_driven ON signal_activations (task_id) WHERE state = 'activating';

CREATE INDEX signal_activations_changed ON signal_activations (principal_id, changed_at);

-- Runs of activations that their platforms shall forget, each as it stood when it ended.
CREATE TABLE signal_takedowns (
  activation_id TEXT_C PRIMARY KEY,
  activation TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  tries INTEGER NOT NULL
);

CREATE INDEX signal_takedowns_due ON signal_takedowns (due_at);
