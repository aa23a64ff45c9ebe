// Impairments of media buys, their open windows and what was reported about them, in SQL (spec 6.3).

import { eachChunk, eachChunkInTransaction } from '../../../lib/chunks.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { ImpairmentChange } from '../../../media-buys/impairments/coalesce.ts'
import type { ImpairmentRecord } from '../../../media-buys/impairments/impairment.ts'
import type {
  AssignedCreative,
  CreativeKind,
  DueFires,
  FiredFire,
  ImpairmentFilter,
  ImpairmentStore,
} from '../../../media-buys/impairments/store.ts'
import type { FormatId } from '../../../protocol/schemas/format-id.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, placeholders, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { readNewest } from '../../sql/pages.ts'

interface Row {
  impairment_id: string
  media_buy_id: string
  owner: string
  resource_type: string
  resource_id: string
  raised_by: string
  observed_at: number
  cleared_at: number | null
  impairment: string
}

const COLUMNS = `impairment_id, media_buy_id, owner, resource_type, resource_id, raised_by,
  observed_at, cleared_at, impairment`

/** Buys whose impairments are read at once: each may have hundreds. */
const BUYS_AT_ONCE = 10
/** Maximum rows of each table that one trim deletes. */
const TRIM_ROWS = 1_000

export function createImpairmentStore(database: Database): ImpairmentStore {
  const { read } = database
  return {
    add: async (tx, record) => {
      await sqlOf(tx).run(
        `INSERT INTO media_buy_impairments (${COLUMNS}) VALUES ${placeholders(1, 9)}`,
        valuesOf(record),
      )
    },
    save: async (tx, record) => {
      const [id, , , type, resource, by, observed, cleared, rest] = valuesOf(record)
      await sqlOf(tx).run(
        `UPDATE media_buy_impairments SET resource_type = $2, resource_id = $3, raised_by = $4,
           observed_at = $5, cleared_at = $6, impairment = $7 WHERE impairment_id = $1`,
        [id, type, resource, by, observed, cleared, rest],
      )
    },
    find: async (tx, impairmentId) => {
      if (!isStorable(impairmentId)) return undefined
      const row = await sqlOf(tx).get<Row>(
        `SELECT ${COLUMNS} FROM media_buy_impairments WHERE impairment_id = $1`,
        [impairmentId],
      )
      return row && recordOf(row)
    },
    open: async (tx, mediaBuyId) => {
      const rows = await sqlOf(tx).all<Row>(
        `SELECT ${COLUMNS} FROM media_buy_impairments
         WHERE media_buy_id = $1 AND cleared_at IS NULL ORDER BY observed_at, impairment_id`,
        [mediaBuyId],
      )
      return rows.map(recordOf)
    },
    openOf: async (mediaBuyIds) => {
      const found = new Map<string, ImpairmentRecord[]>()
      await eachChunk(mediaBuyIds, BUYS_AT_ONCE, async (chunk) => {
        const rows = await read.all<Row>(
          `SELECT ${COLUMNS} FROM media_buy_impairments
           WHERE ${isIn('media_buy_id', 1)} AND cleared_at IS NULL
           ORDER BY observed_at, impairment_id`,
          [listed(chunk)],
        )
        for (const row of rows) {
          const known = found.get(row.media_buy_id) ?? []
          known.push(recordOf(row))
          found.set(row.media_buy_id, known)
        }
      })
      return found
    },
    list: (filter) => list(database, filter),
    ...WINDOWS,
    trim: (tx, before) => trim(tx, before),
    ...creativesIn(),
    goingOn: async (after, limit) => {
      const rows = await read.all<{ media_buy_id: string }>(
        `SELECT media_buy_id FROM media_buys WHERE media_buy_id > $1 AND due_at IS NOT NULL
         ORDER BY media_buy_id LIMIT $2`,
        [after, limit],
      )
      return rows.map(({ media_buy_id }) => media_buy_id)
    },
  }
}

type Creatives = Pick<
  ImpairmentStore,
  'kindsOf' | 'creativesOf' | 'kindsByCreative' | 'packagesOf' | 'impairedBy' | 'impairedAmong'
>

/** Packages whose assignments are scanned at once: each may have a hundred. */
const PACKAGES_AT_ONCE = 15
const IDS_AT_ONCE = 1_000

const ASSIGNED = `creative_assignments a
  JOIN creatives c ON c.owner = a.owner AND c.creative_id = a.creative_id`

