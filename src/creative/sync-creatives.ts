// `sync_creatives`: adds or changes creatives in the caller's library, and assigns them to packages (spec 4.5).
// Strict: the whole call or nothing; lenient: each creative separately. There is no review: a creative that fits its
// format is approved. Package ids are stored as received.

import { canonicalJson } from '../lib/canonical-json.ts'
import { mapPaced } from '../lib/chunks.ts'
import { defined } from '../lib/defined.ts'
import { createPacer } from '../lib/pacer.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError, type TaskError } from '../protocol/errors.ts'
import { NO_LIMITS } from '../protocol/quota.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import { formatIdRefusal } from '../protocol/schemas/generation-rules.ts'
import {
  type SyncCreativesRequest,
  type SyncCreativesResponse,
  syncCreativesRequest,
  syncCreativesResponse,
} from '../protocol/schemas/sync-creatives.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { callerOf } from './caller-of.ts'
import type { KindFormat } from './canonical/kind-format.ts'
import {
  assignmentsOf,
  checkAssignments,
  type PlannedAssignment,
  refuseAssignments,
  type SyncResult,
} from './check-assignments.ts'
import { askSynced, contentError, type RequestedCreative } from './check-synced.ts'
import type { CreativeWorkerPool, OnBehalf } from './jobs/creative-worker-pool.ts'
import { syncCost } from './library-cost.ts'
import { libraryOwner } from './library-owner.ts'
import { aboutToAdd, type LibraryLimits, type LibraryRoom, roomIn } from './library-quota.ts'
import type { CreativeStore, SavedCreative, StoredCreative } from './library-store.ts'
import { MAX_REQUEST_BYTES } from './limits.ts'
import { faultsOf } from './manifest-check/check-manifests.ts'
import type { FindFormat } from './manifest-check/find-format.ts'

export interface SyncCreativesPorts {
  findFormat: FindFormat
  /** The format of a creative that names a canonical kind. Default: none is found. */
  kindFormat?: KindFormat
  library: CreativeStore
  transact: Transact
  workerPool: CreativeWorkerPool
  /** Notified which packages received creatives, in the transaction that assigned them. Default: no one is. */
  onAssigned?: (tx: Transaction, owner: string, packageIds: readonly string[]) => Promise<void>
  /** The maximum size of a library. Default: any. */
  limits?: LibraryLimits
}

export function syncCreatives(
  ports: SyncCreativesPorts,
): Task<SyncCreativesRequest, SyncCreativesResponse> {
  return defineTask({
    name: 'sync_creatives',
    summary: 'Adds or updates creatives in the library and assigns them to packages',
    area: 'creative',
    access: 'tasks',
    changes: true,
    request: syncCreativesRequest,
    response: syncCreativesResponse,
    refusalFor: formatIdRefusal,
    bodyLimitBytes: MAX_REQUEST_BYTES,
    cost: syncCost(ports.library),
    handle: async (request, call) => {
      const owner = libraryOwner(call.principal)
      const plan = await planOf(request, ports, call)
      if (plan.isStrict) refuseFaults(plan)
      const creatives = await ports.transact((tx) => apply(tx, { ...plan, owner }, ports))
      return { ...defined({ dry_run: plan.isDryRun ? true : undefined }), creatives }
    },
  })
}

type Result = SyncResult

interface Plan {
  isStrict: boolean
  isDryRun: boolean
  archivesOthers: boolean
  /** The only creatives that may be touched; undefined means all. */
  within: readonly string[] | undefined
  /** In the order of the request. */
  items: PlannedItem[]
  assignments: PlannedAssignment[]
}

type PlannedItem = { creative_id: string } & (
  | { saved: SavedCreative; warnings: string[] }
  | { errors: TaskError[] }
)

