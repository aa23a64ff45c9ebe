// `update_media_buy`: pauses, resumes or cancels a buy, and changes its money, dates, packages, creatives and webhooks
// (spec 3.4, 4.5).

import { oncePer } from '../lib/once-per.ts'
import {
  type UpdateMediaBuyRequest,
  type UpdateMediaBuyResponse,
  updateMediaBuyRequest,
  updateMediaBuyResponse,
} from '../protocol/schemas/media-buys.ts'
import type { Task } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { bidNotes } from './bid-notes.ts'
import { type NamedBuy, updateCost } from './buy-cost.ts'
import type { BuyPorts, BuyTaskOptions } from './buy-task.ts'
import { addInline } from './inline-creatives.ts'
import {
  buyMembersOf,
  type CreativesByPackage,
  inWordsOf,
  isoOf,
  serializePackages,
} from './serialize-buy.ts'
import { type UpdatedBuy, updateTask } from './update-task.ts'

export function updateMediaBuy(
  ports: BuyPorts,
  engine: TaskEngine,
  options: BuyTaskOptions,
): Task<UpdateMediaBuyRequest, UpdateMediaBuyResponse> {
  const namedBuy = namedBuyOf(ports)
  return updateTask<UpdateMediaBuyRequest, UpdateMediaBuyResponse>(
    ports,
    {
      task_type: 'update_media_buy',
      summary: 'Pauses, resumes, cancels or changes a media buy',
      request: updateMediaBuyRequest,
      response: updateMediaBuyResponse,
      cost: updateCost(ports.buys, namedBuy),
      namedBuy,
      before: ({ packages = [], new_packages = [] }, call) =>
        addInline(ports, [...packages, ...new_packages], call),
      read: (request) => request,
      returned: serializeUpdated,
      inWords: inWordsOf,
    },
    { engine, ...options },
  )
}

/** The buy that a call is about: read once, for its cost and for the call. */
export function namedBuyOf({ buys }: Pick<BuyPorts, 'buys'>): NamedBuy {
  return oncePer(async ({ media_buy_id }: { media_buy_id: string }, owner: string) => {
    const { buys: found } = await buys.list(owner, { media_buy_ids: [media_buy_id], limit: 1 })
    return found[0]
  })
}

async function serializeUpdated(
  { buy, package_ids }: UpdatedBuy,
  assigned: CreativesByPackage,
): Promise<UpdateMediaBuyResponse> {
  const ids = new Set(package_ids)
  const affected = buy.packages.filter(({ package_id }) => ids.has(package_id))
  return {
    ...buyMembersOf(buy),
    media_buy_status: buy.status,
    implementation_date: isoOf(buy.updated_at),
    affected_packages: await serializePackages(buy, affected, assigned),
    ...bidNotes(affected),
  }
}