interface KindRow {
  status: string
  format_id: string
}

function kindOf({ status, format_id }: KindRow): CreativeKind {
  return { status, format_id: JSON.parse(format_id) as FormatId }
}

/** The ids that any chunk of the given ones leads to, in order. */
async function idsIn(
  ids: readonly string[],
  read: (chunk: string) => Promise<{ id: string }[]>,
): Promise<string[]> {
  const found = new Set<string>()
  await eachChunkInTransaction(ids, IDS_AT_ONCE, async (chunk) => {
    for (const { id } of await read(listed(chunk))) found.add(id)
  })
  return [...found].sort()
}

function creativesIn(): Creatives {
  return {
    kindsOf: async (tx, owner, packageIds) => {
      const kinds = new Map<string, CreativeKind>()
      await eachChunkInTransaction(packageIds, PACKAGES_AT_ONCE, async (chunk) => {
        const rows = await sqlOf(tx).all<KindRow>(
          `SELECT DISTINCT c.status, c.format_id FROM ${ASSIGNED}
           WHERE a.owner = $1 AND ${isIn('a.package_id', 2)}`,
          [owner, listed(chunk)],
        )
        for (const row of rows) kinds.set(`${row.status} ${row.format_id}`, kindOf(row))
      })
      return [...kinds.values()]
    },
    creativesOf: async (tx, owner, { packageIds, kinds }) => {
      const found: AssignedCreative[] = []
      if (kinds.length === 0) return found
      const statuses = listed([...new Set(kinds.map(({ status }) => status))])
      const formats = listed([...new Set(kinds.map(({ format_id }) => JSON.stringify(format_id)))])
      await eachChunkInTransaction(packageIds, PACKAGES_AT_ONCE, async (chunk) => {
        const rows = await sqlOf(tx).all<
          KindRow & Pick<AssignedCreative, 'creative_id' | 'package_id'>
        >(
          `SELECT a.creative_id, a.package_id, c.status, c.format_id FROM ${ASSIGNED}
           WHERE a.owner = $1 AND ${isIn('a.package_id', 2)}
             AND ${isIn('c.status', 3)} AND ${isIn('c.format_id', 4)}
           ORDER BY a.package_id, a.creative_id`,
          [owner, listed(chunk), statuses, formats],
        )
        for (const row of rows) found.push({ ...row, ...kindOf(row) })
      })
      return found
    },
    kindsByCreative: async (tx, owner, creativeIds) => {
      const kinds = new Map<string, CreativeKind>()
      await eachChunkInTransaction(creativeIds, IDS_AT_ONCE, async (chunk) => {
        const rows = await sqlOf(tx).all<KindRow & { creative_id: string }>(
          `SELECT creative_id, status, format_id FROM creatives
           WHERE owner = $1 AND ${isIn('creative_id', 2)} AND assignment_count > 0`,
          [owner, listed(chunk)],
        )
        for (const row of rows) kinds.set(row.creative_id, kindOf(row))
      })
      return kinds
    },
    packagesOf: (tx, owner, creativeIds) =>
      idsIn(creativeIds, (chunk) =>
        sqlOf(tx).all(
          `SELECT DISTINCT package_id AS id FROM creative_assignments
           WHERE owner = $1 AND ${isIn('creative_id', 2)}`,
          [owner, chunk],
        ),
      ),
    impairedBy: (tx, owner, creativeIds) =>
      idsIn(creativeIds, (chunk) =>
        sqlOf(tx).all(
          `SELECT DISTINCT media_buy_id AS id FROM media_buy_impairments
           WHERE owner = $1 AND cleared_at IS NULL AND (resource_type = 'catalog_item'
             OR (resource_type = 'creative' AND ${isIn('resource_id', 2)}))`,
          [owner, chunk],
        ),
      ),
    impairedAmong: (tx, mediaBuyIds) =>
      idsIn(mediaBuyIds, (chunk) =>
        sqlOf(tx).all(
          `SELECT DISTINCT media_buy_id AS id FROM media_buy_impairments
           WHERE ${isIn('media_buy_id', 1)} AND cleared_at IS NULL`,
          [chunk],
        ),
      ),
  }
}

type Windows = Pick<ImpairmentStore, 'pending' | 'putPending' | 'addFired' | 'lastFired' | 'due'>

