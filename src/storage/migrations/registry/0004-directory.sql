-- The agents that are published, by their URLs; the first to list a URL comes first.
CREATE INDEX member_agents_listed ON member_agents (url, created_at, organization_id) WHERE visibility <> 'private';
CREATE INDEX member_agents_listed_by_type ON member_agents (type, url) WHERE visibility <> 'private';
