// Keeps impairments up to date when buys, signals and creatives change, always in the transaction of the change (spec
// 6.3).

import { createPacer } from '../../lib/pacer.ts'
import type { Transaction } from '../../lib/transaction.ts'
import type { BuyObserver } from '../change-buy.ts'
import { isEnded } from '../states.ts'
import type { MediaBuyStore } from '../store.ts'
import { endImpairments, type ImpairmentPorts, reconcileImpairments } from './keep-impairments.ts'
import { isFaulty } from './known-faults.ts'

export interface ImpairmentWatchPorts extends ImpairmentPorts {
  buys: Pick<MediaBuyStore, 'holdOwner' | 'lock' | 'ofPackages' | 'targeting'>
}

export function watchBuys(ports: ImpairmentPorts): BuyObserver {
  return {
    created: (tx, buy) => reconcileImpairments(ports, tx, buy),
    changed: async (tx, { before, after }) => {
      if (!isEnded(after.status)) return reconcileImpairments(ports, tx, after)
      if (!isEnded(before.status)) await endImpairments(ports, tx, after)
    },
  }
}

/** One of the owner's signals became live, or no longer is: the buys that target it are checked again. */
export async function signalChanged(
  ports: ImpairmentWatchPorts,
  tx: Transaction,
  { owner, signal_agent_segment_id }: { owner: string; signal_agent_segment_id: string },
): Promise<void> {
  const places = await ports.buys.targeting(tx, owner, signal_agent_segment_id)
  await lookAgain(
    ports,
    tx,
    places.map(({ media_buy_id }) => media_buy_id),
  )
}

/** The owner's creatives were changed: the buys that they impair, or impaired, are checked again. */
export async function creativesChanged(
  ports: ImpairmentWatchPorts,
  tx: Transaction,
  { owner, creativeIds }: { owner: string; creativeIds: readonly string[] },
): Promise<void> {
  const { impairments, buys } = ports
  const kinds = await impairments.kindsByCreative(tx, owner, creativeIds)
  // Creatives that are assigned to no package affect no buy.
  if (kinds.size === 0) return
  const faulty = creativeIds.filter((id) => {
    const kind = kinds.get(id)
    return kind !== undefined && isFaulty(kind, ports)
  })
  const packages = await impairments.packagesOf(tx, owner, faulty)
  await lookAgain(ports, tx, [
    ...(await impairments.impairedBy(tx, owner, creativeIds)),
    ...(await buys.ofPackages(tx, owner, { packageIds: packages })),
  ])
}

/** The creatives of the owner's packages were changed. */
export async function packagesChanged(
  ports: ImpairmentWatchPorts,
  tx: Transaction,
  { owner, packageIds }: { owner: string; packageIds: readonly string[] },
): Promise<void> {
  const { impairments, buys } = ports
  const kinds = await impairments.kindsOf(tx, owner, packageIds)
  const faulty = kinds.filter((kind) => isFaulty(kind, ports))
  const found = await impairments.creativesOf(tx, owner, { packageIds, kinds: faulty })
  const concerned = [...new Set(found.map(({ package_id }) => package_id))]
  const all = await buys.ofPackages(tx, owner, { packageIds })
  await lookAgain(ports, tx, [
    ...(await impairments.impairedAmong(tx, all)),
    ...(await buys.ofPackages(tx, owner, { packageIds: concerned })),
  ])
}

/** Ordered by id, like all code that locks several. */
async function lookAgain(
  ports: ImpairmentWatchPorts,
  tx: Transaction,
  mediaBuyIds: readonly string[],
): Promise<void> {
  const pacer = createPacer({ isInTransaction: true })
  for (const media_buy_id of [...new Set(mediaBuyIds)].sort()) {
    if (pacer.isDue()) await pacer.pause()
    const buy = await ports.buys.lock(tx, { media_buy_id })
    if (buy && !isEnded(buy.status)) await reconcileImpairments(ports, tx, buy)
  }
}
