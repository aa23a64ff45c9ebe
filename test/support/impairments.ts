// Impairments on a database with a clock that is set: buys with channels, what was reported about them, and what
// get_media_buys returns.

import { registerChannels, type WantedChannels } from '../../src/media-buys/buy-channels.ts'
import { saveChange } from '../../src/media-buys/change-buy.ts'
import { fireDue } from '../../src/media-buys/impairments/fire-worker.ts'
import type {
  ImpairmentRecord,
  NewImpairment,
} from '../../src/media-buys/impairments/impairment.ts'
import { impairmentView } from '../../src/media-buys/impairments/impairment-view.ts'
import {
  clearImpairment,
  raiseImpairment,
} from '../../src/media-buys/impairments/keep-impairments.ts'
import {
  type ImpairmentWatchPorts,
  watchBuys,
} from '../../src/media-buys/impairments/watch-buys.ts'
import type { MediaBuyRecord } from '../../src/media-buys/media-buy.ts'
import { activityView } from '../../src/media-buys/webhook-activity.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createImpairmentStore } from '../../src/storage/stores/media-buys/impairments.ts'
import { createMediaBuyStore } from '../../src/storage/stores/media-buys/media-buys.ts'
import {
  createOwnSignals,
  createPackageCreatives,
} from '../../src/storage/stores/media-buys/package-creatives.ts'
import { createActivityStore } from '../../src/storage/stores/outbox/activity.ts'
import { createChannelStore } from '../../src/storage/stores/outbox/channels.ts'
import { createOutboxOperations } from '../../src/storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../../src/storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../../src/webhooks/sender/circuit.ts'
import { createEmitter } from '../../src/webhooks/sender/emit.ts'
import { checkChannel } from '../../src/webhooks/sender/register-channel.ts'
import type { FakeClock } from './fake-clock.ts'
import { buyRecord } from './media-buys.ts'
import { BOX } from './sender.ts'

export const WINDOW_MS = 60_000

export const REJECTED: NewImpairment = {
  impairment_type: 'general',
  resource_type: 'creative',
  resource_id: 'c1',
  package_ids: ['p1'],
  transition: { to: 'rejected' },
  reason_code: 'content_rejected',
}

/** One process on a database. */
export function impairmentDesk(database: Database, clock: FakeClock) {
  const { transact } = database
  const channels = createChannelStore(database, { clock })
  /** Whether the queue of every owner is full. */
  const queue = { isFull: false }
  const outbox = {
    ...createOutboxStore(database, { moveCircuit }),
    room: async () => (queue.isFull ? 0 : 1_000),
  }
  const operations = createOutboxOperations(database)
  const buys = createMediaBuyStore(database)
  const impairments = createImpairmentStore(database)
  const emitter = createEmitter({ channels, outbox, box: BOX, onFault: () => {} })
  const sender = {
    ...emitter,
    check: (wanted: Parameters<typeof checkChannel>[0]) =>
      checkChannel(wanted, { box: BOX, checkUrl: (url) => ({ ok: true, url: new URL(url) }) }),
    register: (
      tx: Parameters<typeof channels.put>[0],
      channel: Parameters<typeof channels.put>[1],
    ) => channels.put(tx, channel, 10),
  }
  const served = { has: (_id: string) => true }
  const ports: ImpairmentWatchPorts = {
    impairments,
    buys,
    channels,
    sender,
    signals: createOwnSignals(),
    isFormatServed: ({ id }) => served.has(id),
    windowMs: WINDOW_MS,
  }
  const creatives = createPackageCreatives(database)
  const observers = [watchBuys(ports)]
  const views = [
    impairmentView(impairments),
    activityView({ activity: createActivityStore(database), channels, historyDays: 30 }),
  ]
  const held = <T>(
    id: string,
    work: (tx: Parameters<typeof buys.lock>[0], buy: MediaBuyRecord) => Promise<T>,
  ) =>
    transact(async (tx) => work(tx, (await buys.lock(tx, { media_buy_id: id })) as MediaBuyRecord))
  return {
    ports,
    buys,
    impairments,
    channels,
    outbox,
    operations,
    served,
    transact,
    held,
    queue,
    addBuy: async (over: Partial<MediaBuyRecord> = {}, wanted: WantedChannels = {}) => {
      const buy = buyRecord({ created_at: clock.now(), ...over })
      await transact(async (tx) => {
        await buys.add(tx, buy)
        await registerChannels({ sender }, tx, { buy, wanted })
      })
      return buy
    },
    raise: (id: string, over: Partial<NewImpairment> = {}) =>
      held(id, (tx, buy) =>
        raiseImpairment(ports, tx, {
          buy,
          wanted: { ...REJECTED, ...over, raised_by: 'operator' },
        }),
      ),
    clear: (record: ImpairmentRecord) =>
      held(record.media_buy_id, (tx, buy) => clearImpairment(ports, tx, { buy, record })),
    end: (id: string) =>
      held(id, async (tx, before) => {
        const after = { ...before, status: 'canceled' as const }
        const why = { actor: 'seller' as const, action: 'cancel', isReported: true }
        await saveChange({ buys, creatives, sender, observers }, tx, { before, after, why })
      }),
    save: (id: string, change: (buy: MediaBuyRecord) => MediaBuyRecord) =>
      held(id, async (tx, before) => {
        const why = { actor: 'buyer' as const, action: 'update_packages', isReported: false }
        const after = change(before)
        await saveChange({ buys, creatives, sender, observers }, tx, { before, after, why })
      }),
    fire: () =>
      fireDue({
        ...ports,
        transact,
        onFault: (error) => {
          throw error
        },
      }),
    /** What was reported about a buy, the oldest first: the envelopes. */
    reported: async (subject: string) => {
      const found = await operations.list({ subject })
      const bodies = []
      for (const { delivery_id, url } of found.toReversed()) {
        const returned = await operations.show(delivery_id)
        bodies.push({ url, ...JSON.parse(Buffer.from(returned?.body ?? []).toString('utf8')) })
      }
      return bodies
    },
    /** What get_media_buys shows beside the buy itself. */
    returned: async (
      buy: MediaBuyRecord,
      owner = buy.owner,
      request: Record<string, unknown> = {},
    ) => {
      const now = (await held(buy.media_buy_id, async (_tx, one) => one)) ?? buy
      const members = await Promise.all(views.map((view) => view.membersOf([now], request, owner)))
      return Object.assign({}, ...members.map((found) => found.get(buy.media_buy_id)))
    },
  }
}
