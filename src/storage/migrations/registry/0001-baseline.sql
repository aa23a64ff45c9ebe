-- Manifest references: which file or agent describes a domain, and the state of its verification. authority is how far the
-- domain vouches for it: 0 never, 1 once and not now, more for each stronger proof. authority, completeness_score,
-- last_verified_at (0 = never) and created_at are the ranking of the lookup, so that its index ends at the best row. The id
-- is made from contributor, domain, types and target, so that the primary key also keeps each of them once. lost: claims in
-- a row that nobody ended, since their process died.
CREATE TABLE manifest_references (
  id TEXT_C PRIMARY KEY,
  domain TEXT_C NOT NULL,
  manifest_type TEXT NOT NULL,
  reference_type TEXT NOT NULL,
  manifest_url TEXT,
  agent_url TEXT,
  agent_id TEXT,
  contributed_by_org_id TEXT NOT NULL,
  verification_status TEXT NOT NULL,
  authority INTEGER NOT NULL,
  completeness_score INTEGER NOT NULL,
  last_verified_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  failures INTEGER NOT NULL,
  next_verification_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  lease_token TEXT,
  title TEXT,
  lost INTEGER NOT NULL DEFAULT 0,
  proved_by TEXT,
  -- Whether verifications look for the contributor's challenge.
  is_proof_asked INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX manifest_references_best ON manifest_references
  (domain, manifest_type, authority DESC, completeness_score DESC, last_verified_at DESC, created_at DESC);
CREATE INDEX manifest_references_due ON manifest_references (next_verification_at);
CREATE INDEX manifest_references_lost ON manifest_references (next_verification_at) WHERE lost > 0;

CREATE TABLE reference_verifications (
  id SERIAL_KEY,
  reference_id TEXT_C NOT NULL REFERENCES manifest_references (id) ON DELETE CASCADE,
  verified_at BIGINT NOT NULL,
  verification_status TEXT NOT NULL,
  completeness_score INTEGER NOT NULL,
  reason TEXT NOT NULL,
  issues TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  proved_by TEXT
);

CREATE INDEX reference_verifications_of ON reference_verifications (reference_id, id);

-- Words of what verified manifests call themselves and their properties, for the search.
CREATE TABLE reference_words (
  word TEXT_C NOT NULL,
  reference_id TEXT_C NOT NULL REFERENCES manifest_references (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (word, reference_id, kind, label)
);

CREATE INDEX reference_words_of ON reference_words (reference_id);

CREATE TABLE organizations (
  organization_id TEXT_C PRIMARY KEY,
  name TEXT NOT NULL,
  is_personal INTEGER NOT NULL,
  company_type TEXT,
  revenue_tier TEXT,
  marketing_opt_in INTEGER NOT NULL,
  corporate_domain TEXT_C UNIQUE,
  auto_created INTEGER NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE organization_members (
  user_id TEXT_C PRIMARY KEY,
  organization_id TEXT_C NOT NULL REFERENCES organizations (organization_id),
  email TEXT,
  created_at BIGINT NOT NULL
);

CREATE TABLE member_agents (
  url TEXT_C NOT NULL,
  organization_id TEXT_C NOT NULL REFERENCES organizations (organization_id),
  type TEXT NOT NULL,
  name TEXT,
  visibility TEXT NOT NULL,
  health_check_url TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (organization_id, url)
);

-- seq is the order of commits. visible_to is null for everyone, or the one organisation that may see the event. domain is
-- the one that the payload names, where it names one.
CREATE TABLE feed_events (
  seq SERIAL_KEY,
  event_type TEXT_C NOT NULL,
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  actor TEXT NOT NULL,
  visible_to TEXT,
  created_at BIGINT NOT NULL,
  domain TEXT_C
);

CREATE INDEX feed_events_age ON feed_events (created_at);
CREATE INDEX feed_events_domain ON feed_events (domain, seq) WHERE domain IS NOT NULL;
