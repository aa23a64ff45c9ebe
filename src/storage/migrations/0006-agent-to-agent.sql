-- Tasks of A2A callers, so that every instance can be asked for them; body is the answer as JSON.
CREATE TABLE a2a_tasks (
  task_id TEXT_C PRIMARY KEY,
  owner TEXT_C NOT NULL,
  context_id TEXT NOT NULL,
  skill TEXT NOT NULL,
  state TEXT NOT NULL,
  body TEXT,
  updated_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX a2a_tasks_age ON a2a_tasks (expires_at);

-- Where A2A callers want to be told of their tasks; secrets may be sealed.
CREATE TABLE a2a_push_registrations (
  owner TEXT_C NOT NULL,
  task_id TEXT_C NOT NULL,
  config_id TEXT_C NOT NULL,
  url TEXT NOT NULL,
  scheme TEXT,
  secrets TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (owner, task_id, config_id)
);

CREATE INDEX a2a_push_registrations_age ON a2a_push_registrations (expires_at);
