// Channels, deliveries and results with valid defaults, on a store whose time is a fake clock.

import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/storage/sql/database.ts'
import { createChannelStore } from '../../src/storage/stores/outbox/channels.ts'
import { createOutboxOperations } from '../../src/storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../../src/storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../../src/webhooks/sender/circuit.ts'
import type {
  AttemptResult,
  Channel,
  ClaimedDelivery,
  ClaimRequest,
  NewChannel,
  NewDelivery,
} from '../../src/webhooks/sender/store.ts'
import type { FakeClock } from './fake-clock.ts'

export const DAY_MS = 24 * 3_600_000
export const LEASE_MS = 60_000

const TABLES = ['channels', 'deliveries', 'attempts', 'circuits', 'limits', 'recoveries'].map(
  (name) => `webhook_${name}`,
)

export const newChannel = (over: Partial<NewChannel> = {}): NewChannel => {
  const url = over.url ?? 'https://buyer.example/hook'
  return {
    owner: 'prn_a',
    subject: `task:${randomUUID()}`,
    name: 'push',
    form: 'mcp',
    url,
    endpoint: url.split('?')[0] as string,
    operation_id: 'op-1',
    scheme: 'rfc9421',
    secrets: undefined,
    expires_at: undefined,
    ...over,
  }
}

export const success = (claimed: ClaimedDelivery, over: Partial<AttemptResult> = {}) =>
  ({
    delivery_id: claimed.delivery_id,
    attempt: claimed.attempt,
    owner: claimed.channel.owner,
    endpoint: claimed.channel.endpoint,
    status: 'success',
    http_status_code: 200,
    response_time_ms: 12,
    error_message: undefined,
    response_head: undefined,
    next: { state: 'delivered' },
    says: 'up',
    isGone: false,
    ...over,
  }) satisfies AttemptResult

export const failure = (claimed: ClaimedDelivery, over: Partial<AttemptResult> = {}) =>
  success(claimed, {
    status: 'failed',
    http_status_code: 503,
    error_message: 'the receiver answered 503',
    next: { state: 'pending', inMs: 1_000 },
    says: 'down',
    ...over,
  })

/** The stores of one database, each step in a transaction of its own. */
export function outboxOn(database: () => Database, clock: FakeClock) {
  let opened: { on: Database; outbox: ReturnType<typeof createOutboxStore> } | undefined
  const outbox = () => {
    const on = database()
    if (opened?.on !== on) opened = { on, outbox: createOutboxStore(on, { moveCircuit, clock }) }
    return opened.outbox
  }
  const operations = () => createOutboxOperations(database())
  const channels = () => createChannelStore(database(), { clock })
  const deliveryTo = (channel: Channel, over: Partial<NewDelivery> = {}): NewDelivery => ({
    channel,
    task_id: 'task-1',
    operation_id: 'op-1',
    notification_type: 'completed',
    sequence_number: undefined,
    idempotency_key: randomUUID(),
    body: Buffer.from('{"status":"completed"}'),
    ...over,
  })
  const put = async (over: Partial<NewChannel> = {}, most = 100): Promise<Channel> => {
    const channel = await database().transact((tx) => channels().put(tx, newChannel(over), most))
    if (channel === 'full') throw new Error('the subject has all the channels it may have')
    return channel
  }
  const add = (...deliveries: NewDelivery[]) =>
    database().transact((tx) => outbox().add(tx, deliveries, DAY_MS))
  const claim = (over: Partial<ClaimRequest> = {}) =>
    database().transact((tx) =>
      outbox().claim(tx, { limit: 100, leaseMs: LEASE_MS, choose: (due) => due, ...over }),
    )
  const record = (...results: AttemptResult[]) =>
    database().transact((tx) => outbox().record(tx, results))

  return {
    outbox,
    operations,
    channels,
    deliveryTo,
    put,
    add,
    claim,
    record,
    /** Adds one delivery to a channel of its own, unless a channel is given. */
    one: async (channel?: Channel, over: Partial<NewDelivery> = {}) => {
      const to = channel ?? (await put())
      await add(deliveryTo(to, over))
      return to
    },
    /** Claims what there must be exactly one of. */
    claimOne: async (over: Partial<ClaimRequest> = {}): Promise<ClaimedDelivery> => {
      const { claimed } = await claim(over)
      if (claimed.length !== 1) throw new Error(`expected one delivery, claimed ${claimed.length}`)
      return claimed[0] as ClaimedDelivery
    },
    /** Fails an owner's deliveries to the endpoint, each of its own subject, until its circuit is open. */
    openCircuit: async (url: string, owner = 'prn_a') => {
      const deliveries: NewDelivery[] = []
      for (let count = 0; count < 5; count++) deliveries.push(deliveryTo(await put({ url, owner })))
      await add(...deliveries)
      const { claimed } = await claim()
      const next = { state: 'exhausted', reason: 'refused' } as const
      await record(...claimed.map((one) => failure(one, { next })))
    },
    stateOf: async (deliveryId: number) => (await operations().show(deliveryId))?.state,
    clear: () =>
      database().transact(async (tx) => {
        for (const table of TABLES) await tx.run(`DELETE FROM ${table}`)
      }),
  }
}
