-- The creative library (spec 4.5): creatives by the id that their owner gave them. JSON members:
-- format_id, assets, tags, others. name_folded is the name in lower case, by which it is sought and
-- sorted. format_key is the catalogue's name with the parameters.
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
  PRIMARY KEY (owner, creative_id)
);

CREATE INDEX creatives_created ON creatives (owner, created_at, creative_id);

-- Packages are named by whoever sold them: their ids are kept as they came.
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
