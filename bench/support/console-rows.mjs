// A store as the console finds it after a busy day: deliveries with their attempts, endpoints, tasks, approvals and
// audit entries. Each table is filled by one statement that both databases take.

/** Endpoints, and principals that they are of. */
const ENDPOINTS = 400
const OWNERS = 10
/** The task, operation and buy of which something is always found. */
export const SOME = { task: 'task_12', operation: 'op-4711', buy: 'mb_9', key: 'key-4711' }

/** Of each kind `rows`, in a store that has none yet. */
export async function fillConsole(storage, rows) {
  const now = Date.now()
  const body = Buffer.from(JSON.stringify({ status: 'completed', filler: 'x'.repeat(600) }))
  await storage.transact(async (tx) => {
    await tx.run(CHANNELS, [ENDPOINTS, now])
    await tx.run(DELIVERIES, [rows, now, body])
    await tx.run(ATTEMPTS)
    await tx.run(TASKS, [rows, now])
    await tx.run(APPROVALS, [rows, now, REQUESTED])
    await tx.run(AUDIT, [rows, now])
  })
  // PostgreSQL counts by itself after a while; SQLite never does.
  const { database } = storage
  if (database.dialect === 'postgres') await storage.transact((tx) => tx.run('ANALYZE'))
}

const FLIGHT = { start_time: '2026-12-01T00:00:00Z', end_time: '2026-12-31T00:00:00Z' }
const REQUESTED = JSON.stringify({
  product_ids: ['p1'],
  total_budget: 1_000,
  currency: 'EUR',
  ...FLIGHT,
})

/** Numbers from 1 to the first parameter. */
export const NUMBERS = `WITH RECURSIVE s(i) AS (
  SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < CAST($1 AS BIGINT))`
export const DAY_MS = 86_400_000
export const AT = `CAST($2 AS BIGINT) - (CAST($1 AS BIGINT) - i) * ${DAY_MS} / CAST($1 AS BIGINT)`
export const text = (number) => `CAST(${number} AS TEXT)`
const endpoint = (number) =>
  `'https://buyer' || ${text(`${number} % ${ENDPOINTS}`)} || '.example/hook'`
export const owner = (number) => `'prn_' || ${text(`${number} % ${OWNERS}`)}`
/** Most arrived, some were abandoned, a few of the last wait for tomorrow; one in a thousand is a buy's. */
const STATE = `CASE WHEN i % 1000 = 7 AND i > CAST($1 AS BIGINT) / 2 THEN 'pending'
  WHEN i % 97 < 90 THEN 'delivered' WHEN i % 3 = 0 THEN 'cancelled' ELSE 'exhausted' END`
const SUBJECT = `CASE WHEN i % 1000 = 0 THEN 'media_buy:mb_' || ${text('i / 1000')}
  ELSE 'task:task_' || ${text('i / 3')} END`

const DELIVERIES = `INSERT INTO webhook_deliveries (channel_id, owner, subject, endpoint, task_id,
    operation_id, notification_type, idempotency_key, state, attempts, attempts_before, due_at,
    created_at, expires_at, ended_at, body)
  ${NUMBERS}, made AS (SELECT i, ${STATE} AS state, ${AT} AS at FROM s)
  SELECT 'ch_' || ${text(`i % ${ENDPOINTS}`)}, ${owner('i')}, ${SUBJECT}, ${endpoint('i')},
    'task_' || ${text('i / 3')}, 'op-' || ${text('i')}, 'completed', 'key-' || ${text('i')}, state,
    CASE WHEN state = 'pending' AND i % 2000 = 7 THEN 0 ELSE 1 END, 0,
    CASE WHEN state = 'pending' THEN CAST($2 AS BIGINT) + ${DAY_MS / 2} ELSE at END, at,
    CAST($2 AS BIGINT) + ${DAY_MS}, CASE WHEN state = 'pending' THEN NULL ELSE at + 200 END, $3
  FROM made ORDER BY i`

const ATTEMPTS = `INSERT INTO webhook_attempts (delivery_id, attempt, url, status,
    http_status_code, response_time_ms, error_message, fired_at, completed_at)
  SELECT delivery_id, 1, endpoint, CASE WHEN state = 'delivered' THEN 'success' ELSE 'failed' END,
    CASE WHEN state = 'delivered' THEN 200 ELSE 503 END, 20,
    CASE WHEN state = 'delivered' THEN NULL ELSE 'the receiver answered 503' END,
    created_at, created_at + 20
  FROM webhook_deliveries WHERE attempts = 1`

const CHANNELS = `INSERT INTO webhook_channels (channel_id, owner, subject, name, form, url,
    endpoint, scheme, created_at, updated_at)
  ${NUMBERS}
  SELECT 'ch_' || ${text(`i % ${ENDPOINTS}`)}, ${owner('i')}, 'bench:' || ${text('i')}, 'push', 'mcp',
    ${endpoint('i')}, ${endpoint('i')}, 'rfc9421', CAST($2 AS BIGINT), CAST($2 AS BIGINT) FROM s`

const TASKS = `INSERT INTO tasks (task_id, owner, task_type, domain, status, request, is_told,
    has_webhook, tries, run, due_at, deadline_at, created_at, updated_at, completed_at)
  ${NUMBERS}, made AS (SELECT i, ${AT} AS at, i % 500 = 0 AS is_open FROM s)
  SELECT 'task_' || ${text('i')}, ${owner('i')},
    CASE WHEN i % 10 = 0 THEN 'create_media_buy' ELSE 'build_creative' END, 'creative',
    CASE WHEN is_open THEN 'working' WHEN i % 50 = 1 THEN 'failed' ELSE 'completed' END, '{}', 1, 1,
    1, 1, CASE WHEN is_open THEN CAST($2 AS BIGINT) + ${DAY_MS} END, CAST($2 AS BIGINT) + ${DAY_MS},
    at, at + 100, CASE WHEN is_open THEN NULL ELSE at + 100 END
  FROM made`

const APPROVALS = `INSERT INTO media_buy_approvals (task_id, owner, task_type, media_buy_id, state,
    reason, asked, created_at, decided_at)
  ${NUMBERS}, made AS (SELECT i, ${AT} AS at FROM s)
  SELECT 'task_' || ${text('i')}, ${owner('i')}, 'create_media_buy', 'mb_' || ${text('i')},
    CASE WHEN i % 2 = 0 THEN 'waiting' ELSE 'approved' END, 'over the limit', CAST($3 AS TEXT), at,
    CASE WHEN i % 2 = 0 THEN NULL ELSE at + 100 END
  FROM made`

const AUDIT = `INSERT INTO console_audit (at, actor_id, actor_name, action, target, outcome)
  ${NUMBERS}
  SELECT ${AT}, ${owner('i')}, 'Somebody',
    CASE WHEN i % 5 = 0 THEN 'endpoints.pause' ELSE 'deliveries.retry' END, ${text('i')}, 'done'
  FROM s ORDER BY i`