const WINDOWS: Windows = {
  pending: async (tx, mediaBuyId) => {
    const row = await sqlOf(tx).get<{
      window_id: string
      opened_at: number
      due_at: number
      changes: string
    }>(
      'SELECT window_id, opened_at, due_at, changes FROM impairment_windows WHERE media_buy_id = $1',
      [mediaBuyId],
    )
    return row && { ...row, changes: JSON.parse(row.changes) as ImpairmentChange[] }
  },
  putPending: async (tx, { media_buy_id, owner }, { window_id, opened_at, due_at, changes }) => {
    await sqlOf(tx).run(
      `INSERT INTO impairment_windows (media_buy_id, owner, window_id, opened_at, due_at, changes)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (media_buy_id) DO UPDATE
         SET due_at = excluded.due_at, changes = excluded.changes`,
      [media_buy_id, owner, window_id, opened_at, due_at, JSON.stringify(changes)],
    )
  },
  addFired: async (tx, { media_buy_id, owner, notification_id, fired_at, result }, options) => {
    if (options.endsWindow) {
      await sqlOf(tx).run('DELETE FROM impairment_windows WHERE media_buy_id = $1', [media_buy_id])
    }
    await sqlOf(tx).run(
      `INSERT INTO impairment_fires (media_buy_id, owner, notification_id, fired_at, result)
         VALUES ($1, $2, $3, $4, $5)`,
      [media_buy_id, owner, notification_id, fired_at, JSON.stringify(result)],
    )
  },
  lastFired: async (tx, notificationId) => {
    if (!isStorable(notificationId)) return undefined
    const row = await sqlOf(tx).get<Omit<FiredFire, 'result'> & { result: string }>(
      `SELECT fire_id, media_buy_id, owner, notification_id, fired_at, result
         FROM impairment_fires WHERE notification_id = $1 ORDER BY fire_id DESC LIMIT 1`,
      [notificationId],
    )
    return row && { ...row, result: JSON.parse(row.result) as object }
  },
  due,
}

async function due(tx: Transaction, limit: number): Promise<DueFires> {
  const rows = await sqlOf(tx).all<{ media_buy_id: string; due_at: number }>(
    'SELECT media_buy_id, due_at FROM impairment_windows ORDER BY due_at, media_buy_id LIMIT $1',
    [limit + 1],
  )
  const now = await tx.now()
  const ended = rows.filter(({ due_at }) => due_at <= now).slice(0, limit)
  return {
    media_buy_ids: ended.map(({ media_buy_id }) => media_buy_id),
    nextDueAt: rows[ended.length]?.due_at,
  }
}

async function trim(tx: Transaction, before: number): Promise<number> {
  const fires = await sqlOf(tx).run(
    `DELETE FROM impairment_fires WHERE fire_id IN (
       SELECT fire_id FROM impairment_fires WHERE fired_at < $1 LIMIT ${TRIM_ROWS})`,
    [before],
  )
  const cleared = await sqlOf(tx).run(
    `DELETE FROM media_buy_impairments WHERE impairment_id IN (
       SELECT impairment_id FROM media_buy_impairments WHERE cleared_at < $1 LIMIT ${TRIM_ROWS})`,
    [before],
  )
  return fires + cleared
}

async function list(
  { read }: Database,
  { media_buy_id, owner, withCleared = false, limit }: ImpairmentFilter,
): Promise<ImpairmentRecord[]> {
  const conditions = createConditions()
  conditions.is('media_buy_id =', media_buy_id)
  conditions.is('owner =', owner)
  if (!withCleared) conditions.add('cleared_at IS NULL')
  const rows = await readNewest<Row>(read, {
    select: `SELECT ${COLUMNS} FROM media_buy_impairments`,
    conditions,
    keys: ['observed_at', 'impairment_id'],
    limit,
  })
  return rows.map(recordOf)
}

type Values = [string, string, string, string, string, string, number, number | null, string]

function valuesOf(record: ImpairmentRecord): Values {
  const { impairment_id, media_buy_id, owner, resource_type, resource_id, raised_by, ...more } =
    record
  const { observed_at, cleared_at, ...rest } = more
  return [
    ...([impairment_id, media_buy_id, owner, resource_type, resource_id, raised_by] as const),
    observed_at,
    cleared_at ?? null,
    JSON.stringify(rest),
  ]
}

function recordOf({ impairment, cleared_at, ...row }: Row): ImpairmentRecord {
  const rest = JSON.parse(impairment) as object
  return { ...rest, ...row, cleared_at: cleared_at ?? undefined } as ImpairmentRecord
}
