-- What a verified brand.json says of the domain it is referenced for. identity: who the brand is, in JSON; document: the
-- file itself, unless it is too large to be kept.
CREATE TABLE verified_brands (
  reference_id TEXT_C PRIMARY KEY REFERENCES manifest_references (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  variant TEXT NOT NULL,
  identity TEXT NOT NULL,
  is_house INTEGER NOT NULL,
  is_sub_brand INTEGER NOT NULL,
  document TEXT
);

CREATE INDEX manifest_references_brands ON manifest_references (domain)
  WHERE manifest_type = 'brand.json' AND verification_status = 'valid';
