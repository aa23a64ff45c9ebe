// One outcome of a task, however often it is told (spec 3.2, 6.4). The answer to the call, a poll and a
// webhook tell of the same task, in any order and more than once; a webhook may even come before the answer.
//
//   told                       nothing settled     settled
//   submitted, working …       interim             stale
//   unknown, or no status      nothing             nothing
//   a final status             settled             same, or conflict
//
// The first final one wins. One that is equal says the same again; one that differs never replaces it, and
// is kept as a conflict. Pure: a caller and a receiver of webhooks share it.

import { canonicalJson } from '../lib/canonical-json.ts'
import { type FinalStatus, isFinalStatus } from './final-status.ts'
import type { Identifiers } from './identifiers.ts'
import { receivedTaskStatus } from './schemas/task-status.ts'

/** What was told of a task, without what belongs to the way it was told. */
export interface OutcomeFields {
  task_type: string
  status: string
  /** What the task came to: by `outcomeValue`. */
  value: unknown
}

export interface OutcomeState {
  settled?: Settled
}

interface Settled {
  status: FinalStatus
  /** What later ones are compared with. Most outcomes are told once, so it is not made a text before. */
  reported: OutcomeFields
}

export type OutcomeNews = 'settled' | 'same' | 'conflict' | 'interim' | 'stale' | 'nothing'

export const NOTHING_TOLD: OutcomeState = {}

/** What a telling makes of it, and whether it was news. The state is not changed. */
export function receiveOutcome(
  state: OutcomeState,
  reported: OutcomeFields,
): { state: OutcomeState; news: OutcomeNews } {
  const { settled } = state
  const { status } = reported
  if (!isFinalStatus(status)) {
    const isKnown = status !== 'unknown' && receivedTaskStatus.safeParse(status).success
    if (!isKnown) return { state, news: 'nothing' }
    return { state, news: settled ? 'stale' : 'interim' }
  }
  if (!settled) return { state: { settled: { status, reported } }, news: 'settled' }
  return { state, news: isSameOutcome(settled.reported, reported) ? 'same' : 'conflict' }
}

/** Whether two final tellings are of the same outcome. */
export function isSameOutcome(one: OutcomeFields, other: OutcomeFields): boolean {
  return outcomeText(one) === outcomeText(other)
}

function outcomeText({ task_type, status, value }: OutcomeFields): string {
  // Spec 3.2: no webhook says `rejected`; the same end is `failed` there.
  const end = status === 'rejected' ? 'failed' : status
  return canonicalJson({ task_type, status: end, value })
}

/** Members of an answer that belong to the call or its wire, and not to what the task came to. */
const TRANSPORT_MEMBERS: ReadonlySet<string> = new Set([
  'status',
  'message',
  'context',
  'context_id',
  'task_id',
  'operation_id',
  'timestamp',
  'replayed',
  'ext',
])

/**
 * What a task came to, out of the members that told it. Of errors the codes and messages count, since the
 * ways differ in what else they tell of one; a task that was canceled came to nothing.
 */
export function outcomeValue(
  status: string,
  members: Readonly<Record<string, unknown>>,
  { versionMember, majorVersionMember, errorMember }: ValueNames,
): unknown {
  if (status === 'canceled') return {}
  const isFailed = status !== 'completed'
  const own = new Set([versionMember, majorVersionMember])
  const failures = new Set(isFailed ? ['error', 'errors', errorMember] : [])
  const kept = Object.entries(members).filter(
    ([name]) => !TRANSPORT_MEMBERS.has(name) && !own.has(name) && !failures.has(name),
  )
  const value = Object.fromEntries(kept)
  return isFailed ? { ...value, errors: returnedErrors(members) } : value
}

export type ValueNames = Pick<Identifiers, 'versionMember' | 'majorVersionMember' | 'errorMember'>

function returnedErrors({ errors, error }: Readonly<Record<string, unknown>>): unknown[] {
  const listed: unknown[] = Array.isArray(errors) ? errors : error === undefined ? [] : [error]
  return listed.map((one) => {
    if (typeof one !== 'object' || one === null) return one
    const { code, message } = one as Record<string, unknown>
    return { code, message }
  })
}
