// Waits for the end of an operation (spec 6.1: operation_id is what correlates), whichever instance received it,
// including if it was already received. All waiting callers share one subscription and one loop; if no one waits,
// there is neither.

import { createPoller, type Poller } from '../../lib/poller.ts'
import { createRecentCache } from '../../lib/recent-cache.ts'
import type { OnWake } from '../../lib/transaction.ts'
import type { ValueNames } from '../../protocol/one-outcome.ts'
import { OPERATION_ENDED_TOPIC } from './apply.ts'
import { isEnd, isSameEnd, type WebhookConflict } from './conflicts.ts'
import { readMessage, type WebhookMessage } from './message.ts'
import type { InboxStore } from './store.ts'

export interface WaitPorts {
  inbox: Pick<InboxStore, 'ofOperation'>
  onWake: OnWake
  /** Longest time until an end is noticed without a wake-up, in milliseconds. Default 1000. */
  pollMs?: number | undefined
  onFault: (error: unknown) => void
  /** Called once if a further end of the operation from the same sender differs. Must not throw. */
  onConflict?: ((conflict: WebhookConflict) => void) | undefined
  /** Members of answers that hold the protocol's name. */
  names: ValueNames
}

export interface WaitOptions {
  /** Only messages of this sender: another one could use the same operation. Default: any. */
  sender?: string | undefined
  /** Longest wait, in milliseconds. Default: until the signal. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Resolves with the first applied message of the operation with a final status, or with undefined when the time is up
 * or the signal aborts.
 */
export type WaitFor = (
  operationId: string,
  options?: WaitOptions,
) => Promise<WebhookMessage | undefined>

interface Waiter {
  operationId: string
  sender: string | undefined
  done(message: WebhookMessage | undefined): void
}

/** A timer cannot be set for longer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Conflicts that are remembered, so that each is reported once. */
const MAX_REPORTED = 10_000

export function createWaitFor(ports: WaitPorts): WaitFor {
  const { inbox, onWake, pollMs = 1_000, onFault } = ports
  const reportConflicts = conflictTeller(ports)
  const waiters = new Set<Waiter>()
  let looking: Poller | undefined
  let stopLooking = () => {}

  function startLooking(): Poller {
    const poller = createPoller({
      name: 'worker: operations that callers wait for',
      intervalMs: pollMs,
      onFault,
      round,
    })
    const unsubscribe = onWake(OPERATION_ENDED_TOPIC, poller.wake)
    stopLooking = () => {
      unsubscribe()
      void poller.stop()
      looking = undefined
    }
    return poller
  }

  async function round(): Promise<boolean> {
    for (const operationId of new Set([...waiters].map((waiter) => waiter.operationId))) {
      const applied = await inbox.ofOperation(operationId)
      const ends = applied.filter(isEnd)
      for (const waiter of [...waiters].filter((one) => one.operationId === operationId)) {
        const end = ends.find(({ sender }) => sender === (waiter.sender ?? sender))
        if (!end) continue
        reportConflicts(ends.filter(({ sender }) => sender === end.sender))
        waiter.done(readMessage(end))
      }
    }
    return false
  }

  return (operationId, { sender, timeoutMs, signal } = {}) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(undefined)
      const stop = () => waiter.done(undefined)
      const waiter: Waiter = {
        operationId,
        sender,
        done: (message) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          waiters.delete(waiter)
          if (waiters.size === 0) stopLooking()
          resolve(message)
        },
      }
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(stop, Math.min(timeoutMs, MAX_TIMER_MS))
      signal?.addEventListener('abort', stop, { once: true })
      waiters.add(waiter)
      looking ??= startLooking()
      looking.wake()
    })
}

type Applied = Awaited<ReturnType<InboxStore['ofOperation']>>[number]

/** If one sender reports several ends, the first counts; reports those that differ. */
function conflictTeller({ onConflict, names }: WaitPorts) {
  const reported = createRecentCache<true>(MAX_REPORTED)
  return ([first, ...later]: readonly Applied[]): void => {
    if (!first || !onConflict) return
    const settled = readMessage(first)
    for (const one of later) {
      const key = String(one.message_id)
      const other = readMessage(one)
      if (reported.get(key) || isSameEnd(settled, other, names)) continue
      reported.set(key, true)
      onConflict({ operation_id: settled.operation_id ?? '', settled, other })
    }
  }
}
