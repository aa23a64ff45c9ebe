// Media buys of all principals in SQL: searchable by what people look for, each with its current state.

import type {
  BuyListFilter,
  BuyPlace,
  BuyQueries,
  ListedBuy,
} from '../../../console/buy-queries.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { FiredFire } from '../../../media-buys/impairments/store.ts'
import { MEDIA_BUY_STATUSES } from '../../../protocol/statuses.ts'
import { type Conditions, createConditions, FIND } from '../../sql/conditions.ts'
import type { Database } from '../../sql/database.ts'
import { valuesOf } from '../../sql/lists.ts'
import { lookPage } from '../../sql/look.ts'
import { APPROVAL_COLUMNS, type ApprovalRow, approvalOf } from '../media-buys/approvals.ts'
import { withPackages } from '../media-buys/look.ts'
import { BUY_COLUMNS, type BuyRow } from '../media-buys/rows.ts'
import { listedBuys } from './listed-buys.ts'

export function createBuyQueries(database: Database): BuyQueries {
  const { read } = database
  return {
    buys: (filter) => listBuys(database, filter),
    buy: async (mediaBuyId) => {
      if (!isStorable(mediaBuyId)) return undefined
      const row = await read.get<BuyRow>(
        `SELECT ${BUY_COLUMNS} FROM media_buys WHERE media_buy_id = $1`,
        [mediaBuyId],
      )
      if (!row) return undefined
      const [record] = await withPackages(read, [row])
      const [listed] = await listedBuys(database, [row.media_buy_id])
      return record && listed && { record, listed }
    },
    approvalsOf: async (mediaBuyId, limit) => {
      const rows = await read.all<ApprovalRow>(
        `SELECT ${APPROVAL_COLUMNS} FROM media_buy_approvals WHERE media_buy_id = $1
         ORDER BY created_at DESC LIMIT $2`,
        [mediaBuyId, limit],
      )
      return rows.map(approvalOf)
    },
    fires: async (mediaBuyId, limit) => {
      const rows = await read.all<Omit<FiredFire, 'result'> & { result: string }>(
        `SELECT fire_id, media_buy_id, owner, notification_id, fired_at, result
         FROM impairment_fires WHERE media_buy_id = $1 ORDER BY fire_id DESC LIMIT $2`,
        [mediaBuyId, limit],
      )
      return rows.map((row) => ({ ...row, result: JSON.parse(row.result) as object }))
    },
    pendingFireAt: async (mediaBuyId) => {
      const row = await read.get<{ due_at: number }>(
        'SELECT due_at FROM impairment_windows WHERE media_buy_id = $1',
        [mediaBuyId],
      )
      return row?.due_at
    },
    reportDeliveries: async (subject, sequenceNumbers) => {
      const rows = await read.all<{ delivery_id: number; sequence_number: number; state: string }>(
        `SELECT delivery_id, sequence_number, state FROM webhook_deliveries
         WHERE subject = $1 AND sequence_number IS NOT NULL
           AND sequence_number IN ${valuesOf('INTEGER', 2)} ORDER BY delivery_id`,
        [subject, JSON.stringify(sequenceNumbers)],
      )
      return new Map(
        rows.map(({ sequence_number, delivery_id, state }) => [
          sequence_number,
          { delivery_id, state },
        ]),
      )
    },
  }
}

interface PlaceRow {
  media_buy_id: string
  at: number
  id: string
}

async function listBuys(
  database: Database,
  filter: BuyListFilter,
): Promise<{ rows: ListedBuy[]; next: BuyPlace | undefined }> {
  const { read } = database
  const lane = LANES[filter.trouble ?? 'created']
  const conditions = createConditions()
  for (const condition of lane.conditions) conditions.add(condition)
  const words: string[] = []
  const others = lane.isOfBuys ? conditions : collecting(conditions, words)
  others.isOneOf('b.status', MEDIA_BUY_STATUSES, filter.status)
  others.is('b.owner =', filter.owner)
  others.is('b.created_at >=', filter.since)
  others.is('b.created_at <', filter.until)
  const id = filter.word === undefined ? undefined : await idOf(database, filter.word)
  if (id === undefined) words.push(...wordTests(conditions, filter))
  else conditions.is('b.media_buy_id =', id)
  const { rows: places, last } = await lookPage<PlaceRow>(read, {
    columns: `b.media_buy_id, ${lane.keys[0]} AS at, ${lane.keys[1]} AS id`,
    from: lane.from,
    conditions,
    keys: lane.keys,
    limit: filter.limit,
    fits: words.length > 0 ? words.join(' AND ') : undefined,
    after: filter.after && [filter.after.at, filter.after.id],
  })
  const ids = places.map(({ media_buy_id }) => media_buy_id)
  const rows = await listedBuys(database, ids)
  const isMeant = (row: ListedBuy) =>
    fitsWords(row, id === undefined ? filter : { ...filter, word: undefined })
  return { rows: rows.filter(isMeant), next: last && { at: last.at, id: last.id } }
}

