// Checks the assignments of a sync (spec 4.5): each one is made, or has an error at its package. The number of
// packages per creative is limited.

import { createPacer } from '../lib/pacer.ts'
import { isStorable } from '../lib/storable-text.ts'
import { ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import { quotaError } from '../protocol/quota.ts'
import type {
  SyncCreativesRequest,
  SyncCreativesResponse,
} from '../protocol/schemas/sync-creatives.ts'
import { contentError, NOT_PLAIN } from './check-synced.ts'
import type { Assignment, CreativeState } from './library-store.ts'

export interface PlannedAssignment extends Assignment {
  /** Where it is in the request. */
  pointer: string
}

export type SyncResult = SyncCreativesResponse['creatives'][number]

/** Both forms as a list. */
export function assignmentsOf({ assignments = [] }: SyncCreativesRequest): PlannedAssignment[] {
  if (Array.isArray(assignments)) {
    return assignments.map(({ creative_id, package_id, weight, placement_ids }, index) => ({
      creative_id,
      package_id,
      weight,
      placement_ids,
      pointer: `/assignments/${index}`,
    }))
  }
  return Object.entries(assignments).flatMap(([creative_id, packages]) =>
    packages.map((package_id, index) => ({
      creative_id,
      package_id,
      pointer: `/assignments/${creative_id.replaceAll('~', '~0').replaceAll('/', '~1')}/${index}`,
    })),
  )
}

export interface AssignmentFacts {
  /** The outcomes of the creatives in the same call. */
  synced: readonly SyncResult[]
  /** As the creatives were before. */
  stored: ReadonlyMap<string, CreativeState>
  /** Those of the assignments that already exist. */
  known: readonly Pick<Assignment, 'creative_id' | 'package_id'>[]
  /** Maximum number of packages that one creative may be assigned to. */
  limit: number
}

export interface CheckedAssignments {
  results: SyncResult[]
  accepted: Assignment[]
  faults: { pointer: string; error: TaskError }[]
}

export async function checkAssignments(
  assignments: readonly PlannedAssignment[],
  { synced, stored, known, limit }: AssignmentFacts,
): Promise<CheckedAssignments> {
  const results = synced.map((result) => ({ ...result }))
  // In reverse, so that the first one counts if a creative is given twice.
  const byId = new Map(results.toReversed().map((result) => [result.creative_id, result]))
  const room = roomOf(stored, known, limit)
  const reported = new Map<SyncResult, { assigned: Set<string>; errors: Map<string, string> }>()
  const checked: CheckedAssignments = { results, accepted: [], faults: [] }
  const pacer = createPacer({ isInTransaction: true })
  for (const assignment of assignments) {
    const { creative_id, package_id, pointer } = assignment
    let result = byId.get(creative_id)
    const error = assignmentError(assignment, result, stored.get(creative_id)) ?? room(assignment)
    if (error) checked.faults.push({ pointer, error })
    if (!result) {
      const state = stored.get(creative_id)
      result = state
        ? { creative_id, action: 'unchanged', status: state.status }
        : { creative_id, action: 'failed', errors: error ? [error] : [] }
      byId.set(creative_id, result)
      checked.results.push(result)
    }
    const own = reported.get(result) ?? { assigned: new Set(), errors: new Map() }
    reported.set(result, own)
    if (error) own.errors.set(package_id, error.message)
    else {
      own.assigned.add(package_id)
      checked.accepted.push(assignment)
    }
    if (pacer.isDue()) await pacer.pause()
  }
  for (const [result, { assigned, errors }] of reported) {
    if (assigned.size > 0) result.assigned_to = [...assigned]
    if (errors.size > 0) result.assignment_errors = Object.fromEntries(errors)
  }
  return checked
}

/**
 * Reserves room for an assignment; returns the error when its creative already has the maximum number of packages.
 */
function roomOf(
  stored: ReadonlyMap<string, CreativeState>,
  known: AssignmentFacts['known'],
  limit: number,
): (assignment: PlannedAssignment) => TaskError | undefined {
  const keyOf = (one: Pick<Assignment, 'creative_id' | 'package_id'>) =>
    JSON.stringify([one.creative_id, one.package_id])
  const assigned = new Set(known.map(keyOf))
  const counts = new Map<string, number>()
  return (assignment) => {
    const { creative_id, pointer } = assignment
    const key = keyOf(assignment)
    if (assigned.has(key)) return undefined
    const used = counts.get(creative_id) ?? stored.get(creative_id)?.assignment_count ?? 0
    if (used >= limit) return quotaError('assignments', { limit, used }, pointer)
    counts.set(creative_id, used + 1)
    assigned.add(key)
    return undefined
  }
}

function assignmentError(
  { creative_id, package_id, placement_ids = [], pointer }: PlannedAssignment,
  result: SyncResult | undefined,
  stored: CreativeState | undefined,
): TaskError | undefined {
  if (![package_id, ...placement_ids].every(isStorable)) {
    return contentError(`${pointer}/package_id`, NOT_PLAIN, 'pattern')
  }
  const isKnown = stored !== undefined || (result !== undefined && result.action !== 'failed')
  if (!isKnown) {
    const quotedId = JSON.stringify(creative_id.slice(0, 100))
    const message = `no creative ${quotedId} in your library: add it with sync_creatives first`
    return taskError('CREATIVE_NOT_FOUND', message, { field: pointer })
  }
  const isSynced = result !== undefined && result.action !== 'failed'
  if ((isSynced ? result.status : stored?.status) === 'archived') {
    const message = 'the creative is archived: sync it again before assigning it'
    return taskError('INVALID_STATE', message, { field: pointer })
  }
  return undefined
}

export function refuseAssignments({ faults }: CheckedAssignments): void {
  const [first] = faults
  if (!first) return
  const { code, message } = first.error
  throw new ProtocolError(code, `an assignment cannot be made, so nothing was synced: ${message}`, {
    issues: faults.map(({ pointer, error }) => ({
      pointer,
      message: error.message,
      keyword: error.code,
    })),
  })
}