/** All that can be decided without the library. */
async function planOf(
  request: SyncCreativesRequest,
  { findFormat, kindFormat, workerPool }: SyncCreativesPorts,
  { calledOn, principal, account, signal, version }: CallContext,
): Promise<Plan> {
  const within = request.creative_ids
  const isMeant = meantBy(within)
  const known = new Set<string>()
  const items: (PlannedItem | (RequestedCreative & { creative_id: string }))[] = []
  const pacer = createPacer()
  for (const [index, creative] of request.creatives.entries()) {
    if (pacer.isDue()) await pacer.pause()
    const { creative_id } = creative
    if (!isMeant(creative_id)) continue
    const pointer = `/creatives/${index}`
    if (known.has(creative_id)) {
      items.push({ creative_id, errors: [twice(`${pointer}/creative_id`)] })
      continue
    }
    known.add(creative_id)
    const isNewer = hasFeature(version, 'canonical_slots')
    const requested = askSynced(creative, pointer, { findFormat, calledOn, isNewer, kindFormat })
    items.push({ creative_id, ...requested } as (typeof items)[number])
  }
  return {
    isStrict: isStrict(request, version),
    isDryRun: request.dry_run === true,
    archivesOthers: request.delete_missing === true,
    within,
    items: await checked(items, workerPool, { owner: callerOf({ principal, account }), signal }),
    assignments: assignmentsOf(request).filter(({ creative_id }) => isMeant(creative_id)),
  }
}

/** A 3.x call without this setting gets a result per creative; a call without a version is all or nothing. */
function isStrict(
  { validation_mode }: Pick<SyncCreativesRequest, 'validation_mode'>,
  version: CallContext['version'],
): boolean {
  if (validation_mode !== undefined) return validation_mode === 'strict'
  return hasFeature(version, 'all_creatives_or_none')
}

function meantBy(within: readonly string[] | undefined): (id: string) => boolean {
  const named = within && new Set(within)
  return (id) => !named || named.has(id)
}

async function checked(
  items: readonly (PlannedItem | (RequestedCreative & { creative_id: string }))[],
  workerPool: CreativeWorkerPool,
  by: OnBehalf,
): Promise<PlannedItem[]> {
  const requested = items.flatMap((one) => ('check' in one ? [one] : []))
  const found = await faultsOf(
    workerPool,
    requested.map(({ item }) => item),
    by,
  )
  const faults = new Map(requested.map((one, index) => [one, found[index] ?? []]))
  return items.map((one) => {
    if (!('check' in one)) return one
    const { creative_id } = one
    const verdict = one.check(faults.get(one) ?? [])
    if (!verdict.ok) return { creative_id, errors: verdict.errors }
    return { creative_id, saved: verdict.saved, warnings: verdict.warnings }
  })
}

function twice(pointer: string): TaskError {
  return contentError(pointer, 'This creative appears twice in the request.', 'uniqueItems')
}

/** spec 7.1: one refusal with every error of every creative. Invalid content outweighs an unknown format. */
function refuseFaults({ items }: Pick<Plan, 'items'>): void {
  const errors = items.flatMap((item) => ('errors' in item ? item.errors : []))
  const reported = errors.find(({ code }) => code === 'VALIDATION_ERROR') ?? errors[0]
  if (!reported) return
  const failed = items.filter((item) => 'errors' in item).length
  throw new ProtocolError(
    reported.code,
    `${failed} of ${items.length} creatives are invalid, so none was synced: ${reported.message}`,
    {
      issues: errors.flatMap(({ issues = [] }) => issues),
      suggestion:
        'fix the fields listed in `issues`, or send validation_mode lenient to sync the valid ones',
    },
  )
}

