-- What people save for domains that publish no file of their own: kind is brand or property, source what the registry says
-- of it (community, or hosted when the owner of the domain did it). words is what a search looks through, in lower case.
CREATE TABLE saved_entries (
  kind TEXT NOT NULL,
  domain TEXT_C NOT NULL,
  id TEXT_C NOT NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  review_status TEXT NOT NULL,
  contributed_by_org_id TEXT_C,
  -- The organisation that has proved that the domain is its own.
  owner_org_id TEXT_C,
  words TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (kind, domain)
);
CREATE INDEX saved_entries_pending ON saved_entries (kind, created_at, domain) WHERE review_status = 'pending';
CREATE INDEX saved_entries_of ON saved_entries (contributed_by_org_id, kind);
