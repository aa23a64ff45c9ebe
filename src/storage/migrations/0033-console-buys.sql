-- Media buys of all principals, the newest first, and by status; and whether any of them has changed.
CREATE INDEX media_buys_new ON media_buys (created_at, media_buy_id);
CREATE INDEX media_buys_status ON media_buys (status, created_at, media_buy_id);
CREATE INDEX media_buys_owner_status ON media_buys (owner, status, created_at, media_buy_id);
CREATE INDEX media_buys_updated ON media_buys (updated_at);

-- Buys in trouble, the last that got into it first: with open impairments, and with reports that are late or were
-- given up. The second of each pair tells whether a buy has a later one.
CREATE INDEX media_buy_impairments_new ON media_buy_impairments (observed_at, impairment_id)
  WHERE cleared_at IS NULL;
CREATE INDEX media_buy_impairments_last ON media_buy_impairments (media_buy_id, observed_at, impairment_id)
  WHERE cleared_at IS NULL;
CREATE INDEX report_windows_troubled ON report_windows (state, end_at, media_buy_id)
  WHERE state IN ('late', 'given_up');
CREATE INDEX report_windows_last_troubled ON report_windows (media_buy_id, state, end_at)
  WHERE state IN ('late', 'given_up');

-- What an operator was asked about a buy.
CREATE INDEX media_buy_approvals_buy ON media_buy_approvals (media_buy_id, created_at);

-- The feed of one domain: what the payload says, where it says one. Of PostgreSQL it is read as text, since a zero
-- byte elsewhere in the payload is no fault of the domain.
ALTER TABLE feed_events ADD COLUMN domain TEXT_C;

-- only: sqlite
UPDATE feed_events SET domain = json_extract(payload, '$.domain') WHERE entity_type = 'manifest_ref';

-- only: postgres
UPDATE feed_events SET domain = substring(payload from '^\{"domain" ?: ?"([^"]+)"')
WHERE entity_type = 'manifest_ref';

CREATE INDEX feed_events_domain ON feed_events (domain, seq) WHERE domain IS NOT NULL;
