// Impairments of media buys, and what buyers see of their webhooks: what raises and clears impairments as signals and
// creatives change, what reports them, and what get_media_buys returns.

import type { Transaction } from '../lib/transaction.ts'
import type { BuyObserver } from '../media-buys/change-buy.ts'
import type { BuyView } from '../media-buys/fill-buy-page.ts'
import { createFireWorker, type FireWorker } from '../media-buys/impairments/fire-worker.ts'
import { impairmentView } from '../media-buys/impairments/impairment-view.ts'
import { flushImpairments } from '../media-buys/impairments/keep-impairments.ts'
import {
  creativesChanged,
  type ImpairmentWatchPorts,
  packagesChanged,
  signalChanged,
  watchBuys,
} from '../media-buys/impairments/watch-buys.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'
import { activityView } from '../media-buys/webhook-activity.ts'
import type { Emitter } from '../webhooks/sender/emit.ts'
import { impairmentPorts } from './impairment-ports.ts'
import type { Storage } from './open-storage.ts'
import type { Parts } from './parts.ts'

export interface ImpairmentArea {
  /** Hears of every change of a buy. */
  observer: BuyObserver
  /** What get_media_buys also returns. */
  views: readonly BuyView[]
  /** The stores whose changes affect media buys, with observers attached. */
  watched: Pick<Storage, 'activations' | 'creatives'>
  onAssigned(tx: Transaction, owner: string, packageIds: readonly string[]): Promise<void>
  /** Sends the pending notifications of a buy immediately, before its final report. */
  flush(tx: Transaction, buy: MediaBuyRecord): Promise<void>
  worker: FireWorker
}

const DAY_MS = 24 * 60 * 60 * 1_000

export function wireImpairments(parts: Parts, sender: Emitter): ImpairmentArea {
  const { config, clock, storage, onFault } = parts
  const { transact, onWake, impairments, activity, channels } = storage
  const { historyDays } = config
  const ports = impairmentPorts(parts, sender)
  return {
    observer: watchBuys(ports),
    views: [impairmentView(impairments), activityView({ activity, channels, historyDays })],
    watched: watchedStores(storage, ports),
    onAssigned: (tx, owner, packageIds) => packagesChanged(ports, tx, { owner, packageIds }),
    flush: async (tx, buy) => void (await flushImpairments(ports, tx, buy)),
    worker: createFireWorker({
      ...ports,
      transact,
      onWake,
      clock,
      onFault,
      sweep: parts.sweep,
      keepMs: historyDays * DAY_MS,
    }),
  }
}

function watchedStores(
  { activations, creatives }: Storage,
  ports: ImpairmentWatchPorts,
): ImpairmentArea['watched'] {
  return {
    activations: {
      ...activations,
      save: async (tx, activation) => {
        await activations.save(tx, activation)
        const { principal_id: owner, signal_agent_segment_id } = activation
        await ports.buys.holdOwner(tx, owner)
        await signalChanged(ports, tx, { owner, signal_agent_segment_id })
      },
    },
    creatives: {
      ...creatives,
      lockStates: async (tx, owner, creativeIds) => {
        await ports.buys.holdOwner(tx, owner)
        return creatives.lockStates(tx, owner, creativeIds)
      },
      lock: async (tx, owner, creativeIds) => {
        await ports.buys.holdOwner(tx, owner)
        return creatives.lock(tx, owner, creativeIds)
      },
      save: async (tx, owner, saved) => {
        await creatives.save(tx, owner, saved)
        const creativeIds = saved.map(({ creative_id }) => creative_id)
        await creativesChanged(ports, tx, { owner, creativeIds })
      },
    },
  }
}
