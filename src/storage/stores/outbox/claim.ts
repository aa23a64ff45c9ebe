// One claim of due deliveries in SQL: which are sent next, which must wait, and the leases (spec 6.4). The cost
// does not depend on the number of waiting deliveries: every step reads a bounded number of rows.

import { defined } from '../../../lib/defined.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type {
  ClaimedDeliveries,
  ClaimedDelivery,
  ClaimRequest,
  UnderWay,
} from '../../../webhooks/sender/store.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { rowsOf, valuesOf } from '../../sql/lists.ts'
import { amongLocked, useIndexes } from '../../sql/locks.ts'
import { CHANNEL_COLUMNS, type ChannelRow, channelOf } from './channels.ts'
import { release, setProbes } from './circuits.ts'
import {
  check,
  createDueScan,
  type DueRow,
  type DueScan,
  endLate,
  firstDue,
  firstDueOf,
  firstHeld,
} from './due.ts'
import { takeBack } from './leases.ts'
import { type ClaimLimits, openClaimLimits } from './limits.ts'
import { endWaiting, laneOf, lockSenders } from './rows.ts'
import { type OwnerTurns, probeTurns, releaseTurns } from './turns.ts'

interface ClaimStep {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
  request: ClaimRequest
  /** What is already leased, followed by what this claim takes. */
  underWay: UnderWay[]
  chosen: Map<number, DueRow>
  limits: ClaimLimits
}

/** Where the last claim stopped, for each kind of scan. */
interface FairQueue {
  owners: DueScan
  lanes: DueScan
  probes: OwnerTurns
}

export function createDeliveryClaim({ dialect }: Database) {
  const turns: FairQueue = {
    owners: createDueScan(dialect, 'owner'),
    lanes: createDueScan(dialect, 'lane'),
    probes: probeTurns(dialect),
  }
  const released = releaseTurns(dialect)
  return async (transaction: Transaction, request: ClaimRequest): Promise<ClaimedDeliveries> => {
    const tx = sqlOf(transaction)
    // Statements that do not depend on each other's results are sent together, since a claim is mostly round trips.
    await Promise.all([useIndexes(dialect, tx), lockSenders(tx)])
    // Read after the lock is acquired: a time read before waiting for it would be stale.
    const now = await tx.now()
    const [, releasedCount, underWay, limits, page, probe] = await Promise.all([
      takeBack({ dialect, tx, now }, 'ended'),
      release({ dialect, tx, now }, released),
      tx.all<UnderWay>(
        "SELECT owner, endpoint, subject FROM webhook_deliveries WHERE state = 'leased'",
      ),
      openClaimLimits(dialect, tx, now),
      firstDue({ dialect, tx, now }, pageSizeOf(request)),
      tx.get('SELECT 1 AS one FROM webhook_circuits WHERE probe_at <= $1 LIMIT 1', [now]),
    ])
    const step: ClaimStep = { dialect, tx, now, request, underWay, chosen: new Map(), limits }
    const isCutShort = await chooseAll(step, turns, {
      // Deliveries released meanwhile may be due before those that were read.
      page: releasedCount > 0 ? await firstDue(step, pageSizeOf(request)) : page,
      isProbeDue: probe !== undefined,
    })
    const claimed = await lease(step)
    const [next] = await Promise.all([
      nextDueAt(tx, now),
      step.limits.keep(),
      writeAttempts(step, claimed),
    ])
    const limitedUntil = step.limits.nextAt()
    return { claimed, isCutShort, nextDueAt: next, ...defined({ limitedUntil }) }
  }
}

/** Deliveries examined, in the order they are due, before the others get their turn. */
const windowOf = (limit: number) => Math.max(4 * limit, 256)

/** Scans of other lanes in one claim. */
const MAX_SCANS = 4

/** Mostly the first page fills the claim; more are read when many have to wait for others. */
const pageSizeOf = ({ limit }: ClaimRequest) => limit + 32

interface FirstLook {
  /** Those that are due first. */
  page: DueRow[]
  isProbeDue: boolean
}

/** True when there is room left and not every lane was looked at. */
async function chooseAll(step: ClaimStep, turns: FairQueue, first: FirstLook): Promise<boolean> {
  const { limit, preferredHosts = [], isQuickLook = false, isFull } = step.request
  const pageSize = pageSizeOf(step.request)
  const seen = new Set<number>()
  let { page } = first
  let due = await dueOf(step, page)
  // A delivery that an open circuit holds from now on may be the one its probe was waiting for.
  const mayProbe = first.isProbeDue || due.length < page.length
  // Probes come first, or under load a dead endpoint would never be tried again. They are few, so that they do not
  // take the slots of healthy endpoints.
  if (mayProbe) await chooseProbes(step, turns.probes, Math.ceil(limit / 4))
  for (;;) {
    const isRefused = choose(step, due)
    for (const { delivery_id } of page) seen.add(delivery_id)
    if (page.length < pageSize || room(step) <= 0) return false
    // When a whole page is refused, the deliveries behind it are assumed to be refused too.
    if (seen.size >= windowOf(limit) || isRefused) break
    page = await firstDue(step, pageSize, page.at(-1))
    due = await dueOf(step, page)
  }
  // All deliveries read so far may belong to one owner, or to endpoints that are busy or dead.
  const chooseNew = async (rows: readonly DueRow[]) => {
    choose(
      step,
      await dueOf(
        step,
        rows.filter(({ delivery_id }) => !seen.has(delivery_id)),
      ),
    )
    for (const { delivery_id } of rows) seen.add(delivery_id)
  }
  const owners = await turns.owners(step)
  await chooseNew(owners.rows)
  const areAllFull = isFull !== undefined && owners.rows.every(({ owner }) => isFull(owner))
  if (owners.isWhole && areAllFull) return false
  if (preferredHosts.length > 0) await chooseNew(await firstDueOf(step, preferredHosts))
  for (let scans = 0; scans < MAX_SCANS && !isQuickLook; scans++) {
    if (room(step) <= 0) return false
    const { rows, isWhole } = await turns.lanes(step)
    await chooseNew(rows)
    if (isWhole) return false
  }
  return room(step) > 0
}

