// The other lists of the console, each with as many rows as the deliveries: received messages, media buys with their
// trouble, creatives, principals with a key each, references and the feed of the registry, signals and activations.
import { AT, DAY_MS, NUMBERS, owner, text } from './console-rows.mjs'

/** Of `rows` of each kind, in a store that has none yet. */
export async function fillMore(storage, rows) {
  const now = Date.now()
  const body = Buffer.from(JSON.stringify({ status: 'completed', filler: 'x'.repeat(600) }))
  await storage.transact(async (tx) => {
    await tx.run(PRINCIPALS, [rows, now])
    await tx.run(KEYS)
    await tx.run(CHANNELS, [rows, now])
    await tx.run(INBOX, [rows, now, body])
    await tx.run(SENDERS)
    await tx.run(BUYS, [rows, now])
    await tx.run(PACKAGES)
    await tx.run(STREAMS)
    await tx.run(WINDOWS, [now])
    await tx.run(IMPAIRMENTS, [now])
    await tx.run(CREATIVES, [rows, now])
    await tx.run(ORGANIZATIONS, [now])
    await tx.run(REFERENCES, [rows, now])
    await tx.run(FEED, [rows, now])
    await tx.run(SIGNALS, [rows, now])
    await tx.run(ACTIVATIONS, [now])
    await tx.run('UPDATE signal_catalogue SET seq = $1, signals = $1', [rows])
  })
  if (storage.database.dialect === 'postgres') await storage.transact((tx) => tx.run('ANALYZE'))
}

const NOW = 'CAST($1 AS BIGINT)'

const PRINCIPALS = `INSERT INTO principals
    (principal_id, name, scopes, is_demo, is_sandbox, created_at, revoked_at)
  ${NUMBERS}
  SELECT 'prn_' || ${text('i')}, 'Buyer ' || ${text('i')}, '["tasks"]', 0, 0, ${AT},
    CASE WHEN i % 50 = 0 THEN ${AT} END FROM s`

const KEYS = `INSERT INTO api_keys (key_hash, hint, kind, owner_id, created_at, key_id)
  SELECT 'hash of ' || principal_id, substr('adw_' || substr(principal_id, 5) || '0000', 1, 8), 'principal',
    principal_id, created_at, 'key_of_' || principal_id FROM principals`

/** One endpoint each, beside those that everything is sent to. */
const CHANNELS = `INSERT INTO webhook_channels (channel_id, owner, subject, name, form, url, endpoint, scheme,
    created_at, updated_at)
  ${NUMBERS}, made AS (SELECT i, 'https://other' || ${text('i')} || '.example/hook' AS url FROM s)
  SELECT 'other_' || ${text('i')}, ${owner('i')}, 'other:' || ${text('i')}, 'push', 'mcp', url, url, 'rfc9421',
    CAST($2 AS BIGINT), CAST($2 AS BIGINT) FROM made`

const SENDER = `'https://seller' || ${text('i % 40')} || '.example'`
const INBOX = `INSERT INTO webhook_inbox (sender, idempotency_key, digest, route, family, subject, task_id,
    operation_id, status, event_at, state, attempts, due_at, received_at, ended_at, expires_at, body)
  ${NUMBERS}, made AS (SELECT i, ${AT} AS at FROM s)
  SELECT ${SENDER}, 'received-' || ${text('i')}, 'digest', 'route', 'task', 'subject ' || ${text('i / 3')},
    'task_' || ${text('i / 3')}, 'op-' || ${text('i')}, 'completed', at,
    CASE WHEN i % 500 = 3 THEN 'dead' WHEN i % 90 = 4 THEN 'stale' ELSE 'applied' END, 1, at, at, at + 50,
    at + 30 * CAST(${DAY_MS} AS BIGINT), $3
  FROM made ORDER BY i`
const SENDERS = `INSERT INTO webhook_inbox_senders (sender, kept, changed_bodies)
  SELECT sender, count(*), 0 FROM webhook_inbox GROUP BY sender`

const TERMS = `'{"buyer_ref":"ref-' || ${text('i')} || '","name":"Campaign ' || ${text('i')}
  || '","brand":{"domain":"brand' || ${text('i % 200')} || '.example"},"ext":{"filler":"${'x'.repeat(300)}"}}'`
const BUYS = `INSERT INTO media_buys (media_buy_id, owner, status, is_held, revision, currency, total_budget,
    time_zone, start_at, end_at, status_changed_at, created_at, updated_at, terms)
  ${NUMBERS}, made AS (SELECT i, ${AT} AS at FROM s)
  SELECT 'mb_' || ${text('i')}, ${owner('i')},
    CASE WHEN i % 10 < 6 THEN 'completed' WHEN i % 10 < 9 THEN 'active' ELSE 'canceled' END, 0, 1, 'EUR', 1000,
    'UTC', at, at + ${DAY_MS}, at, at, at, ${TERMS}
  FROM made`
const NUMBER = 'CAST(substr(media_buy_id, 4) AS BIGINT)'
const PACKAGE = JSON.stringify({
  pricing_option_id: 'p',
  pricing: { pricing_model: 'cpm', rate: 5 },
  signals: [],
  budget: 1_000,
  paused: false,
})
const PACKAGES = `INSERT INTO media_buy_packages
    (package_id, media_buy_id, owner, place, product_id, package)
  SELECT 'pkg_' || media_buy_id, media_buy_id, owner, 0, 'p1', '${PACKAGE}' FROM media_buys`
const STREAMS = `INSERT INTO report_streams
    (media_buy_id, owner, sequence_number, totals, unavailable, delay_ms, claim_no)
  SELECT media_buy_id, owner, 3, '{"pkg":{"impressions":1000,"spend":12.5}}', 0, 0, 1 FROM media_buys`
