-- Examinations are due site by site, so that the agents of one site are examined one after the other. The site of an agent
-- that is not on the schedule yet is null.
ALTER TABLE agent_compliance ADD COLUMN site TEXT_C;
DROP INDEX agent_compliance_due;
CREATE INDEX agent_compliance_due ON agent_compliance (site, next_check_at);

CREATE TABLE agent_compliance_sites (
  site TEXT_C PRIMARY KEY,
  next_check_at BIGINT NOT NULL
);
CREATE INDEX agent_compliance_sites_due ON agent_compliance_sites (next_check_at);
