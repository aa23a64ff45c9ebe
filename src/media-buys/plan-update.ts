// Applies an update_media_buy request to a buy (spec 3.4, 4.5), completely or not at all. The parts of the request
// are processed in this order: the end, the dates, the packages, additions, and whether it waits.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { nearIds, suggestNear } from '../protocol/near-ids.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { UpdateMediaBuyRequest } from '../protocol/schemas/media-buys.ts'
import { movedBy } from './change-buy.ts'
import { commonOf, reportingOf } from './draft-buy.ts'
import {
  changePackages,
  type Draft,
  type DraftContext,
  type DraftPorts,
  draftPackages,
  type PackageTerms,
} from './draft-package.ts'
import { createFaults, type Faults } from './faults.ts'
import { checkFlight, type Flight, startOf } from './flight.ts'
import { BUY_LIMITS } from './limits.ts'
import { livePackages, type MediaBuyRecord, type PackageRecord, sumOf } from './media-buy.ts'
import { isEnded } from './states.ts'

export type UpdateRequest = UpdateMediaBuyRequest & RequestEnvelope

export interface PlannedUpdate {
  after: MediaBuyRecord
  /** The action, in the terms of valid_actions. */
  actions: string[]
  /** Packages that are new or changed. */
  package_ids: string[]
  drafts: readonly Draft[]
  /** Newly added packages. */
  added: readonly Draft[]
}

export interface UpdateToPlan {
  buy: MediaBuyRecord
  request: UpdateRequest
  /**
   * Whether the request waited for the seller's decision: a start that has passed meanwhile then means now. Default
   * false.
   */
  isAccepted?: boolean
}

/** Writes nothing. Throws an error that refuses the request. */
export async function planUpdate(
  ports: DraftPorts,
  tx: Transaction,
  { buy, request, isAccepted = false }: UpdateToPlan,
): Promise<PlannedUpdate> {
  const now = await tx.now()
  if (request.canceled) return planCancel(buy, request, now)
  if (isEnded(buy.status)) movedBy(buy, 'resume')

  const faults = createFaults()
  const actions: string[] = []
  const flight = flightAfter(buy, request, { now, isAccepted, faults })
  if (request.start_time !== undefined || request.end_time !== undefined)
    actions.push('update_dates')
  const context = { tx, owner: buy.owner, flight, faults }
  const changed = await planPackages(ports, context, { buy, request })
  const added = await draftPackages(
    ports,
    context,
    (request.new_packages ?? []).map((terms, index) => ({
      terms,
      pointer: `/new_packages/${index}`,
    })),
  )
  const packages = [...changed.packages, ...added.map(({ record }) => record)]
  if (packages.length > BUY_LIMITS.packages.value) {
    const message = `A buy has at most ${BUY_LIMITS.packages.value} packages, canceled ones included.`
    faults.add('VALIDATION_ERROR', message, { pointer: '/new_packages' })
  }
  commonWithBuy(buy, added, faults)
  const drafts = [...changed.drafts, ...added]
  const reporting = await reportingAfter(ports, context, { buy: { ...buy, packages }, request })
  faults.refuse()
  actions.push(...changed.actions, ...(added.length > 0 ? ['add_packages'] : []))

  let after: MediaBuyRecord = {
    ...buy,
    start_at: flight.start_at,
    end_at: flight.end_at,
    packages,
    reporting,
    total_budget: sumOf(livePackages({ packages }).map(({ budget }) => budget)),
  }
  if (request.paused !== undefined) {
    const event = request.paused ? 'pause' : 'resume'
    after = movedBy(after, event)
    actions.push(event)
  }
  const { name } = request
  if (name !== undefined && name !== buy.terms.name) {
    after = { ...after, terms: { ...after.terms, name } }
    actions.push('update_name')
  }
  const package_ids = [...changed.ids, ...added.map(({ record }) => record.package_id)]
  return { after, actions, package_ids, drafts, added }
}

function planCancel(buy: MediaBuyRecord, request: UpdateRequest, now: number): PlannedUpdate {
  const { cancellation_reason: reason } = request
  const after = {
    ...movedBy(buy, 'cancel'),
    ending: { by: 'buyer' as const, at: now, ...defined({ reason }) },
  }
  return { after, actions: ['cancel'], package_ids: [], drafts: [], added: [] }
}

type FlightContext = Pick<Flight, 'now' | 'isAccepted'> & { faults: Faults }

function flightAfter(
  buy: MediaBuyRecord,
  { start_time, end_time }: UpdateRequest,
  context: FlightContext,
): Flight {
  const { faults, ...accepted } = context
  const start_at = startAfter(buy, start_time, context)
  const end_at = end_time === undefined ? buy.end_at : Date.parse(end_time)
  const flight = { start_at, end_at, ...accepted }
  if (start_time !== undefined || end_time !== undefined) checkFlight(flight, faults)
  return flight
}

/** An unchanged start may be in the past. */
function startAfter(
  buy: MediaBuyRecord,
  start_time: string | undefined,
  { faults, ...accepted }: FlightContext,
): number {
  if (start_time === undefined || Date.parse(start_time) === buy.start_at) return buy.start_at
  if (buy.status !== 'active' && buy.status !== 'paused') {
    return startOf(start_time, accepted, { pointer: '', faults })
  }
  const message = 'The buy has started: start_time cannot be changed, only end_time.'
  faults.add('INVALID_STATE', message, { pointer: '/start_time' })
  return buy.start_at
}

