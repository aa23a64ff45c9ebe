-- The organisation that was the last to prove that a domain is its own, for what it saves there. proved_by: dns or file,
-- at the domain itself or at the registrable domain above it.
CREATE TABLE domain_owners (
  domain TEXT_C PRIMARY KEY,
  organization_id TEXT_C NOT NULL,
  proved_by TEXT NOT NULL,
  proved_at BIGINT NOT NULL
);
