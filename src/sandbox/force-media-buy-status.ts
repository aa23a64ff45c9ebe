// `force_media_buy_status`: moves a buy of the caller to a state, step by step along the table of transitions (spec
// 3.4): each step is saved, and reported to the buyer, as if the clock or the seller had made it.

import { z } from 'zod'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { type ChangeBuyPorts, movedBy, saveChange } from '../media-buys/change-buy.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'
import { type BuyEvent, pathTo } from '../media-buys/states.ts'
import { opaqueId, text } from '../protocol/schemas/common.ts'
import { mediaBuyStatus } from '../protocol/schemas/media-buy.ts'
import { type AnyScenario, ControllerError, defineScenario, notFound } from './scenario.ts'

export interface ForceBuyPorts extends ChangeBuyPorts {
  transact: Transact
}

export function forceMediaBuyStatus(ports: ForceBuyPorts): AnyScenario {
  return defineScenario({
    name: 'force_media_buy_status',
    params: z.looseObject({
      media_buy_id: opaqueId,
      status: mediaBuyStatus,
      rejection_reason: text(2_000).optional(),
    }),
    run: ({ media_buy_id, status, rejection_reason: reason }, { owner }) =>
      ports.transact(async (tx) => {
        await ports.buys.holdOwner(tx, owner)
        const buy = await ports.buys.lock(tx, { media_buy_id, owner })
        if (!buy) throw notFound(`media buy ${media_buy_id}`)
        const path = pathTo(buy.status, status)
        if (!path) {
          const message = `a media buy that is ${buy.status} does not become ${status}`
          throw new ControllerError('INVALID_TRANSITION', message, buy.status)
        }
        let current = buy
        for (const event of path) {
          current = await move(ports, tx, { before: current, event, reason })
        }
        return { previous_state: buy.status, current_state: current.status }
      }),
  })
}

interface Move {
  before: MediaBuyRecord
  event: BuyEvent
  reason: string | undefined
}

async function move(
  ports: ForceBuyPorts,
  tx: Transaction,
  { before, event, reason }: Move,
): Promise<MediaBuyRecord> {
  const moved = movedBy(before, event)
  const isEnding = event === 'cancel' || event === 'reject'
  const ending = isEnding ? { by: 'seller' as const, at: await tx.now(), reason } : undefined
  const after = { ...moved, ...(ending ? { ending } : {}) }
  const why = { actor: 'seller' as const, action: event, isReported: true }
  return saveChange(ports, tx, { before, after, why })
}
