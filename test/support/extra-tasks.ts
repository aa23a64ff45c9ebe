// Tasks that only tests have, for the table of a whole server: a public one, one that changes
// something, one for operators and one that breaks.

import { z } from 'zod'
import { type AnyTask, defineTask } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'

export const SECRET_MESSAGE = 'password=hunter2 at 10.0.0.7'

export interface ExtraTasks {
  tasks: readonly AnyTask[]
  /** The orders that were placed, in order. */
  orders: Order[]
}

type Order = z.infer<typeof orderRequest>

export interface ExtraTasksOptions {
  /** Runs before an order is placed; what it throws, the handler throws. Default nothing. */
  beforeOrder?: (order: Order) => Promise<void>
}

const orderRequest = z.looseObject({
  sku: z.string().min(1).max(64),
  quantity: z.int().min(1).max(100),
  ship_to: z.looseObject({ city: z.string().min(1), zip: z.string().regex(/^\d{5}$/) }).optional(),
  kind: z.union([z.literal('normal'), z.looseObject({ days: z.int().min(1) })]).optional(),
})

export function extraTasks({ beforeOrder }: ExtraTasksOptions = {}): ExtraTasks {
  const orders: Order[] = []
  const countWords = defineTask({
    name: 'count_words',
    aliases: ['tally_words'],
    summary: 'Counts words.',
    area: 'signals',
    request: z.looseObject({
      words: z.array(z.string().min(1).max(50)).max(20),
      longest: z.number().min(0).optional(),
      source: z.url().optional(),
    }),
    response: z.strictObject({ total: z.int(), different: z.int() }),
    access: 'public',
    changes: false,
    cost: constantCost(10, 'nothing'),
    handle: async ({ words }) => ({ total: words.length, different: new Set(words).size }),
  })
  const placeOrder = defineTask({
    name: 'place_order',
    summary: 'Places an order.',
    area: 'creative',
    request: orderRequest,
    response: z.strictObject({ order_number: z.int(), sku: z.string() }),
    access: 'tasks',
    changes: true,
    cost: constantCost(10, 'nothing'),
    handle: async (order) => {
      await beforeOrder?.(order)
      orders.push(order)
      return { order_number: orders.length, sku: order.sku }
    },
  })
  const audit = defineTask({
    name: 'audit',
    summary: 'Tells operators how much was ordered.',
    area: 'tasks',
    request: z.looseObject({ since: z.iso.datetime().optional() }),
    response: z.strictObject({ orders: z.int() }),
    access: 'operator',
    changes: false,
    cost: constantCost(10, 'nothing'),
    handle: async () => ({ orders: orders.length }),
  })
  const breakDown = defineTask({
    name: 'break_down',
    summary: 'Throws what nobody may see.',
    area: 'creative',
    request: z.looseObject({}),
    response: z.strictObject({}),
    access: 'public',
    changes: false,
    cost: constantCost(10, 'nothing'),
    handle: async () => {
      throw new Error(SECRET_MESSAGE)
    },
  })
  return { tasks: [countWords, placeOrder, audit, breakDown], orders }
}
