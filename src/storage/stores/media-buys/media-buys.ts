// Media buys in SQL (spec 3.4, 4.5): each only for its owner.

import { eachChunk, mapPaced } from '../../../lib/chunks.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { MediaBuyRecord } from '../../../media-buys/media-buy.ts'
import {
  BUY_KEY_MS,
  BUYS_DUE_TOPIC,
  type DueBuys,
  type HistoryEntry,
  type MediaBuyStore,
} from '../../../media-buys/store.ts'
import { NO_LIMITS, type QuotaLimits } from '../../../protocol/quota.ts'
import { activationKeyText } from '../../../protocol/schemas/deployment.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, placeholders, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { amongLocked, FOR_UPDATE } from '../../sql/locks.ts'
import { charge, createHeadroom } from '../organizations/quota-usage.ts'
import { countAssignments, listBuys, readHistory, wholeBuys, withPackages } from './look.ts'
import { BUY_COLUMNS, type BuyRow, buyValues, packageText } from './rows.ts'

/** Changes of one buy that are kept. */
const HISTORY_ENTRIES = 1_000

const COLUMN_NAMES = BUY_COLUMNS.split(',').map((name) => name.trim())
const ASSIGNED = COLUMN_NAMES.map((name, index) => `${name} = $${index + 1}`).join(', ')

export function createMediaBuyStore(
  database: Database,
  { limits = NO_LIMITS }: { limits?: Pick<QuotaLimits, 'media_buys'> } = {},
): MediaBuyStore {
  const headroom = createHeadroom()
  return {
    ...lockedBuys(),
    add: async (tx, buy, key) => {
      const counted = { owner: buy.owner, quota: 'media_buys', amount: 1 } as const
      await charge({ tx: sqlOf(tx), headroom }, { ...counted, limit: limits.media_buys })
      await sqlOf(tx).run(
        `INSERT INTO media_buys (${BUY_COLUMNS}, idempotency_key, request_digest)
         VALUES ${placeholders(1, COLUMN_NAMES.length + 2)}`,
        [...buyValues(buy), key?.idempotency_key ?? null, key?.request_digest ?? null],
      )
      await putPackages(tx, buy, [])
      const { media_buy_id, revision, created_at: at, status } = buy
      const entry = { revision, at, actor: 'buyer', action: 'create', status } as const
      await addHistory(tx, media_buy_id, { entry })
      await tx.wake(BUYS_DUE_TOPIC)
    },
    save,
    isDone: async (tx, mediaBuyId, key) => {
      const row = await sqlOf(tx).get(
        `SELECT revision FROM media_buy_history
         WHERE media_buy_id = $1 AND idempotency_key = $2 AND at > $3`,
        [mediaBuyId, key, (await tx.now()) - BUY_KEY_MS],
      )
      return row !== undefined
    },
    list: (owner, query) => listBuys(database, owner, query),
    whole: (outlines) => wholeBuys(database, outlines),
    productsOf: async (ids) => {
      const rows = await database.read.all<{ product_id: string }>(
        `SELECT DISTINCT product_id FROM media_buy_packages
         WHERE ${isIn('media_buy_id', 1)} ORDER BY product_id`,
        [listed(ids)],
      )
      return rows.map(({ product_id }) => product_id)
    },
    countAssignments: (ids, most) => countAssignments(database, ids, most),
    history: (ids, limit) => readHistory(database, ids, limit),
    claimDue: (tx, options) => claimDue(tx, options),
    endClaim: async (tx, mediaBuyId, dueAt) => {
      await sqlOf(tx).run('UPDATE media_buys SET due_at = $2 WHERE media_buy_id = $1', [
        mediaBuyId,
        dueAt ?? null,
      ])
    },
    targeting: (tx, owner, signalId) =>
      sqlOf(tx).all(
        `SELECT s.media_buy_id, s.package_id, s.key_text FROM media_buy_signals s
         JOIN media_buys b ON b.media_buy_id = s.media_buy_id AND b.due_at IS NOT NULL
         WHERE s.owner = $1 AND s.signal_agent_segment_id = $2
         ORDER BY s.media_buy_id, s.package_id, s.key_text`,
        [owner, signalId],
      ),
  }
}

