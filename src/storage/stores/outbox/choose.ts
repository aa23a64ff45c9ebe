// Which of the due deliveries one claim takes: probes first, then those due first, then, behind a large backlog, those of
// the other owners and lanes in turn.

import type { ClaimRequest, UnderWay } from '../../../webhooks/sender/store.ts'
import type { Database, SqlTransaction } from '../../sql/database.ts'
import { setProbes } from './circuits.ts'
import {
  check,
  type DueRow,
  type DueScan,
  endLate,
  firstDue,
  firstDueOf,
  firstHeld,
} from './due.ts'
import type { ClaimLimits } from './limits.ts'
import { laneOf } from './rows.ts'
import type { OwnerTurns } from './turns.ts'

export interface ClaimStep {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
  /** Those whose locks the claim holds: it takes nothing of any other. */
  shards: ReadonlySet<number>
  request: ClaimRequest
  /** What is already leased in these shards, followed by what this claim takes. */
  underWay: UnderWay[]
  chosen: Map<number, DueRow>
  limits: ClaimLimits
}

/** Where the last claim stopped, for each kind of scan. */
export interface FairQueue {
  owners: DueScan
  lanes: DueScan
  probes: OwnerTurns
}

/** Deliveries examined, in the order they are due, before the others get their turn. */
const windowOf = (limit: number) => Math.max(4 * limit, 256)

/** Scans of other lanes in one claim. */
const MAX_SCANS = 4

/** Mostly the first page fills the claim; more are read when many have to wait for others. */
const pageSizeOf = ({ limit }: ClaimRequest) => limit + 32

export function firstPage(
  step: Pick<ClaimStep, 'dialect' | 'tx' | 'now' | 'shards'>,
  request: ClaimRequest,
): Promise<DueRow[]> {
  return firstDue(step, pageSizeOf(request))
}

interface FirstLook {
  /** Those that are due first. */
  page: DueRow[]
  isProbeDue: boolean
}

/** True when there is room left and not every lane was looked at. */
export async function chooseAll(
  step: ClaimStep,
  turns: FairQueue,
  first: FirstLook,
): Promise<boolean> {
  const { limit, preferredHosts = [], isQuickLook = false, isFull } = step.request
  const { shards } = step
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
        rows.filter(({ delivery_id, shard }) => shards.has(shard) && !seen.has(delivery_id)),
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

export const room = ({ request, chosen }: ClaimStep) => request.limit - chosen.size

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
