// `create_media_buy`: buys packages of products, or a proposal (spec 3.4, 4.5).

import { hasFeature } from '../protocol/releases/releases.ts'
import {
  type CreateMediaBuyRequest,
  type CreateMediaBuyResponse,
  createMediaBuyRequest,
  createMediaBuyResponse,
} from '../protocol/schemas/media-buys.ts'
import type { CallContext, Task } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { createCost } from './buy-cost.ts'
import { type BuyPorts, type BuyTaskOptions, buyTask } from './buy-task.ts'
import type { CreateRequest } from './draft-buy.ts'
import { createFaults } from './faults.ts'
import { addInline } from './inline-creatives.ts'
import { inWordsOf, serializeCreated } from './serialize-buy.ts'

export function createMediaBuy(
  ports: BuyPorts,
  engine: TaskEngine,
  options: BuyTaskOptions,
): Task<CreateMediaBuyRequest, CreateMediaBuyResponse> {
  return buyTask<CreateMediaBuyRequest, CreateMediaBuyResponse>(
    ports,
    {
      task_type: 'create_media_buy',
      summary: 'Buys packages of products, for a flight and a budget',
      request: createMediaBuyRequest,
      response: createMediaBuyResponse,
      cost: createCost(),
      before: async (request, call) => {
        refuseProposal(request, call)
        await addInline(ports, request.packages, call)
      },
      read: async (_tx, _owner, request) => request,
      returned: async (tx, buy) => {
        const ids = buy.packages.map(({ package_id }) => package_id)
        return serializeCreated(buy, await ports.creatives.ofPackages(tx, buy.owner, ids))
      },
      inWords: inWordsOf,
    },
    { engine, ...options },
  )
}

/** No one else is offered one. */
function refuseProposal({ proposal_id }: CreateRequest, { version }: CallContext): void {
  if (proposal_id === undefined || hasFeature(version, 'proposals')) return
  const faults = createFaults()
  const message = 'proposal_id is not supported: omit it.'
  faults.add('UNSUPPORTED_FEATURE', message, { pointer: '/proposal_id' })
  faults.refuse()
}
