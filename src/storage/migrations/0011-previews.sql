-- What previews show, each body once. It outlives every preview that refers to it.
CREATE TABLE preview_bodies (
  digest TEXT_C PRIMARY KEY,
  kind TEXT NOT NULL,
  csp TEXT NOT NULL,
  body BYTES NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX preview_bodies_age ON preview_bodies (expires_at);

-- Ids of previews, kept for a while after they have expired, so that it can be said that they have.
CREATE TABLE previews (
  preview_id TEXT_C PRIMARY KEY,
  digest TEXT_C NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX previews_age ON previews (expires_at);
