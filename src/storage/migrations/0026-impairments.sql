-- What impairs media buys (spec 6.3): of each dependency of a buy one that is open, cleared_at is null then.
-- raised_by is operator or system; `impairment` is the rest as JSON. times are in milliseconds.
CREATE TABLE media_buy_impairments (
  impairment_id TEXT_C PRIMARY KEY,
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  resource_type TEXT_C NOT NULL,
  resource_id TEXT_C NOT NULL,
  raised_by TEXT_C NOT NULL,
  observed_at BIGINT NOT NULL,
  cleared_at BIGINT,
  impairment TEXT NOT NULL
);

CREATE UNIQUE INDEX media_buy_impairments_open
  ON media_buy_impairments (media_buy_id, resource_type, resource_id) WHERE cleared_at IS NULL;
CREATE INDEX media_buy_impairments_buy ON media_buy_impairments (media_buy_id, observed_at);
CREATE INDEX media_buy_impairments_owner ON media_buy_impairments (owner, observed_at);
CREATE INDEX media_buy_impairments_age ON media_buy_impairments (cleared_at)
  WHERE cleared_at IS NOT NULL;

-- The open window of a buy: its changes so far as JSON, and when they are told.
CREATE TABLE impairment_windows (
  media_buy_id TEXT_C PRIMARY KEY REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  window_id TEXT_C NOT NULL,
  opened_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  changes TEXT NOT NULL
);

CREATE INDEX impairment_windows_due ON impairment_windows (due_at, media_buy_id);
CREATE INDEX impairment_windows_owner ON impairment_windows (owner);

-- What was told, so that it can be told again under the same notification_id.
CREATE TABLE impairment_fires (
  fire_id SERIAL_KEY,
  media_buy_id TEXT_C NOT NULL REFERENCES media_buys (media_buy_id) ON DELETE CASCADE,
  owner TEXT_C NOT NULL,
  notification_id TEXT_C NOT NULL,
  fired_at BIGINT NOT NULL,
  result TEXT NOT NULL
);

CREATE INDEX impairment_fires_notification ON impairment_fires (notification_id, fire_id);
CREATE INDEX impairment_fires_buy ON impairment_fires (media_buy_id);
CREATE INDEX impairment_fires_owner ON impairment_fires (owner);
CREATE INDEX impairment_fires_age ON impairment_fires (fired_at);
