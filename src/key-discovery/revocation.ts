// Whether a seller's key is still valid, according to its operator's newest list (spec 5). A list is fetched again
// when it says so, at least every 30 minutes; one that is too old blocks all keys of the operator, since otherwise
// withholding the list would keep a stolen key valid.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import type { LogLine } from '../lib/log-line.ts'
import type { Egress, EgressResult } from '../lib/safe-fetch/safe-fetch.ts'
import { steadyClock } from '../lib/steady-clock.ts'
import type { CheckRevocation } from '../signing/ports.ts'
import { type RevocationList, readRevocationList } from './revocation-list.ts'
import type { SenderKeys } from './sender-keys.ts'

export interface RevocationOptions {
  keys: Pick<SenderKeys, 'keySet'>
  egress: Pick<Egress, 'fetch'>
  /** The `typ` of a list. */
  type: string
  /** Status of an operator's keys if it publishes no list (404). Default current. */
  whenAbsent?: 'current' | 'stale'
  /** Status of the keys while the operator's server has never been reached. Default stale. */
  whenUnreachable?: 'current' | 'stale'
  /** Default: the system's clock. */
  clock?: Clock
  /** Default: ignored. */
  log?: { info: LogLine; warn: LogLine }
}

const PATH = '/.well-known/governance-revocations.json'
const FLOOR_MS = 60_000
const CEILING_MS = 30 * 60_000
/** How soon the list is requested again from an operator without one. */
const ABSENT_MS = 5 * 60_000
/** Number of intervals that may pass after `next_update` before a list is too old. */
const STALE_INTERVALS = 4
const MAX_LIST_BYTES = 256 * 1024
const TIMEOUT_MS = 10_000

/** What is known of one operator. */
interface Operator {
  origin: string
  list?: RevocationList
  etag?: string
  isAbsent: boolean
  /** Whether the server did not answer the last time and has never returned a list. */
  isUnreachable: boolean
  nextPollAt: number
  flight?: Promise<void>
}

/** A check waits for the list only when it is due; checks for the same operator share one fetch. */
export function createRevocationCheck(options: RevocationOptions): CheckRevocation {
  const { clock = steadyClock, whenAbsent = 'current', whenUnreachable = 'stale' } = options
  const operators = new Map<string, Operator>()

  return async (keyid, signer) => {
    if (!isUrl(signer)) return 'stale'
    const { origin } = new URL(signer)
    const operator = operators.get(origin) ?? unknownOperator(origin)
    operators.set(origin, operator)
    if (clock.now() >= operator.nextPollAt) {
      operator.flight ??= poll(operator, { ...options, clock, signer }).finally(() => {
        delete operator.flight
      })
      // A server that hangs must not delay every delivery.
      if (!operator.isUnreachable || whenUnreachable === 'stale') await operator.flight
    }
    const { list, isAbsent, isUnreachable } = operator
    if (!list && isUnreachable) return whenUnreachable
    if (!list) return isAbsent ? whenAbsent : 'stale'
    if (clock.now() > list.nextUpdate + STALE_INTERVALS * intervalOf(list)) return 'stale'
    return list.revokedKids.has(keyid) ? 'revoked' : 'current'
  }
}

function unknownOperator(origin: string): Operator {
  return { origin, isAbsent: false, isUnreachable: false, nextPollAt: 0 }
}

function intervalOf({ updated, nextUpdate }: RevocationList): number {
  return Math.min(Math.max(nextUpdate - updated, FLOOR_MS), CEILING_MS)
}

interface PollOptions extends RevocationOptions {
  clock: Clock
  /** The agent whose key set signs the list. */
  signer: string
}

async function poll(operator: Operator, options: PollOptions): Promise<void> {
  const { clock, log, egress } = options
  const result = await egress.fetch({
    url: `${operator.origin}${PATH}`,
    headers: {
      accept: 'application/json, application/jose+json',
      ...defined({ 'if-none-match': operator.etag && operator.list ? operator.etag : undefined }),
    },
    redirects: 'none',
    maxBytes: MAX_LIST_BYTES,
    totalTimeoutMs: TIMEOUT_MS,
  })
  const outcome = await check(operator, result, options)
  const now = clock.now()
  if (outcome === 'absent' && !operator.isAbsent) {
    log?.info({ operator: operator.origin }, 'an operator publishes no list of revoked keys')
  }
  if (outcome !== 'absent' && outcome !== 'good') {
    log?.warn({ operator: operator.origin, reason: outcome.reason }, 'no usable revocation list')
  }
  operator.isAbsent = outcome === 'absent'
  operator.isUnreachable = !operator.list && isUnanswered(result)
  const next = outcome === 'good' && operator.list ? operator.list.nextUpdate : now + FLOOR_MS
  operator.nextPollAt =
    outcome === 'absent'
      ? now + ABSENT_MS
      : Math.min(Math.max(next, now + FLOOR_MS), now + CEILING_MS)
}

/** An unusable answer was caused by someone; it does not mean that the server is unreachable. */
function isUnanswered(result: EgressResult): boolean {
  return !result.ok && !['too_large', 'decode_failed', 'redirect_refused'].includes(result.code)
}

/** Stores a list that is valid and not older than the current one. */
async function check(
  operator: Operator,
  result: EgressResult,
  options: PollOptions,
): Promise<'good' | 'absent' | { reason: string }> {
  if (!result.ok) return { reason: `${result.code}: ${result.message}` }
  if (result.status === 304 && operator.list) return 'good'
  if (result.status === 404 || result.status === 410) {
    // If a list disappears, the last copy still revokes keys until it is too old.
    return operator.list ? { reason: `the server answers ${result.status} now` } : 'absent'
  }
  if (result.status !== 200) return { reason: `the server answered ${result.status}, not 200` }

  const read = await readSigned(result.body, operator.origin, options)
  if (!read.ok) return read
  if (operator.list && read.list.updated < operator.list.updated) {
    return { reason: 'the list is older than the one that is held' }
  }
  operator.list = read.list
  const { etag } = result.headers
  if (etag === undefined) delete operator.etag
  else operator.etag = etag
  return 'good'
}

/** With a newer copy of the key set, if the cached one lacks the key. */
async function readSigned(body: Uint8Array, origin: string, { keys, type, signer }: PollOptions) {
  const held = await keys.keySet(signer)
  if (!held.ok) return held
  const read = await readRevocationList(body, { origin, type, keys: held.value })
  if (read.ok || !read.isKeyUnknown) return read
  const newer = await keys.keySet(signer, { refresh: true })
  return newer.ok ? readRevocationList(body, { origin, type, keys: newer.value }) : read
}
