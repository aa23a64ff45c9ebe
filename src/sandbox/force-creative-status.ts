// `force_creative_status` and `force_creative_purge`: do what a review or a retention rule would do to a creative in
// the caller's library. Everything that depends on it is notified as usual: impairments, and buys that waited for
// creatives.

import { z } from 'zod'
import { mayBecome } from '../creative/creative-states.ts'
import type { CreativeStore, StoredCreative } from '../creative/library-store.ts'
import { defined } from '../lib/defined.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { opaqueId, text } from '../protocol/schemas/common.ts'
import { creativeStatus } from '../protocol/schemas/creative-library.ts'
import { type AnyScenario, ControllerError, defineScenario, notFound } from './scenario.ts'

export interface ForceCreativePorts {
  transact: Transact
  /** The library as observed by the server. */
  library: CreativeStore
  /** Notifies the buys of packages with changed creatives. */
  onAssigned(tx: Transaction, owner: string, packageIds: readonly string[]): Promise<void>
}

export function forceCreativeScenarios(ports: ForceCreativePorts): AnyScenario[] {
  return [forceStatus(ports), forcePurge(ports)]
}

function forceStatus(ports: ForceCreativePorts) {
  return defineScenario({
    name: 'force_creative_status',
    params: z.looseObject({
      creative_id: opaqueId,
      status: creativeStatus,
      reason_code: text(100).optional(),
      rejection_reason: text(2_000).optional(),
    }),
    run: ({ creative_id, status, rejection_reason, reason_code }, { owner }) =>
      ports.transact(async (tx) => {
        const creative = await locked(ports, tx, { owner, creative_id })
        const moved = { previous_state: creative.status, current_state: status }
        if (creative.status === status) return moved
        if (!mayBecome(creative.status, status)) {
          const message = `a creative that is ${creative.status} does not become ${status}`
          throw new ControllerError('INVALID_TRANSITION', message, creative.status)
        }
        const others = { ...creative.others, ...defined({ rejection_reason, reason_code }) }
        await ports.library.save(tx, owner, [{ ...creative, status, others }])
        await notifyPackages(ports, tx, { owner, creative_id })
        return moved
      }),
  })
}

/** `soft` moves it to the archive; `hard` deletes it. */
function forcePurge(ports: ForceCreativePorts) {
  return defineScenario({
    name: 'force_creative_purge',
    params: z.looseObject({
      creative_id: opaqueId,
      purge_kind: z.enum(['soft', 'hard']).optional(),
    }),
    run: ({ creative_id, purge_kind = 'soft' }, { owner }) =>
      ports.transact(async (tx) => {
        const creative = await locked(ports, tx, { owner, creative_id })
        // Done before it is deleted: its status determines whether a buy is impaired.
        await ports.library.save(tx, owner, [{ ...creative, status: 'archived' }])
        await notifyPackages(ports, tx, { owner, creative_id })
        if (purge_kind === 'hard') await ports.library.remove(tx, owner, [creative_id])
        return { previous_state: creative.status, current_state: 'purged' }
      }),
  })
}

interface OwnedCreative {
  owner: string
  creative_id: string
}

async function locked(
  { library }: ForceCreativePorts,
  tx: Transaction,
  { owner, creative_id }: OwnedCreative,
): Promise<StoredCreative> {
  const found = (await library.lock(tx, owner, [creative_id])).get(creative_id)
  if (!found) throw notFound(`creative ${creative_id}`)
  return found
}

async function notifyPackages(
  { library, onAssigned }: ForceCreativePorts,
  tx: Transaction,
  { owner, creative_id }: OwnedCreative,
): Promise<void> {
  const packages = (await library.packagesOf(tx, owner, [creative_id])).get(creative_id)
  if (packages && packages.size > 0) await onAssigned(tx, owner, [...packages])
}
