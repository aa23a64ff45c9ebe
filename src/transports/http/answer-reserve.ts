// How many bytes of answers the server holds, per caller and in total: reserved before the work is done, and held
// until the client has read the answer. A client that does not read uses up its own reserve. When the total reserve
// is used up, connections that were sent an answer and do not read it are closed, so that clients that do read have
// room.

import type { ServerResponse } from 'node:http'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { createUsageQuota, type UsageQuota } from '../../lib/usage-quota.ts'
import { HTTP_LIMITS } from './limits.ts'

/** There is no room for an answer: reported with its own status, in the error format of the called transport. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault'
  readonly status: 429 | 503
  readonly retryAfterSeconds = 1

  constructor(status: 429 | 503) {
    super(
      status === 429
        ? 'Too many responses to you have not been read yet. Read them, then retry this request.'
        : 'The server holds too many unread responses. Retry this request in a moment.',
    )
    this.status = status
  }
}

/** The caller an answer is counted against. */
interface AnswerCaller {
  account: string
  hasKey: boolean
}

export interface AnswerReserve {
  /** Reserves room for an answer until the response closes. */
  open(caller: AnswerCaller, bytes: number, response: Response): AnswerHold | AnswerFault
  /** Bytes reserved at present. */
  bytes(): number
}

/** The room of one answer. */
export interface AnswerHold {
  /** Changes the reservation to this size, for this caller. If it returns a fault, nothing has changed. */
  resize(caller: AnswerCaller, bytes: number): AnswerFault | undefined
  /** Like `resize`, for an answer that must be sent in any case: its work has changed something. */
  settle(caller: AnswerCaller, bytes: number): void
  /**
   * The answer was written: from now on the server waits for the client. False if the client is reading it, or has
   * read it.
   */
  awaitReader(isWaiting: boolean): void
}

type Response = Pick<ServerResponse, 'once' | 'destroy' | 'destroyed'>

export interface AnswerReserveOptions {
  /** Default: the limits of the server. */
  limits?: ReserveLimits
  clock?: Clock
  /** Called with the number of connections that were closed to make room. */
  onClosed?: (connections: number) => void
}

interface ReserveLimits {
  ofAll: number
  ofOne: number
  ofKeyless: number
  ofOneKeyless: number
}

const LIMITS: ReserveLimits = {
  ofAll: HTTP_LIMITS.answerBytesOfAll.value,
  ofOne: HTTP_LIMITS.answerBytesOfOne.value,
  ofKeyless: HTTP_LIMITS.answerBytesOfKeyless.value,
  ofOneKeyless: HTTP_LIMITS.answerBytesOfOneKeyless.value,
}
/** A client that reads accepts what it was sent within this time. */
const STALLED_MS = 2_000
/** How often to look for connections that can be closed. */
const LOOK_MS = 100

interface Held {
  caller: AnswerCaller
  bytes: number
  response: Response
  /** When the server began to wait for the client. */
  waitingSince: number | undefined
}

