-- The catalogue of properties. A property keeps its rid for good, whatever its publisher calls it; identifiers belong to
-- one property each, by the strongest evidence (confidence: 4 the domain's own file, 3 strong, 2 medium, 1 contributed).
-- After a merge the other rid is an alias, which always names the property that is left: never another alias.
CREATE TABLE catalog_properties (
  property_rid TEXT_C PRIMARY KEY,
  publisher_domain TEXT_C,
  property_id TEXT_C,
  property_type TEXT,
  name TEXT,
  source TEXT NOT NULL,
  status TEXT NOT NULL,
  adagents_url TEXT,
  created_by TEXT_C,
  resolved_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  source_updated_at BIGINT NOT NULL
);
CREATE INDEX catalog_properties_of ON catalog_properties (publisher_domain);
CREATE INDEX catalog_properties_changed ON catalog_properties (updated_at, property_rid);
CREATE INDEX catalog_properties_contributed ON catalog_properties (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX catalog_properties_unresolved ON catalog_properties (resolved_at)
  WHERE source = 'contributed' AND status = 'active';

CREATE TABLE catalog_identifiers (
  type TEXT_C NOT NULL,
  value TEXT_C NOT NULL,
  property_rid TEXT_C NOT NULL REFERENCES catalog_properties (property_rid) ON DELETE CASCADE,
  confidence INTEGER NOT NULL,
  PRIMARY KEY (type, value)
);
CREATE INDEX catalog_identifiers_of ON catalog_identifiers (property_rid);

CREATE TABLE catalog_aliases (
  alias_rid TEXT_C PRIMARY KEY,
  canonical_rid TEXT_C NOT NULL,
  evidence TEXT NOT NULL,
  merged_at BIGINT NOT NULL
);
CREATE INDEX catalog_aliases_of ON catalog_aliases (canonical_rid);

-- Publishers whose file came, went or changed. Who changes the catalogue holds the one row of catalog_lock.
CREATE TABLE catalog_marks (
  id SERIAL_KEY,
  publisher_domain TEXT_C NOT NULL
);
INSERT INTO catalog_marks (publisher_domain) SELECT domain FROM crawl_domains WHERE file_id IS NOT NULL;

CREATE TABLE catalog_lock (
  id INTEGER PRIMARY KEY
);
INSERT INTO catalog_lock (id) VALUES (1);
