-- Keys that principals sign their requests with (spec 5). kind is jwk (the key itself), jwks_url (an address of
-- a key set) or agent_url (an agent, from which its key set is found). `identity` is what may stand here once
-- only, whoever's it is: the thumbprint of the key, or the address in its one form.
CREATE TABLE principal_request_keys (
  key_id TEXT_C PRIMARY KEY,
  principal_id TEXT_C NOT NULL,
  kind TEXT_C NOT NULL,
  identity TEXT_C NOT NULL,
  kid TEXT_C,
  jwk TEXT,
  url TEXT,
  pin TEXT,
  created_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX principal_request_keys_identity ON principal_request_keys (identity);
CREATE INDEX principal_request_keys_of ON principal_request_keys (principal_id, created_at);
CREATE INDEX principal_request_keys_kid ON principal_request_keys (kid) WHERE kid IS NOT NULL;
CREATE INDEX principal_request_keys_found ON principal_request_keys (created_at, key_id) WHERE kid IS NULL;
