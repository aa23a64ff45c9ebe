-- How far a reference is vouched for by its domain: 0 never, 1 once and not now, more for each stronger
-- proof. It takes the place of is_valid at the front of the ranking, and so in the index of the lookup.
ALTER TABLE manifest_references RENAME COLUMN is_valid TO authority;

ALTER TABLE manifest_references ADD COLUMN proved_by TEXT;

-- Whether verifications look for the contributor's challenge.
ALTER TABLE manifest_references ADD COLUMN is_proof_asked INTEGER NOT NULL DEFAULT 0;

ALTER TABLE reference_verifications ADD COLUMN proved_by TEXT;

-- What was valid without its domain's word is pending until it is verified anew. The feed and the
-- history tell of it like of every other change; numbers of the feed appear in the order of commits.
-- only: postgres
SELECT pg_advisory_xact_lock(1717921124);

-- only: sqlite
INSERT INTO feed_events (event_type, entity_type, entity_id, payload, actor, visible_to, created_at)
SELECT 'manifest_ref.verified', 'manifest_ref', id,
  json_object('domain', domain, 'manifest_type', manifest_type, 'reference_type', reference_type,
    'manifest_url', manifest_url, 'agent_url', agent_url, 'agent_id', agent_id,
    'verification_status', 'pending', 'completeness_score', 0, 'proved_by', NULL,
    'reason', 'verified before a domain had to vouch for its references: to be verified anew'),
  'system', NULL, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)
FROM manifest_references WHERE verification_status = 'valid';

-- only: postgres
INSERT INTO feed_events (event_type, entity_type, entity_id, payload, actor, visible_to, created_at)
SELECT 'manifest_ref.verified', 'manifest_ref', id,
  json_build_object('domain', domain, 'manifest_type', manifest_type, 'reference_type', reference_type,
    'manifest_url', manifest_url, 'agent_url', agent_url, 'agent_id', agent_id,
    'verification_status', 'pending', 'completeness_score', 0, 'proved_by', NULL,
    'reason', 'verified before a domain had to vouch for its references: to be verified anew')::text,
  'system', NULL, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)
FROM manifest_references WHERE verification_status = 'valid';

INSERT INTO reference_verifications
  (reference_id, verified_at, verification_status, completeness_score, reason, issues, duration_ms)
SELECT id, last_verified_at, 'pending', 0,
  'verified before a domain had to vouch for its references: to be verified anew', '[]', 0
FROM manifest_references WHERE verification_status = 'valid';

-- Due before everything but what was asked for by hand, and taken at the pace of the verification.
UPDATE manifest_references
SET verification_status = 'pending', authority = 0, completeness_score = 0, title = NULL, failures = 0,
  next_verification_at = CASE WHEN next_verification_at = 0 THEN 0 ELSE 1 END
WHERE verification_status = 'valid';
