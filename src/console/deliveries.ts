// Deliveries: searched by any id that users have, each with every attempt, and the actions on it.

import { defined } from '../lib/defined.ts'
import { subjectOfBuy } from '../media-buys/buy-channels.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import { subjectOfTask } from '../webhooks/sender/emit.ts'
import { HORIZON_MS } from '../webhooks/sender/retry-policy.ts'
import {
  type DeliveryFilter,
  type DeliveryState,
  type OutboxOperations,
  REPORTS_SUBJECT,
} from '../webhooks/sender/store.ts'
import type { DeliveriesPage, DeliveriesQuery } from './api/deliveries.ts'
import { type ActionPorts, act } from './audit.ts'
import { deliveryItemOf } from './delivery-item.ts'
import type { PrincipalNames } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { endpointOf } from './ids.ts'
import { badCursor, notFound, Refused } from './refusal.ts'
import { serializeDelivery } from './serialize-delivery.ts'

export interface DeliveryPorts extends ActionPorts {
  outboxOperations: OutboxOperations
  names: PrincipalNames
}

type DeliveryRoute = 'listDeliveries' | 'getDelivery' | 'retryDelivery' | 'cancelDelivery'

export function deliveryHandlers(ports: DeliveryPorts): Handlers<DeliveryRoute> {
  const { outboxOperations } = ports
  const show = async (id: number) => {
    const found = await outboxOperations.show(id)
    if (!found) throw notFound(`delivery ${id}`)
    return serializeDelivery(found, await ports.names([found.owner]))
  }
  const refuse = async (id: number) => {
    const { state } = await show(id)
    const why =
      state === 'leased' ? 'it is being sent now: try again in a moment' : `it is ${state}`
    return new Refused(409, 'conflict', `delivery ${id} does not allow this action: ${why}`)
  }
  return {
    listDeliveries: ({ query }) => listDeliveries(ports, query),
    getDelivery: ({ params }) => show(params.delivery_id),
    retryDelivery: async ({ visitor, params: { delivery_id: id } }) => {
      const action = { visitor, action: 'deliveries.retry', target: String(id) }
      await act(ports, action, async (tx) => {
        if (!(await outboxOperations.retry(tx, id, HORIZON_MS))) throw await refuse(id)
      })
      return show(id)
    },
    cancelDelivery: async ({ visitor, params: { delivery_id: id } }) => {
      const action = { visitor, action: 'deliveries.cancel', target: String(id) }
      await act(ports, action, async (tx) => {
        const isDone = await outboxOperations.cancel(tx, id, 'cancelled by an operator')
        if (!isDone) throw await refuse(id)
      })
      return show(id)
    },
  }
}

const LIST = 'console.deliveries'

export async function listDeliveries(
  { outboxOperations, names }: Pick<DeliveryPorts, 'outboxOperations' | 'names'>,
  query: DeliveriesQuery,
): Promise<DeliveriesPage> {
  const { cursor, limit } = query
  const place = cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer'])
  if (cursor !== undefined && !place) throw badCursor()
  const lists = await Promise.all(
    filtersOf(query).map((filter) =>
      outboxOperations.list({ ...filter, ...defined({ before: place?.[0] }), limit: limit + 1 }),
    ),
  )
  // Each list contains its own newest rows, so the newest of all are among them.
  const byId = new Map(lists.flat().map((row) => [row.delivery_id, row]))
  const found = [...byId.values()].sort((a, b) => b.delivery_id - a.delivery_id)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const isMore = found.length > limit && last !== undefined
  const known = await names(rows.map(({ owner }) => owner))
  return {
    items: rows.map((row) => deliveryItemOf(row, known)),
    ...defined({ next_cursor: isMore ? cursorOf(LIST, [last.delivery_id]) : undefined }),
  }
}

/** The filters of which any may match: several states, or several meanings of one search text. */
function filtersOf(query: DeliveriesQuery): DeliveryFilter[] {
  const { owner, endpoint } =
    query.endpoint_id === undefined
      ? { owner: query.principal_id, endpoint: query.endpoint }
      : endpointOf(query.endpoint_id)
  const common: DeliveryFilter = defined({
    owner,
    endpoint,
    operation_id: query.operation_id,
    idempotency_key: query.idempotency_key,
    since: query.since === undefined ? undefined : Date.parse(query.since),
    until: query.until === undefined ? undefined : Date.parse(query.until),
  })
  const ofSubjects = subjectsOf(query).map((subject) => ({ ...common, ...defined({ subject }) }))
  const ofWords = ofSubjects.flatMap((filter) => withWord(filter, query.q))
  return ofWords.flatMap((filter) =>
    statesOf(query.status).map((state) => ({ ...filter, ...state })),
  )
}

function subjectsOf({ task_id, media_buy_id }: DeliveriesQuery): (string | undefined)[] {
  if (task_id !== undefined) return [subjectOfTask(task_id)]
  return media_buy_id === undefined ? [undefined] : subjectsOfBuy(media_buy_id)
}

function subjectsOfBuy(mediaBuyId: string): string[] {
  return [subjectOfBuy(mediaBuyId), `${REPORTS_SUBJECT}${mediaBuyId}`]
}

/** A search text may be the number of a delivery, a URL, or any of the ids. */
function withWord(filter: DeliveryFilter, word: string | undefined): DeliveryFilter[] {
  if (word === undefined) return [filter]
  if (/^https?:/i.test(word)) return [{ ...filter, endpoint: word }]
  const id = /^#?(\d{1,15})$/.exec(word)?.[1]
  const subjects = [subjectOfTask(word), ...subjectsOfBuy(word)]
  return [
    ...(id === undefined ? [] : [{ ...filter, delivery_id: Number(id) }]),
    { ...filter, operation_id: word },
    { ...filter, idempotency_key: word },
    ...(filter.subject === undefined ? subjects.map((subject) => ({ ...filter, subject })) : []),
  ]
}

type StateFilter = { state?: DeliveryState; isTried?: boolean }

function statesOf(status: DeliveriesQuery['status']): StateFilter[] {
  if (status === undefined) return [{}]
  if (status === 'failed') return [{ state: 'exhausted' }, { state: 'cancelled' }]
  if (status === 'waiting') return [{ state: 'pending' }, { state: 'leased' }, { state: 'held' }]
  if (status !== 'retrying') return [{ state: status }]
  return [
    { state: 'pending', isTried: true },
    { state: 'held', isTried: true },
  ]
}
