-- The creative library (spec 4.5): creatives by the id that their owner gave them. JSON members: format_id, assets, tags,
-- others. name_folded is the name in lower case, by which it is searched and sorted. format_key is the catalogue's name
-- with the parameters. bytes is the size of what the creative holds.
CREATE TABLE creatives (
  owner TEXT_C NOT NULL,
  creative_id TEXT_C NOT NULL,
  name TEXT NOT NULL,
  name_folded TEXT_C NOT NULL,
  format_id TEXT NOT NULL,
  format_key TEXT_C NOT NULL,
  status TEXT_C NOT NULL,
  assets TEXT NOT NULL,
  tags TEXT NOT NULL,
  concept_id TEXT_C,
  concept_name TEXT,
  others TEXT NOT NULL,
  assignment_count INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  bytes BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (owner, creative_id)
);

CREATE INDEX creatives_created ON creatives (owner, created_at, creative_id);
-- The libraries of all principals together, the newest creative first, and by what people look for; and when anything was
-- changed last.
CREATE INDEX creatives_new ON creatives (created_at, owner, creative_id);
CREATE INDEX creatives_status ON creatives (status, created_at, owner, creative_id);
CREATE INDEX creatives_format ON creatives (format_key, created_at, owner, creative_id);
CREATE INDEX creatives_changed ON creatives (updated_at);

-- Packages are named by who sold them: their ids are kept as they came.
CREATE TABLE creative_assignments (
  owner TEXT_C NOT NULL,
  creative_id TEXT_C NOT NULL,
  package_id TEXT_C NOT NULL,
  weight DOUBLE PRECISION,
  placement_ids TEXT,
  assigned_at BIGINT NOT NULL,
  PRIMARY KEY (owner, creative_id, package_id),
  FOREIGN KEY (owner, creative_id) REFERENCES creatives (owner, creative_id) ON DELETE CASCADE
);

CREATE INDEX creative_assignments_package ON creative_assignments (owner, package_id);

-- What previews have, each body once; it outlives every preview that refers to it. recipe is what the interactive page of a
-- creative is made of, beside its first page: one row for most creatives. Ids of bodies are ordered by time, so that
-- those of one call lie together.
CREATE TABLE preview_bodies (
  digest TEXT_C PRIMARY KEY,
  kind TEXT NOT NULL,
  csp TEXT NOT NULL,
  body BYTES NOT NULL,
  expires_at BIGINT NOT NULL,
  recipe BYTES
);

CREATE INDEX preview_bodies_age ON preview_bodies (expires_at);

-- Ids of previews, kept for a while after they have expired, so that it can be reported that they have.
CREATE TABLE previews (
  preview_id TEXT_C PRIMARY KEY,
  digest TEXT_C NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX previews_age ON previews (expires_at);

-- Assets that builds made, under the SHA-256 digest of their bytes. Written once; only last_used_at changes, and what was
-- not used for long is forgotten.
CREATE TABLE creative_assets (
  digest TEXT_C PRIMARY KEY,
  media_type TEXT NOT NULL,
  bytes BYTES NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL
);

CREATE INDEX creative_assets_age ON creative_assets (last_used_at);

-- For whom a file was built: it counts for each of them, for as long as it is kept.
CREATE TABLE creative_asset_owners (
  digest TEXT_C NOT NULL,
  owner TEXT_C NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (digest, owner)
);
