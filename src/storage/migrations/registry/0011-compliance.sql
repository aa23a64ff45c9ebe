-- How agents that organisations publish do in examinations: one row for each that was examined or is to be. Times in
-- milliseconds; 0 for never.
CREATE TABLE agent_compliance (
  agent_url TEXT_C PRIMARY KEY,
  status TEXT NOT NULL,
  headline TEXT,
  tracks TEXT NOT NULL,
  storyboards TEXT NOT NULL,
  last_checked_at BIGINT NOT NULL,
  last_passed_at BIGINT NOT NULL,
  last_failed_at BIGINT NOT NULL,
  status_since BIGINT NOT NULL,
  next_check_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL
);
CREATE INDEX agent_compliance_due ON agent_compliance (next_check_at);

CREATE TABLE agent_compliance_runs (
  id TEXT_C PRIMARY KEY,
  agent_url TEXT_C NOT NULL,
  status TEXT NOT NULL,
  headline TEXT NOT NULL,
  tracks TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  triggered_by TEXT NOT NULL,
  tested_at BIGINT NOT NULL
);
CREATE INDEX agent_compliance_runs_of ON agent_compliance_runs (agent_url, tested_at);
