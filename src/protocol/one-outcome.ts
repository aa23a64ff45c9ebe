// One outcome of a task, however often it is reported (spec 3.2, 6.4). The response to the call, a poll and a
// webhook report the same task, in any order and more than once; a webhook may even arrive before the response.
//
//   reported                   nothing settled     settled
//   submitted, working …       interim             stale
//   unknown, or no status      nothing             nothing
//   a final status             settled             same, or conflict
//
// The first final status wins. An equal one is a repetition; a different one never replaces it, and is stored as
// a conflict. Pure: shared by a caller and a receiver of webhooks.

import { canonicalJson } from '../lib/canonical-json.ts'
import { type FinalStatus, isFinalStatus } from './final-status.ts'
import type { Identifiers } from './identifiers.ts'
import { receivedTaskStatus } from './schemas/task-status.ts'

/** What was reported about a task, without what is specific to the transport. */
export interface OutcomeFields {
  task_type: string
  status: string
  /** The outcome of the task, from `outcomeValue`. */
  value: unknown
}

export interface OutcomeState {
  settled?: Settled
}

interface Settled {
  status: FinalStatus
  /** What later reports are compared with. Most outcomes are reported once, so it is not serialized in advance. */
  reported: OutcomeFields
}

export type OutcomeNews = 'settled' | 'same' | 'conflict' | 'interim' | 'stale' | 'nothing'

export const NOTHING_TOLD: OutcomeState = {}

/** The effect of a report, and whether it was new. The state is not changed. */
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

/** Whether two final reports have the same outcome. */
export function isSameOutcome(one: OutcomeFields, other: OutcomeFields): boolean {
  return outcomeText(one) === outcomeText(other)
}

function outcomeText({ task_type, status, value }: OutcomeFields): string {
  // Spec 3.2: webhooks never contain `rejected`; the same outcome is `failed` there.
  const end = status === 'rejected' ? 'failed' : status
  return canonicalJson({ task_type, status: end, value })
}

/** Members of a response that belong to the call or its transport, and not to the outcome of the task. */
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
 * The outcome of a task, from the members that reported it. For errors, only codes and messages are compared, since
 * the transports differ in what else they report; a canceled task has no result.
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