interface Lane {
  from: string
  conditions: readonly string[]
  keys: readonly [string, string]
  /** Whether the scan uses an index on the buys, which then also supports conditions on them. */
  isOfBuys: boolean
}

const reportLane = (state: 'late' | 'given_up'): Lane => ({
  from: 'report_windows w JOIN media_buys b ON b.media_buy_id = w.media_buy_id',
  conditions: [
    // Spelled out, so that the index on both can be used.
    "w.state IN ('late', 'given_up')",
    `w.state = '${state}'`,
    `NOT EXISTS (SELECT 1 FROM report_windows later
       WHERE later.media_buy_id = w.media_buy_id AND later.state IN ('late', 'given_up')
         AND later.state = '${state}' AND later.end_at >= w.end_at
         AND (later.end_at, later.kind) > (w.end_at, w.kind))`,
  ],
  keys: ['w.end_at', 'w.media_buy_id'],
  isOfBuys: false,
})

/** The order of buys: by creation time, or by when their problem started. */
const LANES: Readonly<Record<'created' | 'impaired' | 'late' | 'given_up', Lane>> = {
  created: {
    from: 'media_buys b',
    conditions: [],
    isOfBuys: true,
    keys: ['b.created_at', 'b.media_buy_id'],
  },
  impaired: {
    from: 'media_buy_impairments i JOIN media_buys b ON b.media_buy_id = i.media_buy_id',
    conditions: [
      'i.cleared_at IS NULL',
      `NOT EXISTS (SELECT 1 FROM media_buy_impairments later
         WHERE later.media_buy_id = i.media_buy_id AND later.cleared_at IS NULL
           AND (later.observed_at, later.impairment_id) > (i.observed_at, i.impairment_id))`,
    ],
    keys: ['i.observed_at', 'i.impairment_id'],
    isOfBuys: false,
  },
  late: reportLane('late'),
  given_up: reportLane('given_up'),
}

type Requested = Pick<Conditions, 'is' | 'isOneOf'>

/** The same conditions, for the rows that are examined. */
function collecting(conditions: Conditions, words: string[]): Requested {
  return {
    is: (left, value) => {
      if (value !== undefined) words.push(`${left} ${conditions.param(value)}`)
    },
    isOneOf: (column, known, value) => {
      if (value !== undefined)
        words.push(known.includes(value) ? `${column} = '${value}'` : '1 = 0')
    },
  }
}

/** The buy with this id, or with a package that has it. */
async function idOf({ read }: Database, word: string): Promise<string | undefined> {
  if (!isStorable(word)) return undefined
  const row = await read.get<{ media_buy_id: string }>(
    `SELECT media_buy_id FROM media_buys WHERE media_buy_id = $1
     UNION ALL SELECT media_buy_id FROM media_buy_packages WHERE package_id = $1 LIMIT 1`,
    [word],
  )
  return row?.media_buy_id
}

/** The buyer's input is stored as JSON: first searched as text, then examined in detail. */
function wordTests(conditions: Conditions, { word, brand }: BuyListFilter): string[] {
  return [word, brand].flatMap((text) => {
    if (text === undefined) return []
    const quoted = JSON.stringify(text.toLowerCase()).slice(1, -1)
    return `${FIND}(lower(b.terms), ${conditions.param(quoted)}) > 0`
  })
}

function fitsWords({ terms }: ListedBuy, { word, brand }: BuyListFilter): boolean {
  const { domain } = (terms.brand ?? {}) as { domain?: string }
  if (brand !== undefined && domain?.toLowerCase() !== brand.toLowerCase()) return false
  if (word === undefined) return true
  const said = [domain, terms.name, terms.buyer_ref, terms.po_number]
  return said.some((text) => text?.toLowerCase().includes(word.toLowerCase()))
}