/** Two windows of each buy; for one in twenty the last is late, for one in a hundred it failed permanently. */
const WINDOWS = `INSERT INTO report_windows (media_buy_id, kind, start_at, end_at, owner, state, is_settled,
    sequence_number, notification_types, sent_at, ended_at)
  SELECT media_buy_id, 'window', start_at + n * 3600000, start_at + (n + 1) * 3600000, owner,
    CASE WHEN n = 1 AND ${NUMBER} % 20 = 0 THEN 'late' WHEN n = 1 AND ${NUMBER} % 100 = 1 THEN 'given_up'
      ELSE 'delivered' END, 1, n, 'scheduled', ${NOW}, ${NOW}
  FROM media_buys, (SELECT 0 AS n UNION ALL SELECT 1) AS both_of`
const IMPAIRMENTS = `INSERT INTO media_buy_impairments (impairment_id, media_buy_id, owner, resource_type,
    resource_id, raised_by, observed_at, impairment)
  SELECT 'imp_' || media_buy_id, media_buy_id, owner, 'creative', 'c1', 'operator', created_at + ${NOW} * 0, '{}'
  FROM media_buys WHERE ${NUMBER} % 10 = 0`

const CREATIVES = `INSERT INTO creatives (owner, creative_id, name, name_folded, format_id, format_key, status,
    assets, tags, others, assignment_count, created_at, updated_at, bytes)
  ${NUMBERS}, made AS (SELECT i, ${AT} AS at FROM s)
  SELECT ${owner('i')}, 'cr_' || ${text('i')}, 'Banner ' || ${text('i')}, 'banner ' || ${text('i')}, '{}',
    'display_' || ${text('i % 30')}, CASE WHEN i % 40 = 0 THEN 'rejected' ELSE 'approved' END,
    '{"filler":"${'x'.repeat(300)}"}', '[]', '{}', 0, at, at, 300
  FROM made`

const ORGANIZATIONS = `INSERT INTO organizations (organization_id, name, is_personal, marketing_opt_in,
    corporate_domain, auto_created, created_at)
  VALUES ('org_1', 'An organisation', 0, 0, 'organisation.example', 0, ${NOW})`
const REFERENCES = `INSERT INTO manifest_references (id, domain, manifest_type, reference_type, manifest_url,
    contributed_by_org_id, verification_status, authority, completeness_score, last_verified_at, created_at,
    updated_at, failures, next_verification_at, lease_until)
  ${NUMBERS}, made AS (SELECT i, ${AT} AS at FROM s)
  SELECT 'ref_' || ${text('i')}, 'site' || ${text('i / 2')} || '.example', 'brand.json', 'url',
    'https://site' || ${text('i / 2')} || '.example/brand.json', 'org_1',
    CASE WHEN i % 100 = 0 THEN 'invalid' ELSE 'valid' END, 2, 80, at, at, at, 0,
    CAST($2 AS BIGINT) + ${DAY_MS}, 0
  FROM made`
const FEED = `INSERT INTO feed_events
    (event_type, entity_type, entity_id, payload, actor, created_at, domain)
  ${NUMBERS}
  SELECT 'manifest_ref.verified', CASE WHEN i % 400 = 0 THEN 'agent' ELSE 'manifest_ref' END,
    'ref_' || ${text('i')}, '{"domain":"site' || ${text('i / 2')} || '.example"}', 'system', ${AT},
    'site' || ${text('i / 2')} || '.example'
  FROM s ORDER BY i`

const SIGNAL = `'{"signal_agent_segment_id":"sig_' || ${text('i')} || '","name":"Signal ' || ${text('i')}
  || '","description":"People who were looked for in the ${'long '.repeat(20)}run","signal_type":"'
  || CASE WHEN i % 4 = 0 THEN 'custom' ELSE 'marketplace' END || '","data_provider":"Provider ' || ${text('i % 60')}
  || '","coverage_percentage":5,"countries":["DE"],"pricing_options":[{"pricing_option_id":"p","model":"cpm",'
  || '"cpm":2,"currency":"EUR"}],"deployments":[{"type":"platform","platform":"sandbox","is_live":false}],"tags":[]}'`
const SIGNALS = `INSERT INTO signals (signal_agent_segment_id, seq, version, text_digest, changed_at,
    signal_type, data_provider, signal)
  ${NUMBERS}
  SELECT 'sig_' || ${text('i')}, i, 1, 'digest ' || ${text('i')}, CAST($2 AS BIGINT),
    CASE WHEN i % 4 = 0 THEN 'custom' ELSE 'marketplace' END, 'Provider ' || ${text('i % 60')}, ${SIGNAL}
  FROM s`
/** Of one signal in two, one is live; of one in a hundred it failed. */
const ACTIVATIONS = `INSERT INTO signal_activations (principal_id, signal_agent_segment_id, target_key, state,
    task_id, changed_at, activation)
  SELECT 'prn_' || ${text('seq % 10')}, signal_agent_segment_id, 'platform sandbox',
    CASE WHEN seq % 100 = 0 THEN 'failed' ELSE 'live' END, 'task_' || ${text('seq')}, ${NOW},
    '{"principal_id":"prn_' || ${text('seq % 10')} || '","signal_agent_segment_id":"' || signal_agent_segment_id
      || '","target":{"type":"platform","platform":"sandbox"},"state":"'
      || CASE WHEN seq % 100 = 0 THEN 'failed' ELSE 'live' END
      || '","activation_id":"a","task_id":"task_' || ${text('seq')} || '","started_at":0,"changed_at":0}'
  FROM signals WHERE seq % 2 = 0`