/** Buys that a transaction reads in order to change them. */
function lockedBuys(): Pick<MediaBuyStore, 'holdOwner' | 'findByKey' | 'lock' | 'ofPackages'> {
  return {
    holdOwner: async (tx, owner) => {
      // The data that one buy depends on is spread over many rows: one lock covers all of them.
      await sqlOf(tx).lock(`media buys ${owner}`)
    },
    findByKey: async (tx, { owner, idempotency_key }) => {
      const row = await sqlOf(tx).get<BuyRow & { request_digest: string }>(
        `SELECT ${BUY_COLUMNS}, request_digest FROM media_buys
         WHERE owner = $1 AND idempotency_key = $2 AND created_at > $3
         ORDER BY created_at DESC LIMIT 1`,
        [owner, idempotency_key, (await tx.now()) - BUY_KEY_MS],
      )
      if (!row) return undefined
      const { request_digest, ...buy } = row
      return { ...(await withPackages(sqlOf(tx), [buy]))[0]!, request_digest }
    },
    lock: async (tx, { media_buy_id, owner }) => {
      const conditions = createConditions()
      conditions.is('media_buy_id =', media_buy_id)
      conditions.is('owner =', owner)
      const row = await sqlOf(tx).get<BuyRow>(
        `SELECT ${BUY_COLUMNS} FROM media_buys${conditions.where()} ${FOR_UPDATE}`,
        conditions.params,
      )
      return row && (await withPackages(sqlOf(tx), [row]))[0]
    },
    ofPackages: async (tx, owner, { packageIds, status }) => {
      const found = new Set<string>()
      await eachChunk(packageIds, 1_000, async (chunk) => {
        const rows = await sqlOf(tx).all<{ media_buy_id: string }>(
          `SELECT media_buy_id FROM media_buys WHERE owner = $1 AND media_buy_id IN (
             SELECT media_buy_id FROM media_buy_packages WHERE ${isIn('package_id', 2)})
           ${status === undefined ? '' : 'AND status = $3'}`,
          [owner, listed(chunk), ...(status === undefined ? [] : [status])],
        )
        for (const { media_buy_id } of rows) found.add(media_buy_id)
      })
      return [...found].sort()
    },
  }
}

interface Change {
  entry: HistoryEntry
  idempotencyKey?: string | undefined
}

async function save(
  tx: Transaction,
  buy: MediaBuyRecord,
  { entry, idempotencyKey }: Change,
): Promise<void> {
  const { media_buy_id } = buy
  const before = await sqlOf(tx).all<PackageText>(
    'SELECT package_id, package AS text FROM media_buy_packages WHERE media_buy_id = $1',
    [media_buy_id],
  )
  await sqlOf(tx).run(`UPDATE media_buys SET ${ASSIGNED} WHERE media_buy_id = $1`, buyValues(buy))
  await putPackages(tx, buy, before)
  await addHistory(tx, media_buy_id, { entry, idempotencyKey })
  await sqlOf(tx).run('DELETE FROM media_buy_history WHERE media_buy_id = $1 AND revision <= $2', [
    media_buy_id,
    entry.revision - HISTORY_ENTRIES,
  ])
  await tx.wake(BUYS_DUE_TOPIC)
}

async function addHistory(
  tx: Transaction,
  mediaBuyId: string,
  { entry, idempotencyKey }: Change,
): Promise<void> {
  await sqlOf(tx).run(
    `INSERT INTO media_buy_history (media_buy_id, revision, at, entry, idempotency_key)
     VALUES ($1, $2, $3, $4, $5)`,
    [mediaBuyId, entry.revision, entry.at, JSON.stringify(entry), idempotencyKey ?? null],
  )
}

/** A package as it is stored. */
interface PackageText {
  package_id: string
  text: string
}

/** A package is never deleted: one that is no longer wanted is canceled. */
async function putPackages(
  tx: Transaction,
  { media_buy_id, owner, packages }: MediaBuyRecord,
  before: readonly PackageText[],
): Promise<void> {
  const known = new Map(before.map((one) => [one.package_id, one.text]))
  const texts = await mapPaced(packages, packageText)
  const changed = [...packages.entries()].filter(
    ([place, one]) => texts[place] !== known.get(one.package_id),
  )
  if (changed.length === 0) return
  await sqlOf(tx).runEach(
    `INSERT INTO media_buy_packages (package_id, media_buy_id, owner, place, product_id, package)
     VALUES ${placeholders(1, 6)}
     ON CONFLICT (package_id) DO UPDATE SET package = excluded.package`,
    changed.map(([place, one]) => [
      one.package_id,
      media_buy_id,
      owner,
      place,
      one.product_id,
      texts[place] as string,
    ]),
  )
  await sqlOf(tx).runEach(
    'DELETE FROM media_buy_signals WHERE package_id = $1',
    changed.filter(([, one]) => known.has(one.package_id)).map(([, one]) => [one.package_id]),
  )
  await sqlOf(tx).runEach(
    `INSERT INTO media_buy_signals (owner, signal_agent_segment_id, package_id, key_text, media_buy_id)
     VALUES ${placeholders(1, 5)} ON CONFLICT DO NOTHING`,
    changed.flatMap(([, one]) =>
      (one.canceled ? [] : one.signals).map(({ signal_agent_segment_id, activation_key }) => [
        owner,
        signal_agent_segment_id,
        one.package_id,
        activationKeyText(activation_key),
        media_buy_id,
      ]),
    ),
  )
}

async function claimDue(
  tx: Transaction,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<DueBuys> {
  const now = await tx.now()
  const rows = await sqlOf(tx).all<{ media_buy_id: string }>(
    `UPDATE media_buys SET due_at = $1 WHERE ${amongLocked(
      'media_buy_id',
      'SELECT media_buy_id FROM media_buys WHERE due_at <= $2 ORDER BY due_at LIMIT $3',
    )} RETURNING media_buy_id`,
    [now + leaseMs, now, limit],
  )
  const next = await sqlOf(tx).get<{ at: number | null }>(
    'SELECT min(due_at) AS at FROM media_buys WHERE due_at IS NOT NULL',
  )
  return {
    media_buy_ids: rows.map(({ media_buy_id }) => media_buy_id),
    nextDueAt: next?.at ?? undefined,
  }
}
