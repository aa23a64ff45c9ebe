// An owner's usage of the delivery queue, and whether there is room for more. It is counted from the indexes of
// pending and held deliveries. A count is reused for a second, so a limit can be exceeded by what one owner adds in
// that time. Deliveries in progress are not counted.

import type { Transaction } from '../../../lib/transaction.ts'
import { NO_LIMITS, type QuotaLimits, quotaExceeded } from '../../../protocol/quota.ts'
import { type Database, type Queryable, sqlOf } from '../../sql/database.ts'

export type QueueLimits = Pick<QuotaLimits, 'queued_deliveries' | 'queued_bytes'>

export interface QueueUse {
  /**
   * How many more deliveries the owner may queue: 0 when their number or bytes are at the limit. Within a
   * transaction, `tx` does the count: if each used a second connection, waiting transactions could take all
   * connections.
   */
  room(owner: string, tx?: Transaction): Promise<number>
  /** Throws QUOTA_EXCEEDED when there is no room. */
  check(owner: string, tx?: Transaction): Promise<void>
}

interface Counted {
  deliveries: number
  bytes: number
}

export interface QueueUseOptions {
  /** How long a count is reused, in milliseconds. Default 1000. */
  seenForMs?: number
}

const SEEN_FOR_MS = 1_000
const MAX_OWNERS = 10_000

export function createQueueUse(
  database: Database,
  limits: QueueLimits = NO_LIMITS,
  { seenForMs = SEEN_FOR_MS }: QueueUseOptions = {},
): QueueUse {
  const { queued_deliveries, queued_bytes } = limits
  const isLimited = Math.min(queued_deliveries, queued_bytes) < Number.POSITIVE_INFINITY
  const seen = new Map<string, { counted: Promise<Counted>; until: number }>()

  async function countedOf(owner: string, tx?: Transaction): Promise<Counted> {
    const known = seen.get(owner)
    if (known && known.until > performance.now()) return known.counted
    if (seen.size >= MAX_OWNERS) seen.clear()
    const counted = queuedBy(tx ? sqlOf(tx) : database.read, owner)
    seen.set(owner, { counted, until: performance.now() + seenForMs })
    counted.catch(() => seen.delete(owner))
    return counted
  }

  return {
    room: async (owner, tx) => {
      if (!isLimited) return Number.POSITIVE_INFINITY
      const { deliveries, bytes } = await countedOf(owner, tx)
      return bytes >= queued_bytes ? 0 : Math.max(0, queued_deliveries - deliveries)
    },
    check: async (owner, tx) => {
      if (!isLimited) return
      const { deliveries: used, bytes } = await countedOf(owner, tx)
      if (used >= queued_deliveries) {
        throw quotaExceeded('queued_deliveries', { limit: queued_deliveries, used })
      }
      if (bytes >= queued_bytes) {
        throw quotaExceeded('queued_bytes', { limit: queued_bytes, used: bytes })
      }
    },
  }
}

/** Endpoints contain no space, so the lanes of an owner are the range between two texts. */
export async function queuedBy(read: Queryable, owner: string): Promise<Counted> {
  const summed = 'count(*) AS deliveries, coalesce(CAST(sum(body_bytes) AS BIGINT), 0) AS bytes'
  const pending = await read.get<Counted>(
    `SELECT ${summed} FROM webhook_deliveries WHERE owner = $1 AND state = 'pending'`,
    [owner],
  )
  const held = await read.get<Counted>(
    `SELECT ${summed} FROM webhook_deliveries WHERE state = 'held' AND lane >= $1 AND lane < $2`,
    [`${owner} `, `${owner}!`],
  )
  return {
    deliveries: (pending?.deliveries ?? 0) + (held?.deliveries ?? 0),
    bytes: (pending?.bytes ?? 0) + (held?.bytes ?? 0),
  }
}