export function createAnswerReserve({
  limits = LIMITS,
  clock = systemClock,
  onClosed,
}: AnswerReserveOptions = {}): AnswerReserve {
  const quota = createAnswerQuota(limits)
  /** In the order in which they were opened. */
  const holds = new Set<Held>()
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Closes connections whose clients do not read, the oldest first, until `bytes` more could be reserved. */
  function makeRoom(bytes: number, hasKey: boolean): void {
    const now = clock.now()
    if (now - lookedAt < LOOK_MS) return
    lookedAt = now
    const stalled = stalledAmong(holds, { bytes, hasKey, now })
    for (const held of stalled) {
      held.response.destroy()
      release(held)
    }
    if (stalled.length > 0) onClosed?.(stalled.length)
  }

  function release(held: Held): void {
    if (!holds.delete(held)) return
    quota.give(held.caller, held.bytes)
    held.bytes = 0
  }

  function reserve(caller: AnswerCaller, bytes: number): AnswerFault | undefined {
    let outcome = quota.take(caller, bytes)
    if (outcome === 'all_full') {
      makeRoom(bytes, caller.hasKey)
      outcome = quota.take(caller, bytes)
    }
    if (outcome === 'taken') return undefined
    return new AnswerFault(outcome === 'own_full' ? 429 : 503)
  }

  function resize(held: Held, caller: AnswerCaller, bytes: number): AnswerFault | undefined {
    if (!holds.has(held)) return undefined
    const { caller: former, bytes: size } = held
    if (caller.account === former.account && bytes <= size) {
      quota.give(former, size - bytes)
      held.bytes = bytes
      return undefined
    }
    quota.give(former, size)
    held.bytes = 0
    const fault = reserve(caller, bytes)
    if (fault) quota.force(former, size)
    held.caller = fault ? former : caller
    held.bytes = fault ? size : bytes
    return fault
  }

  return {
    bytes: quota.bytes,
    open: (caller, bytes, response) => {
      const fault = reserve(caller, bytes)
      if (fault) return fault
      const held: Held = { caller, bytes, response, waitingSince: undefined }
      holds.add(held)
      if (response.destroyed) release(held)
      else response.once('close', () => release(held))
      return {
        resize: (by, size) => resize(held, by, size),
        settle: (by, size) => {
          if (resize(held, by, size)) forceResize(quota, held, { caller: by, bytes: size })
        },
        awaitReader: (isWaiting) => {
          held.waitingSince = isWaiting ? clock.now() : undefined
        },
      }
    },
  }
}

/** The first connections whose clients do not read, until together they hold `bytes`. */
function stalledAmong(
  holds: Iterable<Held>,
  { bytes, hasKey, now }: { bytes: number; hasKey: boolean; now: number },
): Held[] {
  const stalled: Held[] = []
  let freed = 0
  for (const held of holds) {
    if (freed >= bytes) break
    const { waitingSince, caller } = held
    if (waitingSince === undefined || now - waitingSince < STALLED_MS) continue
    // Room held by callers with a key does not lock out callers without one.
    if (!hasKey && caller.hasKey) continue
    freed += held.bytes
    stalled.push(held)
  }
  return stalled
}

/** Changes a reservation that the limits do not allow. */
function forceResize(
  quota: AnswerQuota,
  held: Held,
  { caller, bytes }: Pick<Held, 'caller' | 'bytes'>,
): void {
  quota.give(held.caller, held.bytes)
  quota.force(caller, bytes)
  held.caller = caller
  held.bytes = bytes
}

interface AnswerQuota {
  take(caller: AnswerCaller, bytes: number): ReturnType<UsageQuota['take']>
  give(caller: AnswerCaller, bytes: number): void
  /** Beyond the limits, if need be. */
  force(caller: AnswerCaller, bytes: number): void
  /** Bytes taken at present. */
  bytes(): number
}

/** A caller without a key is counted twice: with everyone, and with the other callers without one. */
function createAnswerQuota(limits: ReserveLimits): AnswerQuota {
  const all = createUsageQuota({ max: limits.ofAll, maxOfOne: limits.ofOne })
  const keyless = createUsageQuota({ max: limits.ofKeyless, maxOfOne: limits.ofOneKeyless })
  let total = 0
  return {
    bytes: () => total,
    take: ({ account, hasKey }, bytes) => {
      const own = hasKey ? 'taken' : keyless.take(account, bytes)
      if (own !== 'taken') return own
      const taken = all.take(account, bytes)
      if (taken !== 'taken' && !hasKey) keyless.give(account, bytes)
      if (taken === 'taken') total += bytes
      return taken
    },
    give: ({ account, hasKey }, bytes) => {
      if (!hasKey) keyless.give(account, bytes)
      all.give(account, bytes)
      total -= bytes
    },
    force: ({ account, hasKey }, bytes) => {
      if (!hasKey) keyless.force(account, bytes)
      all.force(account, bytes)
      total += bytes
    },
  }
}
