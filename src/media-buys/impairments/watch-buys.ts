// Keeps impairments true while buys, signals and creatives change, each time in the transaction of the change
// (spec 6.3).

import type { Transaction } from '../../lib/transaction.ts'
import type { BuyWatcher } from '../change-buy.ts'
import { isEnded } from '../states.ts'
import type { MediaBuyStore } from '../store.ts'
import { endImpairments, type ImpairmentPorts, reconcileImpairments } from './keep-impairments.ts'

export interface WatchPorts extends ImpairmentPorts {
  buys: Pick<MediaBuyStore, 'holdOwner' | 'lock' | 'lockOfPackages' | 'targeting'>
}

export function watchBuys(ports: ImpairmentPorts): BuyWatcher {
  return {
    created: (tx, buy) => reconcileImpairments(ports, tx, buy),
    changed: async (tx, { before, after }) => {
      if (!isEnded(after.status)) return reconcileImpairments(ports, tx, after)
      if (!isEnded(before.status)) await endImpairments(ports, tx, after)
    },
  }
}

/** A signal of the owner's is live, or no longer: the buys that target it look again. */
export async function signalChanged(
  ports: WatchPorts,
  tx: Transaction,
  { owner, signal_agent_segment_id }: { owner: string; signal_agent_segment_id: string },
): Promise<void> {
  const places = await ports.buys.targeting(tx, owner, signal_agent_segment_id)
  // In the order of their ids, as everybody who holds several.
  const ids = [...new Set(places.map(({ media_buy_id }) => media_buy_id))].sort()
  for (const media_buy_id of ids) {
    const buy = await ports.buys.lock(tx, { media_buy_id })
    if (buy && !isEnded(buy.status)) await reconcileImpairments(ports, tx, buy)
  }
}

/** Creatives of the owner's were changed: the buys that run them look again. */
export async function creativesChanged(
  ports: WatchPorts,
  tx: Transaction,
  owner: string,
  creativeIds: readonly string[],
): Promise<void> {
  await packagesChanged(
    ports,
    tx,
    owner,
    await ports.impairments.packagesOf(tx, owner, creativeIds),
  )
}

/** Packages of the owner's got other creatives. */
export async function packagesChanged(
  ports: WatchPorts,
  tx: Transaction,
  owner: string,
  packageIds: readonly string[],
): Promise<void> {
  if (packageIds.length === 0) return
  for (const buy of await ports.buys.lockOfPackages(tx, owner, packageIds)) {
    if (!isEnded(buy.status)) await reconcileImpairments(ports, tx, buy)
  }
}