async function dueOf(step: ClaimStep, page: readonly DueRow[]): Promise<DueRow[]> {
  const due = await check(step, page)
  await step.limits.read(due)
  return due
}

async function chooseProbes(step: ClaimStep, turns: OwnerTurns, most: number): Promise<void> {
  const { now, request } = step
  const circuits = await firstHeld(step, turns, most)
  if (circuits.length === 0) return
  const busy = new Set(step.underWay.map(laneOf))
  const held = circuits.flatMap(({ row }) => (row === undefined ? [] : [row]))
  const inTime = await endLate(step, held)
  await step.limits.read(inTime)
  choose(
    step,
    inTime.filter((row) => !busy.has(laneOf(row))),
  )
  const probes: { lane: string; probe_at: number | null }[] = []
  for (const { lane, row } of circuits) {
    if (row === undefined) probes.push({ lane, probe_at: null })
    else if (step.chosen.has(row.delivery_id)) {
      probes.push({ lane, probe_at: now + request.leaseMs })
    } else if (busy.has(lane)) {
      // An attempt from before the circuit opened is the probe; its result decides when to continue.
      probes.push({ lane, probe_at: now + BUSY_PAUSE_MS })
    }
  }
  await setProbes(step, probes)
}

const BUSY_PAUSE_MS = 1_000

const room = ({ request, chosen }: ClaimStep) => request.limit - chosen.size

/**
 * Lets the caller choose among deliveries whose subject and lane have nothing in progress and whose rate limit allows
 * them. True if there were candidates and none was taken.
 */
function choose(step: ClaimStep, due: readonly DueRow[]): boolean {
  const { limits } = step
  const free = oneOfEach(due, step.underWay)
  if (free.length === 0 || room(step) <= 0) return false
  const before = step.chosen.size
  const mayGo = limits.within(free)
  const byId = new Map(mayGo.map((row) => [row.delivery_id, row]))
  const candidates = mayGo.map((row) => {
    const { delivery_id, owner, endpoint, subject } = row
    return { delivery_id, owner, endpoint, subject, concurrency: limits.concurrencyOf(row) }
  })
  for (const { delivery_id } of step.request.choose(candidates, step.underWay)) {
    const row = byId.get(delivery_id)
    if (room(step) <= 0 || row === undefined || step.chosen.has(delivery_id)) continue
    step.chosen.set(delivery_id, row)
    const { owner, endpoint, subject } = row
    step.underWay.push({ owner, endpoint, subject })
    limits.taken(row)
  }
  return step.chosen.size === before
}

/** The delivery of each subject and lane that was emitted first, unless one is in progress. */
function oneOfEach(due: readonly DueRow[], underWay: readonly UnderWay[]): DueRow[] {
  const busy = new Set(underWay.map(pairOf))
  const pairs = due.map(pairOf)
  const first = new Map<string, number>()
  due.forEach(({ delivery_id }, at) => {
    const pair = pairs[at] as string
    const known = first.get(pair)
    if (known === undefined || delivery_id < known) first.set(pair, delivery_id)
  })
  return due.filter(({ delivery_id }, at) => {
    const pair = pairs[at] as string
    return !busy.has(pair) && first.get(pair) === delivery_id
  })
}

// Written out, because a claim computes it thousands of times. None of the parts contains a line break.
const pairOf = (of: UnderWay) => `${of.owner} ${of.endpoint}\n${of.subject}`

interface LeasedRow
  extends Pick<
    ClaimedDelivery,
    'delivery_id' | 'idempotency_key' | 'body' | 'created_at' | 'expires_at'
  > {
  channel_id: string
  attempts: number
  attempts_before: number
  token: string | null
  token_at: number | null
  token_bytes: number | null
}

