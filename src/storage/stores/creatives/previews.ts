// Previews in SQL. A batch of any size costs a handful of statements, and an existing body is not sent again.

import {
  type Found,
  type NewPreview,
  PREVIEW_GONE_MS,
  type PreviewBody,
  type PreviewContent,
  type PreviewStore,
} from '../../../creative/preview-store.ts'
import type { Clock } from '../../../lib/clock.ts'
import { steadyClock } from '../../../lib/steady-clock.ts'
import { NO_LIMITS, type QuotaLimits, quotaExceeded } from '../../../protocol/quota.ts'
import { type Database, placeholders, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { SKIP_LOCKED } from '../../sql/locks.ts'
import { charge, createHeadroom, sweepUsage, usedOf } from '../organizations/quota-usage.ts'

/** Rows of one statement: bodies can be large, ids never are. */
const BODY_ROWS = 100
const ID_ROWS = 500
/** A new body is kept longer than requested, so that its next previews need not write it again. */
const SPARE_MS = 60 * 60 * 1_000

/** As read from the database: null if the body was deleted before its id. */
interface SeenRow {
  kind: PreviewContent['kind'] | 'recipe' | null
  csp: string | null
  body: Uint8Array | null
  expires_at: number
}

interface RecipeRow {
  kind: string | null
  recipe: Uint8Array | null
  expires_at: number
}

export interface PreviewStoreOptions {
  /** Storage limit of an owner. Default: no limit. */
  limits?: PreviewLimits
  /** The clock for reads outside a transaction. Default: the system clock. */
  clock?: Clock
}

type PreviewLimits = Pick<QuotaLimits, 'previews' | 'preview_bytes'>

export function createPreviewStore(
  database: Database,
  { limits = NO_LIMITS, clock = steadyClock }: PreviewStoreOptions = {},
): PreviewStore {
  const { read } = database
  const headroom = { previews: createHeadroom(), preview_bytes: createHeadroom() }
  return {
    add: async (tx, previews, { ttlMs, owner }) => {
      const expiresAt = (await tx.now()) + ttlMs
      const bytes = await addBodies(sqlOf(tx), previews, expiresAt)
      const amounts = { previews: previews.length, preview_bytes: bytes }
      for (const quota of COUNTED) {
        const counted = { owner, quota, amount: amounts[quota], limit: limits[quota] }
        const on = { tx: sqlOf(tx), headroom: headroom[quota] }
        await charge(on, { ...counted, endsAt: expiresAt })
      }
      for (const chunk of chunks(previews, ID_ROWS)) {
        await sqlOf(tx).run(
          `INSERT INTO previews (preview_id, digest, expires_at) VALUES ${placeholders(chunk.length, 3)}`,
          chunk.flatMap(({ preview_id, body }) => [preview_id, body.body_id, expiresAt]),
        )
      }
      return expiresAt
    },
    refuseFull: async (owner) => {
      for (const quota of COUNTED) {
        const used = await usedOf(read, { owner, quota, now: clock.now() })
        const limit = limits[quota]
        if (used >= limit) throw quotaExceeded(quota, { limit, used })
      }
    },
    seen: async (previewId) => {
      const row = await read.get<SeenRow>(
        `SELECT p.expires_at, b.kind, b.csp, b.body
         FROM previews p LEFT JOIN preview_bodies b ON b.digest = p.digest
         WHERE p.preview_id = $1`,
        [previewId],
      )
      return row && seenIn(row, clock.now())
    },
    recipe: async (previewId) => {
      // Earlier versions stored a body for this preview alone.
      const row = await read.get<RecipeRow>(
        `SELECT p.expires_at, b.kind, CASE WHEN b.kind = 'recipe' THEN b.body ELSE b.recipe END AS recipe
         FROM previews p LEFT JOIN preview_bodies b ON b.digest = p.digest
         WHERE p.preview_id = $1`,
        [previewId],
      )
      return row && recipeIn(row, clock.now())
    },
    sweep: async (tx) => {
      const now = await tx.now()
      const bodies = await sqlOf(tx).run(
        `DELETE FROM preview_bodies WHERE digest IN (
           SELECT digest FROM preview_bodies WHERE expires_at <= $1
           ORDER BY expires_at LIMIT ${BODY_ROWS} ${SKIP_LOCKED})`,
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
  // In the order of their ids, so that two transactions that add the same ones do not deadlock.
  const distinct = new Map(previews.map(({ body }) => [body.body_id, body]))
  const bodies = [...distinct.values()].sort((a, b) => (a.body_id < b.body_id ? -1 : 1))
  const known = await storedOf(tx, bodies, expiresAt)
  const rows = bodies.filter(({ body_id }) => !known.has(body_id)).map(rowOf)
  for (const chunk of chunks(rows, BODY_ROWS)) {
    await tx.run(
      `INSERT INTO preview_bodies (digest, kind, csp, body, recipe, expires_at)
       VALUES ${placeholders(chunk.length, 6)}
       ON CONFLICT (digest) DO UPDATE SET expires_at = excluded.expires_at
       WHERE preview_bodies.expires_at < excluded.expires_at`,
      chunk.flatMap(({ body_id, kind, csp, body, recipe }) => [
        body_id,
        kind,
        csp,
        body,
        recipe,
        expiresAt + SPARE_MS,
      ]),
    )
  }
  return rows.reduce(
    (sum, { body, recipe }) => sum + body.byteLength + (recipe?.byteLength ?? 0),
    0,
  )
}

/** The ids of previews that are already stored for long enough. New ones are not queried. */
async function storedOf(
  tx: SqlTransaction,
  bodies: readonly PreviewBody[],
  expiresAt: number,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  const requested = bodies.filter(({ mayBeStored }) => mayBeStored)
  for (const chunk of chunks(requested, ID_ROWS)) {
    const rows = await tx.all<{ digest: string }>(
      `SELECT digest FROM preview_bodies
       WHERE expires_at >= $1 AND digest IN ${placeholders(1, chunk.length, 2)}`,
      [expiresAt, ...chunk.map(({ body_id }) => body_id)],
    )
    for (const { digest } of rows) known.add(digest)
  }
  return known
}

function rowOf({ body_id, seen, recipe }: PreviewBody) {
  const made = recipe === undefined ? null : Buffer.from(recipe)
  if (!seen) return { body_id, kind: 'recipe', csp: '', body: made ?? NOTHING, recipe: null }
  const { kind } = seen
  return kind === 'still'
    ? { body_id, kind, csp: '', body: Buffer.from(seen.bytes), recipe: made }
    : { body_id, kind, csp: seen.csp, body: Buffer.from(seen.text), recipe: made }
}

const NOTHING = Buffer.alloc(0)

function seenIn({ kind, csp, body, expires_at }: SeenRow, now: number): Found<PreviewContent> {
  if (expires_at <= now || kind === null || csp === null || body === null) return { state: 'gone' }
  const bytes = Buffer.from(body)
  if (kind === 'recipe') return undefined
  if (kind === 'still') return { state: 'live', body: { kind, bytes } }
  return { state: 'live', body: { kind, csp, text: bytes.toString() } }
}

function recipeIn({ kind, recipe, expires_at }: RecipeRow, now: number): Found<string> {
  if (expires_at <= now || kind === null) return { state: 'gone' }
  return recipe === null ? undefined : { state: 'live', body: Buffer.from(recipe).toString() }
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  const found: T[][] = []
  for (let at = 0; at < all.length; at += size) found.push(all.slice(at, at + size))
  return found
}