interface ChangedPackages {
  /** All of the buy, in their order. */
  packages: PackageRecord[]
  ids: string[]
  drafts: Draft[]
  actions: string[]
}

interface PackageChange extends PackageTerms {
  package_id: string
  canceled?: unknown
}

async function planPackages(
  ports: DraftPorts,
  context: DraftContext,
  { buy, request }: UpdateToPlan,
): Promise<ChangedPackages> {
  const { faults } = context
  const known = new Map(buy.packages.map((one) => [one.package_id, one]))
  const changes = new Map<string, PackageRecord>()
  const requested: { before: PackageRecord; terms: PackageTerms; pointer: string }[] = []
  const actions = new Set<string>()
  for (const [index, change] of ((request.packages ?? []) as PackageChange[]).entries()) {
    const pointer = `/packages/${index}`
    const before = known.get(change.package_id)
    if (!before) {
      faults.add('PACKAGE_NOT_FOUND', 'This buy has no package with this id.', {
        pointer: `${pointer}/package_id`,
        suggestion: suggestNear(
          nearIds(change.package_id, known.keys()),
          'Use a package_id returned by get_media_buys.',
        ),
      })
      continue
    }
    if (changes.has(before.package_id)) {
      faults.add('VALIDATION_ERROR', 'The request changes it twice.', {
        pointer: `${pointer}/package_id`,
      })
      continue
    }
    if (before.canceled) {
      faults.add('INVALID_STATE', 'It is canceled: add a new package instead.', { pointer })
      continue
    }
    if (change.canceled === true) {
      changes.set(before.package_id, { ...before, canceled: true })
      actions.add('update_packages')
      continue
    }
    for (const action of actionsOf(change)) actions.add(action)
    changes.set(before.package_id, { ...before, paused: change.paused ?? before.paused })
    if (isOnlyPause(change)) continue
    requested.push({ before, terms: change, pointer })
  }
  const drafts = await changePackages(ports, context, requested)
  for (const { record } of drafts) changes.set(record.package_id, record)
  for (const { record, assignments, pointer } of drafts) {
    if (assignments?.length !== 0 || buy.status === 'pending_creatives') continue
    const message = `${record.package_id} needs a creative: pause or cancel it instead.`
    faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/creative_assignments` })
  }
  const packages = buy.packages.map((one) => changes.get(one.package_id) ?? one)
  if (request.packages && livePackages({ packages }).length === 0) {
    faults.add(
      'VALIDATION_ERROR',
      'A buy must keep at least one package: cancel the buy instead.',
      { pointer: '/packages' },
    )
  }
  return { packages, ids: [...changes.keys()], drafts, actions: [...actions] }
}

function actionsOf(change: PackageChange): string[] {
  const { budget, creative_ids, creative_assignments, creatives, start_time, end_time } = change
  const returned = [creative_ids, creative_assignments, creatives]
  const found: string[] = []
  if (budget !== undefined) found.push('update_budget')
  if (returned.some((one) => one !== undefined)) found.push('sync_creatives')
  if (start_time !== undefined || end_time !== undefined) found.push('update_dates')
  return found.length > 0 ? found : ['update_packages']
}

/** Such a package can be stopped even if its product is no longer offered. */
function isOnlyPause(change: PackageChange): boolean {
  return Object.entries(change).every(
    ([name, value]) => name === 'package_id' || name === 'paused' || value === undefined,
  )
}

/** Added packages are sold and reported like the rest of the buy. */
function commonWithBuy(buy: MediaBuyRecord, added: readonly Draft[], faults: Faults): void {
  if (added.length === 0) return
  const { time_zone } = commonOf(added, buy.currency, faults)
  if (time_zone === buy.time_zone) return
  const message = `This buy is reported in ${buy.time_zone}, and this product is not: create a separate buy.`
  faults.add('VALIDATION_ERROR', message, { pointer: '/new_packages' })
}

async function reportingAfter(
  { products }: DraftPorts,
  { tx, faults }: Pick<DraftContext, 'tx' | 'faults'>,
  { buy, request: { reporting_webhook } }: UpdateToPlan,
): Promise<MediaBuyRecord['reporting']> {
  if (reporting_webhook === undefined) return buy.reporting
  const ids = [...new Set(livePackages(buy).map(({ product_id }) => product_id))]
  const found = [...(await products.find(tx, buy.owner, ids)).values()]
  return reportingOf(
    reporting_webhook,
    found.map((product) => ({ product })),
    faults,
  )
}

/** Throws CONFLICT when the buy has changed since the caller read it. */
export function checkRevision(buy: MediaBuyRecord, revision: number | undefined): void {
  if (revision === undefined || revision === buy.revision) return
  const message = `the media buy is at revision ${buy.revision}, and the request has ${revision}: read it again`
  throw new ProtocolError('CONFLICT', message, {
    field: '/revision',
    details: { media_buy_id: buy.media_buy_id, current_revision: buy.revision },
  })
}
