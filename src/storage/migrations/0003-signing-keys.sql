-- The keys this operator signs with. What state one is in follows from its times; private_key is
-- the private JWK, sealed or plain, or null when it is held elsewhere or was erased.
CREATE TABLE signing_keys (
  kid TEXT_C PRIMARY KEY,
  algorithm TEXT NOT NULL,
  purpose TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  private_key TEXT,
  published_at BIGINT NOT NULL,
  active_from BIGINT,
  retired_at BIGINT,
  remove_at BIGINT,
  revoked_at BIGINT
);
