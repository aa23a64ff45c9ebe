-- The domains that verified houses name in their brand_refs, each since it was first seen there. Those of a file that was
-- verified before this table existed are added with its next verification.
CREATE TABLE house_references (
  reference_id TEXT_C NOT NULL REFERENCES manifest_references (id) ON DELETE CASCADE,
  domain TEXT_C NOT NULL,
  house_domain TEXT_C NOT NULL,
  first_seen_at BIGINT NOT NULL,
  PRIMARY KEY (reference_id, domain)
);
CREATE INDEX house_references_by_domain ON house_references (domain, house_domain);
