-- Media plans that were offered to a buyer, until they are bought or expire. `origin` is what a draft was made from, as
-- long as nobody has changed it: the same question then finds the same draft.
CREATE TABLE media_buy_proposals (
  owner TEXT_C NOT NULL,
  proposal_id TEXT_C NOT NULL,
  origin TEXT_C,
  status TEXT_C NOT NULL,
  media_buy_id TEXT_C,
  plan TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (owner, proposal_id)
);

CREATE UNIQUE INDEX media_buy_proposals_origin ON media_buy_proposals (owner, origin);
CREATE INDEX media_buy_proposals_age ON media_buy_proposals (owner, status, updated_at);
CREATE INDEX media_buy_proposals_expiry ON media_buy_proposals (expires_at);
