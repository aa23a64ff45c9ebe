-- Agents that publishers authorize or organisations list, with the inventory that follows from the authorizations. rank is
-- the part of a score that no search changes, in millionths; site the registrable domain of the URL; publishers the first of
-- their domains. A row with a dirty mark is computed again, when it is
-- due and not before the other time, which is also how it is leased. Only the worker that computes them and a new
-- listing write here: a change of authorizations adds a mark, so that no two of them wait for each other.
CREATE TABLE agent_profiles (
  agent_url TEXT_C PRIMARY KEY,
  site TEXT_C NOT NULL,
  rank BIGINT NOT NULL,
  channels TEXT NOT NULL,
  property_types TEXT NOT NULL,
  markets TEXT NOT NULL,
  categories TEXT NOT NULL,
  tags TEXT NOT NULL,
  delivery_types TEXT NOT NULL,
  has_tmp INTEGER NOT NULL,
  property_count INTEGER NOT NULL,
  publisher_count INTEGER NOT NULL,
  counts_by_type TEXT NOT NULL,
  publishers TEXT NOT NULL,
  dirty INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  not_before BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX agent_profiles_ranked ON agent_profiles (rank DESC, agent_url);
CREATE INDEX agent_profiles_by_site ON agent_profiles (site, agent_url);
CREATE INDEX agent_profiles_dirty ON agent_profiles (due_at) WHERE dirty > 0;
CREATE INDEX member_agents_by_url ON member_agents (url, created_at, organization_id);

CREATE TABLE agent_profile_marks (
  id SERIAL_KEY,
  agent_url TEXT_C NOT NULL
);

INSERT INTO agent_profile_marks (agent_url)
SELECT url FROM (SELECT url FROM member_agents UNION SELECT agent_url FROM authorizations) AS known;
