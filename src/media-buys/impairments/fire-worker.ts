// Reports when windows end (spec 6.3), each in a separate transaction that locks the buy: a window that two instances
// see is reported by one, and after a kill it is handled by the next check. At startup, and periodically, it also
// checks every running buy for changes that no one observed, such as a format that was withdrawn.

import type { Clock } from '../../lib/clock.ts'
import { createPoller, type Poller } from '../../lib/poller.ts'
import type { SweepOptions } from '../../lib/sweep.ts'
import type { OnWake, Transact } from '../../lib/transaction.ts'
import { isEnded } from '../states.ts'
import { fireIfDue, reconcileImpairments } from './keep-impairments.ts'
import { IMPAIRMENTS_TOPIC } from './store.ts'
import type { ImpairmentWatchPorts } from './watch-buys.ts'

export interface FireWorkerPorts extends ImpairmentWatchPorts {
  transact: Transact
  onWake: OnWake
  clock: Clock
  onFault: (error: unknown) => void
  /** A background loop that deletes expired rows. */
  sweep: (options: Pick<SweepOptions, 'name' | 'intervalMs' | 'sweep'>) => Poller
  /** How long reported fires are kept, in milliseconds. */
  keepMs: number
}

export interface FireWorker {
  start(): void
  stop(): Promise<void>
}

const POLL_MS = 5_000
const SWEEP_MS = 60 * 60 * 1_000
const AT_ONCE = 100

export function createFireWorker(ports: FireWorkerPorts): FireWorker {
  const { onWake, onFault } = ports
  let timer: NodeJS.Timeout | undefined
  let ignore = () => {}
  const fires = createPoller({
    name: 'worker: impairments',
    intervalMs: POLL_MS,
    onFault,
    round: async () => {
      clearTimeout(timer)
      const { isMore, nextInMs } = await fireDue(ports)
      if (nextInMs !== undefined && nextInMs < POLL_MS) timer = setTimeout(fires.wake, nextInMs)
      return isMore
    },
  })
  const sweeps = createPoller({
    name: 'worker: look at every media buy for impairments',
    intervalMs: SWEEP_MS,
    onFault,
    round: (signal) => reconcileAll(ports, signal),
  })
  const trims = ports.sweep({
    name: 'worker: delete old impairments',
    intervalMs: SWEEP_MS,
    sweep: async (now) => {
      const { transact, impairments, keepMs } = ports
      return (await transact((tx) => impairments.trim(tx, now - keepMs))) > 0
    },
  })
  return {
    start: () => {
      ignore = onWake(IMPAIRMENTS_TOPIC, fires.wake)
      fires.start()
      sweeps.start()
      trims.start()
    },
    stop: async () => {
      ignore()
      clearTimeout(timer)
      await Promise.all([fires.stop(), sweeps.stop(), trims.stop()])
      clearTimeout(timer)
    },
  }
}

/** Reports the windows that have ended, a few at a time. @internal */
export async function fireDue(
  ports: Pick<FireWorkerPorts, 'transact' | 'onFault'> & ImpairmentWatchPorts,
): Promise<{ fired: number; isMore: boolean; nextInMs: number | undefined }> {
  const { transact, impairments, buys, onFault } = ports
  const { media_buy_ids, nextDueAt, now } = await transact(async (tx) => ({
    ...(await impairments.due(tx, AT_ONCE)),
    now: await tx.now(),
  }))
  let fired = 0
  for (const media_buy_id of media_buy_ids) {
    try {
      const isReported = await transact(async (tx) => {
        const buy = await buys.lock(tx, { media_buy_id })
        return buy !== undefined && (await fireIfDue(ports, tx, buy))
      })
      if (isReported) fired += 1
    } catch (error) {
      // A failing one does not delay the others; the next check retries it.
      onFault(error)
    }
  }
  const isMore = media_buy_ids.length === AT_ONCE && fired > 0
  return {
    fired,
    isMore,
    nextInMs: nextDueAt === undefined ? undefined : Math.max(0, nextDueAt - now),
  }
}

async function reconcileAll(ports: FireWorkerPorts, signal: AbortSignal): Promise<boolean> {
  const { transact, impairments, buys, onFault } = ports
  let ids = await impairments.goingOn('', AT_ONCE)
  while (ids.length > 0 && !signal.aborted) {
    for (const media_buy_id of ids) {
      try {
        await transact(async (tx) => {
          const buy = await buys.lock(tx, { media_buy_id })
          if (buy && !isEnded(buy.status)) await reconcileImpairments(ports, tx, buy)
        })
      } catch (error) {
        onFault(error)
      }
    }
    ids = await impairments.goingOn(ids.at(-1) ?? '', AT_ONCE)
  }
  return false
}
