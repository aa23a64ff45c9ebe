-- The libraries of all principals together, the newest creative first, and by what people look for; and when
-- anything was changed last.
CREATE INDEX creatives_new ON creatives (created_at, owner, creative_id);
CREATE INDEX creatives_status ON creatives (status, created_at, owner, creative_id);
CREATE INDEX creatives_format ON creatives (format_key, created_at, owner, creative_id);
CREATE INDEX creatives_changed ON creatives (updated_at);
