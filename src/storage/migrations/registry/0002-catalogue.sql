-- Governance policies, as they are now. review_status is pending or approved; source_type registry or community.
-- places are the jurisdictions and whatever their aliases name; words is what a search looks through, in lower case.
CREATE TABLE policies (
  policy_id TEXT_C PRIMARY KEY,
  version TEXT NOT NULL,
  category TEXT NOT NULL,
  enforcement TEXT NOT NULL,
  source_type TEXT NOT NULL,
  review_status TEXT NOT NULL,
  contributed_by_org_id TEXT,
  words TEXT NOT NULL,
  places TEXT NOT NULL,
  policy_categories TEXT NOT NULL,
  governance_domains TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX policies_pending ON policies (created_at, policy_id) WHERE review_status = 'pending';
CREATE INDEX policies_of ON policies (contributed_by_org_id);

-- Every version that was ever approved, so that a pin can be resolved for good.
CREATE TABLE policy_versions (
  policy_id TEXT_C NOT NULL REFERENCES policies (policy_id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (policy_id, version)
);

-- Edits of what people contribute to the registry: entity_kind says of what, entity_key of which one.
CREATE TABLE registry_revisions (
  entity_kind TEXT NOT NULL,
  entity_key TEXT_C NOT NULL,
  revision_number INTEGER NOT NULL,
  editor_name TEXT NOT NULL,
  edit_summary TEXT NOT NULL,
  source TEXT,
  rolled_back_to INTEGER,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (entity_kind, entity_key, revision_number)
);

-- What the community says of platforms that publish no adagents.json of their own. document is that file without its
-- time; digest is the SHA-256 of it.
CREATE TABLE community_mirrors (
  platform TEXT_C PRIMARY KEY,
  document TEXT NOT NULL,
  digest TEXT NOT NULL,
  catalog_etag TEXT,
  superseded_by TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE mirror_proposals (
  id TEXT_C PRIMARY KEY,
  platform TEXT_C NOT NULL,
  document TEXT NOT NULL,
  digest TEXT NOT NULL,
  catalog_etag TEXT,
  superseded_by TEXT,
  base_mirror_digest TEXT,
  status TEXT NOT NULL,
  organization_id TEXT_C NOT NULL,
  proposed_at BIGINT NOT NULL,
  reviewed_at BIGINT,
  review_notes TEXT,
  updated_at BIGINT NOT NULL
);

CREATE INDEX mirror_proposals_by_status ON mirror_proposals (status, id);
CREATE INDEX mirror_proposals_of ON mirror_proposals (organization_id, status, id);

-- What checks of property lists counted, for as long as their reports can be read.
CREATE TABLE property_check_reports (
  report_id TEXT_C PRIMARY KEY,
  summary TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE INDEX property_check_reports_age ON property_check_reports (created_at);
