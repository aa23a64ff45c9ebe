-- What buyers say of how their buys perform, and of what they used. An assertion or a record never changes: a later one
-- takes its place.
CREATE TABLE media_buy_feedback (
  feedback_id TEXT_C NOT NULL PRIMARY KEY,
  owner TEXT_C NOT NULL,
  media_buy_id TEXT_C NOT NULL,
  assertion TEXT NOT NULL,
  superseded_by TEXT_C,
  received_at BIGINT NOT NULL
);

CREATE INDEX media_buy_feedback_buy ON media_buy_feedback (media_buy_id, received_at);
CREATE INDEX media_buy_feedback_owner ON media_buy_feedback (owner);
CREATE INDEX media_buy_feedback_age ON media_buy_feedback (received_at, feedback_id);

CREATE TABLE usage_records (
  usage_id TEXT_C NOT NULL PRIMARY KEY,
  owner TEXT_C NOT NULL,
  account_id TEXT_C NOT NULL,
  media_buy_id TEXT_C,
  period_start BIGINT NOT NULL,
  period_end BIGINT NOT NULL,
  usage_record TEXT NOT NULL,
  is_superseded INTEGER NOT NULL,
  received_at BIGINT NOT NULL
);

CREATE INDEX usage_records_period ON usage_records (owner, account_id, period_start);
CREATE INDEX usage_records_age ON usage_records (received_at, usage_id);
