// A request that changes something may carry a key. Repeated under the same key, it takes effect once and gets the
// same answer. The key belongs to a principal and a task (spec 7.3: IDEMPOTENCY_CONFLICT is request-side behaviour).

import { canonicalDigest } from '../lib/canonical-json.ts'
import { stringifyPaced } from '../lib/paced-json.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { Answer } from './answer.ts'
import type { Principal } from './principals.ts'

export const IDEMPOTENCY_TTL_SECONDS = 24 * 60 * 60

/** How long the key of a call stays reserved after its process has died; renewed while the call runs. */
const LEASE_MS = 30_000

export interface IdempotencyScope {
  principalId: string
  task: string
  key: string
}

export type Begun =
  /** The call is the first: it runs, and ends with `finish` or `abandon` under this token. */
  | { state: 'begun'; token: string }
  /** The first call under the key has not ended yet. */
  | { state: 'in_flight' }
  /** The key was used for another request. */
  | { state: 'conflict' }
  /** The first call got this answer. */
  | { state: 'done'; answer: string }

export interface IdempotencyStore {
  /** Reserves the key, or returns its state: atomic across all instances. */
  begin(
    scope: IdempotencyScope,
    fingerprint: string,
    times: { leaseMs: number; ttlMs: number },
  ): Promise<Begun>
  /** Restarts the lease; false when another call has taken the key. */
  renew(
    tx: Transaction,
    scope: IdempotencyScope,
    lease: { token: string; leaseMs: number },
  ): Promise<boolean>
  /** Frees the keys of all calls in progress, when it is known that none are running. Returns how many. */
  releaseAll(tx: Transaction): Promise<number>
  /** Stores the answer, in the transaction of the effect if there is one. */
  finish(
    tx: Transaction,
    scope: IdempotencyScope,
    end: { token: string; answer: string },
  ): Promise<void>
  /** Frees the key: nothing was done under it. */
  abandon(tx: Transaction, scope: IdempotencyScope, token: string): Promise<void>
  /** Deletes some expired keys. Returns how many; 0 when none are left. */
  sweep(tx: Transaction): Promise<number>
}

export interface OnceRequest {
  task: string
  request: Readonly<Record<string, unknown>>
  principal: Principal | undefined
  /** Turns a stored response into an answer again. */
  answerOf: (response: object) => Answer
  /** Maximum number of characters of an answer to keep; a longer one is generated again. Default unlimited. */
  mostKept?: number
}

export interface OncePorts {
  transact: Transact
  idempotency: IdempotencyStore
  identifiers: Pick<Identifiers, 'versionMember'>
  /** How long the key of a call stays reserved after its process has died. Default 30 000. */
  idempotencyLeaseMs?: number | undefined
}

/** Runs `work` unless it was already run under this key: then returns the earlier answer, marked as a replay. */
export async function runOnce(
  ports: OncePorts,
  { task, request, principal, answerOf, mostKept = Number.POSITIVE_INFINITY }: OnceRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { transact, idempotency, identifiers, idempotencyLeaseMs: leaseMs = LEASE_MS } = ports
  const key = request.idempotency_key
  // Without a principal the key would have no owner.
  if (typeof key !== 'string' || !principal) return work()
  const scope = { principalId: principal.principal_id, task, key }
  const begun = await idempotency.begin(scope, fingerprintOf(request), {
    leaseMs,
    ttlMs: IDEMPOTENCY_TTL_SECONDS * 1_000,
  })
  if (begun.state === 'conflict') {
    throw new ProtocolError(
      'IDEMPOTENCY_CONFLICT',
      'this idempotency_key was used for another request: send a new key with a new request',
    )
  }
  if (begun.state === 'in_flight') {
    throw new ProtocolError(
      'IDEMPOTENCY_IN_FLIGHT',
      'the first call with this idempotency_key is still running: retry in a moment',
      { field: '/idempotency_key', retry_after: 1 },
    )
  }
  if (begun.state === 'done') {
    const stored = JSON.parse(begun.answer) as Record<string, unknown>
    return answerOf({ ...stored, replayed: true })
  }
  const renew = () =>
    transact((tx) => idempotency.renew(tx, scope, { token: begun.token, leaseMs }))
  // If the renewal fails, the next one may succeed; otherwise the key is lost and the answer is not kept.
  const renewal = setInterval(() => void renew().catch(() => {}), leaseMs / 3).unref()
  let answer: Answer
  try {
    answer = await work()
  } catch (error) {
    await transact((tx) => idempotency.abandon(tx, scope, begun.token))
    throw error
  } finally {
    clearInterval(renewal)
  }
  const stored = await storedForm(answer, identifiers)
  await transact((tx) =>
    stored.length <= mostKept
      ? idempotency.finish(tx, scope, { token: begun.token, answer: stored })
      : idempotency.abandon(tx, scope, begun.token),
  )
  return answer
}

/** The part of an answer that is stored: without what belongs to the single call, such as its context. */
async function storedForm(
  { body }: Answer,
  { versionMember }: OncePorts['identifiers'],
): Promise<string> {
  const { context: _context, context_id: _id, [versionMember]: _version, ...kept } = body
  // Answers are limited in size earlier: the text always exists.
  return (await stringifyPaced(kept, Number.POSITIVE_INFINITY)) as string
}

/** Leaves out what must not affect whether two requests are the same: the key itself, echoes and secrets. */
function fingerprintOf(request: Readonly<Record<string, unknown>>): string {
  const { idempotency_key: _key, context: _context, ...rest } = request
  return canonicalDigest(withoutCredentials(rest))
}

function withoutCredentials(request: Record<string, unknown>): Record<string, unknown> {
  const config = request.push_notification_config
  if (typeof config !== 'object' || config === null) return request
  const authentication = (config as Record<string, unknown>).authentication
  if (typeof authentication !== 'object' || authentication === null) return request
  const { credentials: _credentials, ...returned } = authentication as Record<string, unknown>
  return { ...request, push_notification_config: { ...config, authentication: returned } }
}