/** Leases the chosen deliveries before any socket opens. */
async function lease(step: ClaimStep): Promise<ClaimedDelivery[]> {
  const { dialect, tx, now, request, chosen } = step
  if (chosen.size === 0) return []
  const [channels, rows] = await Promise.all([
    liveChannels(step),
    tx.all<LeasedRow>(
      `UPDATE webhook_deliveries SET state = 'leased', attempts = attempts + 1, lease_until = $2
       WHERE ${amongLocked(
         dialect,
         'delivery_id',
         `SELECT delivery_id FROM webhook_deliveries
          WHERE delivery_id IN ${valuesOf(dialect, 'BIGINT')} AND state IN ('pending', 'held')
            AND EXISTS (SELECT 1 FROM webhook_channels ch
              WHERE ch.channel_id = webhook_deliveries.channel_id AND ch.paused_at IS NULL)`,
       )}
       RETURNING delivery_id, channel_id, attempts, attempts_before, idempotency_key, body,
         token, token_at, token_bytes, created_at, expires_at`,
      [JSON.stringify([...chosen.keys()]), now + request.leaseMs],
    ),
  ])
  const orphans = [...chosen.values()].filter(({ channel_id }) => !channels.has(channel_id))
  await endWaiting(
    step,
    orphans.map(({ delivery_id }) => delivery_id),
    ORPHANED,
  )
  await putBack(
    step,
    rows.filter(({ channel_id }) => !channels.has(channel_id)),
  )
  const byId = new Map(rows.map((row) => [row.delivery_id, row]))
  return [...chosen.values()].flatMap(({ delivery_id, channel_id }) => {
    const row = byId.get(delivery_id)
    const channel = channels.get(channel_id)
    return row && channel ? [claimedOf(row, channelOf(channel), now)] : []
  })
}

/** Their channels were resumed between the two statements: the next claim takes them. */
async function putBack({ dialect, tx }: ClaimStep, rows: readonly LeasedRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.run(
    `UPDATE webhook_deliveries SET state = 'pending', attempts = attempts - 1, lease_until = NULL
     WHERE delivery_id IN ${valuesOf(dialect, 'BIGINT')}`,
    [JSON.stringify(rows.map(({ delivery_id }) => delivery_id))],
  )
}

const ORPHANED = { state: 'cancelled', reason: 'its channel is gone' } as const

async function liveChannels({ dialect, tx, chosen }: ClaimStep): Promise<Map<string, ChannelRow>> {
  const ids = new Set([...chosen.values()].map(({ channel_id }) => channel_id))
  const rows = await tx.all<ChannelRow>(
    `SELECT ${CHANNEL_COLUMNS} FROM webhook_channels
     WHERE channel_id IN ${valuesOf(dialect, 'TEXT')} AND paused_at IS NULL`,
    [JSON.stringify([...ids])],
  )
  return new Map(rows.map((row) => [row.channel_id, row]))
}

function claimedOf(
  row: LeasedRow,
  channel: ClaimedDelivery['channel'],
  now: number,
): ClaimedDelivery {
  return {
    delivery_id: row.delivery_id,
    attempt: row.attempts,
    scheduledAttempt: row.attempts - row.attempts_before,
    idempotency_key: row.idempotency_key,
    body: row.body,
    ...defined({
      token:
        row.token === null
          ? undefined
          : { sealed: row.token, at: row.token_at ?? 0, bytes: row.token_bytes ?? 0 },
    }),
    channel,
    created_at: row.created_at,
    expires_at: row.expires_at,
    claimed_at: now,
  }
}

/** SQLite is fastest row by row, PostgreSQL by the round trip. */
async function writeAttempts(
  { dialect, tx, now }: ClaimStep,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  if (claimed.length === 0) return
  const into = 'INSERT INTO webhook_attempts (delivery_id, attempt, url, status, fired_at)'
  if (dialect === 'sqlite') {
    await tx.runEach(
      `${into} VALUES ($1, $2, $3, 'pending', $4)`,
      claimed.map(({ delivery_id, attempt, channel }) => [
        delivery_id,
        attempt,
        channel.endpoint,
        now,
      ]),
    )
    return
  }
  const attempts = claimed.map(({ delivery_id, attempt, channel }) => ({
    delivery_id,
    attempt,
    url: channel.endpoint,
  }))
  await tx.run(
    `${into} SELECT delivery_id, attempt, url, 'pending', CAST($2 AS BIGINT)
     FROM ${rowsOf(dialect, { delivery_id: 'BIGINT', attempt: 'INTEGER', url: 'TEXT' })} AS r`,
    [JSON.stringify(attempts), now],
  )
}

async function nextDueAt(tx: SqlTransaction, now: number): Promise<number | undefined> {
  const row = await tx.get<Record<'due' | 'probe' | 'lease' | 'releasing', number | null>>(
    `SELECT (SELECT min(due_at) FROM webhook_deliveries
          WHERE state = 'pending' AND lease_until IS NULL) AS due,
       (SELECT min(probe_at) FROM webhook_circuits WHERE probe_at IS NOT NULL) AS probe,
       (SELECT min(lease_until) FROM webhook_deliveries WHERE state = 'leased') AS lease,
       (SELECT 1 FROM webhook_circuits WHERE is_releasing = 1 LIMIT 1) AS releasing`,
  )
  if (!row) return undefined
  const times = [row.due, row.probe, row.lease, row.releasing === null ? null : now]
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? undefined : Math.min(...known)
}
