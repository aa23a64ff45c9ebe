// Previews in SQL. A batch of any size costs a handful of statements, and a body that is there already is
// not sent again.

import {
  type FoundPreview,
  type NewPreview,
  PREVIEW_GONE_MS,
  type PreviewBody,
  type PreviewStore,
} from '../../../creative/preview-store.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { NO_LIMITS, type QuotaLimits, quotaExceeded } from '../../../protocol/quota.ts'
import { type Database, placeholders, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { skipLocked } from '../../sql/locks.ts'
import { charge, createHeadroom, sweepUsage, usedOf } from '../organizations/quota-usage.ts'

/** Rows of one statement: bodies can be large, ids never are. */
const BODY_ROWS = 100
const ID_ROWS = 500
/** A new body lives longer than asked for, so that its next previews need not write it again. */
const SPARE_MS = 60 * 60 * 1_000

interface Row {
  kind: PreviewBody['kind'] | null
  csp: string | null
  body: Uint8Array | null
  digest: string
  expires_at: number
}

export interface PreviewStoreOptions {
  /** How much an owner may have. Default any amount. */
  limits?: PreviewLimits
  /** For what is read outside a transaction. Default the system's. */
  clock?: Clock
}

type PreviewLimits = Pick<QuotaLimits, 'previews' | 'preview_bytes'>

export function createPreviewStore(
  database: Database,
  { limits = NO_LIMITS, clock = systemClock }: PreviewStoreOptions = {},
): PreviewStore {
  const { dialect, read } = database
  const headroom = { previews: createHeadroom(), preview_bytes: createHeadroom() }
  return {
    add: async (tx, previews, { ttlMs, owner }) => {
      const expiresAt = (await tx.now()) + ttlMs
      const bytes = await addBodies(sqlOf(tx), previews, expiresAt)
      const amounts = { previews: previews.length, preview_bytes: bytes }
      for (const quota of COUNTED) {
        const counted = { owner, quota, amount: amounts[quota], limit: limits[quota] }
        const on = { dialect, tx: sqlOf(tx), headroom: headroom[quota] }
        await charge(on, { ...counted, endsAt: expiresAt })
      }
      for (const chunk of chunks(previews, ID_ROWS)) {
        await sqlOf(tx).run(
          `INSERT INTO previews (preview_id, digest, expires_at) VALUES ${placeholders(chunk.length, 3)}`,
          chunk.flatMap(({ preview_id, body }) => [preview_id, body.digest, expiresAt]),
        )
      }
      return expiresAt
    },
    refuseFull: async (owner) => {
      for (const quota of COUNTED) {
        const used = await usedOf(read, owner, quota, clock.now())
        const limit = limits[quota]
        if (used >= limit) throw quotaExceeded(quota, { limit, used })
      }
    },
    get: async (previewId) => {
      const row = await read.get<Row>(
        `SELECT p.digest, p.expires_at, b.kind, b.csp, b.body
         FROM previews p LEFT JOIN preview_bodies b ON b.digest = p.digest
         WHERE p.preview_id = $1`,
        [previewId],
      )
      return row && foundIn(row, clock.now())
    },
    sweep: async (tx) => {
      const now = await tx.now()
      const bodies = await sqlOf(tx).run(
        `DELETE FROM preview_bodies WHERE digest IN (
           SELECT digest FROM preview_bodies WHERE expires_at <= $1
           ORDER BY expires_at LIMIT ${BODY_ROWS} ${skipLocked(dialect)})`,
        [now],
      )
      const ids = await sqlOf(tx).run(
        `DELETE FROM previews WHERE preview_id IN (
           SELECT preview_id FROM previews WHERE expires_at <= $1
           ORDER BY expires_at LIMIT ${ID_ROWS})`,
        [now - PREVIEW_GONE_MS],
      )
      await sweepUsage(sqlOf(tx))
      return bodies + ids
    },
  }
}

const COUNTED = ['previews', 'preview_bytes'] as const

/** Returns the bytes that are kept, or kept for longer, because of it. */
async function addBodies(
  tx: SqlTransaction,
  previews: readonly NewPreview[],
  expiresAt: number,
): Promise<number> {
  // In the order of their digests, so that two who add the same ones do not wait in a circle.
  const distinct = new Map(previews.map(({ body }) => [body.digest, body]))
  const bodies = [...distinct.values()].sort((a, b) => (a.digest < b.digest ? -1 : 1))
  const known = new Set<string>()
  for (const chunk of chunks(bodies, ID_ROWS)) {
    const rows = await tx.all<{ digest: string }>(
      `SELECT digest FROM preview_bodies
       WHERE expires_at >= $1 AND digest IN ${placeholders(1, chunk.length, 2)}`,
      [expiresAt, ...chunk.map(({ digest }) => digest)],
    )
    for (const { digest } of rows) known.add(digest)
  }
  const unknown = bodies.filter(({ digest }) => !known.has(digest))
  const rows = unknown.map(rowOf)
  for (const chunk of chunks(rows, BODY_ROWS)) {
    await tx.run(
      `INSERT INTO preview_bodies (digest, kind, csp, body, expires_at)
       VALUES ${placeholders(chunk.length, 5)}
       ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at
       WHERE preview_bodies.expires_at < excluded.expires_at`,
      chunk.flatMap(({ digest, kind, csp, body }) => [
        digest,
        kind,
        csp,
        body,
        expiresAt + SPARE_MS,
      ]),
    )
  }
  return rows.reduce((sum, { body }) => sum + body.byteLength, 0)
}

function rowOf(body: PreviewBody) {
  const { digest, kind } = body
  return kind === 'still'
    ? { digest, kind, csp: '', body: Buffer.from(body.bytes) }
    : { digest, kind, csp: body.csp, body: Buffer.from(body.text) }
}

function foundIn({ kind, csp, body, digest, expires_at }: Row, now: number): FoundPreview {
  if (expires_at <= now || kind === null || csp === null || body === null) return { state: 'gone' }
  const bytes = Buffer.from(body)
  if (kind === 'still') return { state: 'live', body: { digest, kind, bytes } }
  return { state: 'live', body: { digest, kind, csp, text: bytes.toString() } }
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  const found: T[][] = []
  for (let at = 0; at < all.length; at += size) found.push(all.slice(at, at + size))
  return found
}
