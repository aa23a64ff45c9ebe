-- What the interactive page of a creative is made of lies with its first page: one row for most creatives. Ids of
-- bodies are ordered by time, so that those of one call lie together; those of earlier versions are digests.
ALTER TABLE preview_bodies ADD COLUMN recipe BYTES;