/** The part that needs the library, in one transaction. A dry run does everything except write. */
async function apply(
  tx: Transaction,
  plan: Plan & { owner: string },
  { library, limits = NO_LIMITS, onAssigned }: SyncCreativesPorts,
): Promise<Result[]> {
  const { owner } = plan
  // Before the creatives themselves: so two syncs of one library wait for each other and do not deadlock.
  const saved = plan.items.flatMap((item) => ('saved' in item ? [item.saved] : []))
  const room = roomIn(await library.useOf(tx, owner, aboutToAdd(saved, limits)), limits)
  const synced = plan.items.map(({ creative_id }) => creative_id)
  const assigning = plan.assignments.map(({ creative_id }) => creative_id)
  const named = [...new Set([...synced, ...assigning])]
  const hasAssignments = plan.assignments.length > 0
  const states = await library.lockStates(tx, owner, hasAssignments ? named : [])
  const stored = await library.lock(tx, owner, [...new Set(synced)])
  const check = (item: PlannedItem) => {
    const known = stored.get(item.creative_id)
    return withinRoom(room, item, { stored: known, result: resultOf(item, known) })
  }
  const results = await mapPaced(plan.items, check, { isInTransaction: true })
  if (plan.isStrict) refuseOverfull(results)
  const changed = plan.items.filter(
    (item, index): item is Extract<PlannedItem, { saved: SavedCreative }> =>
      'saved' in item && isChange(results[index]),
  )
  if (!plan.isDryRun) {
    const settledOnes = changed.map(({ saved }) => settled(saved, stored.get(saved.creative_id)))
    await library.save(tx, owner, settledOnes)
  }
  const assigned = await checkAssignments(plan.assignments, {
    synced: results,
    stored: states,
    limit: limits.assignments,
    known: await library.assigned(tx, owner, plan.assignments),
  })
  if (plan.isStrict) refuseAssignments(assigned)
  if (!plan.isDryRun && assigned.accepted.length > 0) {
    await library.assign(tx, owner, assigned.accepted)
    await onAssigned?.(tx, owner, [...new Set(assigned.accepted.map((one) => one.package_id))])
  }
  const archived = plan.archivesOthers
    ? await library.activeIds(tx, owner, { except: named, within: plan.within })
    : []
  if (!plan.isDryRun) await library.archive(tx, owner, archived)
  return [
    ...assigned.results,
    ...archived.map(
      (creative_id): Result => ({ creative_id, action: 'deleted', status: 'archived' }),
    ),
  ]
}

function withinRoom(
  room: LibraryRoom,
  item: PlannedItem,
  { stored, result }: { stored: StoredCreative | undefined; result: Result },
): Result {
  if (!('saved' in item) || !isChange(result)) return result
  const error = room.take(item.saved, stored)
  return error ? { creative_id: item.creative_id, action: 'failed', errors: [error] } : result
}

/** A creative that does not fit its format was refused earlier. */
function refuseOverfull(results: readonly Result[]): void {
  const failed = results.filter(({ action }) => action === 'failed')
  const [error] = failed[0]?.errors ?? []
  if (!error) return
  const { code, message, ...extras } = error as TaskError
  const reported = `${failed.length} of ${results.length} creatives have no room, so none was synced`
  throw new ProtocolError(code, `${reported}: ${message}`, extras)
}

function isChange(result: Result | undefined): boolean {
  return result?.action === 'created' || result?.action === 'updated'
}

function resultOf(item: PlannedItem, stored: StoredCreative | undefined): Result {
  const { creative_id } = item
  if ('errors' in item) return { creative_id, action: 'failed', errors: item.errors }
  const saved = settled(item.saved, stored)
  const warnings = item.warnings.length > 0 ? { warnings: item.warnings } : {}
  if (!stored) return { creative_id, action: 'created', status: saved.status, ...warnings }
  const changes = changesOf(stored, saved)
  if (changes.length === 0) {
    return { creative_id, action: 'unchanged', status: saved.status, ...warnings }
  }
  return { creative_id, action: 'updated', status: saved.status, changes, ...warnings }
}

/** Syncing a suspended creative again does not reactivate it. */
function settled(saved: SavedCreative, stored: StoredCreative | undefined): SavedCreative {
  const isHeld = stored?.status === 'suspended' && saved.status === 'approved'
  return isHeld ? { ...saved, status: 'suspended' } : saved
}

const COMPARED = [
  'name',
  'format_id',
  'assets',
  'status',
  'tags',
  'concept_id',
  'concept_name',
] as const

/** The transport names of the members that differ. */
function changesOf(stored: StoredCreative, saved: SavedCreative): string[] {
  const differs = (one: unknown, other: unknown) => canonicalJson(one) !== canonicalJson(other)
  const others = new Set([...Object.keys(stored.others), ...Object.keys(saved.others)])
  return [
    ...COMPARED.filter((member) => differs(stored[member], saved[member])),
    ...[...others].filter((member) => differs(stored.others[member], saved.others[member])).sort(),
  ]
}
